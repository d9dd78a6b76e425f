# ruff: noqa: RUF001 the letters of other scripts are meant
"""Stems: one spelling for the forms of a word, by the script it is written in.

Which language a Latin word is of cannot be told from the word alone; the English stemmer does
the others little harm. Arabic is stemmed by prefixes and suffixes only, after Larkey,
Ballesteros and Connell 2007 (light10), because the Snowball stemmer at hand leaves it alone.
"""

from typing import Protocol, cast

import py_rust_stemmers
import regex


class _Stemmer(Protocol):
    def stem_word(self, word: str) -> str: ...


def stem(word: str) -> str:
    """Return the stem of a folded word; a word of digits or mixed scripts is its own."""
    if word.isascii():  # by far the most, and matching a pattern takes longer than stemming
        return _ENGLISH.stem_word(word) if len(word) >= _SHORTEST and word.isalpha() else word
    for script, stemmer in _STEMMERS:
        if script.fullmatch(word):
            return stemmer.stem_word(word) or word
    return word


class _ArabicLight:
    """Takes off article, conjunction and common endings where two letters remain."""

    _prefixes = ("وال", "بال", "كال", "فال", "لل", "ال")
    _suffixes = ("ها", "ان", "ات", "ون", "ين", "يه", "ه", "ي")
    _letters = str.maketrans("أإآىة", "ااايه")

    def stem_word(self, word: str) -> str:
        word = word.translate(self._letters)
        if word.startswith("و") and len(word) > 3:  # noqa: PLR2004 as the paper says
            word = word[1:]
        for prefix in self._prefixes:
            if word.startswith(prefix) and len(word) - len(prefix) >= 2:  # noqa: PLR2004
                word = word.removeprefix(prefix)
                break
        for suffix in self._suffixes:
            if len(word) - len(suffix) >= 2:  # noqa: PLR2004
                word = word.removesuffix(suffix)
        return word


def _snowball(language: str) -> _Stemmer:
    # The package ships no types.
    return cast("_Stemmer", py_rust_stemmers.SnowballStemmer(language))  # pyright: ignore[reportUnknownMemberType, reportAttributeAccessIssue]


_SHORTEST = 3
_ENGLISH = _snowball("english")
_STEMMERS = (
    (regex.compile(r"\p{Latin}{3,}+"), _ENGLISH),
    (regex.compile(r"\p{Cyrillic}{3,}+"), _snowball("russian")),
    (regex.compile(r"\p{Greek}{3,}+"), _snowball("greek")),
    (regex.compile(r"\p{Tamil}{3,}+"), _snowball("tamil")),
    (regex.compile(r"\p{Arabic}{3,}+"), _ArabicLight()),
)
