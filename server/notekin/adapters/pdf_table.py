"""The cells of a table: words put where the model's grid says."""

from bisect import bisect_right
from collections.abc import Sequence

from notekin.adapters.pdf_values import Fragment, Grid, Word
from notekin.core.pages import Box


def table_rows(
    grid: Grid, fragments: Sequence[Fragment], words: Sequence[Word]
) -> tuple[tuple[str, ...], ...]:
    """Return the texts of the cells, row by row; rows and columns without text are left out."""
    cells: dict[tuple[int, int], list[str]] = {}
    for fragment in fragments:
        inside = [word for word in words if _is_in(word.box, fragment.box)]
        for text, box in _placed(fragment, inside):
            row = bisect_right(grid.rows, (box[1] + box[3]) / 2)
            column = bisect_right(grid.columns, (box[0] + box[2]) / 2)
            cells.setdefault((row, column), []).append(text)
    rows = sorted({row for row, _ in cells})
    columns = sorted({column for _, column in cells})
    return tuple(
        tuple(" ".join(" ".join(cells.get((row, column), ())).split()) for column in columns)
        for row in rows
    )


def _placed(fragment: Fragment, words: Sequence[Word]) -> Sequence[tuple[str, Box]]:
    """Return the words of a fragment; the fragment as a whole where they are not its text."""
    if "".join(word.text for word in words) == "".join(fragment.text.split()):
        return [(word.text, word.box) for word in words]
    return [(fragment.text, fragment.box)]


def _is_in(inner: Box, outer: Box) -> bool:
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]


def as_markdown(rows: Sequence[Sequence[str]]) -> str:
    """Return a table as Markdown, a row a line, the first as its head."""
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    lines.insert(1, "|" + " --- |" * len(rows[0]))
    return "\n".join(lines)
