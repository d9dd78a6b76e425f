"""Characters and scripts of a PDF's text: what came out garbled, and how pieces are joined."""

import unicodedata
from collections.abc import Callable, Iterable, Sequence

import regex
from attrs import evolve

from notekin.adapters.pdf_values import Fragment
from notekin.core.pages import Box

_RIGHT_TO_LEFT = regex.compile(r"[\p{Hebrew}\p{Arabic}\p{Syriac}\p{Thaana}\p{Nko}]")
_LETTER = regex.compile(r"\p{L}")
# Letters of typography: Latin, Armenian, Hebrew and Arabic ligatures and forms of letters.
_FORMS = regex.compile(r"[\uFB00-\uFDFF\uFE70-\uFEFC]+")
# The space between them is lost or misplaced when a line is turned around.
_BETWEEN_SCRIPTS = regex.compile(
    r"(?<=[\p{Arabic}\p{Hebrew}])(?=\p{Latin})|(?<=\p{Latin})(?=[\p{Arabic}\p{Hebrew}])"
)
_NO_TEXT = regex.compile(r"[\p{Cc}\p{Cs}\p{Co}\uFEFF\u200B-\u200F\u202A-\u202E\u2066-\u2069]")
_BULLET_OF_SYMBOL_FONTS = regex.compile(r"[\uF0B7\uF0A7\uF076\uF0D8\uF0FC\uF02D]")
_UNSPACED = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\u3000-\u303F\uFF00-\uFFEF]"
)
_NO_WIDTH = 0.01  # points
_HYPHENS = "-\u2010\u00ad"
_BROKEN_WORD = regex.compile(r"(\p{L}[\p{L}\p{M}'\u2019-]*)[-\u2010\u00ad]$")
_WORD_START = regex.compile(
    r"(?P<word>[\p{Ll}\p{Lo}][\p{L}\p{M}]*(?:-[\p{L}\p{M}]+)*)(?P<after>\S*)"
)


def readable_characters(text: str) -> str:
    """Return `text` without ligatures, forms of letters and what is no text."""
    if text.isascii() and text.isprintable():
        return text
    text = _BULLET_OF_SYMBOL_FONTS.sub("\u2022", text)
    text = _FORMS.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)
    text = _BETWEEN_SCRIPTS.sub(" ", text)
    return _NO_TEXT.sub(lambda found: " " if found[0].isspace() else "", text)


def is_right_to_left(text: str) -> bool:
    """Return whether there is a letter of a script that is written from right to left."""
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None


def runs_right_to_left(texts: Iterable[str]) -> bool:
    """Return whether most letters are of such a script."""
    whole = "".join(texts)
    return not whole.isascii() and 2 * len(_RIGHT_TO_LEFT.findall(whole)) > len(
        _LETTER.findall(whole)
    )


def mended_ligatures(text: str, widths: Sequence[float]) -> str:
    """Return `text` with the letters of right-to-left ligatures in the order they are read.

    A ligature is one glyph: the file gives its letters in reading order, the first with the
    glyph's width, the others with none. Turning the line around turned them as well.
    """
    letters = list(text)
    start = 0
    while start < len(letters):
        end = start
        while end + 1 < len(letters) and widths[end] < _NO_WIDTH and _is_base(letters[end]):
            end += 1
        if end > start and _RIGHT_TO_LEFT.match(letters[end]):
            letters[start : end + 1] = reversed(letters[start : end + 1])
        start = end + 1
    return "".join(letters)


def _is_base(letter: str) -> bool:
    return _RIGHT_TO_LEFT.match(letter) is not None and not unicodedata.combining(letter)


Mend = Callable[[str, str], str | None]
"""Says what the halves of a word that was broken at a line's end make together, None when the
hyphen is the word's own.
"""


def joined(left: str, right: str, mend: Mend) -> str:
    """Return two lines of a paragraph as one."""
    if not left or not right:
        return left or right
    whole = with_whole_word(left, right, mend)
    if whole is not None:
        return "".join(whole)
    if _UNSPACED.match(left[-1]) and _UNSPACED.match(right[0]):
        return left + right
    if left[-1] == "\u00ad":
        return left[:-1] + right
    if left[-1] in _HYPHENS and _LETTER.match(left[-2:-1]) and _LETTER.match(right):
        return left + right
    return f"{left} {right}"


def with_whole_word(left: str, right: str, mend: Mend) -> tuple[str, str] | None:
    """Return two texts of which the first ends with the word that stood in both, and what sticks
    to it; None when no word did.
    """
    broken = _BROKEN_WORD.search(left)
    start = _WORD_START.match(right) if broken is not None else None
    if broken is None or start is None:
        return None
    whole = mend(broken[1], start["word"])
    if whole is None:
        whole = f"{broken[1]}-{start['word']}"
    return left[: broken.start()] + whole + start["after"], right[start.end() :]


class Words:
    """The words of a document, to tell a hyphen of a line's end from one of a word."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._known: set[str] = set()
        for text in texts:
            # The last word of a line may be half a word, and so may the first.
            self._known.update(each.lower() for each in _WHOLE.findall(text)[1:-1])

    def mended(self, left: str, right: str) -> str | None:
        """Return the whole word, None when it keeps its hyphen."""
        head, tail = left.rsplit("-", 1)[-1], right.split("-", 1)[0]
        whole = (head + tail).lower()
        if whole in self._known:
            return left + right
        hyphenated = f"{left}-{right}".lower()
        if hyphenated in self._known or f"{head}-{tail}".lower() in self._known:
            return None
        # A word that has a hyphen already ("just-in-" + "time") is likely to have one more.
        return None if "-" in left else left + right


_WHOLE = regex.compile(r"[\p{L}\p{M}]+(?:[-\u2010][\p{L}\p{M}]+)*")


def upright(fragments: Sequence[Fragment]) -> list[Fragment]:
    """Return the fragments with letters of vertical fonts, that come one by one, made to runs."""
    runs: list[Fragment] = []
    for each in fragments:
        previous = runs[-1] if runs else None
        if previous is None or not (previous.vertical and each.vertical):
            runs.append(each)
            continue
        turn = _follows(previous, each)
        if turn is None or (turn != previous.turn and len(previous.text) > 1):
            runs.append(each)
            continue
        box = union((previous.box, each.box))
        runs[-1] = evolve(previous, text=previous.text + each.text, box=box, turn=turn)
    return [_laid_down(each) for each in runs if each.text.strip()]


def _follows(left: Fragment, right: Fragment) -> int | None:
    """Return the turn of what two letters of a vertical font make, None when they are apart."""
    size = max(left.size, right.size, 1.0)
    if abs(left.box[0] - right.box[0]) < size / 2 and -size / 2 < right.box[1] - left.box[3] < size:
        return 1
    if abs(left.box[3] - right.box[3]) < size / 3 and 0 < right.box[2] - left.box[2] < 2 * size:
        return 0
    return None


def _laid_down(fragment: Fragment) -> Fragment:
    """A vertical font whose letters go from left to right is a horizontal one to a reader."""
    if not fragment.vertical or fragment.turn:
        return fragment
    return evolve(fragment, vertical=False)


def union(boxes: Iterable[Box]) -> Box:
    """Return the smallest box around all."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
