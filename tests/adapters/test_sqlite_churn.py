"""An index that was changed for long stays near the size of a fresh one.

Query times are compared by `benchmarks/churn.py`, where the machine can be quiet.
"""

from pathlib import Path

import pytest

from notekin.adapters.sqlite import cache
from notekin.adapters.sqlite.connect import connect_inspector
from notekin.adapters.sqlite.database import SqliteIndex
from notekin.core.query import Filters
from support.churn import churned
from support.indexing import MODEL, note, vector_of


def test_random_changes_leave_an_index_near_the_size_of_a_fresh_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What a small vault may cache whatever its size would hide the share that is meant here.
    monkeypatch.setattr(cache, "LEAST_BYTES", 0)
    ratios = churned(tmp_path, n_passages=500, n_changes=500, dim=384)
    assert ratios.size <= 1.5
    assert ratios.findings == ()


def test_a_vault_that_shrank_gives_its_slots_and_pages_back(tmp_path: Path) -> None:
    index = SqliteIndex(tmp_path / "index.sqlite", tmp_path)
    writer = index.writer()
    writer.set_model(MODEL)
    texts = [[f"{n} {part} " * 60 for part in range(50)] for n in range(80)]
    writer.put([note(f"{n}", *parts) for n, parts in enumerate(texts)])
    while waiting := writer.pending([], 500):
        writer.put_vectors({each.hash: [vector_of(each.hash)] for each in waiting})
    db = connect_inspector(index.path)
    n_pages = db.value("PRAGMA page_count")
    writer.delete([f"{n}" for n in range(10, 80)])
    assert db.value("SELECT count(*) FROM free_slots") == 0
    assert db.value("SELECT count(*) FROM vec_2_rowids") == 500
    assert db.value("PRAGMA page_count") < n_pages / 2
    assert index.check(repair=False) == []
    with index.read() as reader:
        (best, *_) = reader.semantic(vector_of(_hash_of(index)), Filters(), 1)
        assert best.score > 0.999
    db.close()
    writer.close()
    index.close()


def _hash_of(index: SqliteIndex) -> bytes:
    with index.read() as reader:
        return reader.passages_of("3")[7].hash
