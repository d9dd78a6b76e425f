"""A small LSP client over stdio: enough to talk to Notekin as an editor does."""

import json
import queue
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, BinaryIO, Self

Message = dict[str, Any]


class ServerError(Exception):
    """The server refused a request, fell silent or ended; `str()` is a sentence."""


class Client:
    """Speaks JSON-RPC with one server process; a thread of its own reads what comes.

    `on_notification(method, params)` is called on that thread.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        log: BinaryIO,
        on_notification: Callable[[str, Any], None],
    ) -> None:
        self._process = subprocess.Popen(  # noqa: S603  # our own server
            command,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
        )
        self._on_notification = on_notification
        self._write_lock = threading.Lock()
        self._answers: dict[int, queue.SimpleQueue[Message | None]] = {}
        self._n_requests = 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _error: object, _trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.request("shutdown", None)
            self.notify("exit", None)
        else:
            self._process.kill()
        self._process.wait(timeout=30)

    @property
    def pid(self) -> int:
        """The server's process."""
        return self._process.pid

    @property
    def exit_status(self) -> int | None:
        """How the server ended, None while it runs."""
        return self._process.poll()

    def request(self, method: str, params: Any, timeout: float = 60.0) -> Any:
        """Return the result of a request; `timeout` is in seconds."""
        self._n_requests += 1
        number = self._n_requests
        answers = self._answers[number] = queue.SimpleQueue()
        self._send({"id": number, "method": method, "params": params})
        try:
            answer = answers.get(timeout=timeout)
        except queue.Empty:
            raise ServerError(f"No answer to {method} within {timeout:.0f} s.") from None
        finally:
            del self._answers[number]
        if answer is None:
            raise ServerError(f"The server ended while {method} waited for its answer.")
        if "error" in answer:
            raise ServerError(f"{method} was refused: {answer['error']['message']}")
        return answer["result"]

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def _send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        if self._process.stdin is None:
            raise ServerError("The server has no input.")
        try:
            with self._write_lock:
                self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
                self._process.stdin.flush()
        except OSError as error:
            raise ServerError("The server ended early.") from error

    def _read(self) -> None:
        while (message := self._next()) is not None:
            if "method" not in message:
                answers = self._answers.get(message["id"])
                if answers is not None:
                    answers.put(message)
            elif "id" in message:
                self._send({"id": message["id"], "result": _reply(message)})
            else:
                self._on_notification(message["method"], message.get("params"))
        for answers in list(self._answers.values()):
            answers.put(None)

    def _next(self) -> Message | None:
        """Return the next message, None at the end of the stream."""
        stream = self._process.stdout
        length = 0
        while stream is not None and (line := stream.readline()):
            if line == b"\r\n":
                return json.loads(stream.read(length))
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return None


def _reply(request: Message) -> Any:
    """Answer what a server may ask an editor: no settings, and yes to the rest."""
    if request["method"] == "workspace/configuration":
        return [None for _ in request["params"]["items"]]
    return None
