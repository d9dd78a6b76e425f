"""The model that makes vectors of texts."""

from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from attrs import field, frozen

from notekin.core.vectors import Vector

Role = Literal["document", "query"]
CountTokens = Callable[[Sequence[str]], Sequence[int]]


@frozen
class ModelInfo:
    """What tells vectors of one model from those of another.

    `window` is in tokens of the model's own tokenizer. `fingerprint` is a hash of the model
    file; `probe` the vector of a fixed sentence, compared by cosine.
    """

    name: str
    dim: int
    window: int
    fingerprint: str
    probe: Vector = field(repr=False)


class Embedder(Protocol):
    """An embedding model, loaded."""

    @property
    def info(self) -> ModelInfo: ...

    @property
    def n_at_once(self) -> int:
        """How many passages are best embedded at the same time, each by a thread of its own."""
        ...

    def embed(self, text: str, role: Role) -> Sequence[Vector]:
        """Return the unit vectors of one text: one, or several for a document that is longer
        than the window; always one for a query (cut at the window).
        """
        ...
