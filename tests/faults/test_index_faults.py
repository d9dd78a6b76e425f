"""An index that breaks, a disk that is full: it is said, nothing is lost, and it goes on."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from notekin.adapters.sqlite.store import SqliteWriter
from notekin.app.errors import IndexUnusable, NotekinError
from notekin.app.ports import NewNote, PlanCounts
from notekin.app.results import Reason
from support.vault import Scratch, scratch


@pytest.fixture
def indexed(vault: Scratch) -> Scratch:
    """A vault of 30 notes, indexed and open."""
    for number in range(30):
        vault.write(f"{number}.md", f"# Note {number}\n\nnote number{number}")
    vault.open()
    return vault


def _damage(file: Path) -> None:
    """Overwrite the file as a bad disk does, and what would mend it."""
    n_bytes = file.stat().st_size
    with file.open("r+b") as opened:
        opened.write(b"\xde\xad\xbe\xef" * (n_bytes // 4))
    file.with_name(f"{file.name}-wal").write_bytes(b"")


def _by_a_save(vault: Scratch) -> None:
    vault.save("new.md", "aardvark")


def _by_a_search(vault: Scratch) -> None:
    # The indexer may have found the damage a moment before.
    with suppress(IndexUnusable):
        vault.find("number3")
    # Until it is rebuilt, nothing is said not to be there.
    assert vault.find("number29").verdict in ("incomplete", "found")


@pytest.mark.parametrize("noticed", [_by_a_save, _by_a_search])
def test_a_file_damaged_while_running_is_rebuilt(
    indexed: Scratch, noticed: Callable[[Scratch], None]
) -> None:
    # An indexer at rest may find it by itself.
    indexed.statuses.clear()
    _damage(indexed.index_file)
    noticed(indexed)
    indexed.until(
        lambda status: (
            status.phase == "idle" and any(each.phase != "idle" for each in indexed.statuses)
        )
    )
    assert indexed.words("number7") == ["7.md"]
    assert indexed.meaning("number7")[0] == "7.md"
    assert any("damaged" in sentence for sentence in indexed.status.notices)
    assert list(indexed.index_file.parent.glob("*.damaged-1"))
    assert indexed.doctor() == []
    assert ("failed", "damaged") in {(each.phase, each.reason) for each in indexed.statuses}


def test_a_file_damaged_between_two_runs_is_rebuilt(indexed: Scratch) -> None:
    indexed.close()
    _damage(indexed.index_file)
    indexed.open()
    assert indexed.status.chunks.n_embedded == 30
    assert any("damaged" in sentence for sentence in indexed.status.notices)


@pytest.mark.parametrize("reason", ["noSpace", "readOnly"])
def test_a_disk_that_takes_nothing_is_told_until_it_does(
    indexed: Scratch, monkeypatch: pytest.MonkeyPatch, reason: Reason
) -> None:
    with monkeypatch.context() as full:

        def refuse(*_given: object) -> None:
            raise IndexUnusable("The disk is full; free some space and try again.", reason)

        full.setattr(SqliteWriter, "put", refuse)
        indexed.save("new.md", "aardvark")
        status = indexed.until(lambda status: status.phase == "failed")
        assert status.reason == reason
        assert status.failures[0].reason == "The disk is full; free some space and try again."
        assert indexed.words("number3") == ["3.md"]
        assert indexed.find("number3").verdict == "incomplete"
        indexed.save("another.md", "numbat")
        indexed.until(lambda status: status.phase == "failed")
    indexed.session.reindex([], force=False)
    status = indexed.idle()
    assert (status.phase, status.failures) == ("idle", ())
    assert sorted(indexed.words("aardvark numbat")) == ["another.md", "new.md"]
    assert indexed.doctor() == []


def test_a_full_disk_while_vectors_are_written_embeds_them_again(
    vault: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(10):
        vault.write(f"{number}.md", f"note number{number}")
    with monkeypatch.context() as full:

        def refuse(*_given: object) -> None:
            raise IndexUnusable("The disk is full; free some space and try again.", "noSpace")

        full.setattr(SqliteWriter, "put_vectors", refuse)
        vault.begin()
        status = vault.until(lambda status: status.phase == "failed")
        assert status.chunks.n_embedded == 0
    vault.session.resume(None)
    assert vault.until(lambda status: status.phase == "idle").chunks.n_embedded == 10
    assert vault.doctor() == []


def test_a_bug_of_ours_is_told_and_the_next_order_tries_again(
    indexed: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:

        def fail(*_given: object) -> None:
            raise ZeroDivisionError

        broken.setattr(SqliteWriter, "put", fail)
        indexed.save("new.md", "aardvark")
        status = indexed.until(lambda status: status.phase == "failed")
        assert status.reason == "internal"
        assert "ZeroDivisionError" in status.failures[0].reason
    indexed.session.reindex([], force=False)
    assert indexed.idle().phase == "idle"
    assert indexed.words("aardvark") == ["new.md"]


def test_another_process_takes_over_from_one_that_failed(
    indexed: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = [True]
    put = SqliteWriter.put

    def fail_once(writer: SqliteWriter, notes: Sequence[NewNote]) -> Sequence[PlanCounts]:
        if failing:
            failing.clear()
            raise ZeroDivisionError
        return put(writer, notes)

    with scratch(indexed.home) as other:
        other.begin()
        other.until(lambda status: status.phase == "idle" and status.following)
        monkeypatch.setattr(SqliteWriter, "put", fail_once)
        indexed.save("new.md", "aardvark")
        other.until(lambda status: status.phase == "idle" and not status.following)
        assert other.words("aardvark") == ["new.md"]
        # The one that failed follows without having been told to.
        indexed.until(lambda status: status.phase == "idle" and status.following)
        assert other.doctor() == []


def test_a_data_folder_that_cannot_be_written_is_told(vault: Scratch) -> None:
    vault.write("a.md", "alpha")
    (vault.home / "data").write_text("a file where the folder should be", "utf-8")
    vault.begin()
    status = vault.until(lambda status: status.phase == "failed")
    assert status.reason == "readOnly"
    assert str(vault.home / "data") in status.failures[0].reason
    with pytest.raises(NotekinError):
        vault.find("alpha")
    (vault.home / "data").unlink()
    vault.session.reindex([], force=False)
    assert vault.idle().phase == "idle"
    assert vault.words("alpha") == ["a.md"]
