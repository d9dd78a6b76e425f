"""What the index of a vault that is not open here lends, and that it is seen to change."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from notekin.adapters.sqlite.database import SqliteIndex
from notekin.adapters.sqlite.lending import ClosedIndex
from notekin.adapters.sqlite.store import SqliteWriter
from support.indexing import MODEL, note, vector_of

_SUFFIX = ".sqlite3"


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[SqliteWriter]:
    """Yield the writer of another process, which has the index open."""
    index = SqliteIndex(tmp_path / f"index{_SUFFIX}", tmp_path)
    writer = index.writer()
    writer.set_model(MODEL)
    yield writer
    writer.close()
    index.close()


def _embed(writer: SqliteWriter, text: str) -> bytes:
    """Store a note of one passage with its vector; return the passage's hash."""
    writer.put([note(f"{text}.md", text)])
    (waiting,) = writer.pending([], 2)
    writer.put_vectors({waiting.hash: [vector_of(text)]})
    return waiting.hash


def _shelf(folder: Path) -> ClosedIndex:
    (shelf,) = ClosedIndex.all_in(folder, _SUFFIX)
    return shelf


def test_vectors_in_use_and_in_the_cache_are_lent(writer: SqliteWriter, tmp_path: Path) -> None:
    kept, gone = _embed(writer, "kept"), _embed(writer, "gone")
    writer.delete(["gone.md"])
    others = [os.urandom(16) for _ in range(1200)]
    lent = _shelf(tmp_path).lend([*others, kept, gone], MODEL)
    assert lent == {kept: [vector_of("kept")], gone: [vector_of("gone")]}


def test_an_index_that_another_process_writes_to_is_another_one(
    writer: SqliteWriter, tmp_path: Path
) -> None:
    _embed(writer, "one")
    # Clocks of files may be coarse.
    os.utime(tmp_path / f"index{_SUFFIX}-wal", (0, 0))
    before = _shelf(tmp_path)
    assert _shelf(tmp_path) == before
    _embed(writer, "two")
    assert _shelf(tmp_path) != before
