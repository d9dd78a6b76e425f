"""A vault that was moved, renamed, restored or copied: its index is known by what it holds."""

import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from notekin.adapters.locking import IndexerLock
from notekin.adapters.places import shelf_of
from notekin.compose import CommandLineEngine, IndexFiles
from support.vault import Scratch, new_session, scratch


@pytest.fixture
def indexed(tmp_path: Path) -> Iterator[Scratch]:
    """A closed vault of ten notes with its index."""
    with scratch(tmp_path) as vault:
        for number in range(10):
            vault.write(f"sub/{number}.md", f"# Note {number}\n\nwombat number {number}\n")
        vault.open()
        vault.close()
        yield vault


def _files(vault: Scratch) -> IndexFiles:
    return IndexFiles(vault.home / "data")


def _open_at(vault: Scratch, folder: Path) -> int:
    """Index a folder to the end; return how many passages were embedded for it."""
    session = new_session(vault.home, lambda: vault.embedder, 20.0)
    try:
        before = len(vault.embedder.documents)
        session.open(folder)
        vault._session = session  # pyright: ignore[reportPrivateUsage]
        vault.idle()
        assert len(vault.words("wombat")) == 10
        return len(vault.embedder.documents) - before
    finally:
        vault.close()


def _rename(old: Path, new: Path) -> None:
    old.rename(new)


def _restore(old: Path, new: Path) -> None:
    """As from a backup, or on another disk: another folder, other inodes and times."""
    shutil.copytree(old, new, copy_function=shutil.copyfile)
    shutil.rmtree(old)


@pytest.mark.parametrize("move", [_rename, _restore])
def test_a_moved_vault_takes_its_index_along(
    indexed: Scratch, move: Callable[[Path, Path], None]
) -> None:
    old, new = indexed.index_file, indexed.home / "moved"
    kept = shelf_of(old) / "00" / "document.md"
    kept.parent.mkdir(parents=True)
    kept.write_text("what was read of a PDF")
    aside = old.with_name(f"{old.name}.damaged-1")
    aside.write_bytes(b"what was set aside")
    move(indexed.folder, new)
    assert _open_at(indexed, new) == 0
    file = _files(indexed).of(new)
    assert [path.name for path in sorted(old.parent.glob(f"{old.stem}*"))] == []
    assert file.with_name(f"{file.name}.damaged-1").read_bytes() == b"what was set aside"
    assert _open_at(indexed, new) == 0


def test_a_vault_moved_again_and_back_is_known_each_time(indexed: Scratch) -> None:
    there = indexed.home / "there"
    indexed.folder.rename(there)
    assert _open_at(indexed, there) == 0
    there.rename(indexed.folder)
    assert _open_at(indexed, indexed.folder) == 0
    assert indexed.doctor() == []


def test_a_copy_gets_an_index_of_its_own_with_the_same_vectors(indexed: Scratch) -> None:
    copy = indexed.home / "copy"
    shutil.copytree(indexed.folder, copy)
    assert _open_at(indexed, copy) == 0
    assert indexed.index_file.exists()
    assert _files(indexed).of(copy).exists()
    assert _open_at(indexed, indexed.folder) == 0


def test_other_notes_in_a_new_folder_are_no_moved_vault(indexed: Scratch) -> None:
    other = indexed.home / "other"
    shutil.copytree(indexed.folder, other)
    for number in range(0, 10, 3):
        (other / f"sub/{number}.md").write_text("# Another\n\nwombat of another length", "utf-8")
    shutil.rmtree(indexed.folder)
    assert _files(indexed).claim(other) == _files(indexed).of(other)
    assert indexed.index_file.exists()


def test_an_index_in_use_is_not_moved(indexed: Scratch) -> None:
    new = indexed.home / "moved"
    indexed.folder.rename(new)
    lock = IndexerLock(indexed.index_file.with_suffix(".lock"))
    assert lock.acquire()
    assert _open_at(indexed, new) == 0, "its vectors are lent all the same"
    lock.release()
    assert indexed.index_file.exists()


def test_two_processes_move_an_index_once(indexed: Scratch) -> None:
    old, new = indexed.index_file, indexed.home / "moved"
    indexed.folder.rename(new)
    with ThreadPoolExecutor(4) as pool:
        claiming = [pool.submit(_files(indexed).claim, new) for _ in range(4)]
        claimed = [each.result() for each in claiming]
    assert set(claimed) == {_files(indexed).of(new)}
    assert claimed[0].exists()
    assert not old.exists()


def test_a_vault_spelled_in_another_way_keeps_its_index(indexed: Scratch) -> None:
    """As where upper and lower case are the same: another name, the same folder."""
    spelled = indexed.index_file.rename(indexed.index_file.with_name("another.sqlite3"))
    assert _files(indexed).claim(indexed.folder) == spelled
    assert _open_at(indexed, indexed.folder) == 0


def test_the_command_line_knows_a_moved_vault(indexed: Scratch) -> None:
    new = indexed.home / "moved"
    indexed.folder.rename(new)
    engine = CommandLineEngine(_files(indexed))
    assert engine.vault_of(indexed.home) is None
    assert engine.vault_of(new / "sub") == new
    assert engine.status(new).notes.n_indexed == 10
    (finding,) = engine.doctor(new, repair=False)
    assert "those of the model fake, but the setting" in finding.sentence  # and nothing else
    assert engine.forget(new)
    assert not engine.forget(new)
    assert list((indexed.home / "data" / "indexes").glob("*.sqlite3*")) == []


def test_a_moved_vault_is_forgotten_by_its_old_name_or_its_new_one(indexed: Scratch) -> None:
    new = indexed.home / "moved"
    indexed.folder.rename(new)
    engine = CommandLineEngine(_files(indexed))
    assert engine.forget(indexed.folder)
    assert not engine.forget(new)


def test_a_named_index_of_a_moved_vault_is_still_its_own(indexed: Scratch) -> None:
    new = indexed.home / "moved"
    indexed.folder.rename(new)
    engine = CommandLineEngine(IndexFiles(indexed.home / "data", only=indexed.index_file))
    assert engine.vault_of(new / "sub") == new
