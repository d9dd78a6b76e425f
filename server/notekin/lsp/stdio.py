"""Messages over stdin and stdout, beside the loop: a slow client never makes it stand still.

Reader and writer each have a thread of their own. The reader uses plain file descriptors, so
that a read that never ends (a client that keeps the pipe open) cannot hold up the exit.
"""

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Thread

_CHUNK = 1 << 16
_FLUSH_SECONDS = 5.0  # how long the exit waits for a client that reads slowly


def private_stdout() -> int:
    """Return a descriptor of the real stdout, and let descriptor 1 write to stderr.

    Whatever a library prints, from Python or from C, then cannot break the protocol.
    """
    sys.stdout.flush()
    private = os.dup(1)
    os.dup2(2, 1)
    return private


def start_reader(
    descriptor: int, loop: asyncio.AbstractEventLoop, receive: Callable[[bytes | None], None]
) -> None:
    """Call `receive` on the loop with the body of every message, and with None at the end."""

    def run() -> None:
        try:
            for body in bodies(lambda: os.read(descriptor, _CHUNK)):
                loop.call_soon_threadsafe(receive, body)
            loop.call_soon_threadsafe(receive, None)
        except RuntimeError:
            return  # The loop is closed: the process is ending.

    Thread(target=run, name="notekin-stdin", daemon=True).start()


def bodies(read: Callable[[], bytes]) -> Iterator[bytes]:
    """Yield the bodies of the messages that `read` brings in pieces (b"" is the end)."""
    buffer = bytearray()
    while True:
        head_end = _until(buffer, b"\r\n\r\n", read)
        if head_end < 0:
            return
        length = _content_length(bytes(buffer[:head_end]))
        start = head_end + 4
        pieces_end = start + length
        while len(buffer) < pieces_end:
            piece = _read(read)
            if not piece:
                return
            buffer += piece
        if length:
            yield bytes(buffer[start:pieces_end])
        del buffer[:pieces_end]


def _until(buffer: bytearray, mark: bytes, read: Callable[[], bytes]) -> int:
    """Read until `mark` stands in the buffer; return where, -1 at the end of the input."""
    while (found := buffer.find(mark)) < 0:
        piece = _read(read)
        if not piece:
            return -1
        buffer += piece
    return found


def _read(read: Callable[[], bytes]) -> bytes:
    try:
        return read()
    except OSError:
        return b""


def _content_length(head: bytes) -> int:
    """Return the length that a header block announces, 0 when it announces none."""
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            return int(value)
    return 0


class QueuedWriter:
    """What pygls writes to: messages go out in order, from a thread."""

    def __init__(self, descriptor: int, on_lost: Callable[[], None]) -> None:
        """`on_lost` is called once, from the thread, when the client no longer listens."""
        self._descriptor = descriptor
        self._on_lost = on_lost
        self._queue: SimpleQueue[bytes | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="notekin-stdout", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        self._queue.put(data)

    def close(self) -> None:
        """Write what is queued, wait for it a few seconds at most."""
        self._queue.put(None)
        self._thread.join(_FLUSH_SECONDS)

    def _run(self) -> None:
        while (data := self._queue.get()) is not None:
            try:
                self._write(data)
            except OSError:
                self._on_lost()
                return

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._descriptor, view) :]
