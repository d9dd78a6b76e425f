"""Which process indexes a vault: an operating system's file lock beside the index."""

import errno
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from notekin.app.errors import IndexUnusable


class IndexerLock:
    """Implements `app.ports.Lock`; the system frees it when the process dies, however it dies."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # The indexer's thread takes it and the same thread gives it back.
        self._lock = FileLock(path, thread_local=False)

    def acquire(self) -> bool:
        """Take the lock if it is free, without waiting; True when this process holds it.

        Raises `IndexUnusable` when its file cannot be made.
        """
        if self._lock.is_locked:
            return True
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._lock.acquire(blocking=False)
        except Timeout:
            return False
        except OSError as error:
            full = error.errno in {errno.ENOSPC, errno.EDQUOT}
            raise IndexUnusable(
                f"{self._path} cannot be written ({error.strerror}): make room, make its folder "
                "writable, or set NOTEKIN_DATA_DIR to a folder that is.",
                "noSpace" if full else "readOnly",
            ) from error
        return True

    def release(self) -> None:
        """Give the lock back; nothing when it is not held."""
        self._lock.release()


@contextmanager
def exclusively(path: Path, seconds: float) -> Generator[None]:
    """Run a block in one process at a time; raises `IndexUnusable` where that cannot be had."""
    lock = FileLock(path)
    try:
        lock.acquire(timeout=seconds)
    except (OSError, Timeout) as error:
        raise IndexUnusable(f"{path} cannot be had: try again in a moment.", "busy") from error
    try:
        yield
    finally:
        lock.release()
