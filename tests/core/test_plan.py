"""What storing a note does to its passages."""

from hypothesis import given
from hypothesis import strategies as st

from notekin.core.note import Passage, Span
from notekin.core.plan import plan


def passages(hashes: list[bytes]) -> list[Passage]:
    return [Passage(n, Span(n, n + 1), (), "x", "", hash_) for n, hash_ in enumerate(hashes)]


def test_a_moved_passage_keeps_its_id() -> None:
    result = plan([(1, b"a"), (2, b"b")], passages([b"b", b"c", b"a"]))
    assert [(id_, passage.ordinal) for id_, passage in result.kept] == [(2, 0), (1, 2)]
    assert [passage.hash for passage in result.inserted] == [b"c"]
    assert result.deleted == ()


def test_equal_passages_are_paired_in_order() -> None:
    result = plan([(5, b"a"), (6, b"a"), (7, b"a")], passages([b"a", b"a"]))
    assert [(id_, passage.ordinal) for id_, passage in result.kept] == [(5, 0), (6, 1)]
    assert result.deleted == (7,)


hashes = st.lists(st.sampled_from([b"a", b"b", b"c"]), max_size=12)


@given(hashes, hashes)
def test_every_passage_and_id_is_in_one_place(old: list[bytes], new: list[bytes]) -> None:
    stored = list(enumerate(old))
    result = plan(stored, passages(new))
    kept = [passage.ordinal for _, passage in result.kept]
    assert sorted([*kept, *(passage.ordinal for passage in result.inserted)]) == [*range(len(new))]
    assert sorted([*(id_ for id_, _ in result.kept), *result.deleted]) == [*range(len(old))]
    assert all(old[id_] == passage.hash for id_, passage in result.kept)
    left = {old[id_] for id_ in result.deleted}
    assert not left & {passage.hash for passage in result.inserted}
