import pytest
from hypothesis import given
from hypothesis import strategies as st

from notekin.core.paragraph import paragraph_at

NOTE = "# Bread\n\nFlour and\nwater.\n\nSalt.\n\n\nYeast here\n"


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("# Bread", "# Bread\n\nFlour and\nwater."),
        ("Flour", "Flour and\nwater."),
        ("water", "Flour and\nwater."),
        ("Salt", "Salt."),
        ("here", "Yeast here"),
    ],
)
def test_a_paragraph_is_what_stands_between_blank_lines(
    line_end: str, at: str, expected: str
) -> None:
    text = NOTE.replace("\n", line_end)
    span = paragraph_at(text, text.index(at))
    assert text[span.start : span.end] == expected.replace("\n", line_end)


def test_a_blank_line_belongs_to_the_paragraph_before() -> None:
    span = paragraph_at(NOTE, NOTE.index("\n\nYeast"))
    assert NOTE[span.start : span.end] == "Salt."


def test_an_empty_text_has_an_empty_paragraph() -> None:
    assert paragraph_at("", 0).start == paragraph_at("", 0).end == 0


@given(st.text(alphabet="ab#\n\r \x0c\u2028😀", max_size=60), st.integers(-5, 70))
def test_any_place_in_any_text_has_a_paragraph_within_it(text: str, offset: int) -> None:
    span = paragraph_at(text, offset)
    assert min(span.start, offset) <= span.end
    paragraph = text[span.start : span.end]
    assert (paragraph.strip() != "") == (text.strip() != "")
