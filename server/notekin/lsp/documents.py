"""The documents the editor has open, as they are on its screen.

A keystroke costs the loop the same whatever the document's size, and so does a snapshot for a
request: the whole text is put together when a request reads it, on the request's thread.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import frozen

from notekin.core.buffer import Buffer
from notekin.core.rope import Content, Rope
from notekin.core.text import Edit, Encoding, difference

# So many edits wait for somebody who asks, so that nobody has to see to many at once.
_N_EDITS = 256


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
        self._rope = Rope(text)
        self._buffer = Buffer.of(self._rope.content(), version)
        self._edits: list[Edit] = []  # since `_buffer`
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
                self._rewrite(change.text)
            else:
                start = self._offset(change.start, encoding)
                typed = change.end == change.start
                end = start if typed else max(start, self._offset(change.end, encoding))
                self._replace(Edit(start, end, len(change.text)), change.text)
        self._version = version

    def save(self) -> Content:
        """Note that the content as it is now is the file's; return it."""
        self._unsaved = False
        self._buffer = self.freeze().saved()
        return self._buffer.content

    def freeze(self) -> Buffer:
        """Return the document as it is now, for other threads."""
        if self._buffer.version != self._version or self._edits:
            content = self._rope.content()
            self._buffer = self._buffer.changed(content, self._edits, self._version)
            self._edits = []
        return self._buffer

    def _offset(self, place: Place, encoding: Encoding) -> int:
        return self._rope.offset(place.line, place.character, encoding)

    def _rewrite(self, text: str) -> None:
        """Find what a whole new text changes, for a client that sends no ranges."""
        edit = difference(self._rope.content().text, text)
        if edit is not None:
            self._replace(edit, text[edit.start : edit.start + edit.n_inserted])

    def _replace(self, edit: Edit, text: str) -> None:
        self._rope.replace(edit.start, edit.end, text)
        self._edits.append(edit)
        if len(self._edits) >= _N_EDITS:
            self.freeze()


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

    def save(self, path: Path) -> Content | None:
        """Return the content that was saved, None if the document is not open."""
        document = self._open.get(path)
        return None if document is None else document.save()

    def close(self, path: Path) -> bool:
        """Remove a document; return whether unsaved edits went with it."""
        document = self._open.pop(path, None)
        return document is not None and document.unsaved

    def freeze(self) -> Mapping[Path, Buffer]:
        """Return all documents as they are now."""
        return {path: document.freeze() for path, document in self._open.items()}
