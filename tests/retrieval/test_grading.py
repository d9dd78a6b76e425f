"""The measures themselves, on lists small enough to reckon by hand."""

import pytest

from support.grading import ndcg, reciprocal_rank

GRADES = {"a": 3, "b": 1}


@pytest.mark.parametrize(
    ("ranked", "expected"),
    [
        (["a", "b"], 1.0),
        (["b", "a"], (1 + 7 / 1.584963) / (7 + 1 / 1.584963)),
        (["x", "a"], (7 / 1.584963) / (7 + 1 / 1.584963)),
        (["x", "y"], 0.0),
        ([], 0.0),
    ],
)
def test_ndcg(ranked: list[str], expected: float) -> None:
    assert ndcg(ranked, GRADES) == pytest.approx(expected, abs=1e-6)


def test_ndcg_ends_at_its_depth() -> None:
    assert ndcg([*"0123456789", "a"], GRADES) == 0.0


@pytest.mark.parametrize(("ranked", "expected"), [(["b", "a"], 0.5), (["a"], 1.0), (["b"], 0.0)])
def test_reciprocal_rank_is_that_of_a_best_note(ranked: list[str], expected: float) -> None:
    assert reciprocal_rank(ranked, GRADES) == expected
