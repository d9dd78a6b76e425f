"""Answers and their verdicts; filters hold in both lanes."""

from collections.abc import Mapping
from typing import Any

import pytest

from support.vault import Scratch

NOTES = {
    "kitchen/bread.md": "---\ntags: [food/bread]\n---\n\n# Bread\n\nThe dough rises overnight.",
    "kitchen/jam.md": "---\ntags: [food]\n---\n\n# Jam\n\nNo dough in it, but plums.",
    "garden/plums.md": "# Plums\n\nPlums ripen in August. #garden",
    "list.txt": "flour, dough scraper, plums",
    "kitchen.md": "# Kitchen\n\nWhere dough is made.",
}

FILTERED: Mapping[str, tuple[dict[str, Any], set[str]]] = {
    "none": ({}, set(NOTES)),
    "a folder": ({"folder": "kitchen"}, {"kitchen/bread.md", "kitchen/jam.md"}),
    "a kind": ({"kinds": ("text",)}, {"list.txt"}),
    "a tag": ({"tags": ("food",)}, {"kitchen/bread.md", "kitchen/jam.md"}),
    "a tag below": ({"tags": ("food/bread",)}, {"kitchen/bread.md"}),
    "two tags": ({"tags": ("food/bread", "garden")}, {"kitchen/bread.md", "garden/plums.md"}),
    "folder and tag": ({"folder": "garden", "tags": ("food",)}, set()),
    "no such tag": ({"tags": ("nothing",)}, set()),
}


@pytest.fixture
def kitchen(vault: Scratch) -> Scratch:
    for path, text in NOTES.items():
        vault.write(path, text)
    vault.open()
    return vault


@pytest.mark.parametrize("mode", ["lexical", "semantic", "hybrid"])
@pytest.mark.parametrize("name", FILTERED)
def test_filters_hold_in_every_lane(kitchen: Scratch, name: str, mode: str) -> None:
    given, expected = FILTERED[name]
    given = dict(given)
    folder = given.pop("folder", None)
    folders = (kitchen.folder / folder,) if folder else ()
    result = kitchen.find("dough plums", mode=mode, folders=folders, **given)
    found = {hit.path for hit in result.hits}
    assert found <= expected
    if result.verdict == "found":
        assert found == expected


def test_the_three_verdicts(kitchen: Scratch) -> None:
    found = kitchen.find("dough rises overnight")
    assert (found.verdict, found.hits[0].path) == ("found", "kitchen/bread.md")
    nothing = kitchen.find("zxqv blorf wug")
    assert nothing.verdict == "notFound"
    assert all(hit.weak for hit in nothing.hits)
    kitchen.session.cancel(None)
    kitchen.changed("")  # which nobody looks at now
    assert kitchen.find("zxqv blorf wug").verdict == "incomplete"
    assert kitchen.find("dough rises overnight").verdict == "incomplete"
    kitchen.session.resume(None)
    kitchen.idle()
    assert kitchen.find("zxqv blorf wug").verdict == "notFound"


def test_failed_notes_do_not_keep_an_answer_open(kitchen: Scratch) -> None:
    kitchen.write("binary.md", b"\x00\xff" * 100)
    kitchen.changed("binary.md")
    assert kitchen.idle().notes.n_failed == 1
    assert kitchen.find("zxqv blorf wug").verdict == "notFound"


@pytest.mark.parametrize("mode", ["lexical", "semantic", "hybrid"])
@pytest.mark.parametrize(
    "query",
    [
        *("don't", "multi-agent", "TODO: fix", "C++", '"open', "NOT", "*", "a AND", "col:x"),
        *("", " ", "\n", "\x00", "\ud800", "(", "NEAR(a b)", "^", "'; DROP TABLE notes", "🦘"),
        "word " * 10_000,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_no_query_is_an_error(kitchen: Scratch, query: str, mode: str) -> None:
    result = kitchen.find(query, mode=mode)
    assert result.verdict in ("found", "notFound")


@pytest.mark.parametrize("limit", [1, 2, 5000])
def test_any_limit_is_served(kitchen: Scratch, limit: int) -> None:
    for mode in ("lexical", "semantic", "hybrid"):
        hits = kitchen.find("dough plums", mode=mode, limit=limit).hits
        assert len(hits) <= min(limit, 5)
        assert hits


def test_a_large_limit_brings_everything(vault: Scratch) -> None:
    for number in range(300):
        vault.write(f"{number}.md", f"wombat number{number}")
    vault.open()
    assert len(vault.find("wombat", mode="lexical", limit=5000).hits) == 300
    assert len(vault.find("wombat", mode="hybrid", limit=5000).hits) == 300
