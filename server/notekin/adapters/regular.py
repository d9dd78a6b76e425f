"""Opens files in whose place anything may stand by now."""

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from notekin.app.errors import Unreadable

NO_FILE = "it is a pipe, a socket or a device, not a file"

# Opening a pipe would wait for ever for its other end, and a link made after the scan may lead
# anywhere: neither is opened. Windows has only the last of these flags.
_FLAGS = ("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_BINARY")
_OPEN_FLAGS = os.O_RDONLY | sum(getattr(os, flag, 0) for flag in _FLAGS)


@contextmanager
def open_regular(path: Path) -> Generator[tuple[BinaryIO, os.stat_result]]:
    """Open a regular file to read; raises `Unreadable` for anything else, and what `os.open`
    raises, also for a link.
    """
    handle = os.open(path, _OPEN_FLAGS)
    with open(handle, "rb") as file:  # noqa: PTH123  # a handle, not a path
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise Unreadable(NO_FILE)
        yield file, found
