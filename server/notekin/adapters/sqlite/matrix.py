"""The vectors of one model in memory, to be compared with a question all at once.

vec0 stays their home. It has no code for wide registers here, so a scan of it takes many times
as long, and every passage looked at beside is a query of its own.

A number is kept in 16 bits, beside one scale a vector: half the room of float32, and a cosine
is off by less than 0.00002.
"""

from collections.abc import Collection, Sequence

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from notekin.adapters.sqlite.sieve import Sieve
from notekin.app.ports import Scored
from notekin.core.vectors import Vector

Floats = NDArray[np.float32]

_LARGEST = 32767.0
_FREE = -1
# So many vectors are widened at a time: their numbers fit the processor's own cache.
_N_AT_ONCE = 128


@frozen(eq=False)
class Block:
    """Neighbouring slots: whose passage each is (-1: free), and its vector."""

    chunks: NDArray[np.int64]
    codes: NDArray[np.int16]
    scales: Floats


def block_of(rows: Sequence[tuple[int, int, Vector]], dim: int) -> Block:
    """Return the block of (place in the block, passage, vector)."""
    n_places = 1 + max((place for place, _, _ in rows), default=-1)
    chunks = np.full(n_places, _FREE, np.int64)
    codes = np.zeros((n_places, dim), np.int16)
    scales = np.zeros(n_places, np.float32)
    if rows:
        places = [place for place, _, _ in rows]
        joined = b"".join(vector for _, _, vector in rows)
        vectors = np.frombuffer(joined, "<f4").reshape(len(rows), dim)
        largest = np.maximum(np.abs(vectors).max(axis=1), np.finfo(np.float32).tiny)
        chunks[places] = [chunk for _, chunk, _ in rows]
        codes[places] = np.rint(vectors * (_LARGEST / largest)[:, None]).astype(np.int16)
        scales[places] = largest / _LARGEST
    return Block(chunks, codes, scales)


@frozen(eq=False)
class Matrix:
    """All vectors of a model as they were when `stamp` was the last change of its file's.

    Never changed: any number of threads may ask it while a newer one takes its place.
    """

    stamp: int
    dim: int
    blocks: tuple[Block, ...] = ()
    _chunks: NDArray[np.int64] = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        chunks = [np.empty(0, np.int64), *(block.chunks for block in self.blocks)]
        object.__setattr__(self, "_chunks", np.concatenate(chunks))

    def renewed(self, stamp: int, blocks: dict[int, Block]) -> "Matrix":
        """Return the matrix with these blocks, by their number, in place of its own."""
        n_blocks = 1 + max([len(self.blocks) - 1, *blocks])
        none = block_of((), self.dim)
        held = (*self.blocks, *[none] * (n_blocks - len(self.blocks)))
        return Matrix(
            stamp, self.dim, tuple(blocks.get(number, held[number]) for number in range(n_blocks))
        )

    def cosines(self, vector: Vector) -> Floats:
        """Return the cosine of each place, in order, to a unit vector; of a free one -inf."""
        query = np.frombuffer(vector, "<f4")
        cosines = np.empty(len(self._chunks), np.float32)
        room = np.empty((_N_AT_ONCE, self.dim), np.float32)
        start = 0
        for block in self.blocks:
            for first in range(0, len(block.chunks), _N_AT_ONCE):
                codes = block.codes[first : first + _N_AT_ONCE]
                vectors = room[: len(codes)]
                np.copyto(vectors, codes)
                # Not `dot`: its threads would wait for a processor that the model still holds.
                np.vecdot(vectors, query, out=cosines[start + first : start + first + len(codes)])
            cosines[start : start + len(block.chunks)] *= block.scales
            start += len(block.chunks)
        cosines[self._chunks == _FREE] = -np.inf
        return cosines

    def cosines_of(self, vector: Vector, chunks: Collection[int]) -> dict[int, float]:
        """Return the best cosine of each of these passages that has vectors, to a unit vector."""
        places = self._places(chunks)
        codes = np.empty((len(places), self.dim), np.int16)
        scales = np.empty(len(places), np.float32)
        first = start = 0
        for block in self.blocks:
            end = start + len(block.chunks)
            last = first + int(np.count_nonzero(places[first:] < end))
            if last > first:
                inside = places[first:last] - start
                codes[first:last], scales[first:last] = block.codes[inside], block.scales[inside]
            first, start = last, end
        cosines = np.vecdot(codes.astype(np.float32), np.frombuffer(vector, "<f4")) * scales
        return _best_of_each(self._chunks[places], cosines)

    def among(self, cosines: Floats, chunks: Collection[int]) -> dict[int, float]:
        """Return the same, where the cosines of all places are known."""
        places = self._places(chunks)
        return _best_of_each(self._chunks[places], cosines[places])

    def nearest(self, cosines: Floats, limit: int) -> list[Scored]:
        """Return the best `limit` passages by the cosines of all places, each with its best."""
        n_wanted = limit
        while True:
            places = _best(cosines, n_wanted)
            best = _best_of_each(self._chunks[places], cosines[places])
            # A passage of several vectors may have taken several places.
            if len(best) >= limit or len(places) < n_wanted:
                found = sorted(best.items(), key=lambda item: (-item[1], item[0]))
                return [Scored(chunk, cosine) for chunk, cosine in found[:limit]]
            n_wanted *= 2

    def passing(self, cosines: Floats, sieve: Sieve) -> Floats:
        """Return the cosines with -inf for passages that may not be found."""
        return np.where(sieve.passing(self._chunks), cosines, -np.inf)

    def _places(self, chunks: Collection[int]) -> NDArray[np.intp]:
        """Return where the vectors of these passages are."""
        is_wanted = np.zeros(2 + self._chunks.max(initial=_FREE), bool)  # the last: free places
        wanted = np.fromiter(chunks, np.int64, len(chunks))
        is_wanted[wanted[wanted < len(is_wanted) - 1]] = True
        return is_wanted[self._chunks].nonzero()[0]


def _best_of_each(chunks: NDArray[np.int64], cosines: Floats) -> dict[int, float]:
    """Return the best cosine of each passage."""
    best: dict[int, float] = {}
    for chunk, cosine in zip(chunks.tolist(), cosines.tolist(), strict=True):
        best[chunk] = max(cosine, best.get(chunk, cosine))
    return best


def _best(cosines: Floats, limit: int) -> NDArray[np.intp]:
    """Return the places of the best `limit` cosines, and of those that equal the last of them."""
    if limit < len(cosines):
        last = np.partition(cosines, -limit)[-limit]
        (places,) = np.nonzero((cosines >= last) & (cosines > -np.inf))
    else:
        (places,) = np.nonzero(cosines > -np.inf)
    return places
