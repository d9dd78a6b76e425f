"""Tells what changes below a folder, for clients that do not watch files themselves."""

import os
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from watchfiles._rust_notify import RustNotify

from notekin.core.reading import is_beside_notes

# Long enough to see a burst as one, short beside the second in which a change must show.
_DEBOUNCE_MS = 200
_STEP_MS = 50
# How often it is looked whether the folder is still the one that is watched.
_PATIENCE_MS = 500
# Comparing all files takes a while: only where the system does not tell.
_POLL_MS = 3000

_LIMIT = (
    "The system watches no more files ({}), so Notekin compares those in {} every few seconds. "
    "To be told at once, raise the system's limit (on Linux fs.inotify.max_user_watches) and "
    "restart."
)

_Changes = set[tuple[int, str]]
_Folder = tuple[int, int]


class FolderWatcher:
    """Implements `app.ports.Watcher`: calls `changed` on its own thread with what changed, with
    the folder itself where anything in it may have.

    Files and folders, created, modified or deleted, are all one kind of news: the caller looks.
    The folder may go and come back, or not be there yet. `notify` stands in for the system's
    notifications in tests.
    """

    def __init__(
        self,
        folder: Path,
        changed: Callable[[Sequence[Path]], None],
        *,
        notify: Callable[..., RustNotify] = RustNotify,
    ) -> None:
        self._folder = folder
        self._changed = changed
        self._notify = notify
        self._roots = (str(folder), os.path.realpath(folder))
        self._stop = threading.Event()
        self._notice = ""
        # Here, not on the thread: what changes from now on is seen.
        self._watched = _identity(folder)
        self._native = self._begin() if self._watched else None
        self._thread = threading.Thread(target=self._run, name=f"watcher {folder.name}")
        self._thread.start()

    @property
    def notice(self) -> str:
        """A sentence when the system does not tell what changes, else ""."""
        return self._notice

    def close(self) -> None:
        """Stop watching and wait for it."""
        self._stop.set()
        self._thread.join()
        if self._native is not None:
            self._native.close()

    def _run(self) -> None:
        while not self._stop.is_set():
            paths = self._wait()
            if _identity(self._folder) != self._watched:
                self._restart()
            elif paths:
                self._changed(paths)

    def _wait(self) -> Sequence[Path]:
        """Return what changed in the next while."""
        if self._native is None:
            self._stop.wait(_PATIENCE_MS / 1000)
            return ()
        try:
            found = self._native.watch(_DEBOUNCE_MS, _STEP_MS, _PATIENCE_MS, self._stop)
        except (OSError, RuntimeError) as error:
            # A folder that came later was one too many.
            self._native.close()
            self._native = self._poll(error)
            return [self._folder]
        return self._telling(found) if isinstance(found, set) else ()

    def _telling(self, changes: Iterable[tuple[int, str]]) -> Sequence[Path]:
        inside = {self._inside(path) for _, path in changes}
        return [self._folder / path for path in sorted(inside) if not is_beside_notes(path)]

    def _inside(self, path: str) -> str:
        """Return a path relative to the folder; some systems tell the folder's real path."""
        root = next((root for root in self._roots if path.startswith(root)), "")
        return path[len(root) :].lstrip(os.sep) if root else ""

    def _restart(self) -> None:
        """Watch the folder that is there now, which may be none, and say that all is new."""
        if self._native is not None:
            self._native.close()
        self._watched = _identity(self._folder)
        self._native = self._begin() if self._watched else None
        self._changed([self._folder])

    def _begin(self) -> RustNotify | None:
        try:
            return self._open(poll=False)
        except FileNotFoundError:
            self._watched = None  # It went just now.
            return None
        except (OSError, RuntimeError) as error:
            return self._poll(error)

    def _poll(self, error: Exception) -> RustNotify | None:
        self._notice = _LIMIT.format(error, self._folder)
        try:
            return self._open(poll=True)
        except (OSError, RuntimeError):
            return None

    def _open(self, *, poll: bool) -> RustNotify:
        return self._notify([str(self._folder)], False, poll, _POLL_MS, True, True)  # noqa: FBT003 - not ours


def _identity(folder: Path) -> _Folder | None:
    """Return what tells a folder from another of its name, None when there is none."""
    try:
        found = os.stat(folder)  # noqa: PTH116 - a path that cannot be is no folder either
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino
