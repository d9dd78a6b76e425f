"""Paths and file URIs are each other's inverse, and sloppy clients are understood."""

import os
import unicodedata
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from notekin.app.uris import path_from_uri, pdf_from_uri, posix_path, uri_of, windows_path

posix_only = pytest.mark.skipif(os.name == "nt", reason="POSIX names")

# Any byte may stand in a POSIX name but NUL and "/"; invalid UTF-8 becomes lone surrogates.
ANY_NAMES = st.lists(
    st.binary(min_size=1, max_size=12)
    .map(lambda raw: os.fsdecode(raw.replace(b"\0", b"%").replace(b"/", b"#")))
    .filter(lambda name: name not in {".", ".."}),
    max_size=5,
)
TEXT_NAMES = st.lists(
    st.text(st.characters(exclude_characters="\0/", exclude_categories=("Cs",)), min_size=1).filter(
        lambda name: name not in {".", ".."}
    ),
    max_size=5,
)


@posix_only
@given(ANY_NAMES | TEXT_NAMES)
def test_every_path_comes_back(names: list[str]) -> None:
    path = Path("/", *names)
    uri = uri_of(path)
    assert uri.isascii()
    assert path_from_uri(uri) == path


@posix_only
@given(TEXT_NAMES)
def test_unescaped_names_come_back_where_nothing_looks_escaped(names: list[str]) -> None:
    path = PurePosixPath("/", *(name.replace("%", "_") for name in names))
    assert posix_path(f"file://{path}") == path


@given(st.text() | st.text(alphabet="file:/%0cC|#?\\ \ud800", max_size=20).map("file:".__add__))
@example("FILE://?/")
@example("file://./C:/notes")
def test_no_uri_raises(uri: str) -> None:
    for path in (posix_path(uri), windows_path(uri)):
        assert path is None or path.is_absolute()
        assert path is None or not str(path).startswith(("\\\\?\\", "\\\\.\\"))


@posix_only
@pytest.mark.parametrize(
    "name",
    [
        "a b",
        "a#b",
        "100%",
        "100%25",
        "a?b",
        "a\nb",
        "é",
        "日本",
        "🥖",
        "a\\b",
        "[x]",
        "~",
        "c:",
        "+",
    ]
    + [unicodedata.normalize(form, "Übung é") for form in ("NFC", "NFD")],
)
def test_awkward_names_come_back(name: str) -> None:
    assert path_from_uri(uri_of(Path("/notes", name))) == Path("/notes", name)


@posix_only
def test_composed_and_decomposed_names_stay_apart() -> None:
    composed, decomposed = (unicodedata.normalize(form, "/é.md") for form in ("NFC", "NFD"))
    assert uri_of(Path(composed)) == "file:///%C3%A9.md"
    assert uri_of(Path(decomposed)) == "file:///e%CC%81.md"


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///notes/a.md", "/notes/a.md"),
        ("FILE:///notes/a.md", "/notes/a.md"),
        ("file:/notes/a.md", "/notes/a.md"),
        ("file://localhost/notes/a.md", "/notes/a.md"),
        ("file://LOCALHOST/notes/a.md", "/notes/a.md"),
        ("file:///notes/a%20b.md", "/notes/a b.md"),
        ("file:///notes/a b.md", "/notes/a b.md"),
        ("file:///notes/C# ?.md", "/notes/C# ?.md"),
        ("file:///notes/100%.md", "/notes/100%.md"),
        ("file:///notes/a%2fb.md", "/notes/a/b.md"),
        ("file:///notes/ü.md", "/notes/ü.md"),
        ("file:///notes/%c3%BC.md", "/notes/ü.md"),
        ("file:///notes/", "/notes"),
        ("file:///notes/./a.md", "/notes/a.md"),
        ("file:///", "/"),
        ("file:///c%3A/a.md", "/c:/a.md"),
    ],
)
def test_posix_paths(uri: str, path: str) -> None:
    assert posix_path(uri) == PurePosixPath(path)


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///c%3A/notes/a.md", r"C:\notes\a.md"),
        ("file:///c%3a/notes/a.md", r"C:\notes\a.md"),
        ("file:///C:/notes/a%20b.md", r"C:\notes\a b.md"),
        ("file:///C|/notes/a.md", r"C:\notes\a.md"),
        ("file://localhost/C:/notes", r"C:\notes"),
        ("file:///d:", "D:\\"),
        ("file://server/share/a.md", r"\\server\share\a.md"),
    ],
)
def test_windows_paths(uri: str, path: str) -> None:
    assert windows_path(uri) == PureWindowsPath(path)


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "untitled:Untitled-1",
        "notekin-pdf:/a.pdf",
        "https://a/b",
        "git:/a.md?%7B%7D",
        "/notes/a.md",
        "file:",
        "file:a.md",
        "file://",
        "file://host",
        "file:///a%00b.md",
        "file:///a\0b.md",
    ],
)
def test_what_names_no_file(uri: str) -> None:
    assert posix_path(uri) is None
    assert windows_path(uri) is None


def test_another_host_is_no_path_on_posix() -> None:
    assert posix_path("file://server/share/a.md") is None


def test_a_path_without_a_drive_is_none_on_windows() -> None:
    assert windows_path("file:///notes/a.md") is None


def test_a_relative_path_has_no_uri() -> None:
    with pytest.raises(ValueError, match="relative"):
        uri_of(Path("notes/a.md"))


@pytest.mark.parametrize(
    "uri",
    [
        "notekin-pdf:///v/note.md",
        "notekin-pdf:///v/note.md.md",
        "notekin-pdf:///v/.env.md",
        "notekin-pdf:///v/a.pdf",
        "file:///v/a.pdf.md",
        "notekin-pdf:a.pdf.md",
    ],
)
def test_only_a_pdf_has_a_readable_document(uri: str) -> None:
    assert pdf_from_uri(uri) is None
