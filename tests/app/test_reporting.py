"""What a status says: the phase in one word, and how long the rest will take."""

from pathlib import Path
from typing import Any

import pytest

from notekin.app.halts import Halts
from notekin.app.progress import Pace, phase_of
from notekin.app.reporting import Reporter, is_parked
from notekin.app.results import NoteCounts, Phase, Reason, VaultStatus

NOTHING: dict[str, Any] = {
    "halted": False,
    "started": True,
    "scanning": False,
    "n_unread": 0,
    "n_unembedded": 0,
}


@pytest.mark.parametrize(
    ("given", "phase"),
    [
        ({}, "idle"),
        ({"n_unembedded": 1}, "embedding"),
        ({"n_unread": 1, "n_unembedded": 1}, "indexing"),
        ({"scanning": True, "n_unread": 1}, "scanning"),
        ({"started": False}, "starting"),
        ({"halted": True, "n_unread": 1, "scanning": True}, "paused"),
        ({"parked": True, "n_unread": 1, "n_unembedded": 1}, "indexing"),
        ({"parked": True, "n_unembedded": 1}, "paused"),
        ({"parked": True}, "idle"),
    ],
)
def test_a_phase_names_the_most_telling_thing(given: dict[str, Any], phase: Phase) -> None:
    assert phase_of(**{**NOTHING, **given}) == phase


@pytest.mark.parametrize(
    ("phase", "reason", "parked"),
    [
        ("idle", "", False),
        ("idle", "otherProcess", False),
        ("embedding", "", False),
        ("paused", "cancelled", True),
        ("paused", "user", True),
        ("paused", "onBattery", False),  # files are looked at and read
        ("failed", "noSpace", True),
        ("failed", "folderMissing", False),  # the folder is looked for again and again
    ],
)
def test_what_goes_on_by_itself(vault_status: VaultStatus, parked: bool) -> None:  # noqa: FBT001
    assert is_parked(vault_status) is parked


@pytest.fixture
def vault_status(
    phase: Phase, reason: Reason, tmp_path_factory: pytest.TempPathFactory
) -> VaultStatus:
    return VaultStatus(tmp_path_factory.getbasetemp(), phase=phase, reason=reason)


@pytest.mark.parametrize(
    ("phase", "reason", "n_pending", "unseen", "complete"),
    [
        ("idle", "", 0, False, True),
        ("embedding", "", 0, False, True),
        ("paused", "modelMissing", 0, False, True),
        ("paused", "cancelled", 0, False, True),
        ("paused", "cancelled", 0, True, False),
        ("paused", "user", 0, False, True),
        ("paused", "user", 1, False, False),
        ("indexing", "", 1, False, False),
        ("idle", "otherProcess", 1, False, False),
        ("starting", "", 0, False, False),
        ("scanning", "", 0, False, False),
        ("failed", "noSpace", 0, False, False),
    ],
)
def test_when_all_words_are_known(
    vault_status: VaultStatus,
    n_pending: int,
    unseen: bool,  # noqa: FBT001
    complete: bool,  # noqa: FBT001
) -> None:
    status = VaultStatus(
        vault_status.folder,
        phase=vault_status.phase,
        reason=vault_status.reason,
        notes=NoteCounts(n_pending=n_pending),
        unseen=unseen,
    )
    assert status.words_complete is complete


def test_a_comparison_that_was_just_stopped_is_not_called_idle(tmp_path: Path) -> None:
    """A resume comes while the indexer takes note that it is to compare the files again."""
    nothing: Any = None
    report = Reporter(tmp_path, nothing, nothing, "fake", lambda: None)
    report.unreadable("")  # it has looked at the folder once
    report.scanning()
    due = False

    def halts() -> Halts:
        nonlocal due
        due = True
        report.not_scanned()
        return Halts()

    report.halted(halts, scan_due=lambda: due)
    assert report.status.phase == "scanning"
    assert not report.status.words_complete


def test_the_pace_follows_the_last_half_minute() -> None:
    pace = Pace()
    assert pace.seconds_for(10) is None
    for second in range(10):
        pace.tick(float(second), 2)
    assert pace.seconds_for(10) == pytest.approx(5.0)
    for second in range(10, 80):
        pace.tick(float(second), 1)
    assert pace.seconds_for(10) == pytest.approx(10.0)
    assert pace.seconds_for(0) is None
    pace.reset()
    assert pace.seconds_for(10) is None
