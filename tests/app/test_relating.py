"""What is related to a paragraph or a note."""

import pytest

from notekin.app.errors import BadRequest
from notekin.core.buffer import Buffer
from notekin.core.rope import Content
from notekin.core.text import Edit
from support.vault import Scratch, paths_of

NOTES = {
    "bread.md": "# Bread\n\nThe dough rises overnight in the cold kitchen.\n\nSee [[flour]].\n",
    "flour.md": "# Flour\n\nStrong flour makes dough rise in the kitchen.\n",
    "oven.md": "# Oven\n\nA hot oven for the dough that rises overnight.\n",
    "sea.md": "# Sea\n\nWaves, salt water and a lighthouse.\n",
}


@pytest.fixture
def bakery(vault: Scratch) -> Scratch:
    for path, text in NOTES.items():
        vault.write(path, text)
    vault.open()
    return vault


@pytest.mark.parametrize("offset", [None, NOTES["bread.md"].index("dough")])
def test_related_never_is_the_asking_note(bakery: Scratch, offset: int | None) -> None:
    result = bakery.related("bread.md", offset=offset)
    found = paths_of(result)
    assert set(found[:2]) == {"flour.md", "oven.md"}
    assert "bread.md" not in found
    itself = paths_of(bakery.related("bread.md", offset=offset, include_self=True))
    assert itself[0] == "bread.md"


def test_what_is_linked_is_shown_and_marked(bakery: Scratch) -> None:
    linked = {hit.path: hit.linked for hit in bakery.related("bread.md").hits}
    assert linked["flour.md"] is True
    assert linked["oven.md"] is False


def test_a_link_counts_as_soon_as_it_is_typed_and_no_longer_than_it_stands(
    bakery: Scratch,
) -> None:
    path = bakery.folder / "bread.md"
    typed = NOTES["bread.md"].replace("[[flour]]", "[the oven](oven.md), and `[[flour]]`")
    buffer = Buffer.opened(typed, 1)
    linked = {hit.path: hit.linked for hit in bakery.related("bread.md", {path: buffer}).hits}
    assert (linked["flour.md"], linked["oven.md"]) == (False, True)
    new = bakery.folder / "new.md"
    result = bakery.related("new.md", {new: Buffer.opened(typed, 1)}, offset=10)
    assert {hit.path: hit.linked for hit in result.hits}["oven.md"] is True


def test_related_asks_with_the_unsaved_text(bakery: Scratch) -> None:
    path = bakery.folder / "bread.md"
    above = "Salt water and waves around the lighthouse.\n\n"
    text = Content.of(above + NOTES["bread.md"])
    buffer = Buffer.opened(NOTES["bread.md"], 1).changed(text, [Edit(0, 0, len(above))], 2)
    result = bakery.related("bread.md", {path: buffer}, offset=3)
    assert paths_of(result)[0] == "sea.md"


def test_a_note_that_is_not_indexed_yet_can_ask(bakery: Scratch) -> None:
    path = bakery.folder / "new.md"
    buffer = Buffer.opened("Salt water and waves around the lighthouse.", 1)
    assert paths_of(bakery.related("new.md", {path: buffer}))[0] == "sea.md"
    assert paths_of(bakery.related("new.md", {path: buffer}, offset=0))[0] == "sea.md"


def test_an_empty_paragraph_has_nothing_related(bakery: Scratch) -> None:
    path = bakery.folder / "new.md"
    result = bakery.related("new.md", {path: Buffer.opened("\n\n", 1)}, offset=1)
    assert (result.verdict, result.hits) == ("notFound", ())


@pytest.mark.parametrize("path", ["gone.md", "picture.png", "../outside.md"])
def test_what_is_no_note_cannot_ask(bakery: Scratch, path: str) -> None:
    with pytest.raises(BadRequest):
        bakery.related(path)
