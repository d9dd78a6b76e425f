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

from notekin.adapters.sqlite.migrations import SLOTS_A_BLOCK
from notekin.app.ports import Scored
from notekin.core.vectors import Vector

Floats = NDArray[np.float32]

_LARGEST = 32767.0
_FREE = -1


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
        room = np.empty((SLOTS_A_BLOCK, self.dim), np.float32)
        start = 0
        for block in self.blocks:
            n_places = len(block.chunks)
            # A block at a time stays in the processor's cache. Not `dot`: its threads would wait
            # for a processor that the model still holds.
            vectors, found = room[:n_places], cosines[start : start + n_places]
            np.copyto(vectors, block.codes)
            np.vecdot(vectors, query, out=found)
            found *= block.scales
            start += n_places
        cosines[self._chunks == _FREE] = -np.inf
        return cosines

    def cosines_of(self, vector: Vector, chunks: Collection[int]) -> dict[int, float]:
        """Return the best cosine of each of these passages that has vectors, to a unit vector."""
        wanted = np.fromiter(chunks, np.int64, len(chunks))
        (places,) = np.isin(self._chunks, wanted).nonzero()
        codes, scales = self._at(places)
        cosines = np.vecdot(codes.astype(np.float32), np.frombuffer(vector, "<f4")) * scales
        return _best_of_each(self._chunks[places], cosines)

    def _at(self, places: NDArray[np.intp]) -> tuple[NDArray[np.int16], Floats]:
        """Return codes and scales of ascending places."""
        ends = np.cumsum([len(block.chunks) for block in self.blocks], dtype=np.intp)
        parts = np.split(places, places.searchsorted(ends))
        inside = [
            (block, part + len(block.chunks) - end)
            for block, end, part in zip(self.blocks, ends, parts, strict=False)
        ]
        none = block_of((), self.dim)
        codes = [none.codes, *(block.codes[part] for block, part in inside)]
        scales = [none.scales, *(block.scales[part] for block, part in inside)]
        return np.concatenate(codes), np.concatenate(scales)

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

    def passing(self, cosines: Floats, chunks: Collection[int], *, inside: bool) -> Floats:
        """Return the cosines with -inf for passages that are not among `chunks`, or that are."""
        among = np.zeros(2 + self._chunks.max(initial=_FREE), bool)  # the last one: free places
        wanted = np.fromiter(chunks, np.int64, len(chunks))
        among[wanted[wanted < len(among) - 1]] = True
        return np.where(among[self._chunks] == inside, cosines, -np.inf)


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
