"""How many tokens of the shipped tokenizer an ASCII text has, without that tokenizer.

WordPiece as BERT's tokenizer does it (Devlin et al. 2018, after Schuster and Nakajima 2012): in
lower case, each run of letters and digits is a word and each other character one of its own; of
a word the longest known start is taken again and again. The library takes some 30 µs to begin
with a word, and a first index meets tens of thousands of new ones.
"""

import re
from collections.abc import Set as AbstractSet
from pathlib import Path

# A run of letters and digits, what the tokenizer takes for one token before it looks for words,
# or any other character; the white space here is all that it parts plain words by.
_PART = re.compile(r"[a-z0-9]+|\[(?:pad|unk|cls|sep|mask)\]|[^a-z0-9 \t\n\r]")

# A longer word is one unknown token.
_LONGEST_WORD = 100

_LONGEST_KNOWN = 48
_N_KNOWN = 200_000


class WordPieces:
    """Counts texts of plain words; of a short word it remembers how many tokens it has."""

    def __init__(self, vocabulary: Path) -> None:
        """Read a vocabulary, a token a line."""
        self._vocabulary = frozenset(vocabulary.read_text(encoding="utf-8").split("\n"))
        self._known = _Known(self._vocabulary)

    def count(self, text: str) -> int | None:
        """Return the tokens of a text, None for one that is not plain."""
        if not text.isascii():
            return None
        if len(self._known) > _N_KNOWN:
            # Replaced when full, never emptied: another thread may count.
            self._known = _Known(self._vocabulary)
        try:
            return sum(map(self._known.__getitem__, _PART.findall(text.lower())))
        except KeyError:
            return None


class _Known(dict[str, int]):
    """The tokens of parts: looking one up in C, cutting it where it is new. Raises `KeyError`
    for one that is not plain: a special token, or a control character, which joins words.
    """

    def __init__(self, vocabulary: AbstractSet[str]) -> None:
        super().__init__()
        self._vocabulary = vocabulary
        self._longest = max(map(len, vocabulary))

    def __missing__(self, part: str) -> int:
        if not part.isprintable() or (len(part) > 1 and part.endswith("]")):
            raise KeyError(part)
        n_tokens = self._cut(part) if len(part) <= _LONGEST_WORD else 1
        if len(part) <= _LONGEST_KNOWN:
            self[part] = n_tokens
        return n_tokens

    def _cut(self, word: str) -> int:
        mark, rest, n_tokens = "", word, 0
        while rest:
            end = min(len(rest), self._longest)
            # Each letter and each digit alone is known.
            while end > 1 and mark + rest[:end] not in self._vocabulary:
                end -= 1
            mark, rest, n_tokens = "##", rest[end:], n_tokens + 1
        return n_tokens
