"""Where in a PDF something stands."""

from bisect import bisect_right
from collections.abc import Iterable

from attrs import frozen

Box = tuple[float, float, float, float]
"""Left, top, right and bottom in points (1/72 inch), from the page's top left corner."""


@frozen
class PageRange:
    """The pages a passage stands on, from 1, and the boxes of its blocks with their pages.

    Of a passage on several pages, `starts` has where in its text (in code points) what stands on
    a page begins, and the page; the first begins at 0.
    """

    first: int
    last: int
    boxes: tuple[tuple[int, Box], ...] = ()
    starts: tuple[tuple[int, int], ...] = ()

    def best(self, found: Iterable[tuple[int, str]]) -> int:
        """Return the page that holds the most of the terms `found`, each counted once, which are
        given with their places in the passage's text; of several such pages, and of none, the
        first.
        """
        held: dict[int, set[str]] = {self.first: set()}
        for place, term in found if self.starts else ():
            held.setdefault(self._at(place), set()).add(term)
        return min(held, key=lambda page: (-len(held[page]), page))

    def _at(self, place: int) -> int:
        return self.starts[bisect_right(self.starts, place, key=lambda each: each[0]) - 1][1]
