"""Passages as a terminal shows them."""

from pathlib import Path

import pytest
from attrs import evolve

from notekin.cli.output import clean, excerpt, heading
from notekin.core.note import Span
from support.fake_engine import hit

LINES = "".join(f"line {number}\n" for number in range(1, 21))


@pytest.mark.parametrize(
    ("text", "highlights", "expected"),
    [
        ("one\ntwo", [], ["one", "two"]),
        ("one\r\n\r\ntwo\rthree\n", [], ["one", "two", "three"]),
        (LINES, [], ["line 1", "line 2", "line 3", "line 4", "line 5", "…"]),
        (LINES, [(65, 69)], ["…", "line 9", "line 10", "line 11", "line 12", "line 13", "…"]),
        (LINES, [(0, 6), (65, 69), (83, 90)], ["…", *(f"line {n}" for n in range(9, 14)), "…"]),
        (LINES.replace("\n", "\n\n"), [], [f"line {n}" for n in range(1, 6)] + ["…"]),
        ("short\n" + "words " * 60, [(300, 305)], ["short", ("words " * 60).strip()]),
        ("a \x1b[31mred\x07", [], ["a \ufffd[31mred\ufffd"]),
        ("", [], []),
    ],
)
def test_an_excerpt_shows_the_lines_around_the_first_highlight(
    text: str, highlights: list[tuple[int, int]], expected: list[str]
) -> None:
    shown = excerpt(text, [Span(*span) for span in highlights])
    assert [line.strip() for line in shown.plain.splitlines()] == expected


def test_a_very_long_line_is_cut_around_the_highlight() -> None:
    shown = excerpt("x" * 5000 + "needle" + "x" * 5000, [Span(5000, 5006)])
    assert "needle" in shown.plain
    assert len(shown.plain) < 500


def test_no_word_is_cut_at_either_end() -> None:
    shown = excerpt("alphabet " * 40 + "needle " + "alphabet " * 90, [Span(360, 366)])
    first, *_, last = (line.strip() for line in shown.plain.splitlines())
    assert (first, last) == ("…", "…")
    assert set(shown.plain.split()) == {"…", "alphabet", "needle"}


def test_highlights_are_marked() -> None:
    shown = excerpt("grind it fine", [Span(0, 5)])
    marked = [shown.plain[span.start : span.end] for span in shown.spans]
    assert marked == ["grind"]


@pytest.mark.parametrize(
    ("headings", "page", "expected"),
    [
        (("Results",), 7, "paper.pdf p. 7 \u203a Results  0.83"),
        (("Results", "Rain"), 8, "paper.pdf p. 8 \u203a Results \u203a Rain  0.83"),
        ((), 7, "paper.pdf p. 7  0.83"),
        (("Results",), None, "paper.pdf \u203a Results  0.83"),
    ],
)
def test_a_hit_in_a_pdf_is_shown_with_its_page(
    headings: tuple[str, ...],
    page: int | None,
    expected: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    found = evolve(
        hit(Path.cwd(), "paper.pdf"), kind="pdf", title="A paper", headings=headings, page=page
    )
    assert heading(found).plain == expected


def test_cleaning_keeps_the_length() -> None:
    text = "a\tb\nc\x00\x9b\u202e"
    assert clean(text) == "a\tb\nc\ufffd\ufffd\ufffd"
