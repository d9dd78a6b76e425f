"""A document open in an editor, and where passages of earlier texts of it lie now.

The index knows the text of the last save (or an earlier one). A buffer remembers the edits since
each text that the index may know, so that a passage found there can be shown where it stands on
the screen. Everything is frozen: a request keeps the buffer it began with.
"""

from collections.abc import Sequence
from functools import cached_property

from attrs import evolve, field, frozen

from notekin.core.note import Span
from notekin.core.text import Edit, LineIndex, difference, moved, text_hash

# How many texts of a document are remembered (it was opened with one, saved with others).
MAX_KNOWN = 4
# Past this many edits since a text, they are replaced by the one difference they make.
MAX_EDITS = 2000


@frozen
class _Known:
    """A text that the index may hold, and the edits since."""

    hash: bytes
    text: str = field(repr=False)
    edits: tuple[Edit, ...] = ()

    def then(self, edits: Sequence[Edit], text: str) -> "_Known":
        """Return this with more edits, which led to `text`."""
        all_edits = self.edits
        for edit in edits:
            all_edits = _joined(all_edits, edit)
        if len(all_edits) > MAX_EDITS:
            all_edits = _whole(self.text, text)
        return evolve(self, edits=all_edits)


@frozen(slots=False)
class Buffer:
    """A snapshot of an open document. `version` is the editor's."""

    text: str = field(repr=False)
    version: int
    _known: tuple[_Known, ...] = field(repr=False)
    _base: LineIndex | None = field(default=None, repr=False, eq=False)

    @classmethod
    def opened(cls, text: str, version: int) -> "Buffer":
        """Return the buffer of a document just opened with `text`."""
        return cls(text, version, (_Known(text_hash(text), text),))

    @cached_property
    def lines(self) -> LineIndex:
        """The lines of the text, built when first asked for."""
        return self._base or LineIndex(self.text)

    def changed(self, text: str, edits: Sequence[Edit], version: int) -> "Buffer":
        """Return the buffer with a new `text`, made by `edits` in order.

        Without edits (the editor sent the whole text) their difference is looked for.
        """
        made = edits or _whole(self.text, text)
        known = tuple(one.then(made, text) for one in self._known)
        built = self.__dict__.get("lines")
        lines = built.edited(made[0], text) if built and len(made) == 1 else None
        return Buffer(text, version, known, lines)

    def saved(self) -> "Buffer":
        """Return the buffer with its present text as one that the index may hold."""
        now = _Known(text_hash(self.text), self.text)
        older = tuple(one for one in self._known if one.hash != now.hash)
        return evolve(self, known=(*older, now)[-MAX_KNOWN:], base=self.lines)

    def knows(self, text_hash: bytes) -> bool:
        """Return whether the text with this hash is one that `locate` can map from."""
        return any(one.hash == text_hash for one in self._known)

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
            if one.hash == text_hash:
                return moved(span, one.edits)
        return None


def _whole(old: str, new: str) -> tuple[Edit, ...]:
    edit = difference(old, new)
    return (edit,) if edit else ()


def _joined(edits: tuple[Edit, ...], edit: Edit) -> tuple[Edit, ...]:
    """Append `edit`; typing on or deleting on makes one edit with the last.

    Only what moves every span the same way is joined: insertions that follow each other, and
    deletions where each ends at the place of the one before.
    """
    last = edits[-1] if edits else edit
    inserting = last.start == last.end and edit.start == edit.end == last.start + last.n_inserted
    deleting = not last.n_inserted and not edit.n_inserted and edit.end == last.start
    if edits and inserting:
        return (*edits[:-1], Edit(last.start, last.end, last.n_inserted + edit.n_inserted))
    if edits and deleting:
        return (*edits[:-1], Edit(edit.start, last.end, 0))
    return (*edits, edit)
