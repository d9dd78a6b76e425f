"""A document open in an editor, and where passages of earlier texts of it lie now.

The index knows the text of the last save (or an earlier one). A buffer remembers the edits since
each text that the index may know, so that a passage found there can be shown where it stands on
the screen. Everything is frozen: a request keeps the buffer it began with.
"""

from collections.abc import Sequence
from functools import cached_property

from attrs import evolve, field, frozen

from notekin.core.note import Span
from notekin.core.rope import Content
from notekin.core.text import Edit, LineIndex, difference, moved

# How many texts of a document are remembered (it was opened with one, saved with others).
MAX_KNOWN = 4
# Past this many edits since a text, they are replaced by the one difference they make.
MAX_EDITS = 2000


@frozen(slots=False, eq=False)
class _Known:
    """A text that the index may hold, and the edits since: those that led to `bridged` as the
    one difference they made, if there were very many, and the `edits` after it.
    """

    content: Content
    edits: tuple[Edit, ...] = ()
    bridged: Content | None = None

    def then(self, edits: Sequence[Edit], content: Content) -> "_Known":
        """Return this with more edits, which led to `content`."""
        made = _joined(self.edits, edits)
        if len(made) > MAX_EDITS:
            return _Known(self.content, bridged=content)
        return evolve(self, edits=made)

    @property
    def is_unchanged(self) -> bool:
        """Whether the text stands as it was."""
        return not self.edits and self.bridged is None

    @cached_property
    def all_edits(self) -> Sequence[Edit]:
        """All edits since the text. The difference is looked for by whom it concerns."""
        if self.bridged is None:
            return self.edits
        bridge = difference(self.content.text, self.bridged.text)
        return (bridge, *self.edits) if bridge else self.edits


@frozen(slots=False, eq=False)
class Buffer:
    """A snapshot of an open document, which costs nothing to take: texts, lines and hashes are
    made when somebody asks, on any thread. `version` is the editor's.
    """

    content: Content = field(repr=False)
    version: int
    _known: tuple[_Known, ...] = field(repr=False)

    @classmethod
    def opened(cls, text: str, version: int) -> "Buffer":
        """Return the buffer of a document just opened with `text`."""
        return cls.of(Content.of(text), version)

    @classmethod
    def of(cls, content: Content, version: int) -> "Buffer":
        """Return the buffer of a document just opened."""
        return cls(content, version, (_Known(content),))

    @property
    def text(self) -> str:
        return self.content.text

    @property
    def lines(self) -> LineIndex:
        return self.content.lines

    def changed(self, content: Content, edits: Sequence[Edit], version: int) -> "Buffer":
        """Return the buffer with new content, made by `edits` in order."""
        known = tuple(one.then(edits, content) for one in self._known)
        return Buffer(content, version, known)

    def saved(self) -> "Buffer":
        """Return the buffer with its present text as one that the index may hold."""
        if self._known[-1].is_unchanged:
            return self
        known = (*self._known, _Known(self.content))
        return evolve(self, known=known[-MAX_KNOWN:])

    def knows(self, text_hash: bytes) -> bool:
        """Return whether the text with this hash is one that `locate` can map from."""
        return any(one.content.hash == text_hash for one in self._known)

    def find(self, passage: str, near: int) -> Span | None:
        """Return where `passage` stands word for word, nearest to code point `near`; for a
        passage of a text that this buffer never held (one restored with unsaved edits, a file
        changed outside). Line ends may differ, for some editors send their own.
        """
        for wanted in dict.fromkeys((passage, passage.replace("\r\n", "\n"))):
            before = self.text.rfind(wanted, 0, near + len(wanted))
            after = self.text.find(wanted, near)
            starts = [start for start in (before, after) if start >= 0]
            if wanted and starts:
                start = min(starts, key=lambda place: abs(place - near))
                return Span(start, start + len(wanted))
        return None

    def locate(self, text_hash: bytes, span: Span) -> Span | None:
        """Return where `span` of the text with this hash lies now.

        None where that text is not known, or where the passage was deleted.
        """
        for one in reversed(self._known):
            if one.content.hash == text_hash:
                return moved(span, one.all_edits)
        return None


def _joined(edits: Sequence[Edit], more: Sequence[Edit]) -> tuple[Edit, ...]:
    """Return both; typing on or deleting on makes one edit with the last."""
    made = [*edits]
    for edit in more:
        last = made[-1] if made else None
        together = _together(last, edit) if last else None
        if together:
            made[-1] = together
        else:
            made.append(edit)
    return tuple(made)


def _together(last: Edit, edit: Edit) -> Edit | None:
    """Return two edits as one, None where they stay two.

    Only what moves every span the same way is joined: insertions that follow each other, and
    deletions where each ends at the place of the one before.
    """
    if last.start == last.end and edit.start == edit.end == last.start + last.n_inserted:
        return Edit(last.start, last.end, last.n_inserted + edit.n_inserted)
    if not last.n_inserted and not edit.n_inserted and edit.end == last.start:
        return Edit(edit.start, last.end, 0)
    return None
