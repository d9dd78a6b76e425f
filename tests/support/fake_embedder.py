"""A small deterministic stand-in for the model: texts that share words lie near each other."""

import re
from collections.abc import Callable, Sequence
from hashlib import blake2b

from notekin.app.ports import ModelInfo, Role
from notekin.core.vectors import Vector, pack

_WORD = re.compile(r"\w+")


class FakeEmbedder:
    """A hashed bag of words of `dim` dimensions; `embedded` lists what it was given, in order.

    `before` is called with each text before it is embedded, to hold the thread or to raise.
    """

    def __init__(
        self,
        *,
        dim: int = 32,
        window: int = 256,
        name: str = "fake",
        before: Callable[[str], None] | None = None,
        n_at_once: int = 1,
    ) -> None:
        self._dim = dim
        self._before = before
        self._n_at_once = n_at_once
        self.embedded: list[str] = []
        self._info = ModelInfo(
            name=name,
            dim=dim,
            window=window,
            fingerprint=f"{name}-{dim}",
            probe=self._bag(["probe", name]),
        )

    @property
    def info(self) -> ModelInfo:
        return self._info

    @property
    def n_at_once(self) -> int:
        return self._n_at_once

    def embed(self, text: str, role: Role) -> Sequence[Vector]:
        if self._before is not None:
            self._before(text)
        self.embedded.append(text)
        words = _WORD.findall(text.casefold())
        window = self._info.window
        starts = range(0, max(len(words), 1), window)
        parts = [self._bag(words[start : start + window]) for start in starts]
        return parts[:1] if role == "query" else parts

    def _bag(self, words: Sequence[str]) -> Vector:
        # A word moves several dimensions, so that two words rarely look alike in so few.
        sums = [0.0] * self._dim
        sums[0] = 0.1
        for word in words:
            for byte in blake2b(word.encode("utf-8", "replace"), digest_size=6).digest():
                sums[byte % self._dim] += 1.0 if byte >= 128 else -1.0
        length = sum(x * x for x in sums) ** 0.5
        return pack(x / length for x in sums)
