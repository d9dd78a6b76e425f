"""A day in a vault, at random: the index always tells the truth and ends as a fresh one."""

import os
import random
from pathlib import Path

import pytest

from support.day import Day
from support.day_windows import Ledger, short_race

# `NOTEKIN_DAY_STEPS` makes the days longer; `make bench ARGS="day N"` does other days.
N_STEPS = int(os.environ.get("NOTEKIN_DAY_STEPS", "400"))
N_BETWEEN = 40


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_day_ends_as_a_fresh_index(tmp_path: Path, seed: int) -> None:
    day = Day(tmp_path.resolve(), random.Random(seed))  # noqa: S311 -- no secret
    with short_race(), Ledger(day.home / "ledger").watching():
        try:
            day.begin()
            for number in range(1, N_STEPS + 1):
                day.step()
                if number % N_BETWEEN == 0:
                    day.settle()
        finally:
            day.end()
    print(day.figures)
