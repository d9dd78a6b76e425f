"""An event loop whose clock a test moves: timers without waiting."""

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import Any

from attrs import define, field


@define
class FakeTimer:
    """What `call_at` returns."""

    callback: Callable[[], Any]
    alive: bool = True

    def cancel(self) -> None:
        self.alive = False


@define
class FakeLoop:
    """Time, timers and calls from threads, as far as `StatusFeed` uses them."""

    now: float = 100.0
    n_calls: int = 0
    _soon: list[Callable[[], Any]] = field(factory=list[Callable[[], Any]])
    _timers: list[tuple[float, int, FakeTimer]] = field(factory=list[tuple[float, int, FakeTimer]])
    _order: "count[int]" = field(factory=count)

    def time(self) -> float:
        return self.now

    def call_soon_threadsafe(self, callback: Callable[[], Any]) -> None:
        self.n_calls += 1
        self._soon.append(callback)

    def call_at(self, when: float, callback: Callable[[], Any]) -> FakeTimer:
        timer = FakeTimer(callback)
        heappush(self._timers, (when, next(self._order), timer))
        return timer

    def turn(self) -> None:
        """Do what waits to be done now."""
        soon, self._soon = self._soon, []
        for callback in soon:
            callback()

    def advance(self, seconds: float) -> None:
        """Let time pass, and every timer ring at its moment."""
        self.turn()
        end = self.now + seconds
        while self._timers and self._timers[0][0] <= end:
            self.now, _, timer = heappop(self._timers)
            if timer.alive:
                timer.callback()
        self.now = end
