"""An open document: where what was indexed stands on the screen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notekin.core.buffer import MAX_EDITS, MAX_KNOWN, Buffer
from notekin.core.note import Span
from notekin.core.rope import Content
from notekin.core.text import Edit, LineIndex, moved, text_hash

OLD = "# Title\n\nfirst passage\n\nsecond passage\n"
SECOND = Span(24, 38)


def replaced(buffer: Buffer, start: int, end: int, inserted: str, version: int) -> Buffer:
    text = buffer.text[:start] + inserted + buffer.text[end:]
    return buffer.changed(Content.of(text), [Edit(start, end, len(inserted))], version)


def shown(buffer: Buffer, span: Span, old: str = OLD) -> str | None:
    found = buffer.locate(text_hash(old), span)
    return None if found is None else buffer.text[found.start : found.end]


def test_a_fresh_buffer_shows_a_passage_in_its_place() -> None:
    assert Buffer.opened(OLD, 1).locate(text_hash(OLD), SECOND) == SECOND


def test_a_text_never_seen_is_unknown() -> None:
    assert Buffer.opened(OLD, 1).locate(text_hash("another"), SECOND) is None


def test_edits_above_and_inside_are_followed() -> None:
    buffer = replaced(Buffer.opened(OLD, 1), 0, 0, "new\nlines\n", 2)
    place = buffer.text.index("second")
    buffer = replaced(buffer, place + 6, place + 6, " and longer", 3)
    assert shown(buffer, SECOND) == "second and longer passage"


def test_typing_at_an_edge_stays_outside() -> None:
    buffer = replaced(Buffer.opened(OLD, 1), SECOND.start, SECOND.start, "before ", 2)
    end = buffer.text.index("passage\n", SECOND.end - 7) + 7
    assert shown(replaced(buffer, end, end, " after", 3), SECOND) == "second passage"


def test_a_deleted_passage_is_gone() -> None:
    assert shown(replaced(Buffer.opened(OLD, 1), 20, len(OLD), "", 2), SECOND) is None


def test_old_and_saved_texts_are_both_known() -> None:
    saved = replaced(Buffer.opened(OLD, 1), 0, 0, "x\n", 2).saved()
    later = replaced(saved, 0, 0, "y\n", 3)
    assert shown(later, SECOND) == "second passage"
    in_saved = Span(SECOND.start + 2, SECOND.end + 2)
    assert shown(later, in_saved, saved.text) == "second passage"


def test_only_a_few_texts_are_remembered() -> None:
    buffer = Buffer.opened(OLD, 1)
    for version in range(MAX_KNOWN + 1):
        buffer = replaced(buffer, 0, 0, "x", version).saved()
    assert shown(buffer, SECOND) is None


def test_after_very_many_edits_their_sum_is_followed() -> None:
    buffer = Buffer.opened(OLD, 1)
    for version in range(MAX_EDITS + 10):
        buffer = replaced(buffer, 0, version % 2, "z" * ((version + 1) % 2), version)
    assert shown(buffer, SECOND) == "second passage"


def test_a_snapshot_does_not_change() -> None:
    before = Buffer.opened(OLD, 1)
    replaced(before, 0, 5, "", 2)
    assert (before.text, before.version) == (OLD, 1)


@given(st.data())
def test_joining_edits_moves_spans_as_before(data: st.DataObject) -> None:
    """Typing and deleting runs are joined; the result is that of each edit by itself."""
    text = "abcdefghijkl"
    buffer, edits = Buffer.opened(text, 0), list[Edit]()
    place = data.draw(st.integers(0, len(text)))
    for step in data.draw(st.lists(st.sampled_from("+-."), max_size=12)):
        place = min(place, len(buffer.text))
        start = max(0, place - 1) if step == "-" else place
        inserted = "" if step == "-" else step
        edits.append(Edit(start, place, len(inserted)))
        if data.draw(st.booleans()):
            assert buffer.lines.n_lines == 1
        buffer = replaced(buffer, start, place, inserted, 0)
        place = start + len(inserted) if step != "." else data.draw(st.integers(0, 12))
    start = data.draw(st.integers(0, len(text) - 1))
    span = Span(start, data.draw(st.integers(start + 1, len(text))))
    assert buffer.locate(text_hash(text), span) == moved(span, edits)
    fresh = LineIndex(buffer.text)
    assert buffer.lines.n_lines == fresh.n_lines


@pytest.mark.parametrize(
    ("text", "passage", "near", "start"),
    [
        ("one two one", "one", 0, 0),
        ("one two one", "one", 7, 8),
        ("one two one", "one", 99, 8),
        ("a\nb", "a\r\nb", 0, 0),
        ("one two", "three", 0, None),
        ("one two", "", 0, None),
    ],
)
def test_a_passage_of_an_unknown_text_is_found_word_for_word(
    text: str, passage: str, near: int, start: int | None
) -> None:
    buffer = Buffer.opened(text, 1)
    span = buffer.find(passage, near)
    assert (span.start if span else None) == start
    assert buffer.knows(text_hash(text))
    assert not buffer.knows(text_hash("never held"))
