"""How good a ranked list is, by graded judgements."""

import math
from collections.abc import Mapping, Sequence


def ndcg(ranked: Sequence[str], grades: Mapping[str, int], depth: int = 10) -> float:
    """Return nDCG@depth with gains 2^grade - 1 (Burges et al. 2005); 1.0 is the ideal order."""
    ideal = sorted(grades.values(), reverse=True)
    best = _dcg(ideal[:depth])
    return _dcg([grades.get(name, 0) for name in ranked[:depth]]) / best if best else 0.0


def reciprocal_rank(ranked: Sequence[str], grades: Mapping[str, int]) -> float:
    """Return 1 / rank of the first name with the highest grade of all, 0.0 without one."""
    top = max(grades.values())
    ranks = (rank for rank, name in enumerate(ranked, start=1) if grades.get(name) == top)
    return 1 / next(ranks, math.inf)


def _dcg(grades: Sequence[int]) -> float:
    return sum((2**grade - 1) / math.log2(rank + 1) for rank, grade in enumerate(grades, start=1))
