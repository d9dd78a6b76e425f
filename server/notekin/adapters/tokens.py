"""The shipped tokenizer's counter, and how a long text is cut by a model's own tokenizer.

Tokenizers are imported when one is loaded; no text is ever given to one whole, whatever its size.
"""

import re
from collections.abc import Iterator, Sequence
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from notekin.adapters import models
from notekin.app.ports import CountTokens

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

# A tokenizer call never sees more than this many characters at once: a text of 2 MB in one call
# would hold the interpreter's lock for more than a second.
_MAX_PIECE = 16_384

_SURROGATE = re.compile("[\ud800-\udfff]")


def token_counter() -> CountTokens:
    """Return a function that counts tokens of the shipped tokenizer, one number a text.

    Special tokens ([CLS] and [SEP], two a passage) are not counted, nothing is truncated. The
    function may be called from any thread and does not hold the interpreter's lock for long.
    """
    tokenizer = whole_tokenizer(models.bundled_tokenizer())

    def count(texts: Sequence[str]) -> Sequence[int]:
        counts = [0] * len(texts)
        owners: list[int] = []
        batch: list[str] = []
        for owner, text in enumerate(texts):
            for piece in _pieces(readable(text), _MAX_PIECE):
                owners.append(owner)
                batch.append(piece)
        for owner, n_tokens in zip(owners, _n_tokens(tokenizer, batch), strict=True):
            counts[owner] += n_tokens
        return counts

    return count


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

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _n_tokens(tokenizer: "Tokenizer", texts: list[str]) -> list[int]:
    """Return how many tokens each text has, special ones not counted."""
    encodings = tokenizer.encode_batch_fast(texts, add_special_tokens=False)
    return [len(encoding) for encoding in encodings]
