"""What the tests of the index share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from notekin.adapters.sqlite.database import SqliteIndex
from notekin.adapters.sqlite.matrices import Matrices
from notekin.adapters.sqlite.store import SqliteWriter
from support.indexing import MODEL


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SqliteIndex]:
    made = SqliteIndex(tmp_path / "data" / "index.sqlite", tmp_path)
    yield made
    made.close()


@pytest.fixture
def writer(index: SqliteIndex) -> Iterator[SqliteWriter]:
    opened = index.writer()
    opened.set_model(MODEL)
    yield opened
    opened.close()


def no_matrix(*_: object) -> None:
    """Leave every question to vec0."""


@pytest.fixture(params=["matrix", "vec0"])
def scan(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Say what answers a question of vectors: few passages come into memory with the first."""
    if request.param == "vec0":
        monkeypatch.setattr(Matrices, "current", no_matrix)
    return request.param
