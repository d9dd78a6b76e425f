"""One lock, whoever removes its file."""

from pathlib import Path

import pytest

from notekin.adapters import locking
from notekin.adapters.locking import IndexerLock


def test_one_holds_it_until_it_gives_it_back(tmp_path: Path) -> None:
    first, second = (IndexerLock(tmp_path / "data" / "index.lock") for _ in range(2))
    assert first.acquire()
    assert first.acquire()
    assert not second.acquire()
    first.release()
    assert second.acquire()
    assert not first.acquire()
    second.release()
    second.release()


def test_a_removed_lock_is_never_held_twice(tmp_path: Path) -> None:
    file = tmp_path / "index.lock"
    first, second, third = (IndexerLock(file) for _ in range(3))
    assert first.acquire()
    first.remove()
    assert not file.exists()
    assert second.acquire()
    assert not third.acquire()
    # One that holds nothing takes nothing away.
    first.remove()
    assert file.exists()
    second.release()


def test_a_lock_on_a_file_that_was_removed_meanwhile_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(_: Path) -> None: ...

    lock = IndexerLock(tmp_path / "index.lock")
    with monkeypatch.context() as removed:
        removed.setattr(locking, "file_id", gone)
        assert not lock.acquire()
    assert lock.acquire()
    lock.release()


def test_a_lock_whose_file_somebody_else_removed_is_taken_anew(tmp_path: Path) -> None:
    file = tmp_path / "index.lock"
    first, second = IndexerLock(file), IndexerLock(file)
    assert first.acquire()
    assert first.in_place()
    file.unlink()
    assert not first.in_place()
    assert second.acquire()
    assert not first.acquire()
    second.release()
    assert first.acquire()
    first.release()
