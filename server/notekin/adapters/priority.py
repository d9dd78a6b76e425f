"""The priority of a process: how far it stands back behind other programs."""

import sys
from contextlib import suppress

import psutil

_NICE_IS_IDLE = 15  # on Windows, which knows steps only


def stand_back(pid: int, nice: int) -> None:
    """Give a process a lower priority; one that stands back further already stays there."""
    with suppress(psutil.Error, OSError):  # it is as good a helper without
        process = psutil.Process(pid)
        if sys.platform == "win32":
            idle, below = psutil.IDLE_PRIORITY_CLASS, psutil.BELOW_NORMAL_PRIORITY_CLASS
            if nice:
                process.nice(idle if nice >= _NICE_IS_IDLE else below)
        else:
            process.nice(max(nice, process.nice()))
