"""Helper processes that prepare notes: parsing and cutting hold the interpreter's lock, and a
first index in this process would make every request wait.

`adapters.helper` is what runs in one.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from notekin.adapters.helper import received, send
from notekin.adapters.priority import stand_back
from notekin.app.ports import NewNote, RawNote

_MOST_HELPERS = 3


class HelperProcesses:
    """Implements `app.ports.Workshop`."""

    def __init__(self, n_threads: int = 0, nice: int = 0) -> None:
        """`n_threads` is how many processors they may use, 0 all of them; `nice` (0 to 19) how far
        they stand back behind other programs.
        """
        self.n_places = min(_MOST_HELPERS, n_threads or os.cpu_count() or 1)
        self._nice = nice
        self._local = threading.local()
        self._helpers: list[subprocess.Popen[bytes]] = []
        self._lock = threading.Lock()
        self._closed = False
        # A thread for each helper waits for it; the first batch starts it.
        self._threads = ThreadPoolExecutor(self.n_places, thread_name_prefix="notekin-preparing")

    def prepare(self, batch: Sequence[RawNote]) -> "Future[Sequence[NewNote | str]]":
        """Return a future of the notes, or of the reasons why there are none."""
        return self._threads.submit(self._asked, batch)

    def close(self) -> None:
        """End the helpers at once."""
        with self._lock:
            self._closed = True
            helpers = list(self._helpers)
        for helper in helpers:
            helper.kill()
        self._threads.shutdown(cancel_futures=True)
        for helper in helpers:
            helper.communicate()

    def _asked(self, batch: Sequence[RawNote]) -> Sequence[NewNote | str]:
        helper = self._helper()
        if helper.stdin is None or helper.stdout is None:
            raise OSError("A helper process has no pipes.")
        send(helper.stdin, batch)
        answer: Sequence[NewNote | str] | None = received(helper.stdout)
        if answer is None:
            raise OSError("A helper process ended early.")
        return answer

    def _helper(self) -> "subprocess.Popen[bytes]":
        helper: subprocess.Popen[bytes] | None = getattr(self._local, "helper", None)
        if helper is None:
            with self._lock:
                if self._closed:
                    raise OSError("The helper processes were ended.")
                helper = self._local.helper = _started()
                stand_back(helper.pid, self._nice)
                self._helpers.append(helper)
        return helper


def _started() -> "subprocess.Popen[bytes]":
    # -P: the folder we were started in may be the vault, and no file there is to be imported.
    command = [sys.executable, "-P", "-c", "from notekin.adapters.helper import main; main()"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603
