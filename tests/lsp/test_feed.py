"""Status messages: at most four a second, always the last one, one `idle` after all work."""

import random
from pathlib import Path
from typing import Any, cast

import pytest
from attrs import evolve

from notekin.app.results import VaultStatus
from notekin.lsp.feed import StatusFeed
from support.fake_loop import FakeLoop

IDLE = VaultStatus(Path("/notes"), phase="idle")
BUSY = evolve(IDLE, phase="embedding")


class Sent:
    """A feed on a clock of its own, and what it sent when."""

    def __init__(self) -> None:
        self.loop = FakeLoop()
        self.messages: list[tuple[float, VaultStatus]] = []
        self.watched: list[VaultStatus] = []
        self.feed = StatusFeed(
            cast("Any", self.loop),
            list,
            lambda message: self.messages.append((self.loop.now, message[0])),
            lambda statuses: self.watched.append(statuses[0]),
        )

    def change(self, status: VaultStatus, seconds: float = 0.0) -> None:
        """Publish, then let time pass."""
        self.feed.changed((status,))
        self.loop.advance(seconds)

    @property
    def statuses(self) -> list[VaultStatus]:
        return [status for _, status in self.messages]


def test_the_end_of_work_is_told_at_once() -> None:
    sent = Sent()
    sent.change(IDLE)
    assert sent.messages == [(100.0, IDLE)]


def test_a_quick_save_is_one_message() -> None:
    sent = Sent()
    for revision in range(4):
        sent.change(evolve(BUSY, phase="indexing"), 0.01)
        sent.change(BUSY, 0.01)
        sent.change(evolve(IDLE, revision=revision), 1.0)
    assert sent.statuses == [evolve(IDLE, revision=revision) for revision in range(4)]


def test_work_that_goes_on_is_told_after_a_moment() -> None:
    sent = Sent()
    sent.change(BUSY, 5.0)
    assert sent.statuses == [BUSY]
    assert sent.messages[0][0] - 100.0 < 0.25


def test_the_same_status_is_not_told_twice() -> None:
    sent = Sent()
    sent.change(IDLE, 1.0)
    sent.change(IDLE, 1.0)
    assert sent.statuses == [IDLE]
    failed = evolve(IDLE, phase="failed")
    sent.change(failed, 1.0)
    sent.change(evolve(IDLE, phase="starting"), 0.01)
    sent.change(failed, 1.0)
    assert sent.statuses == [IDLE, failed]


def test_work_that_changed_nothing_ends_in_one_idle() -> None:
    sent = Sent()
    sent.change(IDLE, 1.0)
    for _ in range(3):
        sent.change(evolve(IDLE, phase="scanning"), 0.01)
        sent.change(IDLE, 0.01)
        sent.change(IDLE, 1.0)
    assert sent.statuses == [IDLE] * 4


def test_the_end_of_work_in_one_vault_is_told_while_another_works() -> None:
    sent = Sent()
    other = evolve(BUSY, folder=Path("/others"))
    sent.feed.changed((IDLE, other))
    sent.loop.advance(1.0)
    sent.feed.changed((evolve(IDLE, phase="scanning"), other))
    sent.loop.advance(0.01)
    sent.feed.changed((IDLE, other))
    sent.loop.advance(1.0)
    sent.loop.advance(1.0)
    assert sent.statuses == [IDLE] * 2


def test_changes_from_threads_cost_the_loop_one_call() -> None:
    sent = Sent()
    for revision in range(1000):
        sent.feed.changed((evolve(BUSY, revision=revision),))
    assert sent.loop.n_calls == 1
    sent.loop.advance(1.0)
    assert sent.watched == sent.statuses == [evolve(BUSY, revision=999)]


@pytest.mark.parametrize("seed", range(5))
def test_never_more_than_four_a_second_and_always_the_last(seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311 - no secret depends on it
    sent = Sent()
    status = IDLE
    for revision in range(500):
        status = evolve(dice.choice([IDLE, BUSY, BUSY]), revision=revision)
        sent.change(status, dice.choice([0.0, 0.001, 0.05, 0.3]))
    sent.loop.advance(2.0)
    assert sent.statuses[-1] == status
    times = [time for time, _ in sent.messages]
    assert all(later - time > 1.0 for time, later in zip(times, times[4:], strict=False))


def test_a_closed_feed_is_silent() -> None:
    sent = Sent()
    sent.change(BUSY)
    sent.feed.close()
    sent.change(IDLE, 1.0)
    assert sent.messages == []
