"""A pause by the person: it holds for every process and after a restart, until it is lifted."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from notekin.adapters.files import VaultFiles
from notekin.adapters.sqlite.reading import SqliteReader
from notekin.app.cancel import CancelToken
from notekin.app.configuring import EditorSettings
from notekin.app.overlays import Overlay
from notekin.app.reporting import Reporter
from support.gate import Gate
from support.vault import PATIENCE_SECONDS, CountingEmbedder, Scratch, scratch

N_NOTES = 20


@pytest.fixture
def gated(tmp_path: Path, gate: Gate) -> Iterator[Scratch]:
    """A vault of 20 notes whose model embeds only what the gate lets pass."""
    embedder = CountingEmbedder(before=gate.pass_through)
    with scratch(tmp_path, embedder=embedder, model_patience=0.05) as vault:
        for number in range(N_NOTES):
            vault.write(f"{number}.md", f"note number{number}", age=number)
        yield vault
        gate.open()


def _paused(vault: Scratch) -> None:
    vault.until(lambda status: (status.phase, status.reason) == ("paused", "user"))


def test_a_pause_survives_a_restart(gated: Scratch, gate: Gate) -> None:
    gate.let_pass(3)
    gated.begin()
    gate.wait_until_reached()
    gated.session.pause(None)
    gate.open()
    gated.until(lambda status: status.chunks.n_embedded == 4)
    gated.close()
    gated.write("later.md", "written while nobody looked")
    gated.statuses.clear()
    gated.open()
    _paused(gated)
    chunks = gated.status.chunks
    assert (chunks.n_embedded, chunks.n_pending) == (4, N_NOTES - 4)
    assert gated.words("nobody") == []
    assert gated.find("number3").verdict == "incomplete"
    # What is saved is served all the same, by words and by meaning.
    gated.save("saved.md", "platypus")
    assert gated.words("platypus") == ["saved.md"]
    gated.until(lambda status: status.chunks.n_embedded == 5)
    assert {status.phase for status in gated.statuses} == {"starting", "paused"}
    gated.session.resume(None)
    assert gated.idle().chunks.n_embedded == N_NOTES + 2
    gated.reopen()
    assert (gated.status.phase, gated.status.reason) == ("idle", "")
    assert len(gated.embedder.documents) == N_NOTES + 2


def test_a_pause_outweighs_a_cancel(gated: Scratch) -> None:
    gated.begin()
    gated.session.pause(None)
    gated.session.cancel(None)
    assert gated.status.reason == "user"
    gated.close()
    gated.begin()
    _paused(gated)


def test_asking_for_an_index_ends_the_pause(gated: Scratch, gate: Gate) -> None:
    gate.open()
    gated.begin()
    gated.session.pause(None)
    gated.session.reindex([gated.folder / "3.md"], force=False)
    assert gated.idle().chunks.n_embedded == N_NOTES
    gated.reopen()
    assert gated.status.phase == "idle"


@contextmanager
def _two_windows(home: Path, gate: Gate) -> Generator[tuple[Scratch, Scratch]]:
    """Yield the window that indexes, its model at the gate with the second of five notes, and
    another one that follows it.
    """
    embedder = CountingEmbedder(before=gate.pass_through)
    with scratch(home, embedder=embedder) as first, scratch(home) as second:
        for number in range(5):
            first.write(f"{number}.md", f"note number{number}")
        gate.let_pass(1)
        first.begin()
        gate.wait_until_reached()
        second.begin()
        second.until(lambda status: status.reason == "otherProcess")
        yield first, second


def test_other_processes_pause_and_resume_the_one_that_indexes(tmp_path: Path, gate: Gate) -> None:
    with _two_windows(tmp_path, gate) as (first, second):
        second.session.pause(None)
        _paused(first)
        gate.open()
        first.until(lambda status: status.chunks.n_embedded == 2)
        second.session.resume(None)
        first.until(lambda status: status.phase == "idle")
        assert first.status.chunks.n_embedded == 5
        second.session.pause(None)
        _paused(first)
        first.close()
        # The pause goes over to whoever indexes next.
        second.until(lambda status: status.reason == "user")
        assert second.doctor() == []


def test_other_processes_cancel_the_one_that_indexes_until_it_ends(
    tmp_path: Path, gate: Gate
) -> None:
    with _two_windows(tmp_path, gate) as (first, second):
        second.session.cancel(None)
        first.until(lambda status: (status.phase, status.reason) == ("paused", "cancelled"))
        gate.open()
        second.session.resume(None)
        first.until(lambda status: status.phase == "idle")
        first.session.cancel(None)
        first.until(lambda status: status.reason == "cancelled")
        first.close()
        # A cancel ends with the process that was cancelled.
        second.until(lambda status: status.phase == "idle" and not status.following)
        assert second.doctor() == []


def test_a_pause_stops_the_comparing_of_files(
    vault: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate()
    scan = VaultFiles.scan

    def slow(files: VaultFiles) -> Iterator[object]:
        for number, found in enumerate(scan(files)):
            if number == 600:
                gate.pass_through()
            yield found

    monkeypatch.setattr(VaultFiles, "scan", slow)
    for number in range(1200):
        vault.write(f"{number}.md", "")
    vault.begin()
    gate.wait_until_reached()
    vault.session.pause(None)
    gate.open()
    _paused(vault)
    vault.save("new.md", "")
    assert vault.idle().notes.n_indexed == 1
    vault.session.resume(None)
    assert vault.idle().notes.n_indexed == 1201


def test_a_pause_of_one_vault_leaves_the_others_alone(tmp_path: Path) -> None:
    with scratch(tmp_path / "one") as vault:
        vault.write("a.md", "alpha")
        other = tmp_path / "two"
        other.mkdir()
        (other / "b.md").write_text("bravo", "utf-8")
        vault.begin()
        vault.session.pause(vault.folder)
        vault.session.open(other)
        assert vault.session.wait("idle", PATIENCE_SECONDS, CancelToken())
        one, two = vault.session.status()
        assert (one.reason, two.phase) == ("user", "idle")


def test_a_long_saved_note_is_served_to_its_end_while_paused(vault: Scratch) -> None:
    vault.write("a.md", "alpha")
    vault.open()
    vault.session.pause(None)
    sections = "\n\n".join(f"## Part {part}\n\n" + f"word{part} " * 200 for part in range(150))
    vault.save("long.md", sections)
    status = vault.until(lambda status: status.chunks.n_total > 150 and not status.chunks.n_pending)
    assert (status.phase, status.reason) == ("paused", "user")


def test_a_pause_takes_back_what_was_saved_before(gated: Scratch, gate: Gate) -> None:
    for number in range(N_NOTES):
        gated.remove(f"{number}.md")
    gated.open()
    sections = "\n\n".join(f"## Part {part}\n\n" + f"word{part} " * 200 for part in range(20))
    gated.save("long.md", sections)
    gate.wait_until_reached()
    gated.session.pause(None)
    gate.open()
    status = gated.until(lambda status: status.chunks.n_embedded == 1)
    assert status.chunks.n_pending == status.chunks.n_total - 1
    gated.session.resume(None)
    assert gated.idle().chunks.n_pending == 0
    assert len(gated.embedder.documents) == status.chunks.n_total


def test_nobody_is_told_of_a_pause_after_its_end(
    vault: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An indexer that began to count while it was paused tells what holds when it is done."""
    vault.write("a.md", "alpha")
    vault.open()
    vault.session.pause(None)
    _paused(vault)
    gate = Gate()
    revision = SqliteReader.revision

    def slow(reader: SqliteReader) -> int:
        gate.pass_through()
        return revision(reader)

    monkeypatch.setattr(SqliteReader, "revision", slow)
    vault.save("b.md", "bravo")
    gate.wait_until_reached()
    vault.statuses.clear()
    vault.session.resume(None)
    gate.open()
    assert vault.idle().phase == "idle"
    assert "paused" not in {status.phase for status in vault.statuses}


def test_a_resume_does_not_call_idle_what_was_found_and_not_told(
    vault: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault.write("a.md", "alpha")
    vault.open()
    gate = Gate()
    scanned = Reporter.scanned

    def slow(report: Reporter, n_excluded: int) -> None:
        scanned(report, n_excluded)
        gate.pass_through()

    monkeypatch.setattr(Reporter, "scanned", slow)
    vault.write("b.md", "bravo")
    vault.changed("")
    gate.wait_until_reached()
    vault.session.resume(None)
    assert vault.status.phase == "scanning"
    gate.open()
    assert vault.idle().notes.n_indexed == 2


@pytest.mark.parametrize("how", ["setting", "rules", "at the start"])
def test_what_is_excluded_is_gone_at_once_though_paused(vault: Scratch, how: str) -> None:
    vault.write("drafts/a.md", "wombat")
    vault.write("b.md", "wombat")
    vault.open()
    vault.session.pause(None)
    _paused(vault)
    if how == "setting":
        vault.configure(EditorSettings(Overlay({"exclude": ("drafts/",)})))
    elif how == "rules":
        vault.changed(vault.write(".notekinignore", "drafts/").name)
    else:
        vault.close()
        vault.write(".notekinignore", "drafts/")
        vault.begin()
        _paused(vault)
    assert vault.words("wombat") == ["b.md"]
    assert (vault.status.phase, vault.status.notes.n_total) == ("paused", 1)
    assert vault.doctor() == []


def test_a_pause_makes_an_answer_incomplete_only_while_something_is_missing(
    vault: Scratch,
) -> None:
    vault.write("a.md", "alpha")
    vault.open()
    vault.session.pause(None)
    _paused(vault)
    assert vault.find("alpha").verdict == "found"
    # Served though it is paused; its meaning waits.
    vault.write("b.md", "bravo")
    vault.changed("b.md")
    assert vault.find("bravo", mode="lexical").verdict == "found"
    assert vault.find("bravo").verdict == "incomplete"
    # Only a comparison of all files could tell what that brought.
    vault.changed("")
    assert vault.find("alpha", mode="lexical").verdict == "incomplete"
    vault.session.resume(None)
    vault.idle()
    vault.session.pause(None)
    assert vault.find("bravo").verdict == "found"
    vault.reopen()
    _paused(vault)
    assert vault.find("bravo").verdict == "incomplete"
