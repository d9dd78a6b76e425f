"""What others say is in their PDFs, and how near what was read comes to it."""

import csv
import json
import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from attrs import define, frozen

from notekin.core.note import Span
from notekin.core.pdf import PdfContent, readable

Heading = tuple[int, str, int]
"""Page, text, level."""

_WORD = re.compile(r"\w+")
_MARKUP = re.compile(r"<!--.*?-->|<[^>]+>|\\(?=[_*#$&%])|&\w+;|[*`|]|!\[[^]]*\]\([^)]*\)")
_HYPHEN = re.compile(r"(?<=\w)-\n(?=\w)")
_NUMBER = re.compile(
    r"^(?:(?:chapter|part|appendix|section)\s+)?(?:\d+(?:[.-]\d+)*|[IVX]+|[A-Z])(?:-[A-Z0-9]+)*"
    r"(?:[.):]\s*|\s+)(?=\S)",
    re.IGNORECASE,
)

# Where no expected text gives the order, the file does: their makers wrote column by column.
COLUMNS = (
    "sample-files/multicolumn.pdf",
    "pdfjs/tracemonkey.pdf",
    "pdfbox/PDFBOX-3042-003177-p2.pdf",
    "pdfbox/PDFBOX-3110-poems-beads.pdf",
    "pdfplumber/issue-982-example.pdf",
    "docling/2206.01062_pg3.pdf",
)
# The first words of a poem's lines, from its print (Miyazawa Kenji, 1924).
VERTICAL = (
    "pdfminer/jo.pdf",
    (
        *("わたくしといふ", "假定された", "あらゆる透明な", "風景やみんなと", "せはしくせはしく"),
        *("いかにもたしかに", "因果交流電燈の", "みんなが同時に", "それのいろいろの"),
    ),
)
RIGHT_TO_LEFT = (
    "docling/right_to_left_01.pdf",
    "docling/right_to_left_02.pdf",
    "pdfbox/hello3.pdf",
)


@frozen
class Entry:
    """A line of an outline; `on_page` tells that its title stands on the page it leads to."""

    level: int
    title: str
    page: int
    on_page: bool


@define(slots=False)
class Archive:
    """The files of the archive, and what their makers say of them."""

    folder: Path

    @cached_property
    def rows(self) -> dict[str, dict[str, str]]:
        """The lines of the index, by file."""
        with (self.folder / "index.csv").open(encoding="utf-8", newline="") as file:
            return {row["file"]: row for row in csv.DictReader(file)}

    def texts(self, source: str) -> Iterator[tuple[str, str]]:
        """Yield files and their expected texts, of those whose truth has the name `source`."""
        for name, row in self.rows.items():
            if row["truth"].startswith(source):
                path = re.search(r"\S+\.(?:txt|md)\b", row["truth"])
                if path is not None:
                    yield name, (self.folder / path[0]).read_text("utf-8-sig")

    def outlines(self) -> Iterator[tuple[str, list[Entry]]]:
        """Yield files and their outlines, of those with a title on its page."""
        for path in sorted((self.folder / "outline").glob("*.json")):
            entries = [
                Entry(each["level"], each["title"], each["page"], each["title_on_page"])
                for each in json.loads(path.read_text("utf-8"))
            ]
            if any(entry.on_page for entry in entries):
                yield path.stem.replace("__", "/", 1), entries


def words(text: str, *, whole: bool = True) -> Counter[str]:
    """Return the words of a text; `whole` joins those that a line breaks."""
    text = unicodedata.normalize("NFKC", _MARKUP.sub(" ", text))
    return Counter(_WORD.findall((_HYPHEN.sub("", text) if whole else text).casefold()))


def word_recall(expected: str, found: str) -> tuple[int, int]:
    """Return how many of the expected words were found, and how many there are."""
    # Some truths have words as the lines break them, others as they are: the nearer one counts.
    pairs = [
        (sum((wanted & words(found)).values()), wanted.total())
        for wanted in (words(expected), words(expected, whole=False))
    ]
    return max(pairs, key=lambda pair: pair[0] / max(pair[1], 1))


@define
class HeadingScore:
    """Headings of all files together; `n_other` are headings that the outline names, but not on
    that page, or with other words: they count neither for nor against.
    """

    n_expected: int = 0
    n_found: int = 0
    n_wrong: int = 0
    n_other: int = 0
    n_pairs: int = 0
    n_in_order: int = 0

    @property
    def recall(self) -> float:
        return self.n_found / max(self.n_expected, 1)

    @property
    def precision(self) -> float:
        """Of the headings on pages that an entry leads to: all others count as wrong."""
        return self.n_found / max(self.n_found + self.n_wrong + self.n_other, 1)

    @property
    def fair_precision(self) -> float:
        """The same without those that the outline names in other words."""
        return self.n_found / max(self.n_found + self.n_wrong, 1)

    @property
    def order(self) -> float:
        """Of neighbouring entries that were found: how many go deeper, or not, as they should."""
        return self.n_in_order / max(self.n_pairs, 1)

    def add(self, found: Sequence[Heading], entries: Sequence[Entry]) -> None:
        """Count the headings of one file."""
        expected = [entry for entry in entries if entry.on_page]
        taken: set[int] = set()
        levels: list[tuple[int, int]] = []
        for entry in expected:
            for number, (page, text, level) in enumerate(found):
                if number not in taken and page == entry.page and _same(text, entry.title):
                    taken.add(number)
                    levels.append((entry.level, level))
                    break
        pages = {entry.page for entry in expected}
        for number, (page, text, _) in enumerate(found):
            if number in taken or page not in pages:
                continue
            named = any(
                _same(text, entry.title) and abs(page - entry.page) <= 1
                for entry in entries
                if not entry.on_page
            )
            self.n_other += named
            self.n_wrong += not named
        self.n_expected += len(expected)
        self.n_found += len(taken)
        for (wanted, got), (wanted_next, got_next) in pairwise(levels):
            self.n_pairs += 1
            self.n_in_order += _sign(wanted_next - wanted) == _sign(got_next - got)


def headings(content: PdfContent) -> list[Heading]:
    """Return the headings of a document."""
    return [(each.page, each.text, each.level) for each in content.blocks if each.kind == "heading"]


def _same(text: str, title: str) -> bool:
    if _plain(text) == _plain(title):
        return True
    left, right = _plain(_NUMBER.sub("", text)), _plain(_NUMBER.sub("", title))
    return left == right or (len(right) > 3 and left.endswith(right) and len(left) < len(right) + 7)


def _plain(text: str) -> str:
    return "".join(_WORD.findall(text.casefold())).replace("_", "")


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


class Finder:
    """Finds text in a readable document, whatever its white space and punctuation."""

    def __init__(self, content: PdfContent) -> None:
        kept = [
            (letter, place)
            for place, character in enumerate(readable(content).text)
            for letter in unicodedata.normalize("NFKC", character).casefold()
            if letter.isalnum()
        ]
        self._letters = "".join(letter for letter, _ in kept)
        self._places = [place for _, place in kept]

    def place(self, text: str) -> int | None:
        """Return where a text begins, None where it is not, or more than once."""
        span = self.span(text)
        return None if span is None else span.start

    def span(self, text: str) -> Span | None:
        """Return where a text stands, None where it does not, or more than once."""
        wanted = _letters(text)
        first = self._letters.find(wanted)
        if first < 0 or not wanted or self._letters.find(wanted, first + 1) >= 0:
            return None
        return Span(self._places[first], self._places[first + len(wanted) - 1] + 1)


def _letters(text: str) -> str:
    whole = unicodedata.normalize("NFKC", _HYPHEN.sub("", text)).casefold()
    return "".join(letter for letter in whole if letter.isalnum())


def sentences(text: str, least: int = 40) -> list[str]:
    """Return the longer sentences of a text."""
    found = re.split(r"(?<=[.!?])\s+", text)
    return [each for each in found if len(_letters(each)) >= least]


def share_in_order(pieces: Sequence[str], place: Callable[[str], int | None]) -> tuple[float, int]:
    """Return the share of the pieces that stand in one order (their longest rising run), and how
    many were found at all.
    """
    places = [found for piece in pieces if (found := place(piece)) is not None]
    tails: list[int] = []
    for each in places:
        at = bisect_left(tails, each)
        tails[at : at + 1] = [each]
    return len(tails) / max(len(places), 1), len(places)
