"""Tells what changes below a folder, for clients that do not watch files themselves."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from watchfiles import watch

# Long enough to see a burst as one, short beside the second in which a change must show.
_DEBOUNCE_MS = 200
_STEP_MS = 50


class FolderWatcher:
    """Implements `app.ports.Watcher`: calls `changed` on its own thread with what changed.

    Files and folders, created, modified or deleted, are all one kind of news: the caller looks.
    """

    def __init__(self, folder: Path, changed: Callable[[Sequence[Path]], None]) -> None:
        self._folder = folder
        self._changed = changed
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"watcher {folder.name}")
        self._thread.start()

    def close(self) -> None:
        """Stop watching and wait for it."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        changes = watch(
            self._folder,
            watch_filter=None,
            stop_event=self._stop,
            debounce=_DEBOUNCE_MS,
            step=_STEP_MS,
            rust_timeout=200,
            raise_interrupt=False,
            ignore_permission_denied=True,
        )
        for batch in changes:
            self._changed(sorted({Path(path) for _, path in batch}))
