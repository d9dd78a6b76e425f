"""Days in a vault, at random: `make bench ARGS="day [STEPS [SEED [DAYS]]]"`.

Each is compared with an index made from nothing every 40 steps, and ends with its figures; it
fails with what it did where anything is wrong.
"""

import sys
import tempfile
from pathlib import Path

from support.day import live


def main() -> None:
    """Live through days with seeds one after the other."""
    n_steps, seed, n_days = (*map(int, sys.argv[1:]), *(1000, 1, 1)[len(sys.argv) - 1 :])
    for each in range(seed, seed + n_days):
        with tempfile.TemporaryDirectory() as folder:
            print(f"seed {each}: {live(Path(folder), each, n_steps)}", flush=True)


if __name__ == "__main__":
    main()
