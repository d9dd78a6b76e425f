"""Cutting a readable document whose blocks are lost: each passage begins with the end of the one
before, so that what a lost boundary tore apart stands together once.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from attrs import evolve

from notekin.core.chunks import LIMITS, N_SPECIAL_TOKENS, CountTokens, Limits, cut
from notekin.core.note import Document, Passage, Span
from notekin.core.text import text_hash

N_OVERLAP = 220
"""How many characters of the passage before stand in the next one, at most."""

# A quarter of the window is what 220 characters take in most languages.
_TOKENS_SHARE = 4
_WORD_START = re.compile(r"(?<=\s)\S")


def cut_overlapping(document: Document, count_tokens: CountTokens) -> tuple[Passage, ...]:
    """As `chunks.cut`, but passages under the same heading overlap."""
    smaller = Limits(
        LIMITS.n_characters - N_OVERLAP, LIMITS.n_tokens - LIMITS.n_tokens // _TOKENS_SHARE
    )
    passages = cut(document, count_tokens, smaller)
    return tuple(_extended(document.text, passages, count_tokens))


def _extended(
    text: str, passages: Sequence[Passage], count_tokens: CountTokens
) -> Iterator[Passage]:
    yield from passages[:1]
    for before, passage in pairwise(passages):
        if before.headings == passage.headings:
            yield _with_some_before(text, before.span, passage, count_tokens)
        else:
            yield passage


def _with_some_before(
    text: str, before: Span, passage: Passage, count_tokens: CountTokens
) -> Passage:
    """Return the passage with as much of the text before it as fits."""
    n_characters = N_OVERLAP
    while n_characters > N_OVERLAP // 8:
        earliest = max(before.start, passage.span.start - n_characters)
        word = _WORD_START.search(text, max(earliest, before.start + 1), passage.span.start)
        if word is None:
            break
        longer = _from(text, word.start(), passage)
        if count_tokens([longer.embedded])[0] + N_SPECIAL_TOKENS <= LIMITS.n_tokens:
            return longer
        n_characters //= 2
    return passage


def _from(text: str, start: int, passage: Passage) -> Passage:
    span = Span(start, passage.span.end)
    longer = evolve(passage, span=span, text=text[span.start : span.end])
    return evolve(longer, hash=text_hash(longer.embedded))
