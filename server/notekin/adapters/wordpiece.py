"""How many tokens of the shipped tokenizer an ASCII text has, without that tokenizer.

WordPiece as BERT's tokenizer does it (Devlin et al. 2018, after Schuster and Nakajima 2012): in
lower case, each run of letters and digits is a word and each other character one of its own; of
a word the longest known start is taken again and again. The library takes some 30 µs to begin
with a word, and a first index meets tens of thousands of new ones.
"""

import re
from pathlib import Path

from notekin.adapters.token_memory import TokenMemory

# What the tokenizer takes for one token before it looks for words.
_SPECIAL = re.compile(r"\[(?:PAD|UNK|CLS|SEP|MASK)\]")

# Each is a word of its own.
_MARKS = bytes(code for code in range(ord("!"), ord("~") + 1) if not chr(code).isalnum())


def _in_words(code: int) -> int:
    """Return what stands for an ASCII character where words are parted by white space: letters are
    in lower case, marks leave room, and NUL is for what is not plain.
    """
    character = chr(code)
    if character.isalnum():
        return ord(character.lower())
    return ord(" ") if character in " \t\n\r" or code in _MARKS else 0


_IN_WORDS = bytes(map(_in_words, range(128))).ljust(256, b"\0")

# A longer word is one unknown token.
_LONGEST_WORD = 100


class WordPieces:
    """Counts texts of plain words; of a short word it remembers how many tokens it has."""

    def __init__(self, vocabulary: Path) -> None:
        """Read a vocabulary, a token a line."""
        self._vocabulary = frozenset(vocabulary.read_text(encoding="utf-8").split("\n"))
        self._longest = max(map(len, self._vocabulary))
        self._known = TokenMemory(self._count_word)

    def count(self, text: str) -> int | None:
        """Return the tokens of a text, None for one that is not plain."""
        if not text.isascii() or _SPECIAL.search(text):
            return None
        data = text.encode("ascii")
        words = data.translate(_IN_WORDS).split()
        n_marks = len(data) - len(data.translate(None, _MARKS))
        try:
            return self._known.total(words) + n_marks
        except _NotPlain:
            return None

    def _count_word(self, word: bytes) -> int:
        if b"\0" in word:
            raise _NotPlain
        if len(word) > _LONGEST_WORD:
            return 1
        mark, rest, n_tokens = "", word.decode("ascii"), 0
        while rest:
            end = min(len(rest), self._longest)
            # Each letter and each digit alone is known.
            while end > 1 and mark + rest[:end] not in self._vocabulary:
                end -= 1
            mark, rest, n_tokens = "##", rest[end:], n_tokens + 1
        return n_tokens


class _NotPlain(Exception):
    """A word holds a control character."""
