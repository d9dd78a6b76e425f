"""The one tokenizer: index, queries, highlights and coverage all read text through it.

A text is cut at white space, and `core.words` reads each piece. What a short piece gives is
remembered, so that a long text costs little more than its vocabulary: the first index of a
vault reads millions of words, of which all but some thousands were read before.

A term never holds white space, `"` or NUL, no ASCII capital, and of ASCII punctuation only
`TOKEN_CHARACTERS`: terms joined by spaces go through FTS5's `ascii` tokenizer unchanged.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, compress, filterfalse, repeat
from operator import contains, not_
from typing import NamedTuple

import regex
from attrs import define, field, frozen

from notekin.core.note import Span
from notekin.core.words import TOKEN_CHARACTERS, Found, cut, plain_found, plain_terms, read

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
_LONGEST_LOCATED = 128
_MOST_REMEMBERED = 1 << 16  # pieces; then all are forgotten
_MOST_REPEATS = 3  # of one term in a query; more of the same hurts (docs/decisions/0004)

# An ASCII piece as its terms know it: small letters and digits only. A stem has `i` for some `y`.
_BARE = {
    code: chr(code).lower().replace("y", "i") if chr(code).isalnum() else None
    for code in range(128)
    if chr(code) != "\n"
}
_SHORTEST_BEGINNING = 2  # a term that is no longer stands whole in its piece

_PIECE = regex.compile(r"\S+")


@frozen
class Term:
    """A term and where it was read: code points `[start, end)` of the text."""

    term: str
    start: int
    end: int


def index_terms(text: str) -> list[str]:
    """Return all terms of `text` in reading order, repeated as often as they stand there."""
    return list(chain.from_iterable(map(_REMEMBERED.__getitem__, text.split())))


def located(text: str) -> Iterator[Term]:
    """Yield the terms of `index_terms`, in the same order, each with its place."""
    for match in _PIECE.finditer(text):
        offset = match.start()
        for found in _found_in(match.group()):
            yield Term(found.term, offset + found.start, offset + found.end)


@define(eq=False)
class Finder:
    """Finds the terms in `wanted` in texts; of a word that was met before it knows whether it holds
    one, so many texts take little longer than their vocabulary.
    """

    wanted: frozenset[str]
    _beginnings: frozenset[str] = field(init=False)
    _met: set[str] = field(factory=set[str], init=False)
    _holding: dict[str, "_Holding"] = field(factory=dict[str, "_Holding"], init=False)

    def __attrs_post_init__(self) -> None:
        self._beginnings = frozenset(map(_beginning, filter(str.isascii, self.wanted)))

    def places(self, text: str) -> Iterator[Term]:
        """Yield what `located` yields of the terms wanted, reading only pieces with one."""
        for start, piece in self._pieces(text):
            for found in self._holding[piece].found:
                yield Term(found.term, start + found.start, start + found.end)

    def spans(self, text: str) -> list[Span]:
        """Return where the terms wanted stand in `text`, overlapping ones joined, in order."""
        return [
            Span(start + first, start + last)
            for start, piece in self._pieces(text)
            for first, last in self._holding[piece].joined
        ]

    def _pieces(self, text: str) -> list[tuple[int, str]]:
        """Return where which pieces with a wanted term stand, in order."""
        pieces = set(text.split())
        self._meet(pieces - self._met)
        held = pieces.intersection(self._holding)
        return sorted((start, piece) for piece in held for start in _places(piece, text))

    def _meet(self, pieces: set[str]) -> None:
        self._met |= pieces
        read_before = [piece for piece in pieces if piece in _REMEMBERED]
        # Without a loop of Python: most pieces hold nothing, and a search meets hundreds.
        hold_none = map(self.wanted.isdisjoint, map(_REMEMBERED.__getitem__, read_before))
        likely = self._likely(pieces.difference(read_before))
        for piece in chain(compress(read_before, map(not_, hold_none)), likely):
            found = tuple(each for each in _found_in(piece) if each.term in self.wanted)
            if found:
                self._holding[piece] = _Holding(found, _joined(found))

    def _likely(self, unread: set[str]) -> set[str]:
        """Return the pieces that may hold a term wanted: to read one takes a hundred times as long,
        and what is found first in a vault is made of hundreds that were never read.
        """
        bare = "\n".join(unread).translate(_BARE)
        likely = set[str]() if bare.isascii() else set(filterfalse(str.isascii, unread))
        beginnings = [each for each in self._beginnings if each in bare]
        bare_pieces = bare.split("\n") if beginnings else []
        for beginning in beginnings:
            likely.update(compress(unread, map(contains, bare_pieces, repeat(beginning))))
        return likely


def _beginning(term: str) -> str:
    """Return what stands in the bare letters of every ASCII piece that holds an ASCII term.

    A word begins as its stem does, of which the last letter may be another one: `using` has the
    stem `use`, `capability` has `capabl`.
    """
    bare = term.translate(_BARE)
    return bare[:-1] if len(bare) > _SHORTEST_BEGINNING else bare


class _Holding(NamedTuple):
    """What a piece holds of the terms wanted, and where, overlapping ones joined."""

    found: tuple[Found, ...]
    joined: tuple[tuple[int, int], ...]


def _joined(found: Iterable[Found]) -> tuple[tuple[int, int], ...]:
    joined: list[tuple[int, int]] = []
    for start, end in sorted((each.start, each.end) for each in found):
        if joined and start < joined[-1][1]:
            start_before, end_before = joined.pop()
            joined.append((start_before, max(end, end_before)))
        else:
            joined.append((start, end))
    return tuple(joined)


def _places(piece: str, text: str) -> Iterator[int]:
    """Yield where a piece stands in a text, white space or an end on both of its sides."""
    start = text.find(piece)
    while start >= 0:
        end = start + len(piece)
        if text[start - 1 : start].strip() == text[end : end + 1].strip() == "":
            yield start
        start = text.find(piece, end)


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


def _found_in(piece: str) -> Iterable[Found]:
    return _remembered(piece) if len(piece) <= _LONGEST_LOCATED else read(piece)


@lru_cache(maxsize=1 << 12)
def _remembered(piece: str) -> tuple[Found, ...]:
    plain = plain_found(piece)
    return tuple(read(piece)) if plain is None else (plain,)


class _Memory(dict[str, tuple[str, ...]]):
    """The terms of pieces: looking one up in C, reading it where it is new.

    Any thread may look up; two that read the same piece find the same.
    """

    def __missing__(self, piece: str) -> tuple[str, ...]:
        parts = [piece] if piece.isalnum() else cut(piece)
        if parts == [piece]:
            terms = plain_terms(piece) or tuple(found.term for found in read(piece))
        elif len(parts) == 1:
            terms = self[parts[0]]
        else:
            terms = tuple(chain.from_iterable(map(self.__getitem__, parts)))
        if len(piece) <= _LONGEST_REMEMBERED:
            if len(self) >= _MOST_REMEMBERED:
                self.clear()
            self[piece] = terms
        return terms


_REMEMBERED = _Memory()
