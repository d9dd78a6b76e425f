"""What an indexer does when it is stopped, parked, killed, alone or not."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from notekin.app.cancel import CancelToken
from notekin.app.errors import ModelUnavailable
from notekin.app.ports import Embedder
from support.gate import Gate
from support.vault import CountingEmbedder, Scratch, scratch


@pytest.fixture
def gated(tmp_path: Path, gate: Gate) -> Iterator[Scratch]:
    """A vault of 20 notes whose model embeds only what the gate lets pass."""
    embedder = CountingEmbedder(before=gate.pass_through)
    with scratch(tmp_path / "gated", embedder=embedder, model_patience=0.05) as vault:
        for number in range(20):
            vault.write(f"{number}.md", f"note number{number}", age=number)
        yield vault
        gate.open()


def test_a_stopped_index_goes_on_where_it_was(gated: Scratch, gate: Gate) -> None:
    gate.let_pass(7)
    gated.begin()
    status = gated.until(lambda status: status.chunks.n_embedded == 7)
    assert (status.phase, status.chunks.n_total) == ("embedding", 20)
    assert gated.find("number3", mode="hybrid").verdict == "incomplete"
    gate.wait_until_reached()
    gated.session.close_folder(gated.folder)
    gate.open()
    gated.close()
    assert len(gated.embedder.documents) == 8
    assert gated.doctor() == []
    gated.open()
    # What was in work when it stopped is embedded again.
    assert len(gated.embedder.documents) == 21
    assert len(set(gated.embedder.documents)) == 20
    assert gated.doctor() == []


def test_notes_are_stored_in_steps_so_that_a_long_one_holds_up_no_other(vault: Scratch) -> None:
    """A step takes some tens of milliseconds, and what is saved meanwhile is served after it."""
    text = "\n\n".join(f"Paragraph {number} of a long note." for number in range(2000))
    for number in range(6):
        vault.write(f"{number}.md", text, age=number)
    vault.open()
    told = [status.notes.n_indexed for status in vault.statuses if status.phase == "indexing"]
    assert any(0 < n_indexed < 6 for n_indexed in told), told


@pytest.mark.parametrize(("order", "reason"), [("cancel", "cancelled"), ("pause", "user")])
def test_an_order_stops_within_a_passage_until_resume(
    gated: Scratch, gate: Gate, order: str, reason: str
) -> None:
    gate.let_pass(4)
    gated.begin()
    gate.wait_until_reached()
    getattr(gated.session, order)(gated.folder)
    assert (gated.status.phase, gated.status.reason) == ("paused", reason)
    gate.open()
    gated.until(lambda status: status.chunks.n_embedded == 5)
    # A save is served meanwhile, by words and by meaning; nothing else goes on.
    gated.save("saved.md", "platypus")
    assert gated.words("platypus") == ["saved.md"]
    status = gated.until(lambda status: status.chunks.n_embedded == 6)
    assert (status.phase, status.reason) == ("paused", reason)
    gated.remove("0.md")
    gated.changed("0.md", "")
    assert gated.words("number0") == []
    assert gated.status.phase == "paused"
    assert gated.find("number1").verdict == "incomplete"
    assert len(gated.embedder.documents) == 6
    gated.statuses.clear()
    gated.session.resume(gated.folder)
    assert gated.idle().chunks.n_embedded == 20
    went_on = next(status for status in gated.statuses if status.reason != reason)
    assert went_on.phase in ("scanning", "embedding")
    assert len(gated.embedder.documents) in (20, 21)  # the deleted note may have been in flight


@pytest.mark.parametrize("way", ["reindex", "restart"])
def test_a_cancelled_index_goes_on_after(gated: Scratch, gate: Gate, way: str) -> None:
    gate.let_pass(2)
    gated.begin()
    gate.wait_until_reached()
    gated.session.cancel(None)
    gate.open()
    gated.until(lambda status: status.chunks.n_embedded == 3)
    if way == "restart":
        gated.reopen()
    else:
        gated.session.reindex([gated.folder / "3.md"], force=False)
        gated.idle()
    assert (gated.status.phase, gated.status.reason) == ("idle", "")
    assert gated.status.chunks.n_embedded == 20
    assert len(gated.embedder.documents) == 20


def test_cancel_before_the_first_look_leaves_everything_for_later(vault: Scratch) -> None:
    for number in range(50):
        vault.write(f"{number}.md", f"note number{number}")
    vault.begin()
    vault.session.cancel(None)
    vault.until(lambda status: status.reason == "cancelled")
    assert vault.find("number1").verdict == "incomplete"
    vault.session.resume(None)
    assert vault.idle().chunks.n_embedded == 50


def test_a_closed_index_is_sound_at_any_moment(tmp_path: Path) -> None:
    with scratch(tmp_path) as vault:
        for number in range(60):
            vault.write(f"{number}.md", f"# {number}\n\nnote number{number}", age=number)
        for n_free in range(0, 60, 9):
            gate = Gate(n_free)
            vault.embedder = CountingEmbedder(before=gate.pass_through)
            vault.begin()
            gate.open()
            vault.close()
            assert vault.doctor() == []
        vault.open()
        assert vault.status.chunks.n_embedded == 60


def test_one_idle_after_each_piece_of_work(vault: Scratch) -> None:
    for number in range(10):
        vault.write(f"{number}.md", f"note number{number}")
    vault.open()
    for path in ("3.md", "new.md"):
        vault.statuses.clear()
        vault.save(path, f"other words for {path}")
        vault.idle()
        assert [status.phase for status in vault.statuses].count("idle") == 1
        assert vault.statuses[-1].phase == "idle"


def test_a_missing_folder_fails_with_a_sentence_and_loses_nothing(vault: Scratch) -> None:
    vault.write("a.md", "alpha")
    vault.open()
    vault.close()
    hidden = vault.folder.rename(vault.home / "elsewhere")
    vault.begin()
    status = vault.until(lambda status: status.phase == "failed")
    assert status.reason == "folderMissing"
    assert str(vault.folder) in status.failures[0].reason
    assert status.notices == (status.failures[0].reason,)
    assert status.notes.n_total == 1
    assert vault.words("alpha") == ["a.md"]
    assert vault.find("alpha").verdict == "incomplete"
    hidden.rename(vault.folder)
    status = vault.until(lambda status: status.phase == "idle")
    assert status.failures == ()
    assert len(vault.embedder.documents) == 1


@pytest.mark.parametrize("told", ["a.md", "", "sub"])
def test_a_folder_that_vanishes_loses_nothing(vault: Scratch, told: str) -> None:
    vault.write("a.md", "alpha")
    vault.write("sub/b.md", "bravo")
    vault.open()
    hidden = vault.folder.rename(vault.home / "elsewhere")
    vault.changed(told)
    status = vault.until(lambda status: status.phase == "failed")
    assert status.notes.n_indexed == 2
    assert vault.words("alpha bravo") == ["a.md", "sub/b.md"]
    hidden.rename(vault.folder)
    vault.until(lambda status: status.phase == "idle")
    assert len(vault.embedder.documents) == 2


def test_without_a_model_the_words_work(vault: Scratch) -> None:
    missing = True

    def load() -> Embedder:
        if missing:
            raise ModelUnavailable("The model folder holds no model; choose another one.")
        return vault.embedder

    vault.load = load
    for number in range(100):
        vault.write(f"{number}.md", f"note number{number}")
    vault.open()
    status = vault.status
    assert (status.phase, status.reason) == ("paused", "modelMissing")
    assert status.failures[0].reason == "The model folder holds no model; choose another one."
    assert status.chunks.n_pending == 100
    assert vault.words("number7") == ["7.md"]
    result = vault.find("number7")
    assert (result.verdict, result.hits[0].path) == ("incomplete", "7.md")
    vault.save("new.md", "quagga")
    assert vault.words("quagga") == ["new.md"]
    # Still no model: trying again ends, too.
    vault.session.resume(None)
    assert vault.until(lambda status: status.phase == "paused").reason == "modelMissing"
    missing = False
    vault.session.resume(None)
    status = vault.until(lambda status: status.phase == "idle")
    assert (status.failures, status.chunks.n_embedded) == ((), 101)
    assert vault.find("number7").verdict == "found"


def test_a_passage_that_the_model_fails_at_is_named(tmp_path: Path) -> None:
    failing = True

    def before(text: str) -> None:
        if failing and "poison" in text:
            raise ValueError

    embedder = CountingEmbedder(before=before)
    with scratch(tmp_path, embedder=embedder) as vault:
        for number in range(100):
            vault.write(f"poisoned/{number}.md", "poison", age=100 + number)
        vault.write("good.md", "wholesome")
        vault.open()
        status = vault.status
        assert (status.phase, status.reason) == ("paused", "modelFailed")
        assert status.chunks.n_pending == 100
        assert "ValueError" in status.failures[0].reason
        assert status.failures[0].path.parent.name == "poisoned"
        assert vault.words("poison")
        assert vault.embedder.documents == ["wholesome"]
        failing = False
        vault.session.reindex([], force=False)
        assert vault.idle().failures == ()
        assert vault.status.chunks.n_pending == 0


@pytest.mark.parametrize(
    "other", [{"name": "other"}, {"name": "other", "dim": 48}, {"dim": 24}], ids=str
)
def test_vectors_of_two_models_are_never_mixed(vault: Scratch, other: dict[str, Any]) -> None:
    for number in range(5):
        vault.write(f"{number}.md", f"note number{number}")
    vault.open()
    vault.close()
    gate = Gate()
    vault.embedder = CountingEmbedder(before=gate.pass_through, **other)
    vault.begin()
    vault.session.cancel(None)
    result = vault.find("number3")
    assert result.verdict == "incomplete"
    assert [hit.semantic for hit in result.hits] == [None]
    vault.session.resume(None)
    gate.wait_until_reached()
    changing = vault.until(lambda status: status.phase == "embedding" and bool(status.notices))
    assert (changing.reason, changing.chunks.n_pending) == ("modelChanged", 5)
    (notice,) = changing.notices
    gate.open()
    assert vault.idle().chunks.n_embedded == 5
    assert len(vault.embedder.documents) == 5
    assert "from fake to other" in notice or "one fake to another file" in notice
    assert (vault.status.reason, vault.status.notices) == ("", ())
    (first, *_) = vault.find("number3").hits
    assert first.semantic is not None
    assert vault.doctor() == []


def test_waiting_ends_with_the_token(gated: Scratch) -> None:
    gated.begin()
    token = CancelToken()
    gated.session.on_status(lambda _: token.cancel())
    gated.save("a.md", "something new")
    assert gated.session.wait("idle", 60.0, token)
    assert token.cancelled
