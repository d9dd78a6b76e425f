"""The path of headings while a document is read from top to bottom."""

from attrs import define, field


@define
class Outline:
    """The headings that the present line lies under, outermost first, and the first of all."""

    title: str = ""
    path: tuple[str, ...] = ()
    _levels: list[int] = field(factory=list[int])

    def enter(self, level: int, text: str) -> tuple[str, ...]:
        """Open a heading of `level` (1 is the highest), closing those it ends; return the path."""
        while self._levels and self._levels[-1] >= level:
            self._levels.pop()
        self.path = (*self.path[: len(self._levels)], text)
        self._levels.append(level)
        self.title = self.title or text
        return self.path
