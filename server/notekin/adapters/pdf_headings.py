"""Which pieces are headings, and how deep: the layout model's word checked by what all headings of
the document look like, by their numbers, by the file's tags and by its outline. Pure.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter

import regex
from attrs import evolve, frozen

from notekin.adapters.pdf_layout import Piece
from notekin.adapters.pdf_writing import union

MODEL_KINDS = ("title", "section-header")
_PROSE_KINDS = ("text", "loose", "list-item")
_DEEPEST = 6
_LONGEST = 200  # characters
_MOST_LINES = 4
_LARGER = 1.04  # a size beside the body's that is no accident
_MUCH_LARGER = 1.25
_MANY_STYLES = 4
_N_TAGS = 3  # so many headings in the tags, and the tags are believed

_LETTERS = regex.compile(r"\p{L}")
_NUMBERED = regex.compile(
    r"(?:(?i:section|paragraph|abschnitt|article|artikel|clause)\s+)?"
    r"(?P<deep>\d{1,3}(?:\.\d{1,3})*)(?:[.)]?\s+(?=[\p{Lu}\p{Lo}«“\"'(])|[.)]?$)"
    r"|(?P<roman>[IVX]|[IVXLC]{2,6})[.:]\s+(?=\p{Lu})"
    r"|(?P<letter>[A-Z])[.:]\s+(?=\p{Lu})"
    r"|(?P<named>(?i:part|chapter|appendix|kapitel|teil|chapitre|partie))\s+[\dIVXLCA-Z]+\b"
)
_CHAPTER = regex.compile(r"(?i:chapter|kapitel|chapitre)\s+\d+\b(?!\.\d)")
_CAPTION = regex.compile(
    r"\W*(?:fig(?:ure|\.)|table|tab\.|abb(?:ildung|\.)|tabelle|tableau|그림|표|図|表|图)\s*[\dIVX]",
    regex.IGNORECASE,
)
_OPEN_END = regex.compile(r"[,;:.\-\u2010]$|[…。、\uff0c\uff1b]$")
_TOC_LINE = regex.compile(r"\u2026\s*(?:\d+|[ivxlc]+)?$|\s\.{2,}\s*\d+$")
_ADDRESS = regex.compile(r"\S@\S|\bhttps?:|\bwww\.")
_PARTS = regex.compile(r"\W+")


@frozen
class Style:
    """What a heading looks like."""

    size: float
    bold: bool
    capitals: bool


@frozen
class Entry:
    """A line of the file's outline; `page` counts from 1."""

    level: int
    title: str
    page: int


def style_of(piece: Piece) -> Style:
    """Return the look of a piece by its first line."""
    line = piece.lines[0]
    letters = "".join(_LETTERS.findall(piece.text))
    return Style(round(line.peak * 2) / 2, line.bold, len(letters) > 2 and letters.isupper())  # noqa: PLR2004


def body_size(pieces: Iterable[Piece]) -> float:
    """Return the font size that most of the prose has, 0 without prose."""
    sizes: Counter[float] = Counter()
    for piece in pieces:
        if piece.kind in _PROSE_KINDS:
            for line in piece.lines:
                sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def heading_levels(pieces: Sequence[Piece], outline: Sequence[Entry]) -> dict[int, int]:
    """Return the level, from 1 to 6, of the pieces that are headings, by their number."""
    size = body_size(pieces)
    tagged = _tagged(pieces)
    named = _named(pieces, outline)
    found = {number for number, piece in enumerate(pieces) if _is_heading(piece, size)}
    found |= set(_alike(pieces, found, size))
    if len(tagged) >= _N_TAGS:
        found = set(tagged)
    levels = _levels({number: pieces[number] for number in sorted(found)})
    levels.update(tagged)
    return _under_outline(levels, named)


def split_at_titles(pieces: Iterable[Piece], outline: Sequence[Entry]) -> Iterable[Piece]:
    """Yield the pieces, cut where a line of text is a title of the outline on its page: the model
    may take a heading and its text for one.
    """
    titles = {(entry.page, _plain(entry.title)) for entry in outline}
    for piece in pieces:
        if piece.kind not in _PROSE_KINDS or len(piece.lines) < 2:  # noqa: PLR2004
            yield piece
            continue
        cuts = [
            number if (piece.page, _plain(line.text)) in titles else -1
            for number, line in enumerate(piece.lines)
        ]
        for _, lines in groupby(zip(cuts, piece.lines, strict=True), itemgetter(0)):
            held = tuple(line for _, line in lines)
            yield evolve(piece, lines=held, box=union(line.box for line in held))


def _is_heading(piece: Piece, body: float) -> bool:
    """Return whether a piece that the model calls a heading is one."""
    if piece.kind not in MODEL_KINDS or not _may_be_heading(piece):
        return False
    if piece.kind == "title" or _stands_out(piece, body):
        return True
    text = piece.text
    return not _OPEN_END.search(text) and not _LETTERS.findall(text)[0].islower()


def _may_be_heading(piece: Piece) -> bool:
    text = piece.text
    letters = _LETTERS.findall(text)
    if len(text) > _LONGEST or len(piece.lines) > _MOST_LINES:
        return False
    # Two letters; of scripts that write a word with one, one.
    if len(letters) < 2 and not any(each > "\u2e7f" for each in letters):  # noqa: PLR2004
        return False
    if 3 * len(letters) < len(text.replace(" ", "")) or "\ufffd" in text:
        return False
    return not (_CAPTION.match(text) or _TOC_LINE.search(text) or _ADDRESS.search(text))


def _stands_out(piece: Piece, body: float) -> bool:
    style = style_of(piece)
    if style.size >= body * _LARGER or style.bold or _NUMBERED.match(piece.text):
        return True
    return style.capitals and not piece.text.endswith(":")


def _alike(pieces: Sequence[Piece], found: set[int], body: float) -> Iterable[int]:
    """Yield what the model takes for text but looks as at least two headings do, and no text."""
    looks = Counter(style_of(pieces[number]) for number in found)
    prose = Counter(style_of(piece) for piece in pieces if piece.kind in _PROSE_KINDS)
    for number, piece in enumerate(pieces):
        if number in found or piece.kind not in _PROSE_KINDS:
            continue
        if len(piece.lines) > 2 or not _may_be_heading(piece):  # noqa: PLR2004
            continue
        style = style_of(piece)
        if style.size < body * _LARGER and not style.bold:
            continue
        if _OPEN_END.search(piece.text) or (piece.kind == "list-item" and not style.bold):
            continue
        large = style.size >= body * _MUCH_LARGER and piece.kind == "loose"
        if large or (looks[style] >= 2 and prose[style] <= looks[style]):  # noqa: PLR2004
            yield number


def _levels(headings: Mapping[int, Piece]) -> dict[int, int]:
    """Return levels by how the headings look; numbers say how deep they lie among themselves."""
    ranks = _ranks(headings.values())
    has_main = any(_depth(piece.text, 2) == 1 for piece in headings.values())
    depths = {
        number: depth
        for number, piece in headings.items()
        if (depth := _depth(piece.text, 2 if has_main else 1)) is not None
    }
    # "Chapter 1" above "Paragraph 1.1", where they look alike: else its look says more.
    dotted = {style_of(headings[number]) for number, depth in depths.items() if depth > 1}
    for number, piece in headings.items():
        if style_of(piece) in dotted and _CHAPTER.match(piece.text):
            depths[number] = 1
    shallowest = min(depths.values(), default=1)
    tops = Counter(
        ranks[style_of(headings[number])] - depth + 1
        for number, depth in depths.items()
        if depth == shallowest
    )
    top = max(tops.most_common(1)[0][0], 1) if tops else 1
    levels = {number: top + depth - 1 for number, depth in depths.items()}
    of_style: dict[Style, Counter[int]] = {}
    for number, level in levels.items():
        of_style.setdefault(style_of(headings[number]), Counter())[level] += 1
    for number, piece in headings.items():
        style = style_of(piece)
        same = of_style.get(style)
        levels.setdefault(number, same.most_common(1)[0][0] if same else ranks[style])
    return {number: min(level, _DEEPEST) for number, level in levels.items()}


def _ranks(headings: Iterable[Piece]) -> dict[Style, int]:
    n_of_style = Counter(style_of(piece) for piece in headings)
    ordered = sorted(n_of_style, key=lambda each: (-each.size, not each.capitals, not each.bold))
    if len(ordered) <= _MANY_STYLES:
        return {style: rank for rank, style in enumerate(ordered, start=1)}
    # A look that comes once, as on a cover, does not push the others down.
    ranks: dict[Style, int] = {}
    rank = 1
    for style in ordered:
        ranks[style] = rank
        rank += n_of_style[style] > 1
    return ranks


def _depth(text: str, of_letter: int) -> int | None:
    found = _NUMBERED.match(text)
    if found is None or found["named"] is not None:
        return None
    if found["deep"] is not None:
        return found["deep"].count(".") + 1
    return 1 if found["roman"] is not None else of_letter


def _tagged(pieces: Sequence[Piece]) -> dict[int, int]:
    tags = {
        number: tag
        for number, piece in enumerate(pieces)
        if (tag := piece.lines[0].tag) and all(line.tag == tag for line in piece.lines)
    }
    return {
        number: min(int(tag[1:] or "1"), _DEEPEST)
        for number, tag in tags.items()
        if _LETTERS.search(pieces[number].text)
    }


def _named(pieces: Sequence[Piece], outline: Sequence[Entry]) -> dict[int, int]:
    """Return the level of the pieces that the outline names, each entry's on its page."""
    wanted: dict[tuple[int, str], list[int]] = {}
    for entry in outline:
        key = (entry.page, _plain(entry.title))
        if key[1]:
            wanted.setdefault(key, []).append(min(max(entry.level, 1), _DEEPEST))
    found: dict[int, int] = {}
    for number, piece in enumerate(pieces):
        if len(piece.lines) > _MOST_LINES or piece.kind in ("table", "picture", "page-footer"):
            continue
        for name in _names(piece.text):
            levels = wanted.get((piece.page, name))
            if levels:
                found[number] = levels.pop(0)
                break
    return found


def _names(text: str) -> Iterable[str]:
    """Yield what an outline may call a heading: with its number, and without."""
    yield _plain(text)
    numbered = _NUMBERED.match(text)
    if numbered is not None:
        yield _plain(text[numbered.end() :])


def _plain(text: str) -> str:
    return _PARTS.sub("", text.casefold())


def _under_outline(levels: dict[int, int], named: Mapping[int, int]) -> dict[int, int]:
    """Let the outline decide; headings that it leaves out lie below the entry before them."""
    if not named:
        return levels
    merged: dict[int, int] = {}
    above = 0
    for number in sorted({*levels, *named}):
        if number in named:
            above = merged[number] = named[number]
        else:
            merged[number] = min(max(levels[number], above + 1), _DEEPEST)
    return merged
