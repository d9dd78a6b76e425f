"""Every source of settings, and what they make together for each vault.

From the weakest to the strongest: the person's file, what the editor said when it started, what it
says while it runs, what it says of one folder, and the vault's own file.
"""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from threading import Lock
from typing import Protocol

from attrs import evolve, field, frozen

from notekin.app.errors import BadSetting
from notekin.app.overlays import Overlay, merge
from notekin.app.settings import Settings

VAULT_FILE = "notekin.toml"
"""What a vault's own settings are called, at its root."""


class SettingsFiles(Protocol):
    """The files in which settings stand. A missing one sets nothing; a wrong one is told."""

    def person(self) -> Overlay: ...
    def vault(self, root: Path) -> Overlay: ...


@frozen
class EditorSettings:
    """What an editor says while it runs: for all vaults, and beyond that for single folders."""

    everywhere: Overlay = field(factory=Overlay)
    by_folder: Mapping[Path, Overlay] = field(factory=dict[Path, Overlay])


@frozen
class Effective:
    """What all sources make together at one moment. `common` is what holds outside of vaults."""

    common: Settings
    by_vault: Mapping[Path, Settings]
    notices: tuple[str, ...]

    def of(self, vault: Path) -> Settings:
        """Return the settings of a vault."""
        return self.by_vault.get(vault, self.common)


class Configuration:
    """Keeps the last word of each source. Thread-safe; all but `now` read files.

    A value that is wrong keeps the one that its source had before.
    """

    def __init__(self, files: SettingsFiles, options: Overlay = Overlay()) -> None:  # noqa: B008
        self._files = files
        self._options = options
        self._lock = Lock()
        self._editor = EditorSettings()
        self._vaults: dict[Path, Overlay] = {}
        self._person = files.person()
        self._now = self._merged()

    @property
    def now(self) -> Effective:
        """What holds at this moment."""
        return self._now

    def open(self, vault: Path) -> Settings:
        """Read a vault's own settings too, from now on; return what holds in it."""
        with self._lock:
            self._vaults[vault] = self._files.vault(vault)
            self._now = self._merged()
            return self._now.of(vault)

    def close(self, vault: Path) -> None:
        """Forget a vault."""
        with self._lock:
            self._vaults.pop(vault, None)
            self._now = self._merged()

    def heard(self, editor: EditorSettings) -> None:
        """Take what an editor says now in the place of what it said before."""
        with self._lock:
            before = self._editor
            self._editor = EditorSettings(
                editor.everywhere.succeeding(before.everywhere),
                {
                    folder: overlay.succeeding(before.by_folder.get(folder, Overlay()))
                    for folder, overlay in editor.by_folder.items()
                },
            )
            if self._editor.everywhere.repeats(self._options):
                # From now on it is what the editor says while it runs, and can be taken back.
                self._options = Overlay()
            self._now = self._merged()

    def reread(self, vaults: Collection[Path]) -> None:
        """Read the person's file again, and those of `vaults`."""
        with self._lock:
            self._person = self._files.person().succeeding(self._person)
            for vault in vaults:
                if vault in self._vaults:
                    self._vaults[vault] = self._files.vault(vault).succeeding(self._vaults[vault])
            self._now = self._merged()

    def _merged(self) -> Effective:
        ours = [self._person, *map(self._trusted, (self._options, self._editor.everywhere))]
        overlays = {
            vault: (self._editor.by_folder.get(vault, Overlay()), own)
            for vault, own in self._vaults.items()
        }
        everything = [*ours, *(each for pair in overlays.values() for each in pair)]
        return Effective(
            merge(*ours),
            {vault: merge(*ours, *pair) for vault, pair in overlays.items()},
            tuple(dict.fromkeys(told for each in everything for told in each.sentences)),
        )

    def _trusted(self, overlay: Overlay) -> Overlay:
        """Return what an editor set, without a model that came with a vault.

        Many editors mix what a folder brings into what they say, and nothing on the wire tells the
        two apart. A model's folder inside a vault would be a file of unknown origin run as code.
        """
        holding = [vault for vault in self._vaults if _is_in(overlay.values.get("model"), vault)]
        if not holding:
            return overlay
        error = BadSetting(
            f"The model {overlay.values['model']} lies in the vault {holding[0]}, and may have "
            "come with it: it is not used. Move its folder elsewhere, or name it in your own "
            "config.toml."
        )
        values = {name: value for name, value in overlay.values.items() if name != "model"}
        return evolve(overlay, values=values, errors=(*overlay.errors, error))


def differing(before: Effective, after: Effective) -> Iterator[tuple[Path, Settings, Settings]]:
    """Yield the vaults whose settings changed, with those of before and of now."""
    for vault, now in after.by_vault.items():
        then = before.by_vault.get(vault)
        if then is not None and then != now:
            yield vault, then, now


def _is_in(model: object, vault: Path) -> bool:
    if not isinstance(model, str):
        return False
    try:
        folder = Path(model).expanduser()
        return folder.is_absolute() and folder.resolve().is_relative_to(vault.resolve())
    except (OSError, RuntimeError, ValueError):  # no such user, a loop of links, a NUL
        return False
