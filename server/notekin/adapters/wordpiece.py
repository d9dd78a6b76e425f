"""How many tokens of the shipped tokenizer an ASCII text has, without that tokenizer.

WordPiece as BERT's tokenizer does it (Devlin et al. 2018, after Schuster and Nakajima 2012): in
lower case, each run of letters and digits is a word and each other character one of its own; of
a word the longest known start is taken again and again. The library takes some 30 µs to begin
with a word, and a first index meets tens of thousands of new ones.
"""

import re
from pathlib import Path

_PART = re.compile("[a-z0-9]+|[^a-z0-9]")

# What the tokenizer takes for one token before it looks for words.
_SPECIAL = re.compile(r"\[(?:PAD|UNK|CLS|SEP|MASK)\]")

# A longer word is one unknown token.
_LONGEST_WORD = 100


class WordPieces(dict[str, int]):
    """The tokens of words: those of the vocabulary are one each, others are looked up in it."""

    def __init__(self, vocabulary: Path) -> None:
        """Read a vocabulary, a token a line."""
        super().__init__(dict.fromkeys(vocabulary.read_text(encoding="utf-8").split("\n"), 1))
        self._longest = max(map(len, self))

    def count(self, piece: str) -> int | None:
        """Return the tokens of a text without white space, None for one that is not plain."""
        if not (piece.isascii() and piece.isprintable()) or _SPECIAL.search(piece):
            return None
        return sum(map(self.__getitem__, _PART.findall(piece.lower())))

    def __missing__(self, word: str) -> int:
        if len(word) > _LONGEST_WORD:
            return 1
        mark, rest, n_tokens = "", word, 0
        while rest:
            end = min(len(rest), self._longest)
            # Each letter and each digit alone is known.
            while end > 1 and mark + rest[:end] not in self:
                end -= 1
            mark, rest, n_tokens = "##", rest[end:], n_tokens + 1
        return n_tokens
