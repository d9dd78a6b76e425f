"""Open documents: edits land where LSP says, whatever the text, the encoding and the size."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notekin.core.note import Span
from notekin.core.text import Encoding, LineIndex, text_hash
from notekin.lsp.documents import Change, Document, Place

_ALPHABET = ["a", "é", "😀", "\n", "\r", "\r\n", "\f", "\u2028", "e\u0301", " ", ""]
_TEXTS = st.lists(st.sampled_from(_ALPHABET), max_size=12).map("".join)
_PLACES = st.builds(Place, st.integers(0, 8), st.integers(0, 8))
_CHANGES = st.builds(Change, _TEXTS, _PLACES, _PLACES) | st.builds(Change, _TEXTS)


def _edited(text: str, change: Change, encoding: Encoding) -> str:
    """Return what an edit makes of a text, the slow and obvious way."""
    if change.start is None or change.end is None:
        return change.text
    lines = LineIndex(text)
    start = lines.offset(change.start.line, change.start.character, encoding)
    end = lines.offset(change.end.line, change.end.character, encoding)
    return text[:start] + change.text + text[max(start, end) :]


@given(
    text=_TEXTS,
    changes=st.lists(_CHANGES, max_size=6),
    encoding=st.sampled_from(["utf-16", "utf-8"]),
    look=st.booleans(),
)
def test_edits_equal_those_made_the_slow_way(
    text: str, changes: list[Change], encoding: Encoding, *, look: bool
) -> None:
    document = Document(1, text)
    for change in changes:
        text = _edited(text, change, encoding)
        document.change(2, [change], encoding)
        if look:
            assert document.freeze().text == text
    assert document.freeze().text == text
    assert document.freeze().version == (2 if changes else 1)


def test_a_snapshot_stays_as_it_was() -> None:
    document = Document(1, "before")
    snapshot = document.freeze()
    document.change(2, [Change("after")], "utf-16")
    assert (snapshot.text, snapshot.version) == ("before", 1)
    assert (document.freeze().text, document.freeze().version) == ("after", 2)
    assert document.freeze() is document.freeze()


@pytest.mark.parametrize("look", [False, True], ids=["unseen", "seen"])
def test_a_passage_is_found_where_it_stands_now(*, look: bool) -> None:
    text = "one\ntwo\nthree\nfour\n"
    document = Document(1, text)
    document.change(2, [Change("zero\n", Place(0, 0), Place(0, 0))], "utf-16")
    if look:
        document.freeze()
    document.change(3, [Change("", Place(2, 0), Place(3, 0))], "utf-16")
    document.change(4, [Change("!", Place(2, 5), Place(2, 5))], "utf-16")
    buffer = document.freeze()
    assert buffer.text == "zero\none\nthree!\nfour\n"
    span = buffer.locate(text_hash(text), Span(14, 18))
    assert span is not None
    assert buffer.text[span.start : span.end] == "four"


def test_a_saved_text_is_known_too() -> None:
    document = Document(1, "one")
    document.change(2, [Change("two")], "utf-16")
    assert document.unsaved
    assert document.save().text == "two"
    assert not document.unsaved
    document.change(3, [Change("a ", Place(0, 0), Place(0, 0))], "utf-16")
    assert document.freeze().locate(text_hash("two"), Span(0, 3)) == Span(2, 5)


@pytest.mark.parametrize("line", [0, 20_000, 39_999])
def test_a_keystroke_costs_nothing_like_the_size_of_the_note(line: int) -> None:
    text = "A line of some twenty-five\n" * 40_000
    document = Document(1, text)
    place = Place(line, 3)
    change = Change("x", place, place)

    def keystroke() -> None:
        document.change(2, [change], "utf-16")

    # Measured against one pass over the note, so that it holds on any machine.
    one_pass = min(_seconds(lambda: LineIndex(text)) for _ in range(3))
    assert min(_seconds(keystroke) for _ in range(20)) < one_pass / 20


def _seconds(work: object) -> float:
    assert callable(work)
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun
