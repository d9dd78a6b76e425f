"""The other side of `pdf_worker`: a child that is started, asked, watched and killed."""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Self

import psutil

from notekin.adapters.priority import stand_back
from notekin.adapters.telemetry import SILENT
from notekin.app.cancel import CancelToken
from notekin.app.errors import Cancelled
from notekin.app.ports.pdf import Trouble

# -P: the folder the server runs in may be the vault, and no file there is to be imported.
WORKER = (sys.executable, "-P", "-m", "notekin.adapters.pdf_worker")

_START_SECONDS = 180.0  # to load the libraries and the model, on a busy machine
COMPOSE_FACTOR = 10  # all pages are put together: that may take as long as so many of them
# A page's limit is of processor time: on a busy machine, or one that slept, a good page may take
# longer. One that waits for ever takes none: it may be so many times as long by the clock.
PATIENCE_FACTOR = 10
_STARVED = 0.5  # of the time, when less of it was the child's
_WATCH_SECONDS = 0.25
_MEGABYTE = 1 << 20
_TIME_IS_UP: int = getattr(signal, "SIGXCPU", 0)
_SYSTEM_LIMITS_MEMORY = sys.platform == "linux"


class Fault(Exception):
    """A child ended, or had to be. `page` is where, 0 before the first one and after the last."""

    def __init__(self, kind: Trouble, page: int) -> None:
        super().__init__(kind)
        self.kind: Trouble = kind
        self.page = page


class Child:
    """A process that reads PDFs, one at a time. `kill` may be called from any thread."""

    def __init__(self, command: Sequence[str], nice: int) -> None:
        self._process = subprocess.Popen(  # noqa: S603
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **SILENT},
        )
        stand_back(self._process.pid, nice)
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, name="notekin-pdf", daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()

    def close(self) -> None:
        """End it, and wait until it is gone."""
        self.kill()
        self._process.wait()
        self._reader.join()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    def ask(
        self,
        request: Mapping[str, Any],
        token: CancelToken,
        on_page: Callable[[int, int], None],
    ) -> Mapping[str, Any]:
        """Return the last answer to a request. Raises `Fault` when there is none, `Cancelled`."""
        with token.on_cancel(self.kill):
            try:
                return self._asked(request, on_page)
            except Fault:
                token.check()
                raise

    def _asked(
        self, request: Mapping[str, Any], on_page: Callable[[int, int], None]
    ) -> Mapping[str, Any]:
        try:
            self._send(request)
        except OSError as error:
            raise Fault("crashed", 0) from error
        page = 0
        seconds = _START_SECONDS
        while True:
            answer = self._answer(seconds, page, int(request["memory_mb"]))
            if "page" not in answer:
                return dict(answer) | {"at_page": page}
            page, n_pages = int(answer["page"]), int(answer["of"])
            seconds = float(request["page_seconds"])
            if page > 0:  # else the file is being opened
                on_page(page - 1, n_pages)
            if page > n_pages:
                page, seconds = 0, seconds * COMPOSE_FACTOR

    def _send(self, request: Mapping[str, Any]) -> None:
        stream = self._process.stdin
        if stream is None:
            raise OSError("A child has no stdin.")
        stream.write(json.dumps(request).encode("ascii") + b"\n")
        stream.flush()

    def _answer(self, seconds: float, page: int, memory_mb: int) -> Mapping[str, Any]:
        line = self._line(seconds, page, memory_mb)
        if line is None:
            self._process.wait()
            raise Fault("timeLimit" if self._ran_out() else "crashed", page)
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise Fault("crashed", page) from error
        if not isinstance(answer, dict):
            raise Fault("crashed", page)
        return answer  # pyright: ignore[reportUnknownVariableType]

    def _line(self, seconds: float, page: int, memory_mb: int) -> bytes | None:
        """Return the next line, None when there will be no more; watches time and memory."""
        started = time.monotonic()
        worked = self._worked()
        deadline = started + seconds
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                starved = self._worked() - worked < seconds * _STARVED
                if starved and time.monotonic() - started < seconds * PATIENCE_FACTOR:
                    deadline += seconds * _STARVED
                    continue
                self.kill()
                raise Fault("timeLimit", page)
            with suppress(queue.Empty):
                return self._lines.get(
                    timeout=left if _SYSTEM_LIMITS_MEMORY else min(left, _WATCH_SECONDS)
                )
            if not _SYSTEM_LIMITS_MEMORY and self._held() > memory_mb * _MEGABYTE:
                self.kill()
                raise Fault("memoryLimit", page)

    def _ran_out(self) -> bool:
        """Return whether the system ended it for taking too much processor time."""
        return self._process.returncode == -_TIME_IS_UP

    def _worked(self) -> float:
        """Return the processor time it took, in seconds."""
        with suppress(psutil.Error):
            times = psutil.Process(self._process.pid).cpu_times()
            return float(times.user + times.system)
        return 0.0

    def _held(self) -> int:
        with suppress(psutil.Error):
            return int(psutil.Process(self._process.pid).memory_info().rss)
        return 0

    def _read(self) -> None:
        stream = self._process.stdout
        if stream is not None:
            with suppress(OSError, ValueError):
                for line in stream:
                    self._lines.put(line)
        self._lines.put(None)


class WarmChild:
    """One child that is kept for the next PDF: replaced after a fault and after some PDFs, ended
    after some seconds without work.
    """

    def __init__(
        self, command: Sequence[str], nice: int, n_documents: int, idle_seconds: float
    ) -> None:
        self._command = command
        self._nice = nice
        self._n_documents = n_documents
        self._idle_seconds = idle_seconds
        self._one_at_a_time = threading.Lock()
        self._lock = threading.Lock()
        self._child: Child | None = None
        self._n_done = 0
        self._closed = False
        self._timer: threading.Timer | None = None

    @property
    def pid(self) -> int | None:
        """The process that is kept now."""
        child = self._child
        return None if child is None else child.pid

    def __enter__(self) -> Self:
        """Wait for other threads, for as long as a PDF takes."""
        self._one_at_a_time.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        self._rest()
        self._one_at_a_time.release()

    def ask(
        self,
        request: Mapping[str, Any],
        token: CancelToken,
        on_page: Callable[[int, int], None],
    ) -> Mapping[str, Any]:
        """Ask the child, as `Child.ask`; within `with` only."""
        child = self._fit_child()
        try:
            answer = child.ask(request, token, on_page)
        except BaseException:
            self._drop()
            if self._closed:
                raise Cancelled("The PDF reader was closed.") from None
            raise
        self._n_done += 1
        if "fault" in answer or self._n_done >= self._n_documents:
            self._drop()
        return answer

    def close(self) -> None:
        """Kill the child, and start no other."""
        with self._lock:
            self._closed = True
            if self._timer is not None:
                self._timer.cancel()
            if self._child is not None:
                self._child.kill()
        with self._one_at_a_time:
            self._drop()

    def _fit_child(self) -> Child:
        with self._lock:
            if self._closed:
                raise Cancelled("The PDF reader was closed.")
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if self._child is not None and self._child.alive:
                return self._child
        self._drop()
        with self._lock:
            if self._closed:
                raise Cancelled("The PDF reader was closed.")
            self._child = Child(self._command, self._nice)
            self._n_done = 0
            return self._child

    def _drop(self) -> None:
        with self._lock:
            child, self._child = self._child, None
        if child is not None:
            child.close()

    def _rest(self) -> None:
        with self._lock:
            if self._child is None or self._closed:
                return
            self._timer = threading.Timer(self._idle_seconds, self._end_idle)
            self._timer.daemon = True
            self._timer.start()

    def _end_idle(self) -> None:
        if self._one_at_a_time.acquire(blocking=False):
            try:
                self._drop()
            finally:
                self._one_at_a_time.release()
