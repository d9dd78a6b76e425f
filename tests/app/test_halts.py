"""Which reason for parked work is told, and what each of them parks."""

import pytest

from notekin.app.halts import Halt, Halts

PARKS_NOTHING, PARKS_BACKLOG, PARKS_ALL = (False, False), (False, True), (True, True)


@pytest.mark.parametrize(
    ("reasons", "shown", "parked"),
    [
        ([], "", PARKS_NOTHING),
        (["onBattery"], "onBattery", PARKS_BACKLOG),
        (["onBattery", "cancelled"], "cancelled", PARKS_ALL),
        (["cancelled", "user", "onBattery"], "user", PARKS_ALL),
    ],
)
def test_what_a_person_did_says_more(
    reasons: list[Halt], shown: str, parked: tuple[bool, bool]
) -> None:
    halts = Halts()
    for reason in reasons:
        halts = halts.having(reason)
    assert halts.shown == shown
    assert (halts.park_reading, halts.park_backlog) == parked
    for reason in reasons:
        halts = halts.lacking(reason)
    assert halts == Halts()
