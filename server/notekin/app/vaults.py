"""Which vaults are open, and whose a path is. Frozen: a change makes a new value.

A folder may be told by several spellings (through a link, in another case): it is one vault.
A vault may lie in another one: what lies in both is the inner one's.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from attrs import evolve, frozen

from notekin.app.ports import VectorShelf
from notekin.app.vault import Vault


@frozen
class Beside:
    """What a vault sees of the others, as they are when it asks: the folders in it that are
    vaults of their own, and what the others can lend.
    """

    inner: Callable[[], frozenset[str]]
    shelves: Callable[[], Iterable[VectorShelf]]


@frozen
class Vaults:
    """The open vaults, in the order they were opened."""

    _all: tuple[Vault, ...] = ()

    def __iter__(self) -> Iterator[Vault]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def having(self, vault: Vault) -> "Vaults":
        """Return these with a vault, in the place of the one with its folder."""
        if all(each.folder != vault.folder for each in self._all):
            return Vaults((*self._all, vault))
        return Vaults(tuple(vault if e.folder == vault.folder else e for e in self._all))

    def without(self, vault: Vault) -> "Vaults":
        """Return these without a vault."""
        return Vaults(tuple(each for each in self._all if each.folder != vault.folder))

    def spelled(self, folder: Path) -> Vault | None:
        """Return the vault that was opened by this name."""
        return next((each for each in self._all if folder in each.names), None)

    def same_as(self, folder: Path) -> Vault | None:
        """Return the vault that is this folder, whatever it was called. Looks at the disk."""
        return next((each for each in self._all if is_same_folder(each.folder, folder)), None)

    def home(self, path: Path) -> tuple[Vault, str] | None:
        """Return the innermost vault that holds `path`, and the path in it ("" is the vault)."""
        real = self._real(path)
        inside = [(v, r) for v in self._all if (r := v.relative(real)) is not None]
        return min(inside, key=lambda one: len(one[1]), default=None)

    def path_in(self, vault: Vault, path: Path) -> str | None:
        """Return `path` as the vault that is its home has it, None in another one."""
        home = self.home(path)
        return home[1] if home and home[0].folder == vault.folder else None

    def homes(self, paths: Sequence[Path]) -> Sequence[tuple[Vault, list[str]]]:
        """Return the vaults that hold `paths`, or lie in them, with the paths in them."""
        homes: dict[Path, tuple[Vault, list[str]]] = {}
        for path in paths:
            home = self.home(path)
            below = ((vault, "") for vault in self._all if vault.lies_below(self._real(path)))
            for vault, relative in (*([home] if home else ()), *below):
                homes.setdefault(vault.folder, (vault, []))[1].append(relative)
        return list(homes.values())

    def _real(self, path: Path) -> Path:
        """Return a path that begins with any name of a vault as one in its real folder."""
        inside = ((each, each.relative(path)) for each in self._all)
        return next((each.real / rest for each, rest in inside if rest is not None), path)

    def inner(self, folder: Path) -> frozenset[str]:
        """Return the paths in a vault at which other vaults lie."""
        prefixes = [f"{each.real}{os.sep}" for each in self._all if each.folder == folder]
        return frozenset(
            str(each.real).removeprefix(prefix).replace(os.sep, "/")
            for prefix in prefixes
            for each in self._all
            if str(each.real).startswith(prefix)
        )

    def look_around(self, vault: Vault) -> None:
        """Have the vaults around one leave its notes, or take them back."""
        for outer in self._all:
            if path := outer.relative(vault.real):
                outer.indexer.look([path])


def is_same_folder(one: Path, other: Path) -> bool:
    """Return whether two names mean one folder, also one that is not there."""
    try:
        return one.samefile(other)
    except OSError:
        return one.resolve() == other.resolve()


def opened_as(vault: Vault, name: Path) -> Vault:
    """Return a vault that is known by one name more."""
    return vault if name in vault.names else evolve(vault, names=(*vault.names, name))


def forgotten_as(vault: Vault, name: Path) -> Vault:
    """Return a vault that is known by one name less."""
    return evolve(vault, names=tuple(each for each in vault.names if each != name))
