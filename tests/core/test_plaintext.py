"""Reading plain text, Org and RST, and telling which files are notes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notekin.core.plaintext import read_text
from notekin.core.reading import kind_of, read


def blocks(text: str, suffix: str = "txt") -> list[tuple[str, str, tuple[str, ...]]]:
    return [
        (block.kind, text[block.span.start : block.span.end].strip(), block.headings)
        for block in read_text(text, suffix).blocks
    ]


def test_paragraphs_end_at_blank_lines() -> None:
    text = "one\ntwo\r\n \t\r\nthree\r\rfour\x0cfive"
    assert [content for _, content, _ in blocks(text)] == ["one\ntwo", "three", "four\x0cfive"]


def test_org_headings() -> None:
    text = "#+TITLE: Name\n\n* TODO One :tag:\ntext\n** Two\nmore\n*bold* is none\n"
    assert blocks(text, "org") == [
        ("paragraph", "#+TITLE: Name", ()),
        ("heading", "* TODO One :tag:", ("One",)),
        ("paragraph", "text", ("One",)),
        ("heading", "** Two", ("One", "Two")),
        ("paragraph", "more\n*bold* is none", ("One", "Two")),
    ]
    assert read_text(text, "org").title == "Name"


def test_rst_headings_rank_by_first_use() -> None:
    text = "====\nName\n====\n\nPart\n----\ntext\n\nOther\n-----\n\nBelow\n~~~~~\nx\n"
    found = blocks(text, "rst")
    assert [headings for kind, _, headings in found if kind == "heading"] == [
        ("Name",),
        ("Name", "Part"),
        ("Name", "Other"),
        ("Name", "Other", "Below"),
    ]
    assert found[0][1] == "====\nName\n===="


def test_an_rst_rule_or_table_is_no_heading() -> None:
    text = "text\n\n-----\n\n===== =====\na     b\n===== =====\n"
    assert all(kind == "paragraph" for kind, _, _ in blocks(text, "rst"))


@given(st.text("a*=-~ \n\r\x0c\ufeff#"), st.sampled_from(["txt", "org", "rst"]))
def test_any_text_is_read_wholly(text: str, suffix: str) -> None:
    kept = "".join(content for _, content, _ in blocks(text, suffix))
    assert "".join(kept.split()) == "".join(text.removeprefix("\ufeff").split())


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("a.md", "markdown"),
        ("x/README.MD", "markdown"),
        ("a.b.markdown", "markdown"),
        ("a.mdx", "markdown"),
        ("a.txt", "text"),
        ("a.org", "text"),
        ("a.rst", "text"),
        ("a.tex", "text"),
        ("a.pdf", "pdf"),
        ("a.py", None),
        (".md", None),
        ("x.md/a", None),
        ("md", None),
    ],
)
def test_kinds(path: str, kind: str | None) -> None:
    assert kind_of(path, ["tex"]) == kind


def test_the_suffix_chooses_the_reader() -> None:
    assert read("a.md", "markdown", "# T").title == "T"
    assert read("a.ORG", "text", "* T").title == "T"
    assert read("a.txt", "text", "* T").title == ""
