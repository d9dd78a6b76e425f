"""What is said of an index that nobody keeps in step at the moment."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from notekin.adapters.sqlite.database import SqliteIndex
from notekin.app.ports import FileStat
from notekin.app.results import Failure, NoteCounts, Phase, VaultStatus
from notekin.app.sharing import to_shared
from notekin.app.stored import stored_status

VAULT = Path("notes")
ALL_READ = NoteCounts(n_total=1, n_failed=1)
HALF_READ = NoteCounts(n_total=4, n_indexed=1, n_pending=2, n_failed=1)


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SqliteIndex]:
    """An index that holds one note, which cannot be read."""
    made = SqliteIndex(tmp_path / "index.sqlite3", VAULT)
    writer = made.writer()
    writer.fail("a.md", "markdown", FileStat(1, 1, 1), "it is binary")
    writer.close()
    yield made
    made.close()


@pytest.mark.parametrize(
    ("last", "counts", "phase"),
    [
        ("idle", ALL_READ, "idle"),
        ("embedding", ALL_READ, "idle"),
        ("scanning", ALL_READ, "paused"),
        ("indexing", HALF_READ, "paused"),
        ("paused", HALF_READ, "paused"),
    ],
)
def test_an_interrupted_index_never_looks_finished(
    index: SqliteIndex, last: Phase, counts: NoteCounts, phase: Phase
) -> None:
    writer = index.writer()
    writer.share(to_shared(VaultStatus(VAULT, phase=last, notes=counts)))
    writer.close()
    with index.read() as reader:
        status = stored_status(reader, VAULT, other=False)
    assert (status.phase, status.notes) == (phase, counts)


def test_an_index_that_nobody_came_to_speak_of_is_not_finished(index: SqliteIndex) -> None:
    with index.read() as reader:
        assert stored_status(reader, VAULT, other=False).phase == "paused"


def test_what_failed_is_named(index: SqliteIndex) -> None:
    with index.read() as reader:
        status = stored_status(reader, VAULT, other=False)
    assert status.failures == (Failure(VAULT / "a.md", "it is binary"),)
