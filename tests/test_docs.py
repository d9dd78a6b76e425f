"""Every link and file name of the documentation has something in the repository to point at."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from fastembed import TextEmbedding
from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_relative_links_resolve(page: Path) -> None:
    assert [link for link in _links(page) if not _resolves(page, link)] == []


def test_every_decision_is_listed() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = set(_links(folder / "README.md"))
    assert {record.name for record in folder.glob("[0-9]*.md")} <= listed


def test_files_named_by_the_architecture_page_exist() -> None:
    page = (ROOT / "docs" / "explanation" / "architecture.md").read_text("utf-8")
    named = set(re.findall(r"`([\w/]+\.py)`", page))
    there = {path.as_posix() for top in ("server", "protocol", "tests") for path in _modules(top)}
    assert [
        name for name in named if not any(f"/{path}".endswith(f"/{name}") for path in there)
    ] == []


def test_models_that_are_named_are_in_the_list_with_their_size() -> None:
    page = (ROOT / "docs" / "how-to" / "change-the-model.md").read_text("utf-8")
    gigabytes = {"MB": 0.001, "GB": 1.0}
    named = {
        name: float(size) * gigabytes[unit]
        for name, size, unit in re.findall(
            r"^\| `([\w/.-]+)` \|.*\| ([\d.]+) (MB|GB) \|$", page, re.MULTILINE
        )
    }
    listed = {
        model["model"]: model["size_in_GB"] for model in TextEmbedding.list_supported_models()
    }
    assert named
    assert {name: pytest.approx(listed.get(name), rel=0.1) for name in named} == named


def _modules(top: str) -> Iterator[Path]:
    return (ROOT / top).rglob("*.py")


def _links(page: Path) -> Iterator[str]:
    for block in MarkdownIt().enable("table").parse(page.read_text("utf-8")):
        for token in block.children or ():
            target = token.attrGet("href") or token.attrGet("src")
            if isinstance(target, str) and not re.match(r"[a-z][a-z0-9+.-]*:", target):
                yield target


def _resolves(page: Path, link: str) -> bool:
    path, _, anchor = unquote(link).partition("#")
    target = (page.parent / path) if path else page
    if not target.exists():
        return False
    return not anchor or anchor in _anchors(target)


def _anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as forges make them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", "-") for text in headings}
