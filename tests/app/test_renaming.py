"""A note under another name stays the note it was: nothing is embedded or cut again."""

import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from attrs import evolve

from notekin.adapters import files
from notekin.adapters.sqlite.database import SqliteIndex
from notekin.app.ports import FileStat
from support.vault import Scratch

Tell = Callable[[Scratch, str, str], None]


def ids(vault: Scratch) -> Mapping[str, list[int]]:
    """Return the ids of the passages of each note."""
    index: SqliteIndex = vault.index()
    try:
        with index.read() as reader:
            return {path: [p.id for p in reader.passages_of(path)] for path in reader.notes()}
    finally:
        index.close()


def _in_one_batch(vault: Scratch, old: str, new: str) -> None:
    vault.changed(old, new)
    vault.idle()


def _the_new_name_first(vault: Scratch, old: str, new: str) -> None:
    vault.changed(new)
    vault.idle()
    vault.changed(old)
    vault.idle()


def _at_the_next_start(vault: Scratch, _old: str, _new: str) -> None:
    vault.reopen()


TOLD = pytest.mark.parametrize("tell", [_in_one_batch, _the_new_name_first, _at_the_next_start])
NOTE = "---\ntags: [fruit]\n---\n# Kumquats\n\nThey are small.\n\n## Peel\n\nEat it, [[other]]."


@TOLD
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("old.md", "new.md"),
        ("old.md", "deep/er/old.md"),
        ("a/old.md", "old.markdown"),
        ("note.md", "Note.md"),
        ("a b.md", "a_b.md"),
        ("é.md", "e\u0301.md"),
        ("100%.md", "#tag.md"),
        ("one.md", "two\nlines.md"),
    ],
)
def test_a_renamed_note_keeps_its_passages(
    vault: Scratch, reads: list[str], old: str, new: str, tell: Tell
) -> None:
    vault.write(old, NOTE)
    vault.write("other.md", "other words")
    vault.open()
    before = ids(vault)
    reads.clear()

    def rename() -> None:
        (vault.folder / new).parent.mkdir(parents=True, exist_ok=True)
        (vault.folder / old).rename(vault.folder / new)
        tell(vault, old, new)

    assert vault.n_embedded_by(rename) == 0
    same_suffix = old.rpartition(".")[2] == new.rpartition(".")[2]
    assert ids(vault).keys() == {new, "other.md"}
    if same_suffix:
        assert ids(vault) == {new: before[old], "other.md": before["other.md"]}
        assert reads == [new]
    assert vault.words("peel") == [new]
    assert vault.find("peel", mode="lexical").hits[0].headings == ("Kumquats", "Peel")
    _equals_a_new_index(vault)


@TOLD
def test_a_renamed_folder_is_one_move(vault: Scratch, reads: list[str], tell: Tell) -> None:
    for number in range(80):
        vault.write(f"old/{number % 3}/{number}.md", f"note number{number}")
    vault.write("older/stays.md", "stays")
    vault.open()
    before = ids(vault)
    reads.clear()
    revision = vault.status.revision

    def rename() -> None:
        (vault.folder / "old").rename(vault.folder / "new")
        tell(vault, "old", "new")

    assert vault.n_embedded_by(rename) == 0
    assert len(reads) == len(before) - 1
    assert ids(vault) == {path.replace("old/", "new/"): each for path, each in before.items()}
    assert vault.status.revision == revision + 1
    assert vault.words("old") == []
    assert vault.words("number7") == ["new/1/7.md"]
    _equals_a_new_index(vault)


def test_a_note_that_was_gone_for_a_moment_is_read_and_not_embedded(vault: Scratch) -> None:
    vault.write("old.md", NOTE)
    vault.open()

    def rename() -> None:
        (vault.folder / "old.md").rename(vault.home / "away")
        vault.changed("old.md")
        assert vault.words("peel") == []
        (vault.home / "away").rename(vault.folder / "new.md")
        vault.changed("new.md")
        vault.idle()

    assert vault.n_embedded_by(rename) == 0
    assert vault.words("peel") == ["new.md"]
    _equals_a_new_index(vault)


@TOLD
def test_what_another_program_moved_is_known_by_its_text(vault: Scratch, tell: Tell) -> None:
    vault.write("old.md", NOTE)
    vault.open()
    before = ids(vault)

    def copy_and_remove() -> None:
        shutil.copy2(vault.folder / "old.md", vault.folder / "new.md")
        vault.remove("old.md")
        tell(vault, "old.md", "new.md")

    assert vault.n_embedded_by(copy_and_remove) == 0
    assert ids(vault) == {"new.md": before["old.md"]}
    _equals_a_new_index(vault)


def _ignoring_case(_folder: Path) -> bool:
    return True


@pytest.mark.parametrize(
    "told", [("a/note.md", "a/Note.md"), ("a/Note.md",), ("a/note.md",), ("A",)]
)
def test_a_case_only_rename_where_the_file_system_ignores_case(
    vault: Scratch, monkeypatch: pytest.MonkeyPatch, told: tuple[str, ...]
) -> None:
    monkeypatch.setattr(files, "ignores_case", _ignoring_case)
    vault.write("a/note.md", NOTE)
    vault.open()
    before = ids(vault)

    def rename() -> None:
        (vault.folder / "a/note.md").rename(vault.folder / "a/Note.md")
        vault.changed(*told)
        vault.idle()

    assert vault.n_embedded_by(rename) == 0
    assert ids(vault) == {"a/Note.md": before["a/note.md"]}
    vault.save("a/Note.md", "wombat")
    vault.changed("a/NOTE.md")
    assert vault.words("wombat") == ["a/Note.md"]


def test_equal_notes_stay_two_when_both_are_renamed(vault: Scratch) -> None:
    for folder in ("a", "b"):
        vault.write(f"{folder}/same.md", NOTE)
    vault.open()
    before = ids(vault)

    def rename() -> None:
        for folder in ("a", "b"):
            shutil.copy(vault.folder / folder / "same.md", vault.folder / f"{folder}2.md")
            vault.remove(folder)
        vault.changed("a", "b", "a2.md", "b2.md")
        vault.idle()

    assert vault.n_embedded_by(rename) == 0
    assert ids(vault).keys() == {"a2.md", "b2.md"}
    assert sorted(ids(vault).values()) == sorted(before.values())
    _equals_a_new_index(vault)


def test_another_note_in_a_file_of_the_same_stat_is_no_rename(
    vault: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of a file that went is given to the next one that comes."""
    stat_of = files._file_stat  # pyright: ignore[reportPrivateUsage]

    def of_one_number(found: os.stat_result) -> FileStat:
        return evolve(stat_of(found), inode=1)

    monkeypatch.setattr(files, "_file_stat", of_one_number)
    vault.write("a.md", "quokka")
    vault.open()
    vault.remove("a.md")
    vault.write("b.md", "wombat")
    vault.changed("a.md", "b.md")
    vault.idle()
    assert (vault.words("quokka"), vault.words("wombat")) == ([], ["b.md"])
    _equals_a_new_index(vault)


def test_a_copy_is_a_note_of_its_own(vault: Scratch) -> None:
    vault.write("a.md", NOTE)
    vault.open()
    before = ids(vault)

    def copy() -> None:
        shutil.copy2(vault.folder / "a.md", vault.folder / "copy.md")
        os.link(vault.folder / "a.md", vault.folder / "link.md")
        vault.changed("copy.md", "link.md")
        vault.idle()

    assert vault.n_embedded_by(copy) == 0
    assert ids(vault)["a.md"] == before["a.md"]
    assert sorted(vault.words("peel")) == ["a.md", "copy.md", "link.md"]


@TOLD
def test_a_note_renamed_onto_another(vault: Scratch, tell: Tell) -> None:
    vault.write("a.md", NOTE)
    vault.write("b.md", "wombat", age=1)
    vault.open()

    def rename() -> None:
        (vault.folder / "a.md").replace(vault.folder / "b.md")
        tell(vault, "a.md", "b.md")

    assert vault.n_embedded_by(rename) == 0
    assert (vault.words("wombat"), vault.words("peel")) == ([], ["b.md"])
    _equals_a_new_index(vault)


def test_notes_that_change_places_and_move_up_a_chain(vault: Scratch) -> None:
    for number, name in enumerate("abcd"):
        vault.write(f"{name}.md", f"# Note {name}\n\nword{name}", age=number)
    vault.open()

    def turn() -> None:
        for old, new in ("ax", "ba", "xb", "dy", "cd"):
            (vault.folder / f"{old}.md").rename(vault.folder / f"{new}.md")
        vault.changed(*(f"{name}.md" for name in "abcdxy"))
        vault.idle()

    assert vault.n_embedded_by(turn) == 0
    assert [vault.words(f"word{name}") for name in "abcd"] == [
        ["b.md"],
        ["a.md"],
        ["d.md"],
        ["y.md"],
    ]
    _equals_a_new_index(vault)


@TOLD
@pytest.mark.parametrize("away", ["../gone.md", ".hidden.md", "draft/a.md", "a.md.bak"])
def test_a_note_renamed_out_of_sight_and_back(vault: Scratch, tell: Tell, away: str) -> None:
    vault.write("a.md", NOTE)
    vault.write(".notekinignore", "draft/\n")
    vault.open()

    def there_and_back() -> None:
        target = vault.folder / away
        target.parent.mkdir(exist_ok=True)
        (vault.folder / "a.md").rename(target)
        tell(vault, "a.md", away)
        assert (vault.words("peel"), vault.status.notes.n_total) == ([], 0)
        target.rename(vault.folder / "b.md")
        tell(vault, away, "b.md")

    assert vault.n_embedded_by(there_and_back) == 0
    assert vault.words("peel") == ["b.md"]
    _equals_a_new_index(vault)


def test_a_note_renamed_and_changed_embeds_only_what_changed(vault: Scratch) -> None:
    vault.write("a.md", NOTE)
    vault.open()

    def rename() -> None:
        vault.remove("a.md")
        vault.write("b.md", NOTE.replace("small", "sour"), age=1)
        vault.changed("a.md", "b.md")
        vault.idle()

    assert vault.n_embedded_by(rename) == 1
    _equals_a_new_index(vault)


def test_a_note_moves_into_a_folder_in_its_place(vault: Scratch) -> None:
    vault.write("x.md", "quokka")
    vault.write("y.md", NOTE)
    vault.open()
    vault.remove("x.md")
    (vault.folder / "x.md").mkdir()
    (vault.folder / "y.md").rename(vault.folder / "x.md" / "y.md")
    vault.changed("y.md", "x.md")
    vault.idle()
    assert (vault.words("quokka"), vault.words("peel")) == ([], ["x.md/y.md"])
    _equals_a_new_index(vault)


def test_links_follow_a_renamed_note(vault: Scratch) -> None:
    vault.write("a.md", "About trees and [[b]].\n\nTrees grow.")
    vault.write("b.md", "Trees are tall.")
    vault.write("c.md", "Trees, as in [[b]], are old.")
    vault.open()
    (vault.folder / "a.md").rename(vault.folder / "A2.md")
    (vault.folder / "b.md").rename(vault.folder / "B2.md")
    vault.changed("a.md", "A2.md", "b.md", "B2.md")
    vault.idle()

    def linked(path: str) -> dict[str, bool | None]:
        return {hit.path: hit.linked for hit in vault.related(path, limit=20).hits}

    # Others keep what they wrote, which names a note that is no longer there.
    assert linked("A2.md") == {"B2.md": False, "c.md": False}
    vault.save("A2.md", "About trees and [[B2]].\n\nTrees grow.")
    (vault.folder / "A2.md").rename(vault.folder / "A3.md")
    vault.changed("A2.md", "A3.md")
    vault.idle()
    assert linked("A3.md") == {"B2.md": True, "c.md": False}


def _equals_a_new_index(vault: Scratch) -> None:
    """What was moved is what a new index would hold."""
    content = vault.content()
    assert vault.doctor() == []
    vault.close()
    vault.index_file.unlink()
    vault.open()
    assert vault.content() == content
