"""The files of one vault on disk, behind its ignore rules."""

import os
import stat
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO

from attrs import define, frozen

from notekin.adapters.decoding import decode
from notekin.adapters.ignore import IGNORE_FILES, IgnoreFiles, Rules, is_hidden
from notekin.adapters.regular import NO_FILE, open_regular
from notekin.adapters.spelling import as_listed, ignores_case, shown
from notekin.app.cancel import CancelToken
from notekin.app.errors import Unreadable
from notekin.app.ports import FileStat, FileText, FoundFile, HashedFile
from notekin.core.note import Kind
from notekin.core.reading import kind_of

# A note this long is a log or an export; one of 12 MB still is a note.
_MOST_BYTES = 50_000_000

# PDFs are read by a process of its own, page by page.
_MOST_PDF_BYTES = 2_000_000_000

_TOO_LARGE = "it is larger than 50 MB: split it, or exclude it in .notekinignore"
_TOO_LARGE_PDF = "it is larger than 2 GB: split it, or exclude it in .notekinignore"
_BAD_NAME = "its name is not valid Unicode: rename it"
_UNLISTED = "this folder cannot be listed: {}"
_OUTSIDE = "it is a link out of the vault: open the folder it leads to as a vault of its own"
_LOOP = "it is a link back to a folder it lies in, which is not followed"
_DANGLING = "it is a link that leads nowhere"

_HASHED_AT_ONCE = 1 << 20

# What a folder is listed as: it has no kind, but should be seen among the notes that failed.
_FOLDER_KIND: Kind = "text"
_NO_STAT = FileStat(0, 0, 0)


@frozen
class _Folder:
    """A folder to be listed: its path in the vault ("" is the vault) and the rules around it."""

    path: str
    rules: Rules


class VaultFiles:
    """Implements `app.ports.Files`.

    `exclude` are lines as in `.gitignore`; `suffixes` name further files that are read as text;
    `inner` returns the folders in this vault that are vaults of their own now, which are left out.
    `list_folder` stands in for `os.scandir` in tests.
    """

    def __init__(
        self,
        root: Path,
        exclude: Sequence[str] = (),
        suffixes: Sequence[str] = (),
        *,
        inner: Callable[[], Collection[str]] = frozenset,
        list_folder: Callable[[Path], Iterable["os.DirEntry[str]"]] = os.scandir,
    ) -> None:
        self._root = root
        self._real_root = os.path.realpath(root)
        self._ignore_files = IgnoreFiles(root)
        self._inner = inner
        self.retune(exclude, suffixes)
        self._list_folder = list_folder
        self._ignores_case = ignores_case(root)
        self._n_excluded = 0

    @property
    def root(self) -> Path:
        return self._root

    @property
    def notice(self) -> str:
        """A sentence when an ignore file has more rules than are followed, else ""."""
        return self._ignore_files.notice

    def retune(self, exclude: Sequence[str], suffixes: Sequence[str]) -> None:
        """Go by other settings from now on."""
        self._exclude, self._suffixes = tuple(exclude), tuple(suffixes)
        self._outer = self._ignore_files.outer(self._exclude)

    def n_excluded(self) -> int:
        """Return how many notes and folders the last scan left out, hidden ones not counted."""
        return self._n_excluded

    def is_empty(self) -> bool:
        """Return whether the vault's folder is there and holds nothing at all, no excluded or
        hidden file either.
        """
        try:
            return not self.list("")
        except OSError:
            return False

    def scan(self) -> Iterator[FoundFile]:
        """Yield the notes in a fixed order, a folder's own before those of its folders."""
        self._outer = self._ignore_files.outer(self._exclude)
        walk = _Walk(self)
        yield from walk.below(_Folder("", self._outer))
        self._n_excluded = walk.n_excluded

    def below(self, path: str) -> Iterator[FoundFile]:
        """Yield the notes below one folder; nothing when it is gone or excluded. A link to a folder
        is named where the scan names it, and never followed.
        """
        path = self._asshown(path)
        folder = self._folder(path)
        if folder is not None:
            yield from _Walk(self).below(folder)
            return
        found = self._lstat(path)
        if found is not None and stat.S_ISLNK(found.st_mode) and self._is_listed(path):
            yield from self.hidden_folder(path)

    def hidden_folder(self, path: str) -> Iterator[FoundFile]:
        """Yield the folder that a link hides, with the reason; nothing for another link."""
        problem = self.link_problem(path)
        if problem in {_OUTSIDE, _LOOP} and os.path.isdir(self._root / path):  # noqa: PTH112
            yield _failed_folder(shown(path), problem)

    def find(self, path: str) -> FoundFile | None:
        """Return the note at `path`, which may be spelled another way where the file system
        ignores case; links and what lies behind one are not found.
        """
        path = self._asshown(path)
        kind = self.kind_of(path.rpartition("/")[2])
        if kind is None or not self._is_listed(path):
            return None
        found = self._lstat(path)
        if found is None or stat.S_ISDIR(found.st_mode):
            return None
        return self.judge(path, kind, found)

    def excludes(self, path: str) -> bool:
        """Tell by the rules and the name alone whether `path`, which may be gone, is no note."""
        parent, _, name = path.rpartition("/")
        rules = self._rules(parent)
        if rules is None or self.kind_of(name) is None:
            return True
        return rules.within(parent, self._ignore_files, IGNORE_FILES).exclude(path)

    def read(self, path: str) -> FileText:
        """Return the text of a note; raises `Unreadable` with the reason."""
        with self._opened(path) as (file, found):
            if found.st_size > _MOST_BYTES:
                raise Unreadable(_TOO_LARGE)
            # Asked for more, Python would make room for more first. The file may have grown.
            data = file.read(found.st_size + 1)
            if len(data) > found.st_size:
                data += file.read(_MOST_BYTES + 1 - len(data))
        return FileText(decode(data), _file_stat(found))

    def hash(self, path: str, token: CancelToken) -> HashedFile:
        """Return the hash of a file's bytes, read piece by piece."""
        hashed = blake2b(digest_size=16)
        with self._opened(path) as (file, found):
            while piece := file.read(_HASHED_AT_ONCE):
                token.check()
                hashed.update(piece)
        return HashedFile(hashed.digest(), _file_stat(found))

    @contextmanager
    def _opened(self, path: str) -> Generator[tuple[BinaryIO, os.stat_result]]:
        """Open a regular file, whatever stands there by now."""
        try:
            with open_regular(self._root / path) as opened:
                yield opened
        except (OSError, ValueError) as error:
            raise Unreadable(f"it cannot be read: {_sentence(error)}") from error

    def kind_of(self, name: str) -> Kind | None:
        """Return a file's kind by its name, with the suffixes of the settings."""
        return kind_of(name, self._suffixes)

    def judge(self, path: str, kind: Kind, found: os.stat_result) -> FoundFile | None:
        """Return the note that `found` (of `lstat`) describes, None for a link to another."""
        mode, problem = found.st_mode, ""
        if stat.S_ISLNK(mode):
            problem = self.link_problem(path)
            if not problem:
                return None
        elif not stat.S_ISREG(mode):
            problem = NO_FILE
        elif found.st_size > (_MOST_PDF_BYTES if kind == "pdf" else _MOST_BYTES):
            problem = _TOO_LARGE_PDF if kind == "pdf" else _TOO_LARGE
        elif not path.isascii() and shown(path) != path:
            problem = _BAD_NAME
        return FoundFile(shown(path), kind, _file_stat(found), problem)

    def link_problem(self, path: str) -> str:
        """Return why the link at `path` hides something, "" when it leads inside the vault."""
        link = self._root / path
        try:
            target = os.path.realpath(link, strict=True)
        except OSError:
            return _DANGLING
        if target != self._real_root and not _lies_in(target, self._real_root):
            return _OUTSIDE
        place = os.path.join(self._real_root, os.path.dirname(path))  # noqa: PTH118, PTH120
        if os.path.isdir(target) and (place == target or _lies_in(place, target)):  # noqa: PTH112
            return _LOOP
        return ""

    def list(self, folder: str) -> Sequence["os.DirEntry[str]"]:
        """Return a folder's entries by name; raises `OSError`."""
        return sorted(self._list_folder(self._root / folder), key=_name_of)

    def within(self, folder: _Folder, names: Iterable[str]) -> Rules:
        """Return the rules inside a folder that holds `names`."""
        return folder.rules.within(folder.path, self._ignore_files, names)

    def is_vault(self, path: str) -> bool:
        """Return whether a folder is a vault of its own."""
        return path in self._inner()

    def _asshown(self, path: str) -> str:
        """Return a path as the folders list it, where they answer to other spellings, too."""
        if not self._ignores_case:
            return path
        return as_listed(path, lambda folder: map(_name_of, self.list(folder)))

    def _is_listed(self, path: str) -> bool:
        """Return whether a file or link of this path is one that the scan comes by."""
        parent = path.rpartition("/")[0]
        folder = self._folder(parent)
        if folder is None:
            return False
        return not folder.rules.within(parent, self._ignore_files, IGNORE_FILES).exclude(path)

    def _lstat(self, path: str) -> os.stat_result | None:
        try:
            return os.lstat(f"{self._root}{os.sep}{path}")
        except (OSError, ValueError):
            return None

    def _folder(self, path: str) -> _Folder | None:
        """Return a folder with the rules around it, None when it is gone, excluded or a link."""
        rules = self._rules(path)
        if rules is None:
            return None
        names = path.split("/") if path else []
        for depth in range(len(names)):
            found = self._lstat("/".join(names[: depth + 1]))
            if found is None or not stat.S_ISDIR(found.st_mode):
                return None
        return _Folder(path, rules)

    def _rules(self, folder: str) -> Rules | None:
        """Return the rules around what a folder holds, None when it is left out itself."""
        rules = self._outer
        names = folder.split("/") if folder else []
        inner = self._inner()
        for depth, name in enumerate(names):
            above, here = "/".join(names[:depth]), "/".join(names[: depth + 1])
            rules = rules.within(above, self._ignore_files, IGNORE_FILES)
            if name in {"", ".", ".."} or here in inner or rules.exclude(here, is_folder=True):
                return None
        return rules


@define
class _Walk:
    """One walk through the folders, and what it left out."""

    files: VaultFiles
    n_excluded: int = 0

    def below(self, start: _Folder) -> Iterator[FoundFile]:
        """Yield what is found below `start`; raises `Unreadable` when the vault cannot be listed.

        Folders wait on a list of our own, so that none lies too deep.
        """
        waiting = [start]
        while waiting:
            folder = waiting.pop()
            try:
                entries = self.files.list(folder.path)
            except OSError as error:
                if not folder.path:
                    raise Unreadable(
                        f"The folder {self.files.root} cannot be listed ({_sentence(error)}): "
                        "bring it back or make it readable, or close it. Its index is kept."
                    ) from error
                if not isinstance(error, FileNotFoundError):
                    yield _failed_folder(folder.path, _UNLISTED.format(_sentence(error)))
                continue
            folders: list[_Folder] = []
            yield from self._within(folder, entries, folders)
            waiting.extend(reversed(folders))

    def _within(
        self, folder: _Folder, entries: Sequence["os.DirEntry[str]"], folders: list[_Folder]
    ) -> Iterator[FoundFile]:
        """Yield what one folder holds, and put the folders it holds into `folders`."""
        rules = self.files.within(folder, map(_name_of, entries))
        prefix = f"{folder.path}/" if folder.path else ""
        for entry in entries:
            path = prefix + entry.name
            is_folder = _is_folder(entry)
            kind = None if is_folder else self.files.kind_of(entry.name)
            if kind is None and not is_folder and not entry.is_symlink():
                continue
            if is_folder and self.files.is_vault(path):
                continue
            if rules.exclude(path, is_folder=is_folder):
                self.n_excluded += not is_hidden(path) and (is_folder or kind is not None)
            elif not is_folder:
                yield from self._file(path, kind, entry)
            elif shown(entry.name) != entry.name:
                yield _failed_folder(shown(path), _BAD_NAME)
            else:
                folders.append(_Folder(path, rules))

    def _file(self, path: str, kind: Kind | None, entry: "os.DirEntry[str]") -> Iterator[FoundFile]:
        """Yield the note of a file or link; nothing when it is gone or another stands for it."""
        if kind is None:  # a link to anything: only one that hides a folder is worth naming
            yield from self.files.hidden_folder(path)
            return
        try:
            found = entry.stat(follow_symlinks=False)
        except OSError:
            return
        note = self.files.judge(path, kind, found)
        if note is not None:
            yield note


def _name_of(entry: "os.DirEntry[str]") -> str:
    return entry.name


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    """Tell whether an entry is a folder itself; a link or a Windows junction to one is not."""
    if not entry.is_dir(follow_symlinks=False):
        return False
    is_junction: Callable[[], bool] | None = getattr(entry, "is_junction", None)  # from 3.12 on
    return is_junction is None or not is_junction()


def _failed_folder(path: str, problem: str) -> FoundFile:
    return FoundFile(path, _FOLDER_KIND, _NO_STAT, problem)


def _file_stat(found: os.stat_result) -> FileStat:
    return FileStat(found.st_mtime_ns, found.st_size, found.st_ino)


def _lies_in(path: str, folder: str) -> bool:
    return path.startswith(folder if folder.endswith(os.sep) else folder + os.sep)


def _sentence(error: Exception) -> str:
    """Return the system's own words for an error, without the path."""
    words = error.strerror if isinstance(error, OSError) else None
    return (words or str(error)).lower()
