"""What a hover shows of a note is text and nothing else, whatever the note holds (case 27)."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from notekin.lsp.hover import excerpt, inert

_RENDERER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_JOINER = "\N{WORD JOINER}"
_PIECES = [*"![]()<>`*_~#|&;:/\\-+=.@$^{}'\"", "a", "1.", "www", "https", "command:x", "&lt;", " "]


def _shown(markdown: str) -> str:
    """Return the text of the one paragraph that the Markdown renders to."""
    rendered = _RENDERER.render(markdown)
    match = re.fullmatch(r"<p>([^<>]*)</p>\n|", rendered)
    assert match is not None, rendered
    return html.unescape(match[1] or "").replace(_JOINER, "")


@pytest.mark.parametrize(
    "text",
    [
        "![](https://example.org/pixel.png)",
        "[x](command:workbench.action.quit)",
        "<img src=x onerror=alert(1)>",
        "`code` ``` fence",
        "# heading",
        "1. list",
        "[ref]: https://example.org",
        "&lt;script&gt;",
        "| a | b |",
        "---",
    ],
)
def test_it_shows_as_it_was_written(text: str) -> None:
    assert _shown(inert(text)) == text


@given(st.lists(st.sampled_from(_PIECES), max_size=12).map("".join))
def test_no_combination_of_marks_becomes_markup(text: str) -> None:
    assert _shown(inert(text.strip())) == text.strip()


@pytest.mark.parametrize(
    "text", ["www.example.org", "https://example.org", "a@example.org", "vscode://x", "command:x"]
)
def test_bare_addresses_are_no_links(text: str) -> None:
    # What makes a GFM autolink no longer stands together.
    shown = inert(text).replace("\\", "")
    assert shown != text
    assert not re.search(r"www\.|\w+://|\w@|command:", shown)


@pytest.mark.parametrize(
    ("text", "limit", "wanted"),
    [
        ("short", 10, "short"),
        ("two\n\nlines\tand  blanks", 40, "two lines and blanks"),
        ("one two three", 9, "one two…"),
        ("one two three", 7, "one two…"),
        ("unbreakable", 5, "unbre…"),
        ("# Title\n\n## Part\ntext", 40, "text"),
        ("# Title", 40, "# Title"),
        ("#tag and text", 40, "#tag and text"),
        ("a\x00b\u202ec", 40, "a b c"),
    ],
)
def test_excerpts_end_at_words(text: str, limit: int, wanted: str) -> None:
    assert excerpt(text, limit) == wanted
