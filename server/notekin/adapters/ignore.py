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
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath
from stat import S_ISREG

from attrs import define, evolve, field, frozen
from pathspec import GitIgnoreSpec
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

GIT = ".gitignore"
NOTEKIN = ".notekinignore"
IGNORE_FILES = frozenset({GIT, NOTEKIN})

_NEVER_NOTES = frozenset({"node_modules"})


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
    """The rules that hold in one folder of the vault, each tuple deepest level first."""

    setting: tuple[_Level, ...] = ()
    notekin: tuple[_Level, ...] = ()
    git: tuple[_Level, ...] = ()

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
        for name in IGNORE_FILES.intersection(names):
            spec = files.spec(os.path.join(files.root, folder, name))  # noqa: PTH118  # quick
            if spec is None:
                continue
            level = _Level(spec, n_dropped)
            if name == GIT:
                rules = evolve(rules, git=(level, *rules.git))
            else:
                rules = evolve(rules, notekin=(level, *rules.notekin))
        return rules


_Stamped = tuple[tuple[int, int], GitIgnoreSpec | None]


@define
class IgnoreFiles:
    """Reads ignore files, each again only after it changed. Thread-safe."""

    root: Path
    _known: dict[str, _Stamped] = field(factory=dict[str, _Stamped])

    def spec(self, path: str) -> GitIgnoreSpec | None:
        """Return the patterns of an ignore file, None when it has none or cannot be read."""
        try:
            stat = os.lstat(path)
        except OSError:
            return None
        if not S_ISREG(stat.st_mode):
            return None  # git follows no link here either, and a pipe would never end
        stamp = (stat.st_mtime_ns, stat.st_size)
        known = self._known.get(path)
        if known is None or known[0] != stamp:
            known = self._known[path] = (stamp, _read(path))
        return known[1]

    def outer(self, exclude: Sequence[str]) -> Rules:
        """Return what holds for the vault as a whole: the setting, and the folders above."""
        setting = _spec(exclude)
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


def _read(path: str) -> GitIgnoreSpec | None:
    try:
        text = Path(path).read_text("utf-8-sig", "surrogateescape")
    except OSError:
        return None
    return _spec(text.splitlines())


def _spec(lines: Iterable[str]) -> GitIgnoreSpec | None:
    """Return the patterns of `lines`, None when there are none; a line that is none is skipped."""
    valid = [line for line in lines if _is_pattern(line)]
    return GitIgnoreSpec.from_lines(valid) if valid else None


def _is_pattern(line: str) -> bool:
    try:
        return GitIgnoreSpecPattern(line).include is not None
    except ValueError:
        return False
