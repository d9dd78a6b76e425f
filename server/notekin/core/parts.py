"""Dividing a block that is too large for a passage: by paragraphs, sentences, words, graphemes.

Each level is a regular expression whose match ends where the next part begins. None of them
backtracks over more than a run of one class, so dividing is linear.
"""

from collections.abc import Sequence
from itertools import pairwise

import regex

from notekin.core.note import Span

_LINE_END = r"(?:\r\n|\r|\n)"

_ITEMS = regex.compile(_LINE_END + r"(?=(?:[-*+]|\d{1,9}[.)])[ \t])")
_PARAGRAPHS = regex.compile(_LINE_END + r"(?=[ \t>]*" + _LINE_END + ")")
_LINES = regex.compile(_LINE_END)
_SENTENCES = regex.compile(r"[.!?…‽؟।][\"'’”»)\]*_]*\s+|[。！？｡]+[」』”’）]*")  # noqa: RUF001 - the marks of other scripts
_CLAUSES = regex.compile(r"[,;:—–]\s+|[、，；：]")  # noqa: RUF001 - the marks of other scripts
_WORDS = regex.compile(r"\s+")

_PROSE = (_PARAGRAPHS, _SENTENCES, _LINES, _CLAUSES, _WORDS)
_ROWS = (_LINES, _SENTENCES, _WORDS)
_CODE = (_PARAGRAPHS, _LINES, _WORDS)
_LEVELS = {
    "code": _CODE,
    "table": _ROWS,
    "math": _CODE,
    "html": _CODE,
    "list": (_ITEMS, *_PROSE),
}

# Where even a word is too large: runs of graphemes with this many code points, counted from its
# start. A grapheme may be longer than that; one that is too large is cut between code points.
_RUN = 64
_GRAPHEMES = regex.compile(r"\X")


def divide(text: str, span: Span, kind: str, level: int) -> list[Span]:
    """Return the parts of `span` at `level`, 0 the coarsest, without white space around them.

    Past the levels of its kind, a part is a run of graphemes, then (further past) half of the
    code points, so that repeated dividing always ends.
    """
    levels = _LEVELS.get(kind, _PROSE)
    if level < len(levels):
        matches = levels[level].finditer(text, span.start, span.end)
        bounds = [span.start, *(match.end() for match in matches)]
    elif level == len(levels):
        bounds = [*_grapheme_runs(text, span)]
    else:
        half = max(1, (span.end - span.start) // 2)
        bounds = [*range(span.start, span.end, half)]
    if bounds[-1] != span.end:
        bounds.append(span.end)
    whole = (stripped(text, Span(start, end)) for start, end in pairwise(bounds))
    return [part for part in whole if part.start < part.end]


def breaks_words(kind: str, level: int) -> bool:
    """Return whether `divide` cuts inside words at this level."""
    return level >= len(_LEVELS.get(kind, _PROSE))


def stripped(text: str, span: Span) -> Span:
    """Return `span` without the white space at both ends."""
    content = text[span.start : span.end]
    start = span.start + len(content) - len(content.lstrip())
    end = span.start + len(content.rstrip())
    return Span(start, max(start, end))


def first_graphemes(text: str, n_characters: int) -> str:
    """Return the longest start of `text` that has `n_characters` and cuts no grapheme."""
    if len(text) <= n_characters:
        return text
    end = 0
    for match in _GRAPHEMES.finditer(text):
        if match.end() > n_characters:
            break
        end = match.end()
    return text[:end]


def _grapheme_runs(text: str, span: Span) -> Sequence[int]:
    content = text[span.start : span.end]
    if content.isascii() and "\r" not in content:
        return range(span.start, span.end, _RUN)
    bounds = [span.start]
    for match in _GRAPHEMES.finditer(text, span.start, span.end):
        if match.end() - bounds[-1] > _RUN and match.start() > bounds[-1]:
            bounds.append(match.start())
    return bounds
