"""The one tokenizer: index, queries, highlights and coverage all read text through it.

A text is cut at white space, and `core.words` reads each piece. What a short piece gives is
remembered, so that a long text costs little more than its vocabulary.

A term never holds white space, `"` or NUL, no ASCII capital, and of ASCII punctuation only
`TOKEN_CHARACTERS`: terms joined by spaces go through FTS5's `ascii` tokenizer unchanged.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

import regex
from attrs import frozen

from notekin.core.words import TOKEN_CHARACTERS, Found, read

__all__ = [
    "TERMS_VERSION",
    "TOKEN_CHARACTERS",
    "Term",
    "index_terms",
    "located",
    "query_terms",
    "weighted_terms",
]

TERMS_VERSION = 1
"""Grows whenever the terms of any text change; an index of another version is rebuilt."""

_LONGEST_REMEMBERED = 48
_MOST_REPEATS = 3  # of one term in a query; more of the same hurts (docs/decisions/0004)

_PIECE = regex.compile(r"\S+")


@frozen
class Term:
    """A term and where it was read: code points `[start, end)` of the text."""

    term: str
    start: int
    end: int


def index_terms(text: str) -> list[str]:
    """Return all terms of `text` in reading order, repeated as often as they stand there."""
    terms: list[str] = []
    for piece in text.split():
        terms.extend(_terms_of(piece))
    return terms


def located(text: str) -> Iterator[Term]:
    """Yield the terms of `index_terms`, in the same order, each with its place."""
    for match in _PIECE.finditer(text):
        offset = match.start()
        for found in _found_in(match.group()):
            yield Term(found.term, offset + found.start, offset + found.end)


def query_terms(query: str) -> tuple[str, ...]:
    """Return the distinct terms of a query, for coverage and highlights.

    Stop words stay only where there is nothing else.
    """
    return tuple(dict.fromkeys(found.term for found in _telling(query) if not found.spare))


def weighted_terms(query: str) -> tuple[str, ...]:
    """Return the terms to ask the text index for; one said twice stands there twice.

    BM25 adds up over them, so a repeated word weighs more. Single Han characters are among
    them, which tells passages apart where only one character of a pair is shared.
    """
    counted = Counter(found.term for found in _telling(query))
    return tuple(
        term for term, n_times in counted.items() for _ in range(min(n_times, _MOST_REPEATS))
    )


def _telling(query: str) -> list[Found]:
    found = [each for piece in query.split() for each in _found_in(piece)]
    return [each for each in found if not each.stop] or found


def _terms_of(piece: str) -> Iterable[str]:
    if len(piece) <= _LONGEST_REMEMBERED:
        return _remembered_terms(piece)
    return [found.term for found in read(piece)]


def _found_in(piece: str) -> Iterable[Found]:
    return _remembered(piece) if len(piece) <= _LONGEST_REMEMBERED else read(piece)


@lru_cache(maxsize=1 << 16)
def _remembered_terms(piece: str) -> tuple[str, ...]:
    return tuple(found.term for found in read(piece))


@lru_cache(maxsize=1 << 12)
def _remembered(piece: str) -> tuple[Found, ...]:
    return tuple(read(piece))
