"""What processes on one index tell each other, and an index that many open at once."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from notekin.adapters.sqlite.connect import connect_writer
from notekin.adapters.sqlite.database import SqliteIndex
from notekin.adapters.sqlite.store import SqliteWriter
from notekin.app.errors import IndexUnusable
from notekin.app.ports import Dirty, IndexFollower
from support.indexing import note


@pytest.fixture
def follower(writer: SqliteWriter, tmp_path: Path) -> Iterator[IndexFollower]:
    """A follower as another process opens it."""
    del writer  # the file is there before
    opened = SqliteIndex(tmp_path / "data" / "index.sqlite", tmp_path).follow()
    yield opened
    opened.close()


def test_what_is_passed_on_is_received_in_order(
    writer: SqliteWriter, follower: IndexFollower
) -> None:
    ids = follower.pass_on({"a.md": False, "": True, "b/\udcff.md": False})
    first, second, third = ids
    assert writer.dirty(0) == [
        Dirty(first, "a.md"),
        Dirty(second, "", forced=True),
        Dirty(third, "b/\udcff.md"),
    ]
    assert writer.dirty(second) == [Dirty(third, "b/\udcff.md")]


def test_one_look_lets_go_of_no_later_order_for_the_same_path(
    writer: SqliteWriter, follower: IndexFollower
) -> None:
    earlier = follower.pass_on({"a.md": False})
    taken = writer.dirty(0)
    later = follower.pass_on({"a.md": False})
    writer.looked_at([each.id for each in taken])
    assert follower.waiting([*earlier, *later]) == later
    writer.looked_at(later)
    assert follower.waiting(later) == []
    # Ids are never given twice, or a later order would be taken for one already seen.
    assert max(follower.pass_on({"a.md": False})) > max(later)


def test_each_side_notices_the_other_and_not_itself(
    writer: SqliteWriter, follower: IndexFollower
) -> None:
    assert (writer.noticed(), follower.noticed()) == (True, True)
    assert (writer.noticed(), follower.noticed()) == (False, False)
    follower.pass_on({"a.md": False})
    assert (writer.noticed(), follower.noticed()) == (True, False)
    writer.put([note("a.md", "alpha")])
    assert (writer.noticed(), follower.noticed()) == (False, True)


def test_what_the_indexer_shares_is_read_by_followers(
    index: SqliteIndex, writer: SqliteWriter, follower: IndexFollower
) -> None:
    assert follower.shared() == ""
    writer.share("one")
    writer.share("two \U0001f600")
    assert follower.shared() == "two \U0001f600"
    with index.read() as reader:
        assert reader.shared() == "two \U0001f600"
        revision = reader.revision()
    writer.share("three")
    with index.read() as reader:
        assert reader.revision() == revision


def test_a_follower_that_cannot_write_now_is_told_so_soon(
    index: SqliteIndex, writer: SqliteWriter, follower: IndexFollower
) -> None:
    writer.share("there")
    holding = connect_writer(index.path)
    holding.run("BEGIN IMMEDIATE")
    with pytest.raises(IndexUnusable, match="held by another program") as caught:
        follower.pass_on({"a.md": False})
    assert caught.value.reason == "busy"
    assert follower.shared() == "there"
    holding.close()
    assert follower.pass_on({"a.md": False})


@pytest.mark.parametrize("how", ["removed", "replaced"])
def test_both_see_that_their_file_is_not_in_its_place(
    index: SqliteIndex, writer: SqliteWriter, follower: IndexFollower, how: str
) -> None:
    assert writer.in_place()
    assert follower.in_place()
    index.path.rename(index.path.with_name("elsewhere"))
    if how == "replaced":
        index.path.touch()
    assert not writer.in_place()
    assert not follower.in_place()


def test_damage_found_twice_sets_nothing_new_aside(index: SqliteIndex, tmp_path: Path) -> None:
    index.writer().close()
    other = SqliteIndex(index.path, tmp_path)
    for each in (index, other):
        with each.read() as reader:
            assert reader.revision() == 0
    index.path.write_bytes(b"\xde\xad\xbe\xef" * (index.path.stat().st_size // 4))
    index.path.with_name(f"{index.path.name}-wal").write_bytes(b"")
    for each in (index, other):
        with pytest.raises(IndexUnusable), each.read() as reader:
            reader.notes()
    index.writer().close()
    other.writer().close()
    assert len(list(index.path.parent.glob("*.damaged-?"))) == 1
    other.close()


def test_many_that_open_a_new_index_at_once_meet_no_lock(tmp_path: Path) -> None:
    n_rounds, together = 8, Barrier(6)

    def write(index: SqliteIndex) -> None:
        writer = index.writer()
        writer.share("there")
        writer.close()

    def follow(index: SqliteIndex) -> None:
        follower = index.follow()
        follower.pass_on({"a.md": False})
        follower.close()

    def read(index: SqliteIndex) -> None:
        with index.read() as reader:
            reader.counts()

    def use(do: Callable[[SqliteIndex], None], number: int) -> None:
        index = SqliteIndex(tmp_path / str(number) / "index.sqlite", tmp_path)
        together.wait()
        do(index)
        index.close()

    with ThreadPoolExecutor(6) as pool:
        for number in range(n_rounds):
            done = [pool.submit(use, do, number) for do in (write, follow, read) * 2]
            for each in done:
                each.result()
            assert [file.name for file in (tmp_path / str(number)).iterdir()] == ["index.sqlite"]
