"""The shipped tokenizer's counter, and how a long text is cut by a model's own tokenizer.

Tokenizers are imported when one is loaded; no text is ever given to one whole, whatever its size.
"""

import os
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from notekin.adapters import models
from notekin.adapters.token_memory import TokenMemory
from notekin.adapters.wordpiece import WordPieces
from notekin.app.ports import CountTokens

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

# A tokenizer call never sees more than this many characters at once: a text of 2 MB in one call
# would hold the interpreter's lock for more than a second.
_MAX_PIECE = 16_384

# Python takes these for white space; the tokenizer drops them, and so joins what they part.
_UNSEEN = re.compile("[\x0b\x0c\x1c-\x1f\x85]")

_SURROGATE = re.compile("[\ud800-\udfff]")


def token_counter() -> CountTokens:
    """Return a function that counts tokens of the shipped tokenizer, one number a text.

    Special tokens ([CLS] and [SEP], two a passage) are not counted, nothing is truncated. The
    function may be called from any thread and does not hold the interpreter's lock for long.
    """
    return _Counter(models.bundled_tokenizer())


class _Counter:
    """Counts plain texts by their words, others by white-space pieces, of which it remembers what
    a short one counted.

    The tokenizer never joins what white space parts, so a text has as many tokens as its pieces,
    and notes are written with few distinct ones: several times quicker than counting whole texts.
    The tokenizer is loaded for the first piece that is not plain.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._words = WordPieces(folder / "vocab.txt")
        self._pieces = TokenMemory(self._count_piece)

    def __call__(self, texts: Sequence[str]) -> Sequence[int]:
        return [self._count(text) for text in texts]

    def _count(self, text: str) -> int:
        n_tokens = self._words.count(text) if len(text) <= _MAX_PIECE else None
        return self._pieces.total(_apart(readable(text))) if n_tokens is None else n_tokens

    def _count_piece(self, piece: str) -> int:
        n_tokens = self._words.count(piece)
        if n_tokens is None:
            [encoding] = self._tokenizer.encode_batch_fast([piece], add_special_tokens=False)
            return len(encoding)
        return n_tokens

    @cached_property
    def _tokenizer(self) -> "Tokenizer":
        return whole_tokenizer(self._folder)


def _apart(text: str) -> list[str]:
    """Return the pieces of `text` that the tokenizer reads apart, none too long for one call."""
    pieces = _UNSEEN.sub("", text).split()
    if len(text) <= _MAX_PIECE:
        return pieces
    return [part for piece in pieces for part in _pieces(piece, _MAX_PIECE)]


@frozen
class Cutter:
    """Cuts a document into parts that fit a model's window, prefix and special tokens included."""

    _tokenizer: "Tokenizer"
    _window: int
    _prefix: str

    def parts(self, text: str) -> Sequence[str]:
        """Return the parts in order, of about equal length; a short text is its only part."""
        pieces = _pieces(text, _MAX_PIECE) or [text]
        return [part for piece in pieces for part in self._parts(piece)]

    def _parts(self, text: str) -> Iterator[str]:
        encoding = self._encode(text)
        if len(encoding.ids) <= self._window or len(text) < 2:  # noqa: PLR2004  # cannot be cut
            yield text
            return
        cut = self._cut(text, encoding)
        yield from self._parts(text[:cut])
        yield from self._parts(text[cut:])

    def _cut(self, text: str, encoding: "Encoding") -> int:
        """Return where to cut `text` so that both sides fill whole windows about equally."""
        n_taken = len(self._encode("").ids)
        n_tokens = len(encoding.ids) - n_taken
        n_parts = ceil(n_tokens / max(self._window - n_taken, 1))
        middle = n_taken + n_tokens * (n_parts // 2) // n_parts
        end: int = encoding.offsets[middle][0] - len(self._prefix)
        return _last_space(text, min(max(end, 1), len(text) - 1))

    def _encode(self, text: str) -> "Encoding":
        return self._tokenizer.encode(self._prefix + readable(text))


def readable(text: str) -> str:
    """Return `text` with lone surrogates replaced, which no tokenizer takes; as long as before."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def _pieces(text: str, size: int) -> list[str]:
    """Return `text` in pieces of at most `size` characters, cut at white space where there is."""
    pieces: list[str] = []
    start = 0
    while start < len(text):
        end = start + size
        if end < len(text):
            end = start + _last_space(text[start:end], size)
        pieces.append(text[start:end])
        start = end
    return pieces


def _last_space(text: str, end: int) -> int:
    """Return the place after the last white space in the second half before `end`, else `end`."""
    for place in range(end, end // 2, -1):
        if text[place - 1].isspace():
            return place
    return end


def whole_tokenizer(folder: Path) -> "Tokenizer":
    """Return a folder's tokenizer, freed of the truncation and padding its file asks for."""
    from tokenizers import Tokenizer

    # Batches here are short words; spreading them over threads costs more than it gains.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
