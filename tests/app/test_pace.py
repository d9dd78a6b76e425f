"""How long the rest will take: an estimate that is never led astray for long."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notekin.app.progress import Pace

seconds_each = st.floats(0.005, 2.0)


@given(seconds_each, st.integers(3, 400), st.integers(1, 16))
def test_at_a_steady_rate_it_is_right_at_once_and_only_falls(
    seconds: float, n_batches: int, n_together: int
) -> None:
    pace, told = Pace(), list[float]()
    for batch in range(1, n_batches + 1):
        pace.tick(batch * n_together * seconds, n_together)
        n_left = (n_batches - batch) * n_together
        eta = pace.seconds_for(n_left)
        if eta is not None:
            assert eta == pytest.approx(n_left * seconds)
            told.append(eta)
    # A window holds two ticks at least, unless one batch takes longer than it.
    assert told or n_together * seconds * 2 > 30
    assert all(later < earlier for earlier, later in pairwise(told))


@given(seconds_each, st.lists(st.floats(0.5, 1.5), min_size=20, max_size=300))
def test_however_it_varies_the_error_is_bounded_by_what_is_left(
    seconds: float, factors: list[float]
) -> None:
    pace, now = Pace(), 0.0
    for n_done, factor in enumerate(factors, start=1):
        now += seconds * factor
        pace.tick(now, 1)
        n_left = len(factors) - n_done
        eta = pace.seconds_for(n_left)
        if eta is not None:
            assert 0.5 * n_left * seconds <= eta * 1.001
            assert eta <= 1.501 * n_left * seconds


@given(st.floats(0.01, 0.5), st.floats(0.2, 5.0))
def test_a_machine_that_becomes_busy_is_followed_within_half_a_minute(
    before: float, factor: float
) -> None:
    pace, now = Pace(), 0.0
    while now < 60:
        now += before
        pace.tick(now, 1)
    changed = now
    while now - changed <= 31 + before * factor:
        now += before * factor
        pace.tick(now, 1)
    assert pace.seconds_for(1000) == pytest.approx(1000 * before * factor, rel=0.01)
