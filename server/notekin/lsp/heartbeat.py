"""How long the loop stood still: measured by a task that only wants to wake up in time."""

import asyncio
import os
from pathlib import Path

VARIABLE = "NOTEKIN_HEARTBEAT"
_BEAT = 0.005


class Heartbeat:
    """Measures while it runs; `longest` is in seconds."""

    def __init__(self) -> None:
        self.longest = 0.0

    async def run(self) -> None:
        """Beat until cancelled."""
        loop = asyncio.get_running_loop()
        before = loop.time()
        while True:
            await asyncio.sleep(_BEAT)
            now = loop.time()
            self.longest = max(self.longest, now - before - _BEAT)
            before = now


def asked_for() -> Path | None:
    """Return the file that `NOTEKIN_HEARTBEAT` names, for `make bench`."""
    name = os.environ.get(VARIABLE)
    return Path(name) if name else None
