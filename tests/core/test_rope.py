"""A text in pieces: places and edits are those of the plain text, across every boundary."""

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notekin.core import rope
from notekin.core.rope import Content, Rope
from notekin.core.text import Encoding, LineIndex, text_hash

_ALPHABET = ["a", "é", "😀", "\n", "\r", "\r\n", "\f", "\u2028", "\ud800", "bc"]
_TEXTS = st.lists(st.sampled_from(_ALPHABET), max_size=30).map("".join)
_ENCODINGS: list[Encoding] = ["utf-16", "utf-8"]


@pytest.fixture(autouse=True, params=[1, 3, 8], ids="pieces of {}".format)
def _short_pieces(request: pytest.FixtureRequest) -> object:
    with patch.object(rope, "_PIECE", request.param):
        yield


@given(text=_TEXTS, edits=st.lists(st.tuples(st.integers(0, 40), st.integers(0, 9), _TEXTS)))
def test_edits_and_places_are_those_of_the_plain_text(
    text: str, edits: list[tuple[int, int, str]]
) -> None:
    edited = Rope(text)
    _agree(edited, text)
    for start, n_deleted, new in edits:
        first = min(start, len(text))
        last = min(first + n_deleted, len(text))
        edited.replace(first, last, new)
        text = text[:first] + new + text[last:]
        _agree(edited, text)


def test_a_snapshot_stays_as_it_was() -> None:
    edited = Rope("one\ntwo\n")
    before = edited.content()
    edited.replace(0, 3, "1")
    assert (before.text, before.hash) == ("one\ntwo\n", text_hash("one\ntwo\n"))
    assert edited.content().text == "1\ntwo\n"


def _agree(edited: Rope, text: str) -> None:
    content, lines = edited.content(), LineIndex(text)
    assert content.text == text
    assert content.hash == text_hash(text) == Content.of(text).hash
    _same_lines(content.lines, lines)
    for line in range(-1, lines.n_lines + 1):
        for character in (-1, 0, 1, 2, 3, 5, 9, 99):
            for encoding in _ENCODINGS:
                place = line, character, encoding
                assert edited.offset(*place) == lines.offset(*place), place


def _same_lines(found: LineIndex, wanted: LineIndex) -> None:
    assert found.n_lines == wanted.n_lines
    numbers = range(wanted.n_lines)
    assert [found.line_span(n) for n in numbers] == [wanted.line_span(n) for n in numbers]
    places = range(len(wanted.text) + 1)
    assert [found.anchor(n) for n in places] == [wanted.anchor(n) for n in places]
