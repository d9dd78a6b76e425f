"""The readable document of a PDF: Markdown whose ranges lead back to pages and boxes."""

import pytest

from notekin.core.chunks import cut
from notekin.core.note import Span
from notekin.core.pdf import (
    Block,
    BlockKind,
    PdfContent,
    RawPdf,
    ReadablePdf,
    readable,
    readable_raw,
)
from support.counting import count_words

BOX = (10.0, 20.0, 300.0, 40.0)


def block(kind: BlockKind, text: str, page: int = 1, level: int = 0) -> Block:
    return Block(kind, text, page, BOX, level)


def content(*blocks: Block, title: str = "") -> PdfContent:
    return PdfContent(title, max((each.page for each in blocks), default=0), blocks)


PAPER = content(
    block("heading", "Results", 1, 1),
    block("paragraph", "We measured\n  rain.", 1),
    block("heading", "By month", 2, 2),
    block("list", "- May\n  - wet", 2),
    block("table", "| a | b |\n|---|---|\n| 1 | 2 |", 3),
    block("code", "if x:\n    y()", 3),
    block("caption", "Figure 1. Rain", 4),
    title="Rain",
)


def test_each_block_becomes_markdown_in_reading_order() -> None:
    assert readable(PAPER).text == (
        "# Results\n\nWe measured rain.\n\n## By month\n\n- May\n  - wet\n\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nif x:\n    y()\n```\n\nFigure 1. Rain\n"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# not a heading", "\\# not a heading"),
        ("1. not a list", "1\\. not a list"),
        ("- not a list", "\\- not a list"),
        ("1.5 metres", "1.5 metres"),
        ("#hash", "#hash"),
    ],
)
def test_a_paragraph_stays_one(text: str, expected: str) -> None:
    assert readable(content(block("paragraph", text))).text == f"{expected}\n"


def test_code_with_a_fence_gets_a_longer_one() -> None:
    assert readable(content(block("code", "```\nx"))).text == "````\n```\nx\n````\n"


def test_blocks_lie_under_their_headings() -> None:
    paths = [each.headings for each in readable(PAPER).document.blocks]

    assert paths[1] == ("Results",)
    assert paths[3] == ("Results", "By month")


@pytest.mark.parametrize(("title", "expected"), [("Rain", "Rain"), ("", "Results")])
def test_the_title_is_the_files_or_the_first_heading(title: str, expected: str) -> None:
    made = readable(content(block("heading", "Results", 1, 1), title=title))

    assert made.document.title == expected


def test_a_range_leads_back_to_its_pages_and_boxes() -> None:
    made = readable(PAPER)
    start = made.text.index("## By month")

    pages = made.pages(Span(start, made.text.index("```")))

    assert pages is not None
    assert (pages.first, pages.last) == (2, 3)
    assert pages.boxes == ((2, BOX), (3, BOX))


def test_a_range_over_pages_knows_where_each_begins() -> None:
    made = readable(
        content(
            block("paragraph", "one", 4),
            block("paragraph", "two", 4),
            block("paragraph", "three", 5),
            block("paragraph", "four", 7),
        )
    )

    whole = made.pages(Span(0, len(made.text)))
    inside = made.pages(Span(1, made.text.index("four")))
    on_one = made.pages(Span(0, made.text.index("three")))

    assert whole is not None
    assert whole.starts == ((0, 4), (10, 5), (17, 7))
    assert inside is not None
    assert inside.starts == ((0, 4), (9, 5))
    assert on_one is not None
    assert on_one.starts == ()


def test_between_blocks_there_is_no_page() -> None:
    made = readable(PAPER)
    gap = made.text.index("\n\n")

    assert made.pages(Span(gap, gap + 2)) is None


def test_bare_text_is_a_paragraph_a_page_and_blank_pages_are_none() -> None:
    made = readable_raw(RawPdf(3, ("one \x0ctwo\r\n", " \n", "three")))

    assert made.text == "one\ntwo\n\nthree\n"
    pages = made.pages(Span(made.text.index("three"), len(made.text)))
    assert pages is not None
    assert (pages.first, pages.last, pages.boxes) == (3, 3, ())


@pytest.mark.parametrize("made", [readable(content()), readable_raw(RawPdf(0, ()))])
def test_nothing_is_an_empty_document(made: ReadablePdf) -> None:
    assert made.text == ""


def test_passages_are_the_documents_text_and_know_their_pages() -> None:
    long = " ".join(f"Sentence number {n} tells of rain." for n in range(200))
    made = readable(
        content(
            block("heading", "Long", 1, 1),
            block("paragraph", long, 1),
            block("paragraph", "The end.", 2),
        )
    )

    passages = cut(made.document, count_words)

    assert len(passages) > 3
    for each in passages:
        assert made.text[each.span.start : each.span.end] == each.text
        assert len(each.text) <= 1200
        assert made.pages(each.span) is not None
    last = made.pages(passages[-1].span)
    assert last is not None
    assert last.last == 2
