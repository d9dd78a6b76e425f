"""From a page's fragments and regions to its pieces, in the order they are read. Pure."""

from collections.abc import Iterable, Sequence
from itertools import groupby

import regex
from attrs import frozen

from notekin.adapters.pdf_order import in_reading_order
from notekin.adapters.pdf_table import table_rows
from notekin.adapters.pdf_values import Fragment, PageDraft, Region
from notekin.adapters.pdf_writing import runs_right_to_left, union, upright
from notekin.core.pages import Box

_LEAST_OVERLAP = 0.5
_LEADERS = regex.compile(r"\s?(?:\.\s?){5,}")  # dots that lead to a number
_COLUMN_LINES = 3
_COLUMN_WIDTH = 20  # characters a line; what is narrower may be the names of a form
_HEAVIER = 1.08  # a step of font size that the eye sees


@frozen
class Line:
    """A line of a piece. `x` is where it starts, along its direction, in points."""

    text: str
    box: Box
    size: float
    peak: float
    bold: bool
    mono: bool
    tag: str
    x: float


@frozen
class Piece:
    """A paragraph, heading, list item, table … of a page. `kind` is the class of its region;
    `rows` are the cells of a table, row by row.
    """

    kind: str
    page: int
    box: Box
    lines: tuple[Line, ...]
    rows: tuple[tuple[str, ...], ...] = ()

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)


def pieces_of(draft: PageDraft) -> list[Piece]:
    """Return the pieces of a page in reading order; no text is lost, nor comes twice."""
    fragments = upright(draft.fragments)
    n_vertical = sum(len(each.text) for each in fragments if each.vertical)
    vertical = 2 * n_vertical > sum(len(each.text) for each in fragments)
    # The model was made for horizontal writing: of columns it makes pictures and tables.
    regions = () if vertical or draft.regions is None else draft.regions
    backward = runs_right_to_left(each.text for each in fragments)
    made: list[Piece] = []
    for region, held in _shared_out(fragments, regions):
        if region.grid is not None and draft.words:
            made.append(_table(region, held, draft))
            continue
        made += _pieces(region.kind, held, draft.number)
    if vertical:
        return in_reading_order(made, lambda piece: _turned(piece.box, 1), least_height=0.0)
    return in_reading_order(made, lambda piece: piece.box, backward=backward)


def _shared_out(
    fragments: Sequence[Fragment], regions: Sequence[Region]
) -> Iterable[tuple[Region, list[Fragment]]]:
    held: dict[int, list[Fragment]] = {}
    rest: list[Fragment] = []
    for fragment in fragments:
        best, best_size = -1, 0.0
        for number, region in enumerate(regions):
            if _overlap(fragment.box, region.box) < _LEAST_OVERLAP:
                continue
            size = _area(region.box)
            if best < 0 or size < best_size:
                best, best_size = number, size
        if best < 0:
            rest.append(fragment)
        else:
            held.setdefault(best, []).append(fragment)
    for number, region in enumerate(regions):
        if number in held:
            yield region, held[number]
    for group in _blocks(rest):
        yield Region("loose", union(each.box for each in group)), group


def _blocks(fragments: Sequence[Fragment]) -> Iterable[list[Fragment]]:
    """Yield what the file keeps together, cut where the look of the lines changes."""
    for _, block in groupby(fragments, key=lambda each: (each.block, each.turn)):
        group: list[Fragment] = []
        for each in block:
            if group and _looks_other(group[-1], each):
                yield group
                group = []
            group.append(each)
        if group:
            yield group


def _looks_other(left: Fragment, right: Fragment) -> bool:
    if _frame(right)[1] < _frame(left)[3] - right.size / 2:
        return False  # They stand on one line.
    steps = max(left.size, right.size) / max(min(left.size, right.size), 1.0)
    return left.bold != right.bold or steps > _HEAVIER or left.tag != right.tag


def _pieces(kind: str, fragments: Sequence[Fragment], page: int) -> Iterable[Piece]:
    for turn in sorted({each.turn for each in fragments}):
        for column in _columns([each for each in fragments if each.turn == turn]):
            lines = lines_of(column)
            yield Piece(kind, page, union(line.box for line in lines), tuple(lines))


def _columns(fragments: list[Fragment]) -> list[list[Fragment]]:
    """Return what stands in one region as columns, where the model took two for one: text on
    both sides of a gap that runs through all of its lines.
    """
    columns: list[list[Fragment]] = []
    edge = 0.0
    for each in sorted(fragments, key=lambda each: _frame(each)[0]):
        left, _, right, _ = _frame(each)
        if columns and left < edge + each.size / 2:
            columns[-1].append(each)
            edge = max(edge, right)
        else:
            columns.append([each])
            edge = right
    return columns if all(map(_is_column, columns)) else [fragments]


def _is_column(fragments: Sequence[Fragment]) -> bool:
    n_letters = sum(len(each.text) for each in fragments)
    return len(fragments) >= _COLUMN_LINES and n_letters >= _COLUMN_WIDTH * len(fragments)


def lines_of(fragments: Sequence[Fragment]) -> list[Line]:
    """Return the fragments, which have one direction, as lines from the first to the last."""
    backward = runs_right_to_left(each.text for each in fragments)
    placed = sorted(((_frame(each), each) for each in fragments), key=lambda each: _middle(each[0]))
    rows: list[list[tuple[Box, Fragment]]] = []
    for frame, fragment in placed:
        if rows and _on_one_line(rows[-1], frame):
            rows[-1].append((frame, fragment))
        else:
            rows.append([(frame, fragment)])
    return [_line(row, backward=backward) for row in rows]


def _on_one_line(row: Sequence[tuple[Box, Fragment]], frame: Box) -> bool:
    top, bottom = max(each[0][1] for each in row), min(each[0][3] for each in row)
    shared = min(bottom, frame[3]) - max(top, frame[1])
    return shared > min(bottom - top, frame[3] - frame[1]) / 2


def _line(row: list[tuple[Box, Fragment]], *, backward: bool) -> Line:
    row.sort(key=lambda each: -each[0][2] if backward else each[0][0])
    text = ""
    edge = 0.0
    for frame, fragment in row:
        near, far = (-frame[2], -frame[0]) if backward else (frame[0], frame[2])
        if text and near - edge > fragment.size * 0.15 and not text[-1].isspace():
            text += " "
        text += fragment.text
        edge = far
    longest = max((fragment for _, fragment in row), key=lambda each: len(each.text))
    return Line(
        text=_LEADERS.sub(" \u2026 ", " ".join(text.split())),
        box=union(fragment.box for _, fragment in row),
        size=longest.size,
        peak=max(fragment.peak for _, fragment in row),
        bold=longest.bold,
        mono=all(fragment.mono for _, fragment in row),
        tag=longest.tag,
        x=min(frame[0] for frame, _ in row),
    )


def _frame(fragment: Fragment) -> Box:
    return _turned(fragment.box, fragment.turn)


def _turned(box: Box, turn: int) -> Box:
    """Return the box with x along the direction of writing and y from line to line."""
    left, top, right, bottom = box
    if turn == 1:
        return top, -right, bottom, -left
    if turn == 2:  # noqa: PLR2004
        return -right, -bottom, -left, -top
    return (-bottom, left, -top, right) if turn else box


def _table(region: Region, fragments: Sequence[Fragment], draft: PageDraft) -> Piece:
    lines = [
        line
        for turn in sorted({each.turn for each in fragments})
        for line in lines_of([each for each in fragments if each.turn == turn])
    ]
    box = union(line.box for line in lines)
    rows = () if region.grid is None else table_rows(region.grid, fragments, draft.words)
    if len(rows) > 1 and len(rows[0]) > 1:
        return Piece(region.kind, draft.number, box, tuple(lines), rows)
    return Piece("list-item", draft.number, box, tuple(lines))


def _middle(box: Box) -> float:
    return (box[1] + box[3]) / 2


def _area(box: Box) -> float:
    return max(box[2] - box[0], 0.0) * max(box[3] - box[1], 0.0)


def _overlap(inner: Box, outer: Box) -> float:
    shared = (
        max(inner[0], outer[0]),
        max(inner[1], outer[1]),
        min(inner[2], outer[2]),
        min(inner[3], outer[3]),
    )
    if shared[2] <= shared[0] or shared[3] <= shared[1]:
        return 0.0
    return _area(shared) / (_area(inner) or 1.0)
