"""The index follows the files: what changed, is new, or is gone."""

import os
from collections.abc import Callable

import pytest

from support.racing import Racing
from support.vault import Scratch

SECTIONS = "\n".join(
    f"## Section {number}\n\n" + f"A sentence that talks about subject{number}. " * 20 + "\n"
    for number in range(12)
)
LONG_NOTE = f"# Long note\n\n{SECTIONS}"

Tell = Callable[[Scratch, str], None]


def _by_the_client(vault: Scratch, path: str) -> None:
    vault.changed(path)
    vault.idle()


def _at_the_next_start(vault: Scratch, _path: str) -> None:
    vault.reopen()


def _by_a_change_of_the_folder(vault: Scratch, _path: str) -> None:
    vault.session.changed([vault.folder])
    vault.idle()


TOLD = pytest.mark.parametrize(
    "tell", [_by_the_client, _at_the_next_start, _by_a_change_of_the_folder]
)


def test_a_saved_note_is_findable_by_words_at_once_and_by_meaning_soon(vault: Scratch) -> None:
    vault.write("a.md", "# A\n\nalpha")
    vault.open()
    for text in ("bravo", "charlie", "delta"):
        vault.save("a.md", f"# A\n\n{text}")
        found = vault.find(f"alpha bravo charlie delta {text}", mode="lexical")
        assert [hit.text for hit in found.hits] == [f"# A\n\n{text}"]
    vault.idle()
    (hit,) = vault.find("delta", mode="semantic").hits
    assert hit.text == "# A\n\ndelta"
    assert hit.semantic is not None


def test_a_new_note_is_found_however_it_came(vault: Scratch) -> None:
    vault.open()
    vault.save("sub/new.md", "kumquat")
    assert vault.words("kumquat") == ["sub/new.md"]
    vault.write("other.md", "kumquat")
    vault.changed("other.md")
    assert sorted(vault.words("kumquat")) == ["other.md", "sub/new.md"]


@TOLD
def test_a_deleted_note_is_gone_from_both_lanes(vault: Scratch, tell: Tell) -> None:
    vault.write("a.md", "zyzzyva is a unique word")
    vault.write("b.md", "something else")
    vault.open()
    vault.remove("a.md")
    tell(vault, "a.md")
    assert vault.words("zyzzyva") == []
    assert vault.meaning("zyzzyva") == ["b.md"]
    assert vault.status.notes.n_total == 1


@TOLD
def test_a_deleted_folder_is_one_change(vault: Scratch, tell: Tell) -> None:
    for path in ("gone/a.md", "gone/deep/b.md", "gone too.md", "gone.md"):
        vault.write(path, "quokka")
    vault.open()
    vault.remove("gone")
    tell(vault, "gone")
    assert sorted(vault.words("quokka")) == ["gone too.md", "gone.md"]
    assert vault.doctor() == []


@TOLD
@pytest.mark.parametrize("text", ["# Title\n\nBody of the note.", "Only its file names this note."])
def test_a_renamed_note_is_not_embedded_again(vault: Scratch, text: str, tell: Tell) -> None:
    vault.write("old name.md", text)
    vault.open()

    def rename() -> None:
        (vault.folder / "old name.md").rename(vault.folder / "new.md")
        vault.changed("new.md")
        vault.idle()
        tell(vault, "old name.md")

    assert vault.n_embedded_by(rename) == 0
    assert vault.words("new") == vault.meaning("note") == ["new.md"]
    assert vault.words("old") == []
    assert vault.status.chunks.n_pending == 0


def test_a_renamed_folder_is_not_embedded_again(vault: Scratch) -> None:
    for number in range(80):
        vault.write(f"old/{number}.md", f"note number{number}")
    vault.open()

    def rename() -> None:
        (vault.folder / "old").rename(vault.folder / "new")
        vault.changed("new", "old")
        vault.idle()

    assert vault.n_embedded_by(rename) == 0
    assert vault.words("number7") == ["new/7.md"]
    assert vault.status.notes.n_total == 80


def test_lines_inserted_above_embed_no_untouched_section_again(vault: Scratch) -> None:
    vault.write("long.md", LONG_NOTE)
    vault.open()
    inserted = "".join(f"Inserted line {number}.\n" for number in range(50))
    text = LONG_NOTE.replace("## Section 4", f"## Inserted\n\n{inserted}\n## Section 4")

    def insert() -> None:
        vault.save("long.md", text)
        vault.idle()

    n_new = vault.n_embedded_by(insert)
    assert 1 <= n_new <= 4
    assert all("subject" not in each for each in vault.embedder.documents[-n_new:])
    (hit,) = vault.find("subject11", mode="lexical").hits
    assert text.splitlines()[hit.start.line].startswith("## Section 11")


def test_a_branch_switched_and_back_embeds_nothing_again(vault: Scratch) -> None:
    here = {f"{number}.md": f"# {number}\n\nhere word{number}" for number in range(8)}
    there = {path: text.replace("here", "there") for path, text in here.items()}
    for path, text in here.items():
        vault.write(path, text)
    vault.open()

    def switch(branch: dict[str, str], age: int) -> None:
        for path, text in branch.items():
            vault.write(path, text, age=age)
        vault.changed(*branch)
        vault.idle()

    assert vault.n_embedded_by(lambda: switch(there, 1)) == 8
    assert vault.n_embedded_by(lambda: switch(here, 2)) == 0
    assert vault.n_embedded_by(lambda: switch(there, 3)) == 0
    assert len(vault.words("there")) == 8
    assert vault.doctor() == []


def test_300_saves_and_a_deletion_leave_nothing(vault: Scratch) -> None:
    vault.open()
    for number in range(300):
        vault.save("a.md", f"# A\n\nversion{number}\n\n## B\n\nmore of {number}")
        if number % 50 == 0:
            assert vault.words(f"version{number}") == ["a.md"]
    vault.idle()
    vault.remove("a.md")
    vault.changed("a.md")
    vault.idle()
    assert set(vault.n_rows().values()) == {0}
    assert vault.doctor() == []


def test_a_reopened_vault_is_neither_read_nor_embedded(vault: Scratch, reads: list[str]) -> None:
    for number in range(30):
        vault.write(f"{number}.md", f"note number{number}", age=number)
    vault.write("binary.md", b"\x00\x01\x02\xff" * 50)
    vault.open()
    reads.clear()
    vault.statuses.clear()
    assert vault.n_embedded_by(vault.reopen) == 0
    assert reads == []
    assert vault.status.notes.n_failed == 1
    phases = [status.phase for status in vault.statuses]
    assert phases.count("idle") == 1
    assert "indexing" not in phases


def test_a_forced_reindex_reads_everything_and_embeds_nothing(
    vault: Scratch, reads: list[str]
) -> None:
    for number in range(5):
        vault.write(f"sub/{number}.md", f"note number{number}")
    vault.open()
    reads.clear()

    def reindex() -> None:
        assert vault.session.reindex([], force=True) == 5
        vault.idle()
        assert vault.session.reindex([vault.folder / "sub"], force=True) == 5
        vault.idle()
        assert vault.session.reindex([vault.folder / "sub" / "1.md"], force=True) == 1
        vault.idle()
        assert vault.session.reindex([], force=False) == 0
        vault.idle()

    assert vault.n_embedded_by(reindex) == 0
    assert len(reads) == 11


@pytest.mark.parametrize("wait", ["for the next start", "while running"])
def test_a_change_that_no_stat_shows_is_seen(vault: Scratch, racing: Racing, wait: str) -> None:
    file = vault.write("a.md", "aaaa first", age=None)
    vault.open()
    before = file.stat()
    file.write_text("bbbb later", "utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = file.stat()
    assert (after.st_mtime_ns, after.st_size) == (before.st_mtime_ns, before.st_size)
    assert vault.words("bbbb") == []
    if wait == "for the next start":
        vault.reopen()
    else:
        revision = vault.status.revision
        racing.pass_by(vault.session)
        vault.until(lambda status: status.revision > revision and status.phase == "idle")
    assert vault.words("bbbb") == vault.meaning("bbbb") == ["a.md"]
    assert vault.words("aaaa") == []


def test_a_file_from_the_future_is_not_read_for_ever(vault: Scratch, reads: list[str]) -> None:
    file = vault.write("a.md", "from the future")
    far = 4_000_000_000_000_000_000
    os.utime(file, ns=(far, far))
    vault.open()
    vault.reopen()
    assert reads == ["a.md"]


def test_what_cannot_be_read_is_named_and_the_rest_goes_on(vault: Scratch) -> None:
    vault.write("good.md", "legible")
    vault.write("binary.md", b"\x00\x01\x02\xff" * 50)
    os.mkfifo(vault.folder / "pipe.md")
    (vault.folder / "loop.md").symlink_to("loop.md")
    vault.write("turns bad.md", "legible")
    vault.open()
    assert sorted(vault.words("legible")) == ["good.md", "turns bad.md"]
    vault.write("turns bad.md", b"\x00\x01\x02\xff" * 50, age=1)
    vault.changed("turns bad.md")
    status = vault.idle()
    assert vault.words("legible") == ["good.md"]
    reasons = {failure.path.name: failure.reason for failure in status.failures}
    assert set(reasons) == {"binary.md", "pipe.md", "loop.md", "turns bad.md"}
    assert all(reasons.values())
    assert (status.notes.n_total, status.notes.n_failed) == (5, 4)
    assert vault.find("legible", mode="hybrid").verdict == "found"
    vault.write("binary.md", "legible again", age=1)
    vault.changed("binary.md")
    status = vault.idle()
    assert (status.notes.n_total, status.notes.n_failed) == (5, 3)
    assert "binary.md" in vault.words("legible")


@TOLD
def test_new_ignore_rules_drop_and_add_notes(vault: Scratch, reads: list[str], tell: Tell) -> None:
    vault.write("keep.md", "wombat")
    vault.write("secret/a.md", "wombat")
    vault.write("draft.md", "wombat")
    vault.write(".notekinignore", "secret/\n")
    vault.open()
    assert sorted(vault.words("wombat")) == ["draft.md", "keep.md"]
    assert "secret/a.md" not in reads
    assert vault.status.notes.n_excluded == 1
    vault.write(".notekinignore", "draft.md\n", age=1)
    tell(vault, ".notekinignore")
    assert sorted(vault.words("wombat")) == ["keep.md", "secret/a.md"]


def test_ignore_rules_saved_in_the_editor_count_too(vault: Scratch) -> None:
    vault.write("draft.md", "wombat")
    vault.open()
    vault.save(".gitignore", "draft.md\n")
    vault.idle()
    assert vault.words("wombat") == []


def test_a_vault_without_notes_is_done_at_once(vault: Scratch) -> None:
    vault.write("picture.png", b"\x89PNG")
    vault.open()
    status = vault.status
    assert (status.phase, status.notes.n_total, status.failures) == ("idle", 0, ())
    assert vault.find("anything").verdict == "notFound"
    (notice,) = status.notices
    assert notice.startswith(f"There are no notes in {vault.folder}: Markdown, text")
    vault.write("a.md", "alpha")
    vault.changed("a.md")
    assert vault.idle().notices == ()


def test_what_is_no_note_leaves_the_index_alone(vault: Scratch) -> None:
    vault.write("a.md", "alpha")
    vault.open()
    revision = vault.status.revision
    vault.write("picture.png", b"\x89PNG")
    vault.changed("picture.png", ".git/index", "nowhere")
    assert vault.idle().revision == revision


def test_the_newest_and_the_open_notes_are_embedded_first(vault: Scratch) -> None:
    for number in range(6):
        vault.write(f"{number}.md", f"note {number}", age=number)
    vault.begin()
    vault.session.opened([vault.folder / "2.md"])
    vault.idle()
    order = [text.rpartition(" ")[2] for text in vault.embedder.documents]
    assert order == ["2", "5", "4", "3", "1", "0"]
