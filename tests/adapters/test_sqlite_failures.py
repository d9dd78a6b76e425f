"""Files that cannot serve as an index, and disks that cannot take one."""

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from notekin.adapters.sqlite import connect, database
from notekin.adapters.sqlite.connect import connect_writer
from notekin.adapters.sqlite.database import SqliteIndex
from notekin.adapters.sqlite.identity import identity
from notekin.app.errors import IndexUnusable
from notekin.core.query import Filters
from support.indexing import MODEL, note, vector_of


def filled(path: Path, n_notes: int = 50) -> None:
    index = SqliteIndex(path, path.parent)
    writer = index.writer()
    writer.set_model(MODEL)
    writer.put([note(f"{n}.md", f"text {n} " * 50) for n in range(n_notes)])
    waiting = writer.pending([], n_notes)
    writer.put_vectors({each.hash: [vector_of(each.hash)] for each in waiting})
    writer.close()
    index.close()


def read_all(index: SqliteIndex, n_notes: int) -> None:
    with index.read() as reader:
        reader.notes()
        reader.lexical(["text"], Filters(), 10)
        for n in range(n_notes):
            reader.passages_of(f"{n}.md")


def garbage(path: Path) -> None:
    path.write_bytes(b"no database at all " * 500)


def truncated(path: Path) -> None:
    filled(path)
    path.write_bytes(path.read_bytes()[:20_000])


def headless(path: Path) -> None:
    filled(path)
    path.write_bytes(bytes(200) + path.read_bytes()[200:])


def without_counters(path: Path) -> None:
    filled(path)
    with sqlite3.connect(path) as raw:
        raw.execute("DROP TABLE counters")
    raw.close()


def without_models(path: Path) -> None:
    filled(path)
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA foreign_keys = OFF")
        raw.execute("DROP TABLE models")
    raw.close()


def newer(path: Path) -> None:
    filled(path)
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA user_version = 999")
    raw.close()


def foreign(path: Path) -> None:
    with sqlite3.connect(path) as raw:
        raw.execute("CREATE TABLE diary(text)")
        raw.execute("INSERT INTO diary VALUES('dear')")
    raw.close()


@pytest.mark.parametrize(
    ("spoil", "name"),
    [
        (garbage, "damaged"),
        (truncated, "damaged"),
        (headless, "damaged"),
        (without_counters, "damaged"),
        (newer, "newer"),
        (foreign, "foreign"),
    ],
)
def test_a_file_that_cannot_serve_is_set_aside_and_rebuilt(
    tmp_path: Path, spoil: Callable[[Path], None], name: str
) -> None:
    path = tmp_path / "index.sqlite"
    for number in (1, 2):
        spoil(path)
        content = path.read_bytes()
        index = SqliteIndex(path, tmp_path)
        assert index.notice == ""
        assert len(index.check(repair=False)) == 1
        assert path.read_bytes() == content
        writer = index.writer()
        writer.put([note("a", "text")])
        aside = tmp_path / f"index.sqlite.{name}-{number}"
        assert aside.name in index.notice
        assert aside.read_bytes() == content
        with index.read() as reader:
            assert set(reader.notes()) == {"a"}
        writer.close()
        index.close()
        path.unlink()


def test_damage_that_only_writing_meets_is_set_aside_at_once(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    without_models(path)
    index = SqliteIndex(path, tmp_path)
    writer = index.writer()
    assert "index.sqlite.damaged-1" in index.notice
    assert writer.counts().n_notes == 0
    writer.close()


def test_doctor_repairs_a_file_that_cannot_serve(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    garbage(path)
    index = SqliteIndex(path, tmp_path)
    (finding,) = index.check(repair=True)
    assert finding.repaired
    assert index.check(repair=False) == []
    assert (tmp_path / "index.sqlite.damaged-1").exists()


def test_a_missing_file_is_not_made_by_a_look_at_it(tmp_path: Path) -> None:
    index = SqliteIndex(tmp_path / "none" / "index.sqlite", tmp_path)
    assert index.check(repair=False) == []
    assert list(tmp_path.iterdir()) == []


def test_damage_found_later_is_named_and_the_next_writer_starts_anew(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    filled(path, 400)
    content = bytearray(path.read_bytes())
    half = len(content) // 2  # the first pages hold the roots, which opening looks at
    content[half:] = b"\xa5" * (len(content) - half)
    path.write_bytes(content)
    index = SqliteIndex(path, tmp_path)
    with pytest.raises(IndexUnusable, match="doctor") as caught:
        read_all(index, 400)
    assert caught.value.reason == "damaged"
    writer = index.writer()
    assert index.notice
    assert writer.counts().n_notes == 0
    writer.close()


def test_a_full_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def small(path: Path) -> connect.Database:
        opened = connect_writer(path)
        opened.run("PRAGMA max_page_count = 60")
        return opened

    monkeypatch.setattr(database, "connect_writer", small)
    index = SqliteIndex(tmp_path / "index.sqlite", tmp_path)
    writer = index.writer()
    with pytest.raises(IndexUnusable, match="free some space") as caught:
        writer.put([note(f"{n}", f"text {n} " * 500) for n in range(100)])
    assert caught.value.reason == "noSpace"
    writer.put([note("a", "text")])  # what fits is stored
    assert writer.counts().n_notes == 1
    writer.close()
    assert index.check(repair=False) == []


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    index = SqliteIndex(tmp_path / "file" / "index.sqlite", tmp_path)
    with pytest.raises(IndexUnusable, match="NOTEKIN_DATA_DIR") as caught:
        index.writer()
    assert caught.value.reason == "readOnly"
    with pytest.raises(IndexUnusable), index.read():
        pass


def test_a_held_index_is_named_busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect, "BUSY_TIMEOUT_MS", 1)
    path = tmp_path / "index.sqlite"
    first = SqliteIndex(path, tmp_path)
    writer = first.writer()
    holder = connect_writer(path)
    holder.run("BEGIN IMMEDIATE")
    with pytest.raises(IndexUnusable, match="another program") as caught:
        SqliteIndex(path, tmp_path).writer()
    assert caught.value.reason == "busy"
    holder.close()
    writer.close()


def test_another_process_reads_while_one_writes(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    index = SqliteIndex(path, tmp_path)
    writer = index.writer()
    writer.put([note("a", "text")])
    program = """
import sys
from pathlib import Path
from notekin.adapters.sqlite.database import SqliteIndex
with SqliteIndex(Path(sys.argv[1]), Path(".")).read() as reader:
    print(*reader.notes())
"""
    holder = connect_writer(path)
    holder.run("BEGIN IMMEDIATE; DELETE FROM links")
    run = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
    )
    holder.close()
    assert run.stdout.split() == ["a"]
    writer.close()


def test_an_error_inside_a_call_changes_nothing(tmp_path: Path) -> None:
    index = SqliteIndex(tmp_path / "index.sqlite", tmp_path)
    writer = index.writer()
    writer.set_model(MODEL)
    writer.put([note("a", "one"), note("b", "two")])
    (one, two) = writer.pending([], 2)
    with pytest.raises(ValueError, match="bytes"):
        writer.put_vectors({one.hash: [vector_of(1)], two.hash: [b"short"]})
    assert writer.counts().n_passages_pending == 2
    writer.close()
    assert index.check(repair=False) == []


def test_a_copied_index_knows_its_vault(tmp_path: Path) -> None:
    path, root = tmp_path / "one.sqlite", tmp_path / "vault"
    root.mkdir()
    assert identity(path) is None
    SqliteIndex(path, root).writer().close()
    first = identity(path)
    assert first is not None
    assert first.root == str(root)
    moved = root.rename(tmp_path / "moved")
    shutil.copy(path, tmp_path / "two.sqlite")
    SqliteIndex(tmp_path / "two.sqlite", moved).writer().close()
    second = identity(tmp_path / "two.sqlite")
    assert second is not None
    assert (second.vault, second.root_id) == (first.vault, first.root_id)
    assert second.root == str(moved)
    garbage(path)
    assert identity(path) is None


def test_a_changed_version_has_every_note_read_again_and_keeps_vectors(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    filled(path, 3)
    for versions, n_stale in (({"chunker": "1"}, 3), ({"chunker": "1"}, 0), ({"chunker": "2"}, 3)):
        index = SqliteIndex(path, tmp_path, versions)
        writer = index.writer()
        with index.read() as reader:
            notes = reader.notes().values()
            assert sum(each.racy and each.text_hash == b"" for each in notes) == n_stale
        writer.put([note(f"{n}.md", f"text {n} " * 50) for n in range(3)])
        assert writer.counts().n_passages_pending == 0
        writer.close()
        index.close()


def test_a_use_after_the_end_is_no_damage(tmp_path: Path) -> None:
    index = SqliteIndex(tmp_path / "index.sqlite", tmp_path)
    writer = index.writer()
    writer.put([note("a", "text")])
    writer.close()
    with pytest.raises(apsw.ConnectionClosedError):
        writer.put([note("b", "text")])
    index.writer().close()
    assert not index.notice


def test_a_file_that_another_process_replaced_is_read(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    filled(path)
    index = SqliteIndex(path, tmp_path)
    with index.read() as reader:
        assert reader.counts().n_notes == 50
    path.rename(tmp_path / "away")
    with index.read() as reader:
        assert reader.counts().n_notes == 0
    index.close()
