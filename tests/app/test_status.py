"""A status tells the truth: what is there, what waits, and no end where there is none."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from notekin.app.cancel import CancelToken
from notekin.app.results import NoteCounts, VaultStatus
from support.fake_power import FakePower
from support.gate import Gate
from support.vault import PATIENCE_SECONDS, CountingEmbedder, Scratch, scratch

N_NOTES = 20


@pytest.fixture
def power() -> FakePower:
    return FakePower()


@pytest.fixture
def gated(tmp_path: Path, gate: Gate, power: FakePower) -> Iterator[Scratch]:
    """A vault of 20 notes whose model embeds only what the gate lets pass."""
    embedder = CountingEmbedder(before=gate.pass_through)
    with scratch(tmp_path / "gated", embedder=embedder, power=power, model_patience=0.05) as vault:
        for number in range(N_NOTES):
            vault.write(f"{number}.md", f"note number{number}", age=number)
        yield vault
        gate.open()


def test_every_note_is_counted_once(vault: Scratch) -> None:
    vault.write("good.md", "wholesome")
    vault.write("binary.md", b"\x00\x01\x02\xff" * 50)
    vault.write(".notekinignore", "drafts/\nsecret.md\n")
    vault.write("drafts/a.md", "a draft")
    vault.write("drafts/b.md", "a draft")
    vault.write("secret.md", "a secret")
    vault.open()
    counts = NoteCounts(n_total=2, n_indexed=1, n_pending=0, n_failed=1, n_excluded=2)
    assert vault.status.notes == counts
    (failure,) = vault.status.failures
    assert failure.path.name == "binary.md"
    assert "binary data" in failure.reason


def test_a_note_that_fails_once_more_is_no_news(vault: Scratch) -> None:
    vault.write("binary.md", b"\x00\x01\x02\xff" * 50)
    vault.write("whole.md", "wholesome")
    vault.open()
    known = vault.status.revision
    vault.session.reindex([vault.folder / "binary.md"], force=True)
    assert vault.idle().revision == known
    vault.write("binary.md", "wholesome too")
    vault.changed("binary.md")
    assert sorted(vault.words("wholesome")) == ["binary.md", "whole.md"]


def test_what_is_told_while_it_works_adds_up(gated: Scratch, gate: Gate) -> None:
    gate.open()
    gated.open()
    assert gated.statuses[0].phase == "starting"
    for status in gated.statuses:
        notes, chunks = status.notes, status.chunks
        assert notes.n_total == notes.n_indexed + notes.n_pending + notes.n_failed
        assert chunks.n_total == chunks.n_embedded + chunks.n_pending
        if status.phase == "idle":
            assert (notes.n_pending, chunks.n_pending, status.current) == (0, 0, "")
        if status.phase != "embedding":
            assert status.eta_seconds is None
    embedded = [status.chunks.n_embedded for status in gated.statuses]
    revisions = [status.revision for status in gated.statuses]
    assert embedded == sorted(embedded)
    assert revisions == sorted(revisions)
    assert {status.current for status in gated.statuses if status.phase == "embedding"} <= {
        f"{number}.md" for number in range(N_NOTES)
    } | {""}


def _save(vault: Scratch) -> None:
    vault.save("3.md", "other words")


def _burst(vault: Scratch) -> None:
    paths = [f"new{number}.md" for number in range(120)]
    for path in paths:
        vault.write(path, f"words of {path}")
    vault.changed(*paths)


def _pause_and_resume(vault: Scratch) -> None:
    vault.session.pause(None)
    vault.write("late.md", "words of a late note")
    vault.changed("", "late.md")
    vault.session.resume(None)


def _reindex(vault: Scratch) -> None:
    vault.session.reindex([], force=True)


@pytest.mark.parametrize("work", [_save, _burst, _pause_and_resume, _reindex])
def test_one_idle_after_each_piece_of_work(
    gated: Scratch, gate: Gate, work: Callable[[Scratch], None]
) -> None:
    gate.open()
    gated.open()
    assert _n_idle(gated.statuses, gated.folder) == 1
    other = gated.home / "other"
    other.mkdir()
    (other / "a.md").write_text("another vault", "utf-8")
    gated.session.open(other)
    assert gated.session.wait("idle", PATIENCE_SECONDS, CancelToken())
    n_before = _n_idle(gated.statuses, gated.folder)
    work(gated)
    assert gated.session.wait("idle", PATIENCE_SECONDS, CancelToken())
    status = next(each for each in gated.session.status() if each.folder == gated.folder)
    assert (status.phase, status.chunks.n_pending) == ("idle", 0)
    assert _n_idle(gated.statuses, gated.folder) == n_before + 1


def _n_idle(statuses: list[VaultStatus], folder: Path) -> int:
    """Return how often a vault became idle, or told something new while it was."""
    of_vault = [status for status in statuses if status.folder == folder]
    different = [s for s, before in zip(of_vault, [None, *of_vault], strict=False) if s != before]
    return [status.phase for status in different].count("idle")


def _cancel(vault: Scratch, _power: FakePower) -> None:
    vault.session.cancel(None)


def _pause(vault: Scratch, _power: FakePower) -> None:
    vault.session.pause(None)


def _unplug(_vault: Scratch, power: FakePower) -> None:
    power.unplug()


def _hide_the_folder(vault: Scratch, _power: FakePower) -> None:
    vault.folder.rename(vault.home / "elsewhere")
    vault.changed("")


@pytest.mark.parametrize(
    ("interrupt", "phase", "reason"),
    [
        (_cancel, "paused", "cancelled"),
        (_pause, "paused", "user"),
        (_unplug, "paused", "onBattery"),
        (_hide_the_folder, "failed", "folderMissing"),
    ],
)
def test_an_interrupted_index_never_looks_finished(  # noqa: PLR0913 - a table of cases
    *,
    gated: Scratch,
    gate: Gate,
    power: FakePower,
    interrupt: Callable[[Scratch, FakePower], None],
    phase: str,
    reason: str,
) -> None:
    gate.let_pass(5)
    gated.begin()
    gate.wait_until_reached()
    interrupt(gated, power)
    status = gated.until(lambda status: status.reason == reason)
    assert (status.phase, status.eta_seconds) == (phase, None)
    gate.let_pass(1)
    status = gated.until(lambda status: status.chunks.n_embedded >= 6)
    assert status.chunks.n_pending == status.chunks.n_total - status.chunks.n_embedded > 0
    assert gated.find("number3").verdict == "incomplete"
    assert not any(each.complete or each.phase == "idle" for each in gated.statuses)
    gated.session.cancel(None)
    gate.let_pass(1)  # The end waits for what is in work.
    gated.close()
    assert not any(each.complete or each.phase == "idle" for each in gated.statuses)


def test_who_follows_an_interrupted_indexer_sees_no_end(tmp_path: Path, gate: Gate) -> None:
    embedder = CountingEmbedder(before=gate.pass_through)
    with scratch(tmp_path, embedder=embedder) as first, scratch(tmp_path) as second:
        for number in range(5):
            first.write(f"{number}.md", f"note number{number}")
        gate.let_pass(2)
        first.begin()
        gate.wait_until_reached()
        second.begin()
        second.until(lambda status: status.chunks.n_embedded == 2)
        first.session.cancel(None)
        status = second.until(lambda status: status.reason == "cancelled")
        assert (status.phase, second.find("number3").verdict) == ("paused", "incomplete")
        assert not any(each.complete or each.phase == "idle" for each in second.statuses)
        gate.open()
