"""Random passage changes in an index, and what they cost against a fresh index."""

import random
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from attrs import frozen

from notekin.adapters.sqlite.database import SqliteIndex
from notekin.adapters.sqlite.store import SqliteWriter
from notekin.app.ports import Index, ModelInfo, NewNote
from notekin.core.query import Filters
from support.indexing import note, vector_of

_N_PASSAGES_A_NOTE = 10
_VOCABULARY = 5000


@frozen
class Ratios:
    """What an index that was changed takes, as a multiple of a fresh one of the same notes."""

    size: float
    lexical: float
    semantic: float
    findings: tuple[str, ...]


def churned(folder: Path, n_passages: int, n_changes: int, dim: int) -> Ratios:
    """Change `n_changes` random passages of a vault of `n_passages`; compare to a fresh index."""
    numbers = random.Random(1)  # noqa: S311 -- no secret
    vault = [
        [_text(numbers) for _ in range(_N_PASSAGES_A_NOTE)]
        for _ in range(n_passages // _N_PASSAGES_A_NOTE)
    ]
    old, fresh = (SqliteIndex(folder / name, folder) for name in ("old", "fresh"))
    model = ModelInfo("toy", dim, 256, "f", vector_of("probe", dim))
    writer = old.writer()
    writer.set_model(model)
    _fill(writer, vault, dim)
    for _ in range(n_changes):
        number = numbers.randrange(len(vault))
        vault[number][numbers.randrange(_N_PASSAGES_A_NOTE)] = _text(numbers)
        writer.put([_note(number, vault[number])])
        _embed(writer, dim)
    findings = tuple(finding.sentence for finding in old.check(repair=False))
    writer.close()
    writer = fresh.writer()
    writer.set_model(model)
    _fill(writer, vault, dim)
    writer.close()
    lexical, semantic = _times(old, fresh, numbers, dim)
    for index in (old, fresh):
        index.close()
    size = (folder / "old").stat().st_size / (folder / "fresh").stat().st_size
    return Ratios(size, lexical, semantic, findings)


def _text(numbers: random.Random) -> str:
    words = [f"word{int(numbers.paretovariate(0.5)) % _VOCABULARY}" for _ in range(120)]
    return " ".join(words)


def _note(number: int, texts: Sequence[str]) -> NewNote:
    return note(f"{number}.md", *texts, mtime_ns=number)


def _fill(writer: SqliteWriter, vault: Sequence[Sequence[str]], dim: int) -> None:
    for start in range(0, len(vault), 100):
        numbered = enumerate(vault[start : start + 100], start)
        writer.put([_note(number, texts) for number, texts in numbered])
    _embed(writer, dim)


def _embed(writer: SqliteWriter, dim: int) -> None:
    while waiting := writer.pending([], 256):
        writer.put_vectors({each.hash: [vector_of(each.hash, dim)] for each in waiting})


def _times(old: Index, fresh: Index, numbers: random.Random, dim: int) -> tuple[float, float]:
    """Return how much longer a query of each lane takes, measured in turns."""
    queries = [_text(numbers).split()[:4] for _ in range(30)]
    vectors = [vector_of(numbers.random(), dim) for _ in range(30)]

    def lexical(index: Index, number: int) -> None:
        with index.read() as reader:
            reader.lexical(queries[number], Filters(), 200)

    def semantic(index: Index, number: int) -> None:
        with index.read() as reader:
            reader.semantic(vectors[number], Filters(), 200)

    return _ratio(old, fresh, lexical), _ratio(old, fresh, semantic)


def _ratio(old: Index, fresh: Index, query: Callable[[Index, int], None]) -> float:
    taken: dict[Index, list[float]] = {old: [], fresh: []}
    for number in range(30):
        for index in (old, fresh):
            rounds: list[float] = []
            for _ in range(3):
                start = time.perf_counter()
                query(index, number)
                rounds.append(time.perf_counter() - start)
            taken[index].append(min(rounds))
    return statistics.median(taken[old]) / statistics.median(taken[fresh])
