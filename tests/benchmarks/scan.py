"""The vector lane in memory beside vec0, on the same index: time, and whether they agree.

Run with `python tests/benchmarks/scan.py [passages …]`, 4,282 and 50,000 by default. CPU time in
milliseconds, the median of some rounds.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from notekin.adapters.sqlite.database import SqliteIndex
from notekin.app.ports import ModelInfo, Scored
from notekin.core.query import Filters
from notekin.core.vectors import Vector
from support.indexing import note

_DIM = 384
_N_ROUNDS = 21
_N_A_NOTE = 10
_N_FOLDERS = 20
_N_NEAREST = 100


def main() -> None:
    """Print a row a size and a call."""
    for n_passages in map(int, sys.argv[1:] or ("4282", "50000")):
        with tempfile.TemporaryDirectory() as folder:
            _compare(Path(folder), n_passages)


def _compare(folder: Path, n_passages: int) -> None:
    numbers = np.random.default_rng(1)
    filled = _filled(folder, n_passages, numbers)
    vec0 = SqliteIndex(filled.path, folder)
    vec0.close()  # closed, an index holds nothing in memory
    with filled.read() as reader:
        seconds = _seconds(reader.fill_matrix)
    print(f"{n_passages} passages; reading all vectors: {1000 * seconds:.0f} ms")
    query = _unit(numbers)

    def nearest(index: SqliteIndex, filters: Filters) -> list[Scored]:
        with index.read() as reader:
            return reader.semantic(query, filters, _N_NEAREST)

    def cosines(index: SqliteIndex) -> None:
        with index.read() as reader:
            reader.cosines(query, range(1, n_passages, n_passages // _N_NEAREST))

    calls: dict[str, Callable[[SqliteIndex], object]] = {
        "nearest": lambda index: nearest(index, Filters()),
        "nearest, one folder": lambda index: nearest(index, Filters(folders=("7",))),
        "cosines": cosines,
    }
    for name, call in calls.items():
        taken: dict[SqliteIndex, list[float]] = {vec0: [], filled: []}
        for _ in range(_N_ROUNDS):
            for index, times in taken.items():
                times.append(1000 * _seconds(lambda index=index, call=call: call(index)))
        before, now = (statistics.median(times) for times in taken.values())
        print(f"  {name:<20} vec0 {before:6.2f} ms, memory {now:6.2f} ms: {now / before:.2f} x")
    found, expected = ([each.id for each in nearest(index, Filters())] for index in (filled, vec0))
    shared = len(set(found) & set(expected)) / len(expected)
    print(
        f"  of the nearest {_N_NEAREST}, {shared:.3f} are shared; same order: {found == expected}"
    )
    filled.close()


def _filled(folder: Path, n_passages: int, numbers: np.random.Generator) -> SqliteIndex:
    index = SqliteIndex(folder / "index", folder)
    writer = index.writer()
    writer.set_model(ModelInfo("toy", _DIM, 256, "f", _unit(numbers)))
    for start in range(0, n_passages, 50 * _N_A_NOTE):
        starts = range(start, min(start + 50 * _N_A_NOTE, n_passages), _N_A_NOTE)
        writer.put(
            [
                note(f"{first // _N_A_NOTE % _N_FOLDERS}/{first}.md", *_texts(first, n_passages))
                for first in starts
            ]
        )
    while waiting := writer.pending([], 500):
        writer.put_vectors({each.hash: [_unit(numbers)] for each in waiting})
    writer.close()
    return index


def _texts(first: int, n_passages: int) -> list[str]:
    return [f"passage {number}" for number in range(first, min(first + _N_A_NOTE, n_passages))]


def _unit(numbers: np.random.Generator) -> Vector:
    values = numbers.standard_normal(_DIM).astype("<f4")
    return (values / np.linalg.norm(values)).tobytes()


def _seconds(call: Callable[[], object]) -> float:
    start = time.thread_time()
    call()
    return time.thread_time() - start


if __name__ == "__main__":
    main()
