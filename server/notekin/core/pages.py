"""Where in a PDF something stands."""

from attrs import frozen

Box = tuple[float, float, float, float]
"""Left, top, right and bottom in points (1/72 inch), from the page's top left corner."""


@frozen
class PageRange:
    """The pages a passage stands on, from 1, and the boxes of its blocks with their pages."""

    first: int
    last: int
    boxes: tuple[tuple[int, Box], ...] = ()
