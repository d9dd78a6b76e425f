"""What the text index says of one term: who holds it, and what it adds to the BM25 of each.

BM25 is a sum over the terms of a query, so postings that are at hand need only be added up.
"""

from collections.abc import Collection, Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from notekin.adapters.sqlite.sieve import Sieve
from notekin.app.ports import Scored


@frozen(eq=False)
class Postings:
    """The passages that hold a term, by ascending id, and what it adds to the BM25 of each."""

    chunks: NDArray[np.int64]
    scores: NDArray[np.float64]

    def among(self, ids: Collection[int]) -> frozenset[int]:
        """Return those of `ids` that hold the term."""
        if not len(self.chunks):
            return frozenset()
        asked = np.fromiter(ids, np.int64, len(ids))
        nearest = self.chunks.take(self.chunks.searchsorted(asked), mode="clip")
        return frozenset(asked[nearest == asked].tolist())


def postings_of(chunks: Sequence[int], scores: Sequence[float]) -> Postings:
    """Return passages by ascending id, and the score of each, as postings."""
    return Postings(np.array(chunks, np.int64), np.array(scores, np.float64))


def best(postings: Sequence[Postings], limit: int, sieve: Sieve | None) -> list[Scored]:
    """Return the `limit` passages with the best sum, each term as often as it is given."""
    chunks = np.concatenate([each.chunks for each in postings])
    if not len(chunks):
        return []
    # One place an id that was ever given, so that a sum is one pass. It adds in the order of the
    # terms, as bm25() does: the last bit is the same.
    sums = np.bincount(chunks, np.concatenate([each.scores for each in postings]))
    (held,) = sums.nonzero()
    if sieve is not None:
        held = held[sieve.passing(held)]
    scores = sums[held]
    if limit < len(held):
        first = scores >= np.partition(scores, -limit)[-limit]
        held, scores = held[first], scores[first]
    order = np.lexsort((held, -scores))[:limit]
    found = zip(held[order].tolist(), scores[order].tolist(), strict=True)
    return [Scored(chunk, score) for chunk, score in found]
