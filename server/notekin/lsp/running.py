"""The server as a process: from the first byte on stdin to the exit status."""

import asyncio
import json
import logging
import os
import signal
import sys
import threading

from notekin.lsp.errors import PARSE_ERROR
from notekin.lsp.heartbeat import measured
from notekin.lsp.state import NotekinServer
from notekin.lsp.stdio import QueuedWriter, private_stdout, start_reader

logger = logging.getLogger(__name__)

_CLOSE_SECONDS = 3.0
# How long, in seconds, a busy thread may keep the loop from running Python: a tenth of the
# default, which a request would wait for at each of its many steps while notes are being cut.
_SWITCH_SECONDS = 0.0005
_LAST_SECONDS = 1.0  # after which the process ends, whatever a thread still does


def run(server: NotekinServer) -> int:
    """Serve until `exit`, the end of stdin, SIGTERM or a client that is gone; return the exit
    status: 0 after `shutdown`, 1 without.
    """
    out = private_stdout()
    _log_to_stderr()
    sys.setswitchinterval(_SWITCH_SECONDS)
    asyncio.run(_serve(server, out))
    _insist_on_ending(0 if server.protocol.shut_down else 1)
    return 0 if server.protocol.shut_down else 1


async def _serve(server: NotekinServer, out: int) -> None:
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()

    def end_from_anywhere(*_: object) -> None:
        loop.call_soon_threadsafe(ended.set)

    def receive(body: bytes | None) -> None:
        if body is None:
            ended.set()
        else:
            handle(server, body)

    server.on_exit = ended.set
    try:
        # A plain handler would only run when something else wakes the loop, where the signal comes
        # as the loop goes to sleep, or to another thread.
        loop.add_signal_handler(signal.SIGTERM, ended.set)
    except NotImplementedError:  # Windows, where the loop is woken by every signal.
        signal.signal(signal.SIGTERM, end_from_anywhere)
    writer = QueuedWriter(out, end_from_anywhere)
    server.protocol.set_writer(writer)
    async with measured():
        start_reader(sys.stdin.fileno(), loop, receive)
        await ended.wait()
    await asyncio.wait([loop.create_task(_close(server))], timeout=_CLOSE_SECONDS)
    writer.close()


async def _close(server: NotekinServer) -> None:
    """Stop, and let what was asked be answered: `exit` may follow `shutdown` at once."""
    await server.close()
    await server.protocol.answered()


def handle(server: NotekinServer, body: bytes) -> None:
    """Handle one message as it came in; whatever happens, the loop goes on."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        server.protocol.fail(None, PARSE_ERROR, "A message is one JSON object in UTF-8.")
        return
    server.protocol.handle_message(message)


def _log_to_stderr() -> None:
    """Let warnings out. pygls stays at WARNING, as its INFO holds the text of notes."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="notekin: %(message)s")
    for name in ("pygls", "asyncio"):
        logging.getLogger(name).setLevel(logging.WARNING)


def _insist_on_ending(status: int) -> None:
    """End the process in time, even if a thread of a library never does."""
    timer = threading.Timer(_LAST_SECONDS, os._exit, (status,))
    timer.daemon = True
    timer.start()
