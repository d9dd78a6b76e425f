"""A hit stands where its passage stands on the screen, and shows what is there."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from attrs import frozen

from notekin.app.results import Hit
from notekin.core.buffer import Buffer
from notekin.core.rope import Content
from notekin.core.text import Edit, LineIndex
from support.vault import Scratch

NOTE = "# Trees\n\nOaks live long.\n\n## Birches\n\n" + "Birches have a white bark. " * 30 + "\n"
SAVED = NOTE + "\n## Larches\n\n" + "Larches lose their needles. " * 30 + "\n"


@frozen
class Unsaved:
    """Edits that were not saved: what is replaced by what, in order, and the line on which the
    passage on larches then stands (None: it is gone).
    """

    edits: Sequence[tuple[str, str]]
    line: int | None


CASES: Mapping[str, Unsaved] = {
    "none": Unsaved((), 8),
    "lines above": Unsaved([("# Trees", "new\nnew\n🌳 new\n# Trees")], 11),
    "lines above go": Unsaved([("Oaks live long.\n\n", "")], 6),
    "inside": Unsaved([("Larches lose", "Larches, the trees, lose")], 8),
    "above and inside": Unsaved([("# Trees", "new\n# Trees"), ("Larches lose", "They lose")], 9),
    "below": Unsaved([("needles. \n", "needles. \n\nMore.\n")], 8),
    "all of it goes": Unsaved([(SAVED[SAVED.index("## Larches") :], "")], None),
}


def _buffer(unsaved: Unsaved) -> Buffer:
    buffer = Buffer.opened(SAVED, 1)
    for old, new in unsaved.edits:
        start = buffer.text.index(old)
        text = buffer.text.replace(old, new, 1)
        edit = Edit(start, start + len(old), len(new))
        buffer = buffer.changed(Content.of(text), [edit], buffer.version + 1)
    return buffer


def _text_at(text: str, hit: Hit) -> str:
    """Return what stands in a hit's range, by its lines and UTF-16 columns."""
    lines = LineIndex(text)
    start, end = (
        lines.offset(anchor.line, anchor.utf16, "utf-16") for anchor in (hit.start, hit.end)
    )
    return text[start:end]


@pytest.mark.parametrize("name", CASES)
def test_hits_of_an_open_note_are_those_of_the_screen(vault: Scratch, name: str) -> None:
    path = vault.write("trees.md", SAVED)
    vault.open()
    buffer = _buffer(CASES[name])
    hits = vault.find("larches needles", {path: buffer}, limit=50).hits
    for hit in hits:
        assert _text_at(buffer.text, hit) == hit.text
        for span in hit.highlights:
            assert hit.text[span.start : span.end].lower().startswith(("larch", "needle"))
    on_larches = [hit.start.line for hit in hits if "Larches" in hit.headings]
    expected = CASES[name].line
    assert on_larches[:1] == ([] if expected is None else [expected])


def test_hits_follow_saves_and_undo(vault: Scratch) -> None:
    path = vault.write("trees.md", NOTE)
    vault.open()
    buffer = Buffer.opened(NOTE, 1)
    added = Edit(len(NOTE), len(NOTE), len(SAVED) - len(NOTE))
    longer = buffer.changed(Content.of(SAVED), [added], 2).saved()
    vault.save("trees.md", SAVED)
    (first, *_) = vault.find("larches", {path: longer}, mode="lexical").hits
    assert _text_at(SAVED, first) == first.text
    undone = longer.changed(Content.of(NOTE), [Edit(len(NOTE), len(SAVED), 0)], 3)
    hits = vault.find("larches", {path: undone}, mode="lexical").hits
    assert all(_text_at(NOTE, hit) == hit.text for hit in hits)
    assert not any("Larches" in hit.headings for hit in hits)


def test_a_hit_of_a_closed_note_is_what_its_file_holds(vault: Scratch) -> None:
    texts = {
        "crlf.md": "# A\r\n\r\nwombat 🦘 here\r\n",
        "cr.md": "# A\r\rwombat here\r",
        "bom.md": "\ufeff# A\n\nwombat\n",
        "feed.md": "one\ftwo\u2028wombat\n",
        "wide.txt": "🦘🦘 wombat",
    }
    for path, text in texts.items():
        vault.write(path, text)
    vault.open()
    hits = vault.find("wombat", mode="lexical", limit=20).hits
    assert {hit.path for hit in hits} == set(texts)
    for hit in hits:
        text = vault.session.text_of(vault.folder / hit.path)
        assert _text_at(text, hit) == hit.text
        (span,) = hit.highlights
        assert hit.text[span.start : span.end] == "wombat"


def test_a_hit_says_where_it_comes_from(vault: Scratch) -> None:
    vault.write("sub/plain name.md", "## Only a heading\n\nwombat")
    vault.write("titled.md", "---\ntitle: A title\n---\n\n# First\n\n## Second\n\nwombat")
    vault.open()
    hits = {hit.path: hit for hit in vault.find("wombat", mode="hybrid").hits}
    assert hits["titled.md"].title == "A title"
    assert hits["titled.md"].headings[-1] == "Second"
    assert hits["sub/plain name.md"].folder == vault.folder
    for hit in hits.values():
        assert hit.lexical is not None
        assert hit.semantic is not None
        assert 0 <= hit.score <= 1
    assert sorted(hit.lexical.rank for hit in hits.values() if hit.lexical) == [1, 2]


def test_buffers_of_other_folders_are_left_alone(vault: Scratch) -> None:
    vault.write("a.md", "wombat")
    vault.open()
    stray = {Path("/somewhere/else/a.md").absolute(): Buffer.opened("unrelated", 1)}
    assert [hit.text for hit in vault.find("wombat", stray).hits] == ["wombat"]
