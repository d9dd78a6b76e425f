"""How many tokens many short texts have, remembered."""

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

Text = TypeVar("Text", str, bytes)

_LONGEST_KNOWN = 48
_N_KNOWN = 200_000


class TokenMemory(Generic[Text]):
    """Adds up the tokens of texts, of which it remembers the short ones. Any thread may ask.

    `count` counts one that is new; what it raises goes to who asked.
    """

    def __init__(self, count: Callable[[Text], int]) -> None:
        self._count = count
        self._known = _Known(count)

    def total(self, texts: Iterable[Text]) -> int:
        """Return the tokens of all texts together."""
        if len(self._known) > _N_KNOWN:
            # Replaced when full, never emptied: another thread may count.
            self._known = _Known(self._count)
        return sum(map(self._known.__getitem__, texts))


class _Known(dict[Text, int]):
    """Looking one up in C, counting it where it is new."""

    def __init__(self, count: Callable[[Text], int]) -> None:
        super().__init__()
        self._count = count

    def __missing__(self, text: Text) -> int:
        n_tokens = self._count(text)
        if len(text) <= _LONGEST_KNOWN:
            self[text] = n_tokens
        return n_tokens
