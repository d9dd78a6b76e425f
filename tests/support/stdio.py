"""A client of a server process: requests are answered, notifications are kept."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1]
# Only what hangs gets here.
PATIENCE_SECONDS = 60.0
Message = dict[str, Any]


class StdioClient:
    """Starts `python *arguments` and speaks LSP over its pipes."""

    def __init__(self, *arguments: str, env: Mapping[str, str] | None = None) -> None:
        roots = [str(TESTS), str(TESTS.parent / "server"), str(TESTS.parent / "protocol")]
        path = os.pathsep.join([*roots, os.environ.get("PYTHONPATH", "")])
        self.process = subprocess.Popen(
            [sys.executable, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path, **(env or {})},
        )
        self.patience = PATIENCE_SECONDS
        self.received: list[Message] = []
        self._arrived = threading.Condition()
        self._n_sent = 0
        self._ended = False
        self._reader = threading.Thread(target=self._read_all, name="client", daemon=True)
        self._reader.start()

    # --- what a client says --------------------------------------------------------------

    def initialize(self, *folders: Path, **capabilities: Any) -> Message:
        """Open folders; return the server's answer."""
        named = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
        params = {"processId": None, "workspaceFolders": named, "capabilities": capabilities}
        answer = self.request("initialize", {"rootUri": None, **params})
        self.notify("initialized", {})
        return answer

    def request(self, method: str, params: Any = None) -> Any:
        """Return a request's result; fails the test on an error."""
        number = self.begin(method, params)
        answer = self.message(lambda m: m.get("id") == number and "method" not in m)
        assert "error" not in answer, answer
        return answer["result"]

    def begin(self, method: str, params: Any = None) -> int:
        """Send a request; return its id."""
        self._n_sent += 1
        self._send({"id": self._n_sent, "method": method, "params": params})
        return self._n_sent

    def notify(self, method: str, params: Any = None) -> None:
        self._send({"method": method, "params": params})

    def message(self, wanted: Callable[[Message], bool]) -> Message:
        """Return the first message like that, as soon as it is there."""

        def found() -> Message | None:
            return next((each for each in self.received if wanted(each)), None)

        with self._arrived:
            assert self._arrived.wait_for(lambda: found() or self._ended, self.patience)
            message = found()
        assert message is not None, "The server ended."
        return message

    def status(self, wanted: Callable[[Message], bool]) -> Message:
        """Return the first status of the first vault like that among those told so far and
        from now on.
        """

        def told(message: Message) -> bool:
            if message.get("method") != "notekin/statusChanged":
                return False
            statuses = message["params"]["status"]
            return bool(statuses) and wanted(statuses[0])

        return self.message(told)["params"]["status"][0]

    def idle(self) -> Message:
        """Wait until the vault is idle; forget what was received before."""
        status = self.status(lambda status: status["phase"] == "idle")
        with self._arrived:
            self.received.clear()
        return status

    def save(self, file: Path, text: str) -> None:
        """Change and save a document that is not open yet."""
        uri = file.as_uri()
        document = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
        file.write_text(text, "utf-8")
        self.notify("textDocument/didOpen", {"textDocument": document})
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    # --- its end -------------------------------------------------------------------------

    def leave(self) -> int:
        """Shut the server down; return the exit status."""
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(PATIENCE_SECONDS)

    def kill(self) -> None:
        """End the process at once."""
        self.process.kill()
        self.process.wait()
        self._reader.join()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            try:
                pipe.close()
            except BrokenPipeError:  # what was still to be flushed has nowhere to go
                continue

    # --- messages ------------------------------------------------------------------------

    def _send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _read_all(self) -> None:
        while (message := self._read()) is not None:
            if "method" in message and "id" in message:
                self._send({"id": message["id"], "result": None})
            with self._arrived:
                self.received.append(message)
                self._arrived.notify_all()
        with self._arrived:
            self._ended = True
            self._arrived.notify_all()

    def _read(self) -> Message | None:
        assert self.process.stdout is not None
        length = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name == b"Content-Length":
                length = int(value)
        return json.loads(self.process.stdout.read(length)) if length else None


@contextmanager
def client_of(*arguments: str, env: Mapping[str, str] | None = None) -> Generator[StdioClient]:
    """Yield a client of a process that ends with the block."""
    client = StdioClient(*arguments, env=env)
    try:
        yield client
    finally:
        client.kill()
