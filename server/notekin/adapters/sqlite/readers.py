"""A few reading connections, each leased to one request at a time."""

import threading
from collections.abc import Callable
from pathlib import Path

from attrs import frozen

from notekin.adapters.inodes import FileId, file_id
from notekin.adapters.sqlite.connect import Database, connect_reader

# As many requests as run at once on a small machine; a burst opens more and closes them again.
_MOST_IDLE = 4


@frozen(eq=False)
class Lease:
    """A connection, and which file it has open."""

    database: Database
    file: FileId


class Readers:
    """Connections to the file at one path, or to whatever was put in its place."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._idle: list[Lease] = []
        self._closed = False

    def lease(self, prepare: Callable[[], None]) -> Lease:
        """Return a connection that nobody else uses; `prepare` makes the file when it is gone."""
        file = file_id(self._path)
        while file is not None:
            lease = self._pop()
            if lease is None:
                return Lease(connect_reader(self._path), file)
            if lease.file == file:
                return lease
            # Another process set the file aside, or forgot it, and a new one is in its place.
            lease.database.close()
        self.clear()
        prepare()
        return Lease(connect_reader(self._path), file_id(self._path) or (0, 0))

    def give_back(self, lease: Lease) -> None:
        """Take a connection back."""
        if lease.database.in_transaction:
            lease.database.run("ROLLBACK")
        with self._lock:
            keep = not self._closed and len(self._idle) < _MOST_IDLE
            if keep:
                self._idle.append(lease)
        if not keep:
            lease.database.close()

    def clear(self) -> None:
        """Close what is idle."""
        while lease := self._pop():
            lease.database.close()

    def close(self) -> None:
        """Close what is idle now and, once given back, the rest."""
        with self._lock:
            self._closed = True
        self.clear()

    def _pop(self) -> Lease | None:
        with self._lock:
            return self._idle.pop() if self._idle else None
