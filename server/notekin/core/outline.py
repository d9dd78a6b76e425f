"""The path of headings while a document is read from top to bottom."""

from attrs import define, field


@define
class Outline:
    """The headings that the present line lies under, and the first heading of all."""

    title: str = ""
    _open: list[tuple[int, str]] = field(factory=list[tuple[int, str]])

    @property
    def path(self) -> tuple[str, ...]:
        """Return the open headings, outermost first."""
        return tuple(text for _, text in self._open)

    def enter(self, level: int, text: str) -> tuple[str, ...]:
        """Open a heading of `level` (1 is the highest), closing those it ends; return the path."""
        while self._open and self._open[-1][0] >= level:
            self._open.pop()
        self._open.append((level, text))
        self.title = self.title or text
        return self.path
