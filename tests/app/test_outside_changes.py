"""Changes that programs make: how they replace files, and how many they change at once."""

import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from notekin.adapters.files import VaultFiles
from notekin.adapters.sqlite.store import SqliteWriter
from notekin.app.ports import FileText, NewNote
from support.racing import Racing
from support.vault import PATIENCE_SECONDS, Scratch

Replace = Callable[[Path, str], list[str]]


def _in_place(file: Path, text: str) -> list[str]:
    file.write_text(text)
    return [file.name]


def _temporary_file(file: Path, text: str) -> list[str]:
    made = file.with_name(".tmp12345")
    made.write_text(text)
    made.replace(file)
    return [made.name, file.name]


def _temporary_note(file: Path, text: str) -> list[str]:
    made = file.with_name(f"sed{file.name}")
    made.write_text(text)
    made.replace(file)
    return [made.name, file.name]


def _backup(file: Path, text: str) -> list[str]:
    file.rename(file.with_name(f"{file.name}~"))
    file.write_text(text)
    return [f"{file.name}~", file.name]


def _deleted_and_created(file: Path, text: str) -> list[str]:
    file.unlink()
    file.write_text(text)
    return [file.name]


def _time_set_back(file: Path, text: str) -> list[str]:
    file.write_text(text)
    os.utime(file, ns=(1_000_000_000, 1_000_000_000))
    return [file.name]


def _same_time_other_file(file: Path, text: str) -> list[str]:
    before = file.stat()
    made = file.with_name("other.tmp")
    made.write_text(text)
    os.utime(made, ns=(before.st_atime_ns, before.st_mtime_ns))
    made.replace(file)
    return ["other.tmp", file.name]


REPLACED = pytest.mark.parametrize(
    "replace",
    [
        _in_place,
        _temporary_file,
        _temporary_note,
        _backup,
        _deleted_and_created,
        _time_set_back,
        _same_time_other_file,
    ],
)


@REPLACED
@pytest.mark.parametrize("way", ["told", "at the next start", "half way told"])
def test_however_a_program_saves(vault: Scratch, replace: Replace, way: str) -> None:
    file = vault.write("a.md", "# A\n\nthe old quokka\n\n## B\n\nstays")
    vault.open()
    told: list[str] = []

    def save() -> None:
        told.extend(replace(file, "# A\n\nthe new wombat\n\n## B\n\nstays"))
        if way == "told":
            vault.changed(*told)
        elif way == "half way told":
            vault.changed(told[0])
            vault.idle()
            vault.changed(*told)
        else:
            vault.close()
            vault.open()
        vault.idle()

    assert vault.n_embedded_by(save) == 1
    assert (vault.words("quokka"), vault.words("wombat")) == ([], ["a.md"])
    assert vault.status.notes.n_total == 1
    assert vault.doctor() == []


def test_a_save_told_three_times_is_read_once_more(
    vault: Scratch, racing: Racing, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault.write("a.md", "alpha")
    vault.open()
    reads: list[str] = []
    was_read = threading.Event()
    read = VaultFiles.read

    def noting(files: VaultFiles, path: str) -> FileText:
        reads.append(path)
        was_read.set()
        return read(files, path)

    monkeypatch.setattr(VaultFiles, "read", noting)
    vault.save("a.md", "bravo")
    for _ in range(2):
        vault.changed("a.md")
        assert vault.words("bravo") == ["a.md"]
    assert reads == []
    # Nobody knows what was written in the same moment, so it is read when that is over.
    racing.pass_by(vault.session)
    assert was_read.wait(PATIENCE_SECONDS)
    vault.changed("a.md")
    vault.idle()
    assert reads == ["a.md"]


def test_a_linked_note_is_known_by_its_target(vault: Scratch) -> None:
    vault.write("target.md", "old quokka")
    (vault.folder / "link.md").symlink_to("target.md")
    vault.open()
    assert vault.words("quokka") == ["target.md"]
    vault.write("target.md", "new wombat", age=1)
    vault.changed("target.md", "link.md")
    assert (vault.words("quokka"), vault.words("wombat")) == ([], ["target.md"])
    (vault.folder / "link.md").unlink()
    vault.remove("target.md").with_name("link.md").write_text("a wombat")
    vault.changed("link.md", "target.md")
    assert vault.words("wombat") == ["link.md"]


def test_a_branch_of_many_notes_comes_in_few_transactions(
    vault: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    n_notes = 510
    for number in range(n_notes):
        vault.write(f"{number % 7}/{number}.md", f"# {number}\n\nhere word{number}")
    vault.open()
    main = vault.home / "main"
    shutil.copytree(vault.folder, main)
    puts: list[int] = []
    put = SqliteWriter.put

    def counting(self: SqliteWriter, notes: list[NewNote]) -> object:
        puts.append(len(notes))
        return put(self, notes)

    def switch() -> None:
        for number in range(n_notes):
            path = f"{number % 7}/{number}.md"
            if number % 3 == 0:
                vault.remove(path)
            else:
                vault.write(path, f"# {number}\n\nthere word{number}", age=1)
            vault.changed(path)
        vault.changed(*(f"{number % 7}/{number}.md" for number in range(n_notes)))
        vault.idle()

    def switch_back() -> None:
        shutil.copytree(main, vault.folder, dirs_exist_ok=True)
        vault.changed(*(f"{number % 7}/{number}.md" for number in range(n_notes)))
        vault.idle()

    monkeypatch.setattr(SqliteWriter, "put", counting)
    assert vault.n_embedded_by(switch) == 340
    assert len(vault.words("there")) == 100
    assert vault.status.notes.n_total == 340
    puts.clear()
    vault.statuses.clear()
    assert vault.n_embedded_by(switch_back) == 0
    assert sum(puts) == n_notes
    assert len(puts) <= n_notes / 10
    assert [status.phase for status in vault.statuses].count("idle") == 1
    assert vault.status.notes.n_total == n_notes
    assert vault.words("word509") == ["5/509.md"]
    assert vault.doctor() == []
