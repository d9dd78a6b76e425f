"""What a text without white space is made of: words, identifiers, characters, emoji.

Words are folded and stemmed. Identifiers are read whole and in parts. Scripts that do not part
their words give overlapping pairs of characters.
"""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple
from unicodedata import is_normalized

import regex

from notekin.core.folding import fold
from notekin.core.stemming import stem
from notekin.core.stopwords import STOP_WORDS

TOKEN_CHARACTERS = "#+-.:@"  # noqa: S105 a set of punctuation
"""The ASCII punctuation that terms may contain."""

_LONGEST_TERM = 64
_LONGEST_WHOLE = 256
_SHORTEST_BLOB = 64

# ASCII punctuation that no term holds and nothing in front of a term or after it looks at; and
# what may be taken off the two ends of a piece besides.
_BORDERS = str.maketrans(
    dict.fromkeys('!"$%&()*/;<=>?[\\]^`{|}~\u201c\u201d\u2014\u3001\u3002\uff0c', " ")
)
_BORDERS_BUT_CLOSING = {code: to for code, to in _BORDERS.items() if chr(code) not in ")]"}
_BEFORE_WORDS = "#'+,-:@"
_AFTER_WORDS = "',-.:@"


class Found(NamedTuple):
    """A term at code points `[start, end)` of a piece of text.

    `stop` marks a stop word, `spare` a character that stands in a pair as well.
    """

    term: str
    start: int
    end: int
    stop: bool = False
    spare: bool = False


_IDEOGRAPHS = (
    r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}"
    # Iteration and voicing marks, the long vowel in both widths, variation selectors.
    r"\u3005\u3007\u3099-\u309C\u30FC\uFF70\uFF9E\uFF9F\U000E0100-\U000E01EF"
)
_UNSPACED = r"\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_LETTER = rf"[\p{{L}}\p{{M}}\p{{N}}\u00AD\u200C\u200D--[{_IDEOGRAPHS}{_UNSPACED}]]"

_BLOB = regex.compile(rf"[A-Za-z0-9+/_-]{{{_SHORTEST_BLOB},}}+")

# An own name for each alternative: `lastgroup` tells which one matched. Quantifiers are
# possessive, so that the longest line is read in linear time.
_TOKEN = regex.compile(
    rf"""
      (?P<blob>{_BLOB.pattern})
    | (?P<ideographs>[{_IDEOGRAPHS}]++)
    | (?P<unspaced>[{_UNSPACED}]++)
    | (?P<dotted>(?<![\w.)\]])\.(?=\p{{L}}))?
      (?P<word>
        {_LETTER}++
        (?: (?: (?:[.@'\u2019\u2010\u2011-]|_++)
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
_MARKED = regex.compile(r"\p{M}|[\u309B\u309C]|\p{Nd}")
_HUMP = regex.compile(r"(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})")
_JOINT = re.compile(r"[-_.]")
_DROPPED_JOINT = re.compile(r"[-_]")
_KEPT_JOINT = re.compile(r"\d[-_]\d")
_ENDING = regex.compile(r"(?i)['\u2019](?:s|ll|re|ve|d|m)$")


def cut(piece: str) -> list[str]:
    """Return parts that `read` takes for the same terms as `piece`; `[piece]` if there are none.

    Quicker than reading, and most parts are words that were read before. Only what no term
    holds is left out, and what decides about no neighbour: after `)` a dot begins no name.
    """
    if len(piece) >= _SHORTEST_BLOB and _BLOB.search(piece):
        return [piece]
    piece = piece.rstrip(_AFTER_WORDS)
    borders = _BORDERS_BUT_CLOSING if ")." in piece or "]." in piece else _BORDERS
    return [
        core
        for part in piece.translate(borders).replace("::", " ").replace("--", " ").split()
        if (core := part.lstrip(_BEFORE_WORDS).rstrip(_AFTER_WORDS))
    ]


def plain_terms(piece: str) -> tuple[str, ...] | None:
    """Return the terms of a plain ASCII word or of such words joined by single marks.

    The same as `read` gives, ten times as fast, for nine pieces of ten; None for the others.
    """
    if not piece.isascii() or len(piece) >= _SHORTEST_BLOB:
        return None
    piece = piece.strip("_")
    if _is_plain(piece):
        return (stem(piece.lower()),)
    parts = _JOINT.split(piece)
    return _plain_compound(piece, parts) if all(map(_is_plain, parts)) else None


def plain_found(piece: str) -> Found | None:
    """Return the one term of a plain ASCII word, whatever marks stand around it.

    The same as `read` finds, five times as fast; None for what may be anything else.
    """
    parts = cut(piece)
    if len(parts) != 1 or len(parts[0]) >= _SHORTEST_BLOB:
        return None
    (word,) = parts
    if not (word.isascii() and _is_plain(word)):
        return None
    start = piece.index(word)
    return _term(word.lower(), start, start + len(word))


def _is_plain(word: str) -> bool:
    return word.isalnum() and (word.islower() or word.isupper() or word.istitle() or word.isdigit())


def _plain_compound(piece: str, parts: list[str]) -> tuple[str, ...] | None:
    folded = [part.lower() for part in parts]
    if "-" in piece or "_" in piece:
        if _KEPT_JOINT.search(piece):
            return None  # between digits it stays
        whole = _DROPPED_JOINT.sub("", piece).lower()
    else:
        whole = piece.lower()
    if all(len(part) == 1 and part.isalpha() for part in folded):
        whole = "".join(folded)  # an acronym
    return (stem(whole), *(stem(part) for part in folded if len(part) > 1))


def read(piece: str) -> Iterator[Found]:
    """Yield the terms of a text without white space."""
    for match in _TOKEN.finditer(piece):
        yield from _READERS[match.lastgroup or ""](match)


def _read_word(match: regex.Match[str]) -> Iterator[Found]:
    start, end = match.span("word")
    if match["dotted"]:
        folded = fold(match["word"])
        yield Found(f".{folded}"[:_LONGEST_TERM], start - 1, end)
    suffix = match["suffix"] or ""
    word = match["word"].removesuffix(suffix)
    if suffix:
        yield Found(f"{fold(word)}{suffix}"[:_LONGEST_TERM], start, end)
        if len(word) == 1:
            return
    yield from _compound(word, start)


def _compound(word: str, offset: int) -> Iterator[Found]:
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
    if len(parts) == 1 or word.lower().endswith(("n't", "n\u2019t")):
        return
    for part, start, _ in parts:
        # A single letter or digit tells nothing: `3.1` is not about 3, nor `e-mail` about e.
        if len(part) > 1 or not part.isascii():
            yield from _simple(part, offset + start)


def _simple(word: str, offset: int) -> Iterator[Found]:
    """Yield a word without joints: whole, then the humps of `camelCase`."""
    folded = fold(word)
    if folded:
        yield _term(folded, offset, offset + len(word))
    if word.islower() or word.isupper() or word.istitle() or len(word) > _LONGEST_WHOLE:
        return
    humps = [hump.start() for hump in _HUMP.finditer(word)]
    for start, end in pairwise([0, *humps, len(word)] if humps else []):
        if end - start > 1:
            yield _term(fold(word[start:end]), offset + start, offset + end)


def _joined(word: str, parts: list[tuple[str, int, int]]) -> str:
    """Return a compound as one term.

    Hyphens and underscores stay between digits only, so that `multi-agent`, `multi_agent` and
    `multiAgent` meet while `1-2` and `12` do not.
    """
    if not parts:
        return ""
    folded = [fold(part) for part, _, _ in parts]
    acronym = all(len(part) == 1 and part.isalpha() for part in folded)
    whole = folded[0]
    for (_, _, end), (_, start, _), part in zip(parts, parts[1:], folded[1:], strict=False):
        joint = word[end:start]
        if joint in ".:@" and not acronym:
            whole += joint
        elif joint[0] in "-_\u2010\u2011" and whole[-1:].isdigit() and part[:1].isdigit():
            whole += "-"
        whole += part
    return whole


def _read_blob(match: regex.Match[str]) -> Iterator[Found]:
    """Yield base64 and its like as one term; a long path or slug as its words."""
    text = match.group()
    n_marks = sum(map(text.count, "+/_-"))
    cases = text.upper() != text and text.lower() != text
    if cases and n_marks * 10 <= len(text) and any(digit in text for digit in "0123456789"):
        yield Found(fold(text[:_LONGEST_TERM]), match.start(), match.end())
        return
    for word in _WORD_AGAIN.finditer(text):
        yield from _compound(word.group(), match.start() + word.start())


def _read_ideographs(match: regex.Match[str]) -> Iterator[Found]:
    """Yield Han characters, which are words of their own, and pairs of characters."""
    units = _units(match.group(), match.start())
    alone = len(units) == 1
    for text, start, end in units:
        if alone or "\u3400" <= text <= "\u9fff" or text >= "\U00020000":
            yield Found(text, start, end, False, not alone)  # noqa: FBT003 twice as fast by place
    for (one, start, _), (other, _, end) in pairwise(units):
        yield Found(one + other, start, end)


def _read_unspaced(match: regex.Match[str]) -> Iterator[Found]:
    """Yield pairs of clusters (a letter with its vowel signs and tones)."""
    units = _units(match.group(), match.start())
    if len(units) == 1:
        yield Found(*units[0])
    for (one, start, _), (other, _, end) in pairwise(units):
        yield Found(one + other, start, end)


def _units(run: str, offset: int) -> list[tuple[str, int, int]]:
    """Return what a reader takes for one character, folded, each with its place."""
    if is_normalized("NFKC", run) and not _MARKED.search(run):
        return [(character, place, place + 1) for place, character in enumerate(run, offset)]
    return [
        (folded, offset + cluster.start(), offset + cluster.end())
        for cluster in _CLUSTER.finditer(run)
        if (folded := fold(cluster.group()))
    ]


def _read_emoji(match: regex.Match[str]) -> Iterator[Found]:
    yield Found(match.group(), match.start(), match.end())


_READERS: dict[str, Callable[[regex.Match[str]], Iterator[Found]]] = {
    "blob": _read_blob,
    "ideographs": _read_ideographs,
    "unspaced": _read_unspaced,
    "word": _read_word,
    "emoji": _read_emoji,
}


def _term(folded: str, start: int, end: int) -> Found:
    return Found(stem(folded[:_LONGEST_TERM]), start, end, stop=folded in STOP_WORDS)
