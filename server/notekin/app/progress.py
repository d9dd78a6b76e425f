"""How far an indexer is, and how long the rest will take."""

from collections import deque

from notekin.app.results import Phase

_WINDOW_SECONDS = 30.0


class Pace:
    """The rate of finished passages over the last half minute.

    A window, not a mean since the start: the estimate converges and follows a machine that
    becomes busy.
    """

    def __init__(self) -> None:
        self._ticks: deque[tuple[float, int]] = deque()

    def tick(self, now: float, n_done: int) -> None:
        """Record that `n_done` more passages were finished at `now` (seconds)."""
        self._ticks.append((now, n_done))
        while now - self._ticks[0][0] > _WINDOW_SECONDS:
            self._ticks.popleft()

    def reset(self) -> None:
        """Start anew: what came before was another piece of work."""
        self._ticks.clear()

    def seconds_for(self, n_left: int) -> float | None:
        """Return the seconds `n_left` passages will take, None while there is no rate yet."""
        if len(self._ticks) < 2 or not n_left:  # noqa: PLR2004 - a rate needs two points
            return None
        elapsed = self._ticks[-1][0] - self._ticks[0][0]
        n_done = sum(n for _, n in self._ticks) - self._ticks[0][1]
        return n_left * elapsed / n_done if n_done and elapsed else None


def phase_of(  # noqa: PLR0913 - all that makes a phase
    *,
    halted: bool,
    started: bool,
    scanning: bool,
    n_unread: int,
    n_unembedded: int,
    parked: bool = False,
) -> Phase:
    """Return the one word for what an indexer does, the most telling first. `halted` stops
    everything, `parked` only what is left of the passages without a vector.
    """
    if halted:
        return "paused"
    if not started:
        return "starting"
    if scanning:
        return "scanning"
    if n_unread:
        return "indexing"
    if n_unembedded:
        return "paused" if parked else "embedding"
    return "idle"
