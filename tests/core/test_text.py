"""Lines and positions, against the plainest possible model."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notekin.core.note import Span
from notekin.core.text import (
    Edit,
    Encoding,
    LineIndex,
    difference,
    moved,
    utf8_length,
    utf16_length,
)

# What has broken line and column counts: every kind of line end and what is none, characters
# of every width, marks that join, halves of pairs.
ALPHABET = [
    *("a", "b", " ", "\t", "\n", "\r", "\r\n", "\f", "\v", "\x85", "\u2028", "\u2029", "\x00"),
    *("é", "e\u0301", "漢", "😀", "👩\u200d👩\u200d👧", "\ud83d", "\ude00"),
]
texts = st.lists(st.sampled_from(ALPHABET), max_size=40).map("".join)
encodings = st.sampled_from(["utf-16", "utf-8"])


def plain_lines(text: str) -> list[str]:
    return re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)


def length(text: str, encoding: Encoding) -> int:
    return utf16_length(text) if encoding == "utf-16" else utf8_length(text)


@given(texts)
def test_lines_are_those_of_lsp(text: str) -> None:
    index = LineIndex(text)
    lines = plain_lines(text)
    spans = [index.line_span(line) for line in range(index.n_lines)]
    assert [text[span.start : span.end] for span in spans] == lines


@given(texts, encodings, st.data())
def test_a_range_gives_back_its_text(text: str, encoding: Encoding, data: st.DataObject) -> None:
    index = LineIndex(text)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    inside_line_end = {match.start() + 1 for match in re.finditer("\r\n", text)}
    places = [index.anchor(start), index.anchor(end)]
    found = [index.offset(place.line, place.column(encoding), encoding) for place in places]
    wanted = [offset - (offset in inside_line_end) for offset in (start, end)]
    assert found == wanted


@given(texts, encodings, st.integers(0, 45), st.integers(0, 80))
def test_a_position_is_never_past_its_line(
    text: str, encoding: Encoding, line: int, character: int
) -> None:
    offset = LineIndex(text).offset(line, character, encoding)
    lines = plain_lines(text)
    if line >= len(lines):
        assert offset == len(text)
        return
    column = offset - sum(map(len, lines[:line]))
    content = lines[line].rstrip("\r\n")
    assert length(content[:column], encoding) <= character
    assert column == len(content) or length(content[: column + 1], encoding) > character


@given(texts, texts)
def test_the_difference_makes_the_new_text(old: str, new: str) -> None:
    edit = difference(old, new)
    if edit is None:
        assert old == new
        return
    inserted = new[edit.start : edit.start + edit.n_inserted]
    assert old[: edit.start] + inserted + old[edit.end :] == new


@given(st.data())
def test_a_moved_span_is_what_marks_say(data: st.DataObject) -> None:
    """The model marks each character of the passage and looks where the marks end up."""
    n_characters = data.draw(st.integers(1, 12))
    start = data.draw(st.integers(0, n_characters - 1))
    end = data.draw(st.integers(start + 1, n_characters))
    marks = [start <= n < end for n in range(n_characters)]
    edits: list[Edit] = []
    for _ in range(data.draw(st.integers(1, 6))):
        low = data.draw(st.integers(0, len(marks)))
        high = data.draw(st.integers(low, len(marks)))
        edit = Edit(low, high, data.draw(st.integers(0, 3)))
        edits.append(edit)
        marks = marked(marks, edit)
        if not any(marks):
            assert moved(Span(start, end), edits) is None
            return
        wanted = Span(marks.index(True), len(marks) - marks[::-1].index(True))
        assert moved(Span(start, end), edits) == wanted


def marked(marks: list[bool], edit: Edit) -> list[bool]:
    """Inserted text belongs to the passage if all it replaces does, and not all of that."""
    covered = marks[edit.start : edit.end]
    outside = marks[: edit.start], marks[edit.end :]
    within = any(outside[0][-1:]) and any(outside[1][:1]) if not covered else all(covered)
    alive = any(outside[0]) or any(outside[1])
    return [*outside[0], *([within and alive] * edit.n_inserted), *outside[1]]


@pytest.mark.parametrize(
    ("text", "n_lines"),
    [("", 1), ("a", 1), ("a\n", 2), ("a\r\rb\r\n", 4), ("a\fb\u2028c\x85d", 1)],
)
def test_counting_lines(text: str, n_lines: int) -> None:
    assert LineIndex(text).n_lines == n_lines
