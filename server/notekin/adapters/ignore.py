"""Which files and folders of a vault are left out, by the rules of git and of the person.

Sources, from the weakest to the strongest; inside one, the deepest folder and the last matching
line decide, as in git:

1. `.gitignore` files, of the vault's folders and of the folders above it up to the root of the
   repository it lies in;
2. names that begin with a dot, and `node_modules`;
3. `.notekinignore` files of the vault's folders;
4. the setting `notekin.exclude`.

A stronger source may bring back (`!name`) what a weaker one left out. What lies below a folder
that is left out is out, whatever else says so: nobody looks there.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path, PurePosixPath
from stat import S_ISREG

from attrs import define, evolve, field, frozen
from pathspec import GitIgnoreSpec

from notekin.adapters.globs import LinearPattern

GIT = ".gitignore"
NOTEKIN = ".notekinignore"
IGNORE_FILES = frozenset({GIT, NOTEKIN})

# Ignore files come with a vault, so none may hold up the scan: each path is matched with all
# patterns that hold where it lies.
MOST_PATTERNS = 1_000
_MOST_CHARACTERS = 1_000_000
# A longer line names no path that could be.
_LONGEST_LINE = 4_096

_NEVER_NOTES = frozenset({"node_modules"})
_TOO_MANY = (
    "{} is too long: of the rules that hold in its folder only the first {:,} are followed. "
    "Shorten it, or put what has no notes into one folder and leave that out."
)


@frozen
class _Level:
    """The lines of one ignore file. A path of the vault becomes one of the file's folder by
    dropping its first `n_dropped` characters and putting `prefix` in front.
    """

    spec: GitIgnoreSpec
    n_dropped: int = 0
    prefix: str = ""

    def verdict(self, path: str) -> bool | None:
        """Return whether `path` is left out (True), brought back (False) or not named (None)."""
        return self.spec.check_file(self.prefix + path[self.n_dropped :]).include


@frozen
class Rules:
    """The rules that hold in one folder of the vault, each tuple deepest level first.

    `n_patterns` counts those of ignore files in the vault.
    """

    setting: tuple[_Level, ...] = ()
    notekin: tuple[_Level, ...] = ()
    git: tuple[_Level, ...] = ()
    n_patterns: int = 0

    def exclude(self, path: str, *, is_folder: bool = False) -> bool:
        """Tell whether `path` (relative to the vault, in the rules' own folder) is left out."""
        probe = f"{path}/" if is_folder else path
        found = _first_verdict((*self.setting, *self.notekin), probe)
        if found is not None:
            return found
        return is_hidden(path) or bool(_first_verdict(self.git, probe))

    def within(self, folder: str, files: "IgnoreFiles", names: Iterable[str]) -> "Rules":
        """Return the rules inside `folder` ("" or relative to the vault), which holds `names`."""
        rules = self
        n_dropped = len(folder) + 1 if folder else 0
        # The rules made for Notekin come first where there are too many for all to count.
        for name in sorted(IGNORE_FILES.intersection(names), reverse=True):
            path = os.path.join(files.root, folder, name)  # noqa: PTH118  # quick
            spec = files.spec(path, MOST_PATTERNS - rules.n_patterns)
            if spec is None:
                continue
            level = _Level(spec, n_dropped)
            rules = evolve(rules, n_patterns=rules.n_patterns + len(spec))
            if name == GIT:
                rules = evolve(rules, git=(level, *rules.git))
            else:
                rules = evolve(rules, notekin=(level, *rules.notekin))
        return rules


@frozen
class _Read:
    """An ignore file as it was when it had `stamp`, and the first `n_most` of its patterns."""

    stamp: tuple[int, int]
    n_most: int
    spec: GitIgnoreSpec | None
    is_whole: bool


@define
class IgnoreFiles:
    """Reads ignore files, each again only after it changed. Thread-safe."""

    root: Path
    _known: dict[str, _Read] = field(factory=dict[str, _Read])

    @property
    def notice(self) -> str:
        """A sentence when an ignore file has more patterns than are followed, else ""."""
        cut = [path for path, read in self._known.copy().items() if not read.is_whole]
        return _TOO_MANY.format(min(cut), MOST_PATTERNS) if cut else ""

    def spec(self, path: str, n_most: int = MOST_PATTERNS) -> GitIgnoreSpec | None:
        """Return the first `n_most` patterns of an ignore file, None when it has none or cannot
        be read.
        """
        try:
            stat = os.lstat(path)
        except OSError:
            self._known.pop(path, None)
            return None
        if not S_ISREG(stat.st_mode):
            return None  # git follows no link here either, and a pipe would never end
        stamp = (stat.st_mtime_ns, stat.st_size)
        known = self._known.get(path)
        if known is None or (known.stamp, known.n_most) != (stamp, n_most):
            known = self._known[path] = _read(path, stamp, n_most)
        return known.spec

    def outer(self, exclude: Sequence[str]) -> Rules:
        """Return what holds for the vault as a whole: the setting, and the folders above."""
        setting = _spec(list(_patterns(exclude)))
        return Rules(setting=(_Level(setting),) if setting else (), git=self._above())

    def _above(self) -> tuple[_Level, ...]:
        """Return the levels of the `.gitignore` files above the vault in its repository.

        A repository that ignores the vault as a whole has nothing to say about it: the person
        opened it all the same.
        """
        root = Path(os.path.realpath(self.root))
        levels: list[_Level] = []
        for folder in () if _is_repository(root) else root.parents:
            spec = self.spec(str(folder / GIT))
            prefix = f"{root.relative_to(folder).as_posix()}/"
            if spec is not None:
                levels.append(_Level(spec, prefix=prefix))
            if _is_repository(folder):
                return () if _ignore_vault(levels) else tuple(levels)
        return ()


def is_hidden(path: str) -> bool:
    """Tell whether the last name of `path` is one that is no note's by itself."""
    name = path.rpartition("/")[2]
    return name.startswith(".") or name in _NEVER_NOTES


def _first_verdict(levels: Iterable[_Level], path: str) -> bool | None:
    for level in levels:
        verdict = level.verdict(path)
        if verdict is not None:
            return verdict
    return None


def _ignore_vault(levels: Sequence[_Level]) -> bool:
    """Tell whether one of the folders from the repository's root down to the vault is ignored."""
    for level in levels:
        prefix = PurePosixPath(level.prefix)
        for folder in (prefix, *prefix.parents[:-1]):
            if level.spec.check_file(f"{folder}/").include:
                return True
    return False


def _is_repository(folder: Path) -> bool:
    return os.path.lexists(folder / ".git")


def _read(path: str, stamp: tuple[int, int], n_most: int) -> _Read:
    try:
        with Path(path).open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
            text, rest = file.read(_MOST_CHARACTERS), file.read(1)
    except OSError:
        return _Read(stamp, n_most, None, is_whole=True)
    patterns = list(islice(_patterns(text.splitlines()), n_most + 1))
    is_whole = not rest and len(patterns) <= n_most
    return _Read(stamp, n_most, _spec(patterns[:n_most]), is_whole)


def _spec(patterns: Sequence[LinearPattern]) -> GitIgnoreSpec | None:
    return GitIgnoreSpec(patterns) if patterns else None


def _patterns(lines: Iterable[str]) -> Iterator[LinearPattern]:
    """Yield the patterns of `lines`; a line that is none is skipped."""
    for line in lines:
        if len(line) <= _LONGEST_LINE:
            with suppress(ValueError):
                pattern = LinearPattern(line)
                if pattern.include is not None:
                    yield pattern
