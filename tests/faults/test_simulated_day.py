"""A day in a vault, at random: the index always tells the truth and ends as a fresh one.

`make bench ARGS="day STEPS SEED"` lives through other and longer days.
"""

from pathlib import Path

import pytest

from support.day import live


@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5, 30])
def test_a_day_ends_as_a_fresh_index(tmp_path: Path, seed: int) -> None:
    figures = live(tmp_path, seed, 400)
    assert figures.n_settled == 10
    assert figures.n_avoided > 0
