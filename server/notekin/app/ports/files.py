"""The notes of a vault as files."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from attrs import frozen

from notekin.app.cancel import CancelToken
from notekin.core.note import Kind


@frozen
class FileStat:
    """What tells without reading whether a file changed."""

    mtime_ns: int
    size: int
    inode: int


@frozen
class FoundFile:
    """A file of the vault that is a note by its suffix and not ignored.

    `path` is relative to the vault, "/" separated, exactly as the file system spells it.
    `problem` says why it cannot be read (a FIFO, no permission, a link out of the vault …).
    """

    path: str
    kind: Kind
    stat: FileStat
    problem: str = ""


@frozen
class FileText:
    """A file's text, decoded, and the stat taken before it was read."""

    text: str
    stat: FileStat


@frozen
class HashedFile:
    """What tells a file's content (16 bytes), and the stat taken before it was read."""

    hash: bytes
    stat: FileStat


class Files(Protocol):
    """The files of one vault, behind its ignore rules; nothing excluded is ever opened."""

    @property
    def root(self) -> Path: ...

    @property
    def notice(self) -> str:
        """A sentence when not all rules of the vault are followed, else ""."""
        ...

    def scan(self) -> Iterator[FoundFile]:
        """Yield every note, and every folder or file that should be one and cannot be read.

        Raises `Unreadable` only when the root itself cannot be listed.
        """
        ...

    def retune(self, exclude: Sequence[str], suffixes: Sequence[str]) -> None:
        """Go by other rules from now on: lines as in `.gitignore`, and suffixes of notes."""
        ...

    def n_excluded(self) -> int:
        """Return how many note files and folders the last finished scan left out by rule."""
        ...

    def is_empty(self) -> bool:
        """Return whether the vault's folder is there and holds nothing at all, no excluded or
        hidden file either.
        """
        ...

    def find(self, path: str) -> FoundFile | None:
        """Return the note at `path`, None when it is gone, excluded or no note."""
        ...

    def excludes(self, path: str) -> bool:
        """Tell by the rules and the name alone whether `path`, which may be gone, is no note."""
        ...

    def below(self, path: str) -> Iterator[FoundFile]:
        """As `scan`, below one folder only; nothing when it is gone or excluded."""
        ...

    def read(self, path: str) -> FileText:
        """Return the text; raises `Unreadable` with the reason (binary, no permission …)."""
        ...

    def hash(self, path: str, token: CancelToken) -> HashedFile:
        """Return the hash of a file's bytes, however large; raises `Unreadable` and `Cancelled`."""
        ...


@frozen
class RawNote:
    """A note as read from its file. `racy`: modified so shortly before that an equal stat
    proves nothing.
    """

    path: str
    kind: Kind
    content: FileText
    racy: bool = False
