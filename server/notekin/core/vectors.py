"""Vectors as they are stored: little-endian float32, unit length, in plain bytes.

The core adds and compares a handful at a time, so `array` is enough and numpy stays out of
the start of the server.
"""

import math
import sys
from array import array
from collections.abc import Iterable, Sequence
from functools import reduce
from operator import add

Vector = bytes


def pack(values: Iterable[float]) -> Vector:
    """Return `values` as float32 bytes."""
    numbers = array("f", values)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def unpack(vector: Vector) -> Sequence[float]:
    """Return the numbers of `vector`."""
    numbers = array("f")
    numbers.frombytes(vector)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def cosine(one: Vector, other: Vector) -> float:
    """Return the cosine of two vectors of the same dimension, 0.0 where one has no length."""
    a, b = unpack(one), unpack(other)
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    length = math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))
    return dot / length if length else 0.0


def toward(vector: Vector, others: Sequence[Vector], share: float) -> Vector:
    """Return `vector` moved toward the mean of `others` and brought back to unit length.

    This is Rocchio's feedback step (Rocchio 1971) with beta = `share` and no negatives.
    """
    if not others:
        return vector
    sums = reduce(_sum, map(unpack, others))
    weight = share / len(others)
    moved = [x + weight * y for x, y in zip(unpack(vector), sums, strict=True)]
    length = math.hypot(*moved)
    return pack([x / length for x in moved]) if length else vector


def _sum(one: Sequence[float], other: Sequence[float]) -> Sequence[float]:
    return list(map(add, one, other))
