"""Ranking the gaps of a text by nothing but what stands near them."""

from collections import Counter, deque
from collections.abc import Sequence
from hashlib import blake2b
from itertools import pairwise

from notekin.core.note import Span

# Characters on each side of a gap that decide its number. Fewer repeat in lists and tables.
_REACH = 64


def hashes(text: str, spans: Sequence[Span]) -> list[int]:
    """Return a number for each gap between two spans, by the text on both sides of it.

    The same surroundings occurring again get another number, so that repetitive text (a hex
    dump, a list of tasks) is cut evenly too.
    """
    first, last = spans[0].start, spans[-1].end
    seen: Counter[str] = Counter()
    found: list[int] = []
    for one, other in pairwise(spans):
        before = text[max(first, one.end - _REACH) : one.end]
        after = text[other.start : min(last, other.start + _REACH)]
        around = f"{before}\0{after}"
        key = f"{around}\0{seen[around]}".encode("utf-8", "surrogatepass")
        seen[around] += 1
        found.append(int.from_bytes(blake2b(key, digest_size=8).digest()))
    return found


def tops(numbers: Sequence[int], places: Sequence[int], reach: int) -> list[bool]:
    """Return for each gap whether no gap less than `reach` tokens away has a higher hash.

    Such gaps are at least that far from each other. Cutting there first leaves few passages
    that are very small.
    """
    highest = [True] * len(numbers)
    for order in (range(len(numbers)), range(len(numbers) - 1, -1, -1)):
        window: deque[int] = deque()  # gaps within reach, their hashes falling
        for gap in order:
            while window and abs(places[window[0]] - places[gap]) >= reach:
                window.popleft()
            while window and numbers[window[-1]] < numbers[gap]:
                window.pop()
            highest[gap] &= not window
            window.append(gap)
    return highest


def higher_neighbours(
    priorities: Sequence[tuple[bool, int]],
) -> tuple[list[int], list[int]]:
    """Return for each gap the nearest higher one on its left (or -1) and right (or the end)."""
    left = [-1] * len(priorities)
    right = [len(priorities)] * len(priorities)
    stack: list[int] = []
    for gap, priority in enumerate(priorities):
        while stack and priorities[stack[-1]] < priority:
            right[stack.pop()] = gap
        if stack:
            left[gap] = stack[-1]
        stack.append(gap)
    return left, right
