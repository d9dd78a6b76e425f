"""The documents the editor has open, as they are on its screen.

A document is a list of lines: a keystroke replaces one of them, whatever the document's size.
The whole text is put together only when somebody wants to read it.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import Path

from attrs import frozen

from notekin.core.buffer import Buffer
from notekin.core.text import Edit, Encoding, LineIndex

# As in LSP, and unlike `str.splitlines`, which ends lines at form feeds and U+2028, too.
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)")


@frozen
class Place:
    """A position as the client sends it."""

    line: int
    character: int


@frozen
class Change:
    """New text for a range; without a range, for the whole document."""

    text: str
    start: Place | None = None
    end: Place | None = None


class Document:
    """One open document."""

    def __init__(self, version: int, text: str) -> None:
        self._version = version
        self._lines = _split(text)
        self._starts = [0]  # Where lines begin, as far as somebody asked since they moved.
        self._buffer = Buffer.opened(text, version)
        self._edits: list[Edit] = []  # since `_buffer`
        self._rewritten = False  # since `_buffer`, with the whole text
        self._unsaved = False

    @property
    def unsaved(self) -> bool:
        """Whether the document was edited since it was opened or saved."""
        return self._unsaved

    def change(self, version: int, changes: Sequence[Change], encoding: Encoding) -> None:
        """Apply changes, each to what the one before left; ranges are clamped to the text."""
        for change in changes:
            self._unsaved = True
            if change.start is None or change.end is None:
                self._lines, self._starts = _split(change.text), [0]
                self._rewritten = True
            else:
                start = self._clamped(change.start, encoding)
                end = max(start, self._clamped(change.end, encoding))
                self._replace(start, end, change.text)
        self._version = version

    def save(self) -> str:
        """Note that the text as it is now is the file's; return it."""
        self._unsaved = False
        self._buffer = self.freeze().saved()
        return self._buffer.text

    def freeze(self) -> Buffer:
        """Return the document as it is now, for other threads."""
        if self._buffer.version != self._version or self._edits or self._rewritten:
            edits = () if self._rewritten else self._edits
            self._buffer = self._buffer.changed("".join(self._lines), edits, self._version)
            self._edits, self._rewritten = [], False
        return self._buffer

    def _clamped(self, place: Place, encoding: Encoding) -> tuple[int, int]:
        """Return a line and a code point in it."""
        if place.line < 0:
            return 0, 0
        if place.line >= len(self._lines):
            return len(self._lines) - 1, len(self._lines[-1])
        line = LineIndex(self._lines[place.line])
        return place.line, line.offset(0, place.character, encoding)

    def _replace(self, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
        (first, head), (last, tail) = start, end
        begin = self._start_of(first) + head
        stop = self._start_of(last) + tail
        self._edits.append(Edit(begin, stop, len(text)))
        new = self._lines[first][:head] + text + self._lines[last][tail:]
        # Where the new text meets its neighbours, a CR and an LF may become one line end.
        if first > 0 and self._lines[first - 1].endswith("\r"):
            first -= 1
            new = self._lines[first] + new
        if new.endswith("\r") and last + 1 < len(self._lines):
            last += 1
            new += self._lines[last]
        pieces = _split(new)
        if last + 1 < len(self._lines):
            pieces.pop()  # Behind the last line end stands the next line already.
        self._lines[first : last + 1] = pieces
        del self._starts[first + 1 :]

    def _start_of(self, line: int) -> int:
        """Return the code point where a line begins."""
        if (n_known := len(self._starts)) <= line:
            lengths = map(len, self._lines[n_known - 1 : line])
            self._starts.extend(accumulate(lengths, initial=self._starts.pop()))
        return self._starts[line]


class Documents:
    """All open documents, by the file they are of."""

    def __init__(self) -> None:
        self._open: dict[Path, Document] = {}

    @property
    def paths(self) -> tuple[Path, ...]:
        return tuple(self._open)

    def open(self, path: Path, version: int, text: str) -> None:
        """Add a document; opened again, it starts anew."""
        self._open[path] = Document(version, text)

    def change(
        self, path: Path, version: int, changes: Sequence[Change], encoding: Encoding
    ) -> None:
        """Apply changes to a document; one that was never opened has nothing to change."""
        if (document := self._open.get(path)) is not None:
            document.change(version, changes, encoding)

    def save(self, path: Path) -> str | None:
        """Return the text that was saved, None if the document is not open."""
        document = self._open.get(path)
        return None if document is None else document.save()

    def close(self, path: Path) -> bool:
        """Remove a document; return whether unsaved edits went with it."""
        document = self._open.pop(path, None)
        return document is not None and document.unsaved

    def freeze(self) -> Mapping[Path, Buffer]:
        """Return all documents as they are now."""
        return {path: document.freeze() for path, document in self._open.items()}


def _split(text: str) -> list[str]:
    """Return the lines with their ends; the last has none and may be empty."""
    lines: list[str] = _LINE.findall(text)
    lines.append(text[sum(map(len, lines)) :])
    return lines
