"""Which process indexes a vault: an operating system's file lock beside the index."""

from pathlib import Path

from filelock import FileLock, Timeout


class IndexerLock:
    """Implements `app.ports.Lock`; the system frees it when the process dies, however it dies."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # The indexer's thread takes it and the same thread gives it back.
        self._lock = FileLock(path, thread_local=False)

    def acquire(self) -> bool:
        """Take the lock if it is free, without waiting; True when this process holds it."""
        if self._lock.is_locked:
            return True
        self._path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            return False
        return True

    def release(self) -> None:
        """Give the lock back; nothing when it is not held."""
        self._lock.release()
