"""Two sessions on one vault: one indexes, the other passes on, follows, and takes over."""

import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from notekin.adapters.locking import IndexerLock
from notekin.adapters.sqlite.database import SqliteIndex
from notekin.app.cancel import CancelToken
from notekin.app.errors import IndexUnusable
from notekin.app.results import VaultStatus
from notekin.core.rope import Content
from support.fake_pdf import pdf
from support.gate import Gate
from support.vault import PATIENCE_SECONDS, CountingEmbedder, Scratch, scratch


def follows(status: VaultStatus) -> bool:
    return status.phase == "idle" and status.following


def leads(status: VaultStatus) -> bool:
    return status.phase == "idle" and not status.following


@pytest.fixture
def first(tmp_path: Path) -> Iterator[Scratch]:
    """The session that indexes a vault of five notes."""
    with scratch(tmp_path) as made:
        for number in range(5):
            made.write(f"{number}.md", f"note number{number}")
        made.open()
        yield made


@pytest.fixture
def second(first: Scratch, tmp_path: Path) -> Iterator[Scratch]:
    """A session that follows the first."""
    with scratch(tmp_path) as made:
        made.begin()
        made.until(follows)
        yield made


def test_a_follower_serves_what_another_indexed(first: Scratch, second: Scratch) -> None:
    assert second.status.reason == "otherProcess"
    assert second.status.notes == first.status.notes
    assert second.status.chunks == first.status.chunks
    assert second.words("number2") == ["2.md"]
    assert second.meaning("number2")[0] == "2.md"
    assert second.find("number2").verdict == "found"
    assert second.embedder.documents == []


def test_a_save_in_either_window_is_findable_in_both(first: Scratch, second: Scratch) -> None:
    second.save("own.md", "numbat")
    assert second.words("numbat") == ["own.md"]
    assert first.words("numbat") == ["own.md"]
    first.save("own.md", "aardvark")
    assert first.words("aardvark") == ["own.md"]
    assert second.words("aardvark numbat") == ["own.md"]
    revision = first.idle().revision
    second.until(lambda status: follows(status) and status.revision == revision)
    assert second.meaning("aardvark")[0] == "own.md"
    assert "numbat" not in second.embedder.documents


def test_a_follower_tells_what_is_read_and_finds_it(first: Scratch, second: Scratch) -> None:
    first.extractor.held = True
    second.write("paper.pdf", pdf("A heron landed.", warnings=["Page 2 is damaged."]))
    second.changed("paper.pdf")
    status = second.until(lambda status: status.current == "paper.pdf p. 1 of 1")
    assert status.following
    assert second.words("heron") == ["paper.pdf"]
    first.extractor.release()
    second.until(lambda status: follows(status) and bool(status.warnings))
    assert second.find("heron").verdict == "found"
    assert second.session.text_of(second.folder / "paper.pdf") == "A heron landed.\n"
    assert second.extractor.texts == []


@pytest.mark.parametrize("told", ["late.md", "sub", ""])
def test_changes_reported_to_a_follower_are_findable(
    first: Scratch, second: Scratch, told: str
) -> None:
    path = "sub/late.md" if told == "sub" else "late.md"
    first.write(path, "wallaby")
    second.changed(told)
    assert second.words("wallaby") == [path]
    first.remove(path)
    second.changed(told)
    assert second.words("wallaby") == []


def test_what_changed_before_a_follower_came_is_passed_on(first: Scratch, tmp_path: Path) -> None:
    first.write("new.md", "wallaby")
    first.remove("3.md")
    with scratch(tmp_path) as second:
        second.open()
        assert second.words("wallaby number3") == ["new.md"]
        assert second.status.following


def test_a_reindex_ordered_by_a_follower_reads_the_notes_again(
    first: Scratch, second: Scratch
) -> None:
    revision = first.status.revision
    assert second.session.reindex([], force=True) == 5
    assert second.idle().revision > revision
    assert second.status.following


def test_a_follower_tells_what_the_indexer_does(tmp_path: Path) -> None:
    gate = Gate()
    embedder = CountingEmbedder(before=gate.pass_through)
    with scratch(tmp_path, embedder=embedder) as first, scratch(tmp_path) as second:
        first.write("a.md", "alpha")
        first.write("b.md", "bravo")
        first.begin()
        first.until(lambda status: status.phase == "embedding")
        second.begin()
        status = second.until(lambda status: status.phase == "embedding")
        assert (status.reason, status.chunks.n_pending) == ("otherProcess", 2)
        assert second.find("alpha").verdict == "incomplete"
        first.session.cancel(None)
        status = second.until(lambda status: status.phase == "paused")
        assert (status.reason, status.following) == ("cancelled", True)
        first.session.resume(None)
        gate.open()
        assert second.until(follows).chunks.n_embedded == 2
        told = [status.phase for status in second.statuses]
        assert "idle" not in told[: told.index("embedding")]


def test_a_save_while_the_indexer_is_parked_is_findable(first: Scratch, second: Scratch) -> None:
    first.session.cancel(None)
    second.until(lambda status: status.phase == "paused")
    second.save("own.md", "numbat")
    assert second.words("numbat") == ["own.md"]
    # Nobody waits for what the indexer does only later.
    second.changed("")
    assert second.session.wait("words", PATIENCE_SECONDS, CancelToken())


def test_a_follower_takes_over_when_the_indexer_closes(first: Scratch, second: Scratch) -> None:
    first.write("late.md", "wallaby")
    first.close()
    second.until(leads)
    assert second.words("wallaby") == ["late.md"]
    second.save("own.md", "numbat")
    assert second.words("numbat") == ["own.md"]
    assert second.doctor() == []


def test_a_text_saved_while_following_is_old_by_the_takeover(
    first: Scratch, second: Scratch
) -> None:
    second.session.saved(second.folder / "0.md", Content.of("what the second window saved"))
    first.save("0.md", "what the first window saved")
    first.idle()
    first.close()
    second.until(leads)
    hits = second.find("saved", mode="lexical").hits
    assert [hit.text for hit in hits] == ["what the first window saved"]


@pytest.mark.parametrize("window", ["first", "second"])
def test_an_index_removed_under_both_is_built_anew(
    first: Scratch, second: Scratch, window: str
) -> None:
    first.save("new.md", "wallaby")
    first.idle()
    first.index_file.unlink()
    asked = first if window == "first" else second
    first.until(lambda status: status.phase != "idle" or status.revision < 6)
    first.until(leads)
    second.until(lambda status: follows(status) and status.notes.n_indexed == 6)
    assert asked.words("wallaby") == ["new.md"]
    assert second.doctor() == []


@pytest.mark.skipif(sys.platform == "win32", reason="there no file goes that somebody has open")
def test_an_indexer_that_lost_its_lock_follows_whoever_has_it(
    first: Scratch, tmp_path: Path
) -> None:
    file = tmp_path / "another.lock"
    another = IndexerLock(file)
    assert another.acquire()
    # As if the data folder had been cleared: the lock of the first is that of no file any more.
    file.replace(first.index_file.with_suffix(".lock"))
    first.until(lambda status: status.following)
    another.release()
    first.until(leads)
    first.save("own.md", "numbat")
    assert first.words("numbat") == ["own.md"]


@pytest.mark.parametrize("resuming", [0, 1])
def test_a_resume_that_meets_a_locked_index_is_told_and_holds_everywhere_in_the_end(
    first: Scratch, second: Scratch, monkeypatch: pytest.MonkeyPatch, resuming: int
) -> None:
    locked, unpark = threading.Event(), SqliteIndex.unpark
    locked.set()

    def meet_lock(index: SqliteIndex) -> None:
        if locked.is_set():
            raise IndexUnusable("Close the other program.", "busy")
        unpark(index)

    monkeypatch.setattr("notekin.app.parking._RETRY_SECONDS", 0.0)
    monkeypatch.setattr(SqliteIndex, "unpark", meet_lock)
    window = (first, second)[resuming]
    first.session.pause(None)
    second.until(lambda status: status.phase == "paused")
    window.session.resume(None)
    window.until(lambda status: any("this window only" in each for each in status.notices))
    locked.clear()
    first.until(lambda status: leads(status) and not status.notices)
    second.until(lambda status: follows(status) and not status.notices)
