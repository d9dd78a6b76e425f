"""The pure steps between a page's characters and the blocks of a document."""

import pytest

from notekin.adapters.pdf_compose import blocks_of, readable_title
from notekin.adapters.pdf_headings import Entry
from notekin.adapters.pdf_order import in_reading_order
from notekin.adapters.pdf_table import as_markdown, table_rows
from notekin.adapters.pdf_values import Fragment, Grid, PageDraft, Region, Word
from notekin.adapters.pdf_writing import Words, joined, mended_ligatures, readable_characters
from notekin.core.pages import Box
from notekin.core.pdf import Block

WIDTH, HEIGHT = 600.0, 800.0


def fragment(text: str, top: float, left: float = 60, size: float = 10, **more: object) -> Fragment:
    box = (left, top, left + len(text) * size / 2, top + size)
    return Fragment(text, box, size, size, **more)  # pyright: ignore[reportArgumentType]


def draft(
    *fragments: Fragment, number: int = 1, regions: tuple[Region, ...] | None = None
) -> PageDraft:
    return PageDraft(number, WIDTH, HEIGHT, fragments, regions)


def around(kind: str, *fragments: Fragment) -> Region:
    lefts, tops, rights, bottoms = zip(*(each.box for each in fragments), strict=True)
    return Region(kind, (min(lefts) - 1, min(tops) - 1, max(rights) + 1, max(bottoms) + 1))


def blocks(*fragments: Fragment, kind: str = "text") -> list[Block]:
    regions = (around(kind, *fragments),)
    return list(blocks_of([draft(*fragments, regions=regions)], []))


@pytest.mark.parametrize(
    ("found", "readable"),
    [
        ("plain", "plain"),
        ("e\ufb03cient \ufb02ow", "efficient flow"),
        ("\uf0b7 item", "\u2022 item"),
        ("a\x00b\ud800c\u200bd", "abcd"),
        ("\ufefb", "لا"),
        ("tab\there", "tab here"),
    ],
)
def test_characters_are_readable(found: str, readable: str) -> None:
    assert readable_characters(found) == readable


@pytest.mark.parametrize(
    ("text", "widths", "mended"),
    [
        ("اإلن", (3, 0, 6, 4), "الإن"),
        ("اال", (3, 3, 3), "اال"),
        ("حَب", (5, 0, 5), "حَب"),
        ("abc", (0, 0, 5), "abc"),
    ],
)
def test_letters_of_a_ligature_are_in_reading_order(
    text: str, widths: tuple[float, ...], mended: str
) -> None:
    assert mended_ligatures(text, widths) == mended


@pytest.mark.parametrize(
    ("left", "right", "whole"),
    [
        ("the light-", "house is", "the lighthouse is"),
        ("the light\u00ad", "house is", "the lighthouse is"),
        ("a well-", "known name", "a well-known name"),
        ("just-in-", "time, he", "just-in-time, he"),
        ("Coca-", "Cola", "Coca-Cola"),
        ("range 3-", "4 days", "range 3- 4 days"),
        ("one", "two", "one two"),
        ("日本", "語", "日本語"),
        ("", "two", "two"),
    ],
)
def test_lines_are_joined(left: str, right: str, whole: str) -> None:
    words = Words(["say a well-known lighthouse here"])
    assert joined(left, right, words.mended) == whole


FULL, TOP_LEFT, TOP_RIGHT = (50, 50, 550, 70), (50, 100, 290, 300), (310, 100, 550, 250)
LOW_LEFT, LOW_RIGHT = (50, 320, 290, 500), (310, 320, 550, 500)


@pytest.mark.parametrize(
    ("boxes", "backward"),
    [
        ([FULL, TOP_LEFT, LOW_LEFT, TOP_RIGHT, LOW_RIGHT], False),
        ([FULL, TOP_RIGHT, LOW_RIGHT, TOP_LEFT, LOW_LEFT], True),
        ([TOP_LEFT, TOP_RIGHT, (50, 305, 550, 315), LOW_LEFT, LOW_RIGHT], False),
        # Stanzas set side by side, with a wide gap between them.
        ([(50, 50, 290, 90), (310, 50, 550, 90), (50, 130, 290, 170), (310, 130, 550, 170)], False),
        # A form: names and values stand line beside line.
        ([(50, 50, 100, 60), (200, 50, 300, 60), (50, 70, 100, 80), (200, 70, 300, 80)], False),
        ([], False),
    ],
)
def test_reading_order(boxes: list[Box], *, backward: bool) -> None:
    shuffled = sorted(boxes, key=lambda box: (box[3], -box[0]))
    assert in_reading_order(shuffled, lambda box: box, backward=backward) == boxes


def test_no_text_is_lost_or_comes_twice() -> None:
    held = [fragment("inside both", 100), fragment("inside one", 130)]
    loose = fragment("in no region", 400)
    regions = (around("text", *held), around("picture", held[0]))
    made = blocks_of([draft(*held, loose, regions=regions)], [])
    assert sorted(block.text for block in made) == ["in no region", "inside both", "inside one"]


def test_fragments_of_one_line_stand_in_order() -> None:
    [block] = blocks(
        fragment("world", 100, left=120), fragment("hello", 100.5), fragment("again", 115)
    )
    assert block.text == "hello world again"


def test_columns_that_the_model_takes_for_one_are_read_one_by_one() -> None:
    left = [fragment(f"left line {number} of a poem", 100 + 12 * number) for number in range(3)]
    right = [
        fragment(f"right line {number} of a poem", 100 + 12 * number, left=320)
        for number in range(3)
    ]
    texts = [
        block.text
        for block in blocks(*(each for pair in zip(left, right, strict=True) for each in pair))
    ]
    assert texts == [" ".join(each.text for each in side) for side in (left, right)]


def test_a_list_has_an_item_a_line() -> None:
    lines = [
        fragment("\u2022 first item", 100),
        fragment("goes on", 112, left=72),
        fragment("\u2013 deeper", 124, left=80),
        fragment("2) second", 136),
    ]
    [block] = blocks(*lines, kind="list-item")
    assert (block.kind, block.text) == ("list", "- first item goes on\n  - deeper\n2. second")


def test_code_keeps_its_lines_and_indentation() -> None:
    code = [fragment("def f():", 100, mono=True), fragment("return 1", 112, left=80, mono=True)]
    prose = fragment("Words " * 20, 200)
    made = blocks_of(
        [draft(*code, prose, regions=(around("text", *code), around("text", prose)))], []
    )
    assert (made[0].kind, made[0].text) == ("code", "def f():\n    return 1")


def test_a_table_is_cut_at_its_grid() -> None:
    fragments = [fragment("name age", 100), fragment("ann 7", 120)]
    words = [
        Word("name", (60, 100, 80, 110)),
        Word("age", (85, 100, 100, 110)),
        Word("ann", (60, 120, 75, 130)),
        Word("7", (80, 120, 85, 130)),
    ]
    rows = table_rows(Grid((115,), (78,)), fragments, words)
    assert rows == (("name", "age"), ("ann", "7"))
    assert as_markdown(rows) == "| name | age |\n| --- | --- |\n| ann | 7 |"
    assert as_markdown([["a|b"], ["c"]]) == "| a\\|b |\n| --- |\n| c |"


def page(number: int, *inner: Fragment, header: str) -> PageDraft:
    head = fragment(header, 20, left=250, size=8)
    foot = fragment(f"- {number} -", 780, left=290, size=8)
    body = fragment(f"Body of page {number}.", 300)
    everything = (head, foot, body, *inner)
    kinds = ("page-header", "page-footer", "text", *("section-header" for _ in inner))
    regions = tuple(around(kind, each) for kind, each in zip(kinds, everything, strict=True))
    return draft(*everything, number=number, regions=regions)


def test_headers_footers_and_page_numbers_are_dropped() -> None:
    made = blocks_of([page(each, header=f"Chapter {each}") for each in range(1, 5)], [])
    assert [block.text for block in made] == [f"Body of page {each}." for each in range(1, 5)]


def test_a_title_that_looks_like_a_header_stays() -> None:
    title = fragment("A Short Note", 30, size=18)
    body = fragment("Its body.", 200)
    regions = (around("page-header", title), around("text", body))
    made = blocks_of([draft(title, body, regions=regions)], [])
    assert [block.text for block in made] == ["A Short Note", "Its body."]


def test_a_heading_that_headers_repeat_stays() -> None:
    drafts = [
        page(1, fragment("Results", 60, size=18), header="Results"),
        *(page(each, header="Results") for each in range(2, 6)),
    ]
    made = blocks_of(drafts, [])
    assert [block.text for block in made if block.kind == "heading"] == ["Results"]


@pytest.mark.parametrize(
    "text",
    [
        "/*",
        "3",
        "Figure 3 A boat",
        "mail@example.org",
        "Introduction \u2026 12",
        "said the clerk,",
        "\ufffd\ufffd",
    ],
)
def test_what_the_model_takes_for_a_heading_may_be_none(text: str) -> None:
    prose = fragment("The prose of the page has this size.", 300)
    odd = fragment(text, 100)
    regions = (around("section-header", odd), around("text", prose))
    made = blocks_of([draft(odd, prose, regions=regions)], [])
    assert not [block for block in made if block.kind == "heading"]


def levels(*texts: tuple[str, float], outline: tuple[Entry, ...] = ()) -> list[int]:
    heads = [fragment(text, 100 + 50 * each, size=size) for each, (text, size) in enumerate(texts)]
    prose = [fragment("Some words of the prose.", 130 + 50 * each) for each in range(len(texts))]
    regions = (
        *(around("section-header", each) for each in heads),
        *(around("text", each) for each in prose),
    )
    made = blocks_of([draft(*heads, *prose, regions=regions)], outline)
    return [block.level for block in made if block.kind == "heading"]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([("Title", 20), ("Part", 16), ("Detail", 12), ("Part", 16)], [1, 2, 3, 2]),
        # Numbers say what one size does not.
        ([("1 One", 14), ("1.1 Inner", 14), ("1.1.1 Inmost", 14), ("2 Two", 14)], [1, 2, 3, 1]),
        ([("Chapter 1", 14), ("Paragraph 1.1", 14), ("Chapter 2", 14)], [1, 2, 1]),
        ([("I. First", 12), ("A. Inner", 12), ("C. Inner", 12), ("II. Second", 12)], [1, 2, 2, 1]),
    ],
)
def test_levels(texts: list[tuple[str, float]], expected: list[int]) -> None:
    assert levels(*texts) == expected


def test_the_outline_gives_levels_and_the_others_lie_below() -> None:
    outline = (Entry(1, "Title", 1), Entry(2, "Part", 1))
    texts = [("Title", 12), ("1. Part", 20), ("Aside", 20)]
    assert levels(*texts, outline=outline) == [1, 2, 3]


def test_a_title_of_the_outline_is_cut_out_of_the_text_around_it() -> None:
    lines = [fragment("Before it.", 100), fragment("2. Results", 112), fragment("After it.", 124)]
    whole = [draft(*lines, regions=(around("text", *lines),))]
    assert [block.text for block in blocks_of(whole, [Entry(1, "2. Results", 2)])] == [
        "Before it. 2. Results After it."
    ]
    made = blocks_of(whole, [Entry(1, "2 Results", 1)])
    assert [(block.kind, block.text) for block in made] == [
        ("paragraph", "Before it."),
        ("heading", "2. Results"),
        ("paragraph", "After it."),
    ]


def test_tags_tell_headings() -> None:
    heads = [fragment(f"Head {each}", 100 * each, tag=f"H{each}") for each in range(1, 4)]
    made = blocks_of([draft(*heads, fragment("Prose.", 500), regions=())], [])
    assert [(block.kind, block.level) for block in made] == [
        ("heading", 1),
        ("heading", 2),
        ("heading", 3),
        ("paragraph", 0),
    ]


def test_vertical_letters_make_columns() -> None:
    letters = [
        Fragment(letter, (x, 100 + 10 * row, x + 10, 110 + 10 * row), 10, 10, turn=1, vertical=True)
        for x, word in ((500, "日本語"), (480, "文章"))
        for row, letter in enumerate(word)
    ]
    made = blocks_of([draft(*letters)], [])
    assert "".join(block.text for block in made) == "日本語文章"


def test_a_word_that_a_column_breaks_is_whole_in_the_first() -> None:
    first = fragment("We keep the light-", 100)
    second = fragment("house, and its lamp.", 100, left=320)
    above = fragment("A line.", 80)
    regions = (around("text", above, first), around("text", second))
    made = blocks_of([draft(above, first, second, regions=regions)], [])
    assert [block.text for block in made] == [
        "A line. We keep the lighthouse,",
        "and its lamp.",
    ]


@pytest.mark.parametrize(
    ("title", "readable"),
    [
        ("A Report", "A Report"),
        ("Microsoft Word - report_final.doc", ""),
        ("Microsoft Word - A Report", "A Report"),
        ("untitled", ""),
        ("scan0001.pdf", ""),
        ("  ", ""),
        ("On\u202e Rain\x00\n\ud800in May\x1b", "On Rain in May"),
        ("\u202e\ue000\ufffe", ""),
        ("word " * 1000, " ".join(["word"] * 60)),
        ("w" * 1000, "w" * 300),
    ],
)
def test_a_title_is_no_file_name(title: str, readable: str) -> None:
    assert readable_title(title) == readable
