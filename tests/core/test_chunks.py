"""Cutting into passages: what always holds, what an edit changes, and hard material."""

import random
from collections.abc import Sequence
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notekin.adapters.tokens import token_counter
from notekin.core.chunks import LIMITS, N_SPECIAL_TOKENS, CountTokens, Limits, cut
from notekin.core.note import Document, Passage
from notekin.core.reading import kind_of, read
from notekin.core.text import LineIndex
from support.counting import count_words
from support.real_data import real_data


def passages_of(
    text: str, count: CountTokens = count_words, limits: Limits = LIMITS
) -> tuple[Passage, ...]:
    return cut(read("note.md", "markdown", text), count, limits)


def assert_sound(
    document: Document,
    passages: Sequence[Passage],
    count: CountTokens = count_words,
    limits: Limits = LIMITS,
) -> None:
    """Passages are exact, in order, not blank, small enough, and leave nothing out."""
    text, end, left = document.text, 0, list[str]()
    matter = [block.span for block in document.blocks if block.kind == "front_matter"]
    for ordinal, passage in enumerate(passages):
        assert passage.ordinal == ordinal
        assert passage.text == text[passage.span.start : passage.span.end]
        assert passage.text.strip()
        assert end <= passage.span.start
        left.append(text[end : passage.span.start])
        end = passage.span.end
        assert len(passage.embedded) <= limits.n_characters or len(passage.text) == 1
    left.append(text[end:])
    outside = sum(len("".join(piece.split())) for piece in left)
    in_matter = sum(len("".join(text[span.start : span.end].split())) for span in matter)
    assert outside == in_matter + text.startswith("\ufeff") * (not matter)
    sizes = count([passage.embedded for passage in passages])
    assert all(size + N_SPECIAL_TOKENS <= limits.n_tokens for size in sizes)


PIECES = [
    *(
        "# Heading\n",
        "## Below\n",
        "### Deep\n\n",
        "- item\n",
        "> quote\n",
        "```\n",
        "| a |\n|---|\n",
    ),
    *("\n", "\n\n", "\r\n", "\r", "\f", "\u2028", "---\n", "title: T\n", "\ud83d", "\x00"),
    *(
        "A sentence of some words. ",
        "漢字。",
        "😀",
        "e\u0301\u0301",
        "word ",
        "longer" * 9,
        "👩\u200d👧",
    ),
]
texts = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)


@given(texts)
def test_passages_of_any_text_are_sound(text: str) -> None:
    document = read("note.md", "markdown", text)
    limits = Limits(n_characters=400, n_tokens=120)
    assert_sound(document, cut(document, count_words, limits), limits=limits)


@given(texts)
def test_ranges_of_passages_hold_in_both_encodings(text: str) -> None:
    index = LineIndex(text)
    for passage in passages_of(text):
        for encoding in ("utf-16", "utf-8"):
            places = [index.anchor(passage.span.start), index.anchor(passage.span.end)]
            start, end = (
                index.offset(place.line, place.column(encoding), encoding) for place in places
            )
            assert text[start:end] == passage.text


@given(texts)
def test_cutting_depends_on_the_text_only(text: str) -> None:
    assert passages_of(text) == passages_of(text)


def test_a_heading_belongs_to_the_passage_below_it() -> None:
    passages = passages_of("# T\n\n## A\n\nfirst\n\n## B\n\nsecond\n")
    assert [passage.text for passage in passages] == ["# T\n\n## A\n\nfirst", "## B\n\nsecond"]
    assert [passage.headings for passage in passages] == [("T", "A"), ("T", "B")]
    assert [passage.context for passage in passages] == ["T › A", "T › B"]


def test_the_title_of_the_front_matter_stands_in_front() -> None:
    (passage,) = passages_of("---\ntitle: Name\n---\n# H\n\ntext\n")
    assert passage.context == "Name › H"
    assert passage.embedded == "Name › H\n\n# H\n\ntext"


@pytest.mark.parametrize("text", ["# Only a heading\n", "---\ntitle: Only a title\n---\n"])
def test_a_note_of_nothing_but_a_title_has_one_passage(text: str) -> None:
    (passage,) = passages_of(text)
    assert "Only a" in passage.text


@pytest.mark.parametrize("text", ["", "\n \n", "\ufeff\n", "---\n---\n"])
def test_a_blank_note_has_none(text: str) -> None:
    assert passages_of(text) == ()


def test_code_and_tables_stay_whole_where_they_fit() -> None:
    code = "```py\n" + "x = 1\n\n" * 60 + "```"
    table = "| a | b |\n|---|---|\n" + "\n".join("| 1 | 2 |" for _ in range(20))
    limits = Limits(n_tokens=10_000)
    prose = "Some words of prose stand here. " * 20
    passages = passages_of(f"{prose}\n\n{code}\n\n{prose}\n\n{table}\n\n{prose}", limits=limits)
    assert sum(code in passage.text for passage in passages) == 1
    assert sum(table in passage.text for passage in passages) == 1


def test_large_code_is_cut_by_lines() -> None:
    lines = [f"value_{n} = compute({n})  # a remark" for n in range(200)]
    for passage in passages_of("```\n" + "\n".join(lines) + "\n```\n"):
        assert all(line in (*lines, "```") for line in passage.text.splitlines())


def test_a_long_paragraph_is_cut_by_sentences() -> None:
    text = " ".join(f"This is sentence number {n} of the paragraph." for n in range(100))
    assert all(passage.text.endswith(".") for passage in passages_of(text))


HARD = {
    "hex dump": "0f 3e " * 10_000,
    "base64 line": "iVBORw0KGgoAAAANSUhEUgAA" * 6_000,
    "Han without marks": "漢" * 10_000,
    "words without end": "word " * 10_000,
    "stacked marks": "e" + "\u0301" * 10_000,
    "families": "👩\u200d👩\u200d👧" * 3_000,
    "Thai": "ภาษาไทย" * 2_000,
    "long heading": "# " + "heading " * 2_000 + "\n\ntext\n",
    "headings only": "# a\n" * 2_000,
    "wide table": "|a|b|\n|-|-|\n" + "| some | cell |\n" * 1_000,
    "CR only": "some words here\r" * 1_000,
}


@pytest.mark.parametrize("name", HARD)
def test_hard_material_is_cut_within_the_window(name: str) -> None:
    count = token_counter()
    document = read("note.md", "markdown", HARD[name])
    assert_sound(document, cut(document, count), count)


def test_no_grapheme_is_cut() -> None:
    family = "👩\u200d👩\u200d👧"
    for passage in passages_of(family * 3_000):
        assert len(passage.text) % len(family) == 0


def test_cutting_time_is_linear() -> None:
    small, large = (timed("Some words, and more.\n\n" * n) for n in (1_000, 4_000))
    assert large < 9 * small


def timed(text: str) -> float:
    """Return the seconds of the quickest of three rounds: in one, Python may look for garbage among
    all that other tests left.
    """
    best = float("inf")
    for _ in range(3):
        start = process_time()
        passages_of(text)
        best = min(best, process_time() - start)
    return best


# --- what an edit changes ----------------------------------------------------------------

WORDS = ["note", "about", "garden", "bread", "and", "small", "stones", "grow", "over", "walls"]


def prose(n_paragraphs: int) -> str:
    numbers = random.Random(3)  # noqa: S311 - no secret
    paragraphs = (
        " ".join(
            " ".join(numbers.choices(WORDS, k=numbers.randint(4, 20))).capitalize() + "."
            for _ in range(numbers.randint(1, 9))
        )
        for _ in range(n_paragraphs)
    )
    return "\n\n".join(paragraphs)


def n_embedded_again(old: str, new: str) -> int:
    known = {passage.hash for passage in passages_of(old)}
    return sum(passage.hash not in known for passage in passages_of(new))


@pytest.mark.parametrize("joint", ["\n\n", " "], ids=["paragraphs", "one paragraph"])
def test_a_sentence_more_changes_few_passages(joint: str) -> None:
    text = prose(60).replace("\n\n", joint)
    numbers = random.Random(5)  # noqa: S311 - no secret
    again: list[int] = []
    for _ in range(30):
        place = text.find(".", numbers.randrange(len(text) - 1000)) + 1
        longer = f"{text[:place]} A sentence that was not there before.{text[place:]}"
        again.append(n_embedded_again(text, longer))
    assert sorted(again)[26] <= 3
    assert max(again) <= 8


def test_lines_above_change_no_other_section() -> None:
    sections = "".join(f"## Section {n}\n\n{prose(12)}\n\n" for n in range(6))
    above = "## New\n\n" + "A line above.\n" * 50 + "\n"
    known = {passage.hash for passage in passages_of(f"# T\n\nintro\n\n{sections}")}
    for passage in passages_of(f"# T\n\nintro\n\n{above}{sections}"):
        assert passage.hash in known or "New" in passage.headings


@pytest.mark.real_data
def test_passages_of_nasty_files_are_sound() -> None:
    count = token_counter()
    for path in nasty_files():
        text = path.read_bytes().decode("utf-8", "replace")
        document = read(path.name, kind_of(path.name) or "text", text)
        assert_sound(document, cut(document, count), count)


def nasty_files() -> list[Path]:
    files = (real_data("nasty") / "nasty").rglob("*")
    return sorted(path for path in files if path.is_file() and path.stat().st_size < 12_000)
