"""A filter as both lanes apply it to what they have in memory."""

from collections.abc import Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray


@frozen(eq=False)
class Sieve:
    """The only passages that may be found, or (not `lets_in`) that may not."""

    chunks: NDArray[np.int64]
    lets_in: bool

    def passing(self, chunks: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return for each passage whether it may be found."""
        return np.isin(chunks, self.chunks, invert=not self.lets_in)


def sieve_of(chunks: Sequence[int], *, lets_in: bool) -> Sieve:
    """Return the sieve of these passages."""
    return Sieve(np.array(chunks, np.int64), lets_in)
