"""How long the loop stood still: measured by a task that only wants to wake up in time.

On a busy machine a thread that could run often waits for a processor that other programs have.
Where the system counts this, that part of a stand-still is told apart from what this process
itself brought about: a long callback, or another thread that held the interpreter's lock.
"""

import asyncio
import json
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

VARIABLE = "NOTEKIN_HEARTBEAT"
_BEAT = 0.005
_SCHEDULED: Final = Path("/proc/thread-self/schedstat")


class Heartbeat:
    """Measures while it runs.

    `longest` is the longest stand-still by the clock; `longest_held` the longest without the
    time in which the loop's thread waited for a processor. Both in seconds; they are equal where
    the system does not count that time.
    """

    def __init__(self) -> None:
        self.longest = 0.0
        self.longest_held = 0.0

    async def run(self) -> None:
        """Beat until cancelled."""
        loop = asyncio.get_running_loop()
        counter = _opened()
        try:
            before, waited_before = loop.time(), _waited(counter)
            while True:
                await asyncio.sleep(_BEAT)
                now, waited = loop.time(), _waited(counter)
                still = now - before - _BEAT
                self.longest = max(self.longest, still)
                self.longest_held = max(self.longest_held, still - (waited - waited_before))
                before, waited_before = now, waited
        finally:
            if counter is not None:
                os.close(counter)

    def write(self, file: Path) -> None:
        """Leave what was measured in a file, as JSON."""
        figures = {"longest": self.longest, "longest_held": self.longest_held}
        file.write_text(json.dumps(figures) + "\n", encoding="utf-8")


@asynccontextmanager
async def measured() -> AsyncGenerator[None]:
    """Measure while a block runs, and write it to the file that `NOTEKIN_HEARTBEAT` names, for
    `make bench`. Nothing beats where nobody asks: it would keep a processor from its sleep.
    """
    name = os.environ.get(VARIABLE)
    if not name:
        yield
        return
    heartbeat = Heartbeat()
    beating = asyncio.get_running_loop().create_task(heartbeat.run())
    try:
        yield
    finally:
        beating.cancel()
        heartbeat.write(Path(name))


def _opened() -> int | None:
    """Return a descriptor of the scheduler's figures of this thread, None where there are none."""
    try:
        return os.open(_SCHEDULED, os.O_RDONLY)
    except OSError:
        return None


def _waited(counter: int | None) -> float:
    """Return for how many seconds this thread has ever waited for a processor."""
    if counter is None:
        return 0.0
    _n_run, n_waited, _slices = os.pread(counter, 128, 0).split()
    return int(n_waited) / 1e9
