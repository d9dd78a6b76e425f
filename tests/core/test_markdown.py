"""Reading Markdown: cases as data, and that every input is read, wholly and in linear time."""

from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from notekin.core.markdown import block_parser, read_markdown
from notekin.core.note import Document
from support.real_data import real_data

CASES = Path(__file__).parents[1] / "cases" / "markdown" / "notes.yaml"


def cases() -> list[Any]:
    loaded = yaml.safe_load(CASES.read_text("utf-8"))
    return [pytest.param(case, id=case["name"]) for case in loaded]


@pytest.mark.parametrize("case", cases())
def test_reading(case: dict[str, Any]) -> None:
    text = case["text"]
    document = read_markdown(text)
    found = {
        "title": document.title,
        "tags": list(document.tags),
        "aliases": list(document.aliases),
        "links": list(document.links),
        "blocks": [[b.kind, text[b.span.start : b.span.end]] for b in document.blocks],
        "headings": [list(block.headings) for block in document.blocks],
    }
    assert {key: found[key] for key in case if key in found} == {
        key: value for key, value in case.items() if key in found
    }


def assert_whole(document: Document) -> None:
    """Blocks stand in order, do not overlap, and hold all that is not white space."""
    end = 0
    for block in document.blocks:
        assert end <= block.span.start < block.span.end
        assert not document.text[end : block.span.start].removeprefix("\ufeff").strip()
        end = block.span.end
    assert not document.text[end:].removeprefix("\ufeff").strip()


PIECES = [
    *("# ", "## ", "- ", "1. ", "> ", "```", "~~~", "$$", "---", "===", "|", "|-|", "    "),
    *("\n", "\n", "\r", "\r\n", "\f", "\u2028", "\x00", "\ufeff", " ", "\t"),
    *(
        "a",
        "é",
        "漢",
        "😀",
        "[[",
        "]]",
        "[",
        "](",
        ")",
        "#",
        "`",
        "<div>",
        "<!--",
        "title: ",
        "\ud83d",
    ),
]
texts = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


@given(texts)
def test_any_text_is_read_wholly(text: str) -> None:
    assert_whole(read_markdown(text))


@pytest.mark.real_data
def test_nasty_files_are_read_wholly() -> None:
    root = real_data("nasty") / "nasty"
    for path in sorted(root.rglob("*")):
        if path.is_file() and path.stat().st_size < 100_000:
            assert_whole(read_markdown(path.read_bytes().decode("utf-8", "replace")))


PATHOLOGICAL: dict[str, Callable[[int], str]] = {
    "brackets": lambda n: "[" * n,
    "wikilinks": lambda n: "[[a" * (n // 3),
    "links": lambda n: "](a(" * (n // 4),
    "angles": lambda n: "](<a" * (n // 4),
    "nested quotes": lambda n: "> " * (n // 2) + "a",
    "lazy quotes": lambda n: "> > > > a\n" + "a\n" * (n // 20),
    "nested lists": lambda n: "- " * (n // 2) + "a",
    "unclosed fences": lambda n: "```\n\n~~~\n" * (n // 90),
    "unclosed math": lambda n: "$$ a\n\n" * (n // 60),
    "quoted math": lambda n: "> $$ a\n\n" * (n // 80),
    "backticks": lambda n: "".join("`" * k + " " for k in range(int((2 * n) ** 0.5))),
    "heading of spaces": lambda n: "# a" + " " * n + "b",
    "heading of braces": lambda n: "# " + " {#" * (n // 3),
    "heading of marks": lambda n: "# " + "_" * n + "a",
    "deep YAML": lambda n: "---\na: " + "[" * n + "\n---\n",
    "open front matter": lambda n: "---\n" + "a: b\n" * (n // 50),
    "tags": lambda n: " #1" * (n // 3),
    "comments": lambda n: "<!--\n\n" * (n // 60),
    "wide table": lambda n: "|a" * (n // 40) + "\n" + "|-" * (n // 40) + "\n",
}


@pytest.mark.parametrize("name", PATHOLOGICAL)
def test_time_is_linear(name: str) -> None:
    """Four times the text takes at most about four times as long; quadratic would be sixteen."""
    small, large = (timed(PATHOLOGICAL[name](n)) for n in (20_000, 80_000))
    assert large < 9 * small + 0.1


def timed(text: str) -> float:
    best = float("inf")
    for _ in range(2):
        start = process_time()
        assert_whole(read_markdown(text))
        best = min(best, process_time() - start)
    return best


def test_megabytes_of_brackets_are_read() -> None:
    assert_whole(read_markdown("[" * 12_000_000))


LINES = (
    *("a b", "c", "  d", "    e", "\tf", "", "", "- ", "- g", "  - h", "1. i", "2) j", "> k"),
    *("> - l", ">", "# m", "---", "===", "|-|", "n | o", "-|-", "```", "$$", "<div>", "* * *"),
    *("漢", "1", "@", "[a]: n", "[^1]: o", ">> p", "- > q", "- 1. r", "<!-- s", "t -->", "| u |"),
    *("v\f", "\fw", "x\u2028", "\u2028y", "\x00z", "\xa0a", "b\rc", "d\x1c", "~~~", "# ", "    "),
)


@given(st.lists(st.sampled_from(LINES), max_size=12))
def test_plain_paragraphs_are_those_of_the_library(lines: list[str]) -> None:
    library = block_parser.__wrapped__().disable("plain_paragraph")
    text = "\n".join(lines)

    def shown(parser: MarkdownIt) -> list[tuple[object, ...]]:
        return [
            (each.type, each.tag, each.nesting, each.level, each.map, each.content, each.hidden)
            for each in parser.parse(text)
        ]

    assert shown(block_parser()) == shown(library)
