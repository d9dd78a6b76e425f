"""The one tokenizer: index, queries, highlights and coverage all read text through it.

A text is cut at white space; each piece gives words (folded and stemmed), identifiers whole
and in parts, and overlapping pairs of characters where a script does not part its words. What
a short piece gives is remembered, so that a long text costs little more than its vocabulary.

A term never holds white space, `"` or NUL, no ASCII capital, and of ASCII punctuation only
`TOKEN_CHARACTERS`: terms joined by spaces go through FTS5's `ascii` tokenizer unchanged.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import regex
from attrs import frozen
from py_rust_stemmers import SnowballStemmer

from notekin.core.folding import fold
from notekin.core.stopwords import STOP_WORDS

TERMS_VERSION = 1
"""Grows whenever the terms of any text change; an index of another version is rebuilt."""

TOKEN_CHARACTERS = "#+-.:@"
"""The ASCII punctuation that terms may contain."""

_LONGEST_TERM = 64
_LONGEST_REMEMBERED = 48
_LONGEST_WHOLE = 256

_PIECE = regex.compile(r"\S+")


@frozen
class Term:
    """A term and where it was read: code points `[start, end)` of the text."""

    term: str
    start: int
    end: int


class _Found(NamedTuple):
    """A term in a piece of text. `stop`: a stop word. `spare`: only the index wants it."""

    term: str
    start: int
    end: int
    stop: bool = False
    spare: bool = False


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
    """Return the distinct terms to ask for; stop words only where there is nothing else."""
    found = [each for piece in query.split() for each in _found_in(piece) if not each.spare]
    telling = [each for each in found if not each.stop] or found
    return tuple(dict.fromkeys(each.term for each in telling))


def _terms_of(piece: str) -> Iterable[str]:
    if len(piece) <= _LONGEST_REMEMBERED:
        return _remembered_terms(piece)
    return [found.term for found in _read(piece)]


def _found_in(piece: str) -> Iterable[_Found]:
    return _remembered(piece) if len(piece) <= _LONGEST_REMEMBERED else _read(piece)


@lru_cache(maxsize=1 << 16)
def _remembered_terms(piece: str) -> tuple[str, ...]:
    return tuple(found.term for found in _read(piece))


@lru_cache(maxsize=1 << 12)
def _remembered(piece: str) -> tuple[_Found, ...]:
    return tuple(_read(piece))


# --- what a piece is made of -----------------------------------------------------------------

_IDEOGRAPHS = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\u3005\u3007\u3099-\u309C\u30FC\uFF70\uFF9E\uFF9F\U000E0100-\U000E01EF"
_UNSPACED = r"\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_LETTER = rf"[\p{{L}}\p{{M}}\p{{N}}\u00AD\u200C\u200D--[{_IDEOGRAPHS}{_UNSPACED}]]"

# An own name for each alternative: `lastgroup` tells which one matched. Quantifiers are
# possessive, so that the longest line is read in linear time.
_TOKEN = regex.compile(
    rf"""
      (?P<blob>[A-Za-z0-9+/_-]{{64,}}+)
    | (?P<ideographs>[{_IDEOGRAPHS}]++)
    | (?P<unspaced>[{_UNSPACED}]++)
    | (?P<dotted>(?<![\w.)\]])\.(?=\p{{L}}))?
      (?P<word>
        {_LETTER}++
        (?: (?: (?:[.@'’‐‑-]|_++)
              | (?<=\d):(?=\d)
              | (?<=\d),(?=\d{{3}}(?!\d)) )
            {_LETTER}++ )*+
        (?P<suffix>(?:\+\+|\+|\#)(?!\w))?+
      )
    | (?P<emoji>(?:\p{{RI}}\p{{RI}}|[\p{{Extended_Pictographic}}--[©®™]]))
    """,
    regex.VERBOSE | regex.VERSION1,
)
_PART = regex.compile(rf"{_LETTER}++", regex.VERSION1)
_WORD_AGAIN = regex.compile(r"[A-Za-z0-9]++(?:[_-]++[A-Za-z0-9]++)*+")
_CLUSTER = regex.compile(r"\X")
_MARKED = regex.compile(r"\p{M}|[\uFF61-\uFFDC]")
_HUMP = regex.compile(r"(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})")
_ENDING = regex.compile(r"(?i)['’](?:s|ll|re|ve|d|m)$")
_HAN = regex.compile(r"\p{Han}")


def _read(piece: str) -> Iterator[_Found]:
    """Yield the terms of a text without white space."""
    for match in _TOKEN.finditer(piece):
        yield from _READERS[match.lastgroup or ""](match)


def _read_word(match: regex.Match[str]) -> Iterator[_Found]:
    start, end = match.span("word")
    if match["dotted"]:
        folded = fold(match["word"])
        yield _Found(f".{folded}"[:_LONGEST_TERM], start - 1, end)
    suffix = match["suffix"] or ""
    word = match["word"].removesuffix(suffix)
    if suffix:
        yield _Found(f"{fold(word)}{suffix}"[:_LONGEST_TERM], start, end)
        if len(word) == 1:
            return
    yield from _compound(word, start)


def _compound(word: str, offset: int) -> Iterator[_Found]:
    """Yield a word that may have joints (`multi-agent`, `1.0.21`): whole, then its parts."""
    if ending := _ENDING.search(word):
        word = word[: ending.start()]
    if word.isalnum():
        yield from _simple(word, offset)
        return
    parts = [(part.group(), part.start(), part.end()) for part in _PART.finditer(word)]
    whole = _joined(word, parts) if len(word) <= _LONGEST_WHOLE else ""
    if whole:
        yield _term(whole, offset, offset + len(word))
    if len(parts) == 1 or word.lower().endswith(("n't", "n’t")):
        return
    for part, start, _ in parts:
        # A single letter or digit tells nothing: `3.1` is not about 3, nor `e-mail` about e.
        if len(part) > 1 or not part.isascii():
            yield from _simple(part, offset + start)


def _simple(word: str, offset: int) -> Iterator[_Found]:
    """Yield a word without joints: whole, then the humps of `camelCase`."""
    folded = fold(word)
    if folded:
        yield _term(folded, offset, offset + len(word))
    if word.islower() or word.isupper() or word.istitle() or len(word) > _LONGEST_WHOLE:
        return
    edges = [0, *(hump.start() for hump in _HUMP.finditer(word)), len(word)]
    if len(edges) == 2:
        return
    for start, end in pairwise(edges):
        if end - start > 1:
            yield _term(fold(word[start:end]), offset + start, offset + end)


def _joined(word: str, parts: list[tuple[str, int, int]]) -> str:
    """Return a compound as one term. Hyphens and underscores stay between digits only, so that
    `multi-agent`, `multi_agent` and `multiAgent` meet while `1-2` and `12` do not."""
    if not parts:
        return ""
    folded = [fold(part) for part, _, _ in parts]
    acronym = all(len(part) == 1 and part.isalpha() for part in folded)
    whole = folded[0]
    for (_, _, end), (_, start, _), part in zip(parts, parts[1:], folded[1:], strict=False):
        joint = word[end:start]
        if joint in ".:@" and not acronym:
            whole += joint
        elif joint[0] in "-_‐‑" and whole[-1:].isdigit() and part[:1].isdigit():
            whole += "-"
        whole += part
    return whole


def _read_blob(match: regex.Match[str]) -> Iterator[_Found]:
    """Yield base64 and its like as one term; a long path or slug as its words."""
    text = match.group()
    n_marks = sum(map(text.count, "+/_-"))
    cases = text.upper() != text and text.lower() != text
    if cases and n_marks * 10 <= len(text) and any(digit in text for digit in "0123456789"):
        yield _Found(fold(text[:_LONGEST_TERM]), match.start(), match.end())
        return
    for word in _WORD_AGAIN.finditer(text):
        yield from _compound(word.group(), match.start() + word.start())


def _read_ideographs(match: regex.Match[str]) -> Iterator[_Found]:
    """Yield pairs of characters, and Han characters alone, which are words of their own."""
    units = list(_units(match.group(), match.start()))
    alone = len(units) == 1
    for unit in units:
        if alone or _HAN.match(unit.term):
            yield unit._replace(spare=not alone)
    for one, other in pairwise(units):
        yield _Found(one.term + other.term, one.start, other.end)


def _read_unspaced(match: regex.Match[str]) -> Iterator[_Found]:
    """Yield pairs of clusters (a letter with its vowel signs and tones)."""
    units = list(_units(match.group(), match.start()))
    if len(units) == 1:
        yield units[0]
    for one, other in pairwise(units):
        yield _Found(one.term + other.term, one.start, other.end)


def _units(run: str, offset: int) -> Iterator[_Found]:
    """Yield what a reader takes for one character, folded."""
    if not _MARKED.search(run):
        for index, character in enumerate(run, offset):
            if folded := fold(character):
                yield _Found(folded, index, index + 1)
        return
    for cluster in _CLUSTER.finditer(run):
        if folded := fold(cluster.group()):
            yield _Found(folded, offset + cluster.start(), offset + cluster.end())


def _read_emoji(match: regex.Match[str]) -> Iterator[_Found]:
    yield _Found(match.group(), match.start(), match.end())


_READERS: dict[str, Callable[[regex.Match[str]], Iterator[_Found]]] = {
    "blob": _read_blob,
    "ideographs": _read_ideographs,
    "unspaced": _read_unspaced,
    "word": _read_word,
    "emoji": _read_emoji,
}


# --- stems -----------------------------------------------------------------------------------

# The script decides: which language a Latin word is of cannot be told from the word, and the
# English stemmer does the others little harm.
_STEMMERS = (
    (regex.compile(r"\p{Latin}{3,}"), SnowballStemmer("english")),
    (regex.compile(r"\p{Cyrillic}{3,}"), SnowballStemmer("russian")),
    (regex.compile(r"\p{Greek}{3,}"), SnowballStemmer("greek")),
    (regex.compile(r"\p{Tamil}{3,}"), SnowballStemmer("tamil")),
)


def _term(folded: str, start: int, end: int) -> _Found:
    return _Found(_stem(folded[:_LONGEST_TERM]), start, end, stop=folded in STOP_WORDS)


def _stem(word: str) -> str:
    for script, stemmer in _STEMMERS:
        if script.fullmatch(word):
            return stemmer.stem_word(word) or word
    return word
