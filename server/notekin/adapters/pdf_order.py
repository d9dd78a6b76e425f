"""The order in which the boxes of a page are read: cut along gutters, and between full-width boxes.

A recursive XY cut (Nagy and Seth 1984), but that rows are only cut apart where no gutter runs
through both: else two columns whose paragraphs happen to end at one height would be read across.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from notekin.core.pages import Box

_SLACK = 1.5  # points by which neighbours may overlap
_SECTION_GAP = 24.0  # points: about two lines of text
_LEVEL = 2.0  # points
_Item = TypeVar("_Item")


def in_reading_order(
    items: Sequence[_Item],
    box_of: Callable[[_Item], Box],
    *,
    backward: bool = False,
    least_height: float = 16.0,
) -> list[_Item]:
    """Return `items` from the first that is read to the last; `backward` reads columns from the
    right. What is no higher than `least_height` (in points: one line) may stand side by side as
    in a form, which is read across.
    """
    boxes = [_shrunk(box_of(item), backward=backward) for item in items]
    return [items[each] for each in _ordered(list(range(len(items))), boxes, least_height)]


def _shrunk(box: Box, *, backward: bool) -> Box:
    left, top, right, bottom = box
    if backward:
        left, right = -right, -left
    across, down = min(_SLACK, (right - left) / 3), min(_SLACK, (bottom - top) / 3)
    return left + across, top + down, right - across, bottom - down


def _ordered(numbers: list[int], boxes: Sequence[Box], least: float) -> list[int]:
    if len(numbers) < 2:  # noqa: PLR2004
        return numbers
    runs = _runs(_cut(numbers, boxes, 1), boxes, least)
    if len(runs) > 1:
        return [each for run in runs for each in _ordered(run, boxes, least)]
    columns = _cut(numbers, boxes, 0)
    if len(columns) > 1:
        return [each for column in columns for each in _ordered(column, boxes, least)]
    return sorted(numbers, key=lambda each: (boxes[each][1], boxes[each][0]))


def _cut(numbers: Sequence[int], boxes: Sequence[Box], axis: int) -> list[list[int]]:
    """Return groups with a gap between them along an axis (0 across, 1 down)."""
    groups: list[list[int]] = []
    edge = 0.0
    for each in sorted(numbers, key=lambda each: boxes[each][axis]):
        if groups and boxes[each][axis] < edge:
            groups[-1].append(each)
            edge = max(edge, boxes[each][axis + 2])
        else:
            groups.append([each])
            edge = boxes[each][axis + 2]
    return groups


def _runs(rows: list[list[int]], boxes: Sequence[Box], least: float) -> list[list[int]]:
    """Join neighbouring rows through which one gutter runs."""
    runs: list[list[list[int]]] = []
    for row in rows:
        if (
            runs
            and not _begins_a_section(runs[-1][-1], row, boxes)
            and _share_a_gutter([*runs[-1], row], boxes, least)
        ):
            runs[-1].append(row)
        else:
            runs.append([row])
    return [[each for row in run for each in row] for run in runs]


def _begins_a_section(before: Sequence[int], row: Sequence[int], boxes: Sequence[Box]) -> bool:
    """Return whether columns begin anew below a wide gap, all at one height, as stanzas set side
    by side do.
    """
    gap = min(boxes[each][1] for each in row) - max(boxes[each][3] for each in before)
    tops = [min(boxes[each][1] for each in column) for column in _cut(row, boxes, 0)]
    return gap > _SECTION_GAP and len(tops) > 1 and max(tops) - min(tops) < _LEVEL


def _share_a_gutter(rows: Sequence[Sequence[int]], boxes: Sequence[Box], least: float) -> bool:
    columns = _cut([each for row in rows for each in row], boxes, 0)
    edges = [max(boxes[each][2] for each in column) for column in columns[:-1]]
    return any(_is_gutter(edge, rows, boxes, least) for edge in edges)


def _is_gutter(
    edge: float, rows: Sequence[Sequence[int]], boxes: Sequence[Box], least: float
) -> bool:
    """Return whether columns stand left and right of x = `edge`: somewhere side by side, and not
    line beside line as in a form or a table.
    """
    for row in rows:
        left = [boxes[each] for each in row if boxes[each][2] <= edge]
        right = [boxes[each] for each in row if boxes[each][2] > edge]
        if left and right and max(map(_height, left)) > least < max(map(_height, right)):
            return True
        if left and right and len(left) + len(right) > 2:  # noqa: PLR2004
            return True
    return False


def _height(box: Box) -> float:
    return box[3] - box[1]
