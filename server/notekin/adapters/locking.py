"""Which process indexes a vault: an operating system's file lock beside the index."""

import errno
import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from notekin.adapters.inodes import FileId, file_id, make_private
from notekin.app.errors import IndexUnusable


class IndexerLock:
    """Implements `app.ports.Lock`; the system frees it when the process dies, however it dies."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: FileId | None = None
        # The indexer's thread takes it and the same thread gives it back.
        self._lock = FileLock(path, thread_local=False, on_acquired=self._acquired)

    def acquire(self) -> bool:
        """Take the lock if it is free, without waiting; True when this process holds it.

        Raises `IndexUnusable` when its file cannot be made.
        """
        if self.in_place():
            return True
        # One whose file was removed keeps nobody out any more.
        self.release()
        try:
            make_private(self._path.parent)
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
        if self.in_place():
            return True
        # Who held it before has removed the file: the next one would lock another.
        self.release()
        return False

    def in_place(self) -> bool:
        """Return whether this process holds the lock, and its file still stands for it."""
        return self._lock.is_locked and self._file == file_id(self._path)

    def release(self) -> None:
        """Give the lock back; nothing when it is not held."""
        self._lock.release()

    def remove(self) -> None:
        """Give the lock back and take its file away; whoever waits for it makes a new one."""
        if self._lock.is_locked:
            with suppress(PermissionError):  # Windows removes it with the lock
                self._path.unlink(missing_ok=True)
        self.release()

    def _acquired(self, descriptor: int) -> None:
        stat = os.fstat(descriptor)
        self._file = (stat.st_dev, stat.st_ino)


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
