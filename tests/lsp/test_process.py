"""The server as a process: its pipes, its end, its start."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parents[1]
_SECONDS = 30.0  # before a process that does not end fails its test


class Process:
    """A client over pipes that writes and reads whole messages."""

    def __init__(self, *arguments: str, env: dict[str, str] | None = None) -> None:
        roots = [str(TESTS), str(TESTS.parent / "server"), str(TESTS.parent / "protocol")]
        path = os.pathsep.join([*roots, os.environ.get("PYTHONPATH", "")])
        self.process = subprocess.Popen(
            [sys.executable, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path, **(env or {})},
        )
        self.n_sent = 0

    def send(self, message: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def request(self, method: str, params: Any = None) -> Any:
        self.n_sent += 1
        self.send({"id": self.n_sent, "method": method, "params": params})
        return self.answer(self.n_sent)

    def answer(self, number: int) -> Any:
        """Return the answer to a request."""
        while (message := self._read()).get("id") != number:
            pass
        return message

    def initialize(self) -> Any:
        answer = self.request("initialize", {"processId": None, "rootUri": "file:///notes"} | _CAN)
        self.send({"method": "initialized", "params": {}})
        return answer

    def ended(self) -> int:
        """Return the exit status, once it has ended."""
        return self.process.wait(_SECONDS)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            with suppress(OSError):  # What was still to be flushed has nowhere to go.
                pipe.close()

    def _read(self) -> Any:
        assert self.process.stdout is not None
        length = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name == b"Content-Length":
                length = int(value)
        assert length, "The server closed its stdout."
        return json.loads(self.process.stdout.read(length))


_CAN: dict[str, Any] = {"capabilities": {}}


@pytest.fixture
def start() -> Iterator[Any]:
    begun: list[Process] = []

    def start_one(*arguments: str, env: dict[str, str] | None = None) -> Process:
        begun.append(Process("-m", "support.lsp_process", *arguments, env=env))
        return begun[-1]

    yield start_one
    for process in begun:
        process.kill()


def test_it_ends_with_0_after_shutdown_while_stdin_stays_open(start: Any) -> None:
    server = start()
    server.initialize()
    assert server.request("shutdown")["result"] is None
    server.send({"method": "exit"})
    assert server.ended() == 0


def test_exit_may_follow_shutdown_at_once(start: Any) -> None:
    server = start()
    server.initialize()
    assert server.request("notekin/search", {"query": "x"})["result"]
    shutdown, exit_ = (
        json.dumps({"jsonrpc": "2.0", **message}).encode()
        for message in ({"id": 50, "method": "shutdown"}, {"method": "exit"})
    )
    both = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(b), b) for b in (shutdown, exit_))
    server.process.stdin.write(both)
    server.process.stdin.flush()
    assert server.answer(50) == {"jsonrpc": "2.0", "id": 50, "result": None}
    assert server.ended() == 0


def test_it_ends_with_1_without_shutdown(start: Any) -> None:
    server = start()
    server.initialize()
    server.send({"method": "exit"})
    assert server.ended() == 1


@pytest.mark.parametrize("how", ["stdin", "stdout", "SIGTERM"])
def test_it_ends_when_the_client_is_gone(start: Any, how: str) -> None:
    server = start()
    server.initialize()
    assert server.request("notekin/search", {"query": "x"})["result"]
    if how == "stdin":
        server.process.stdin.close()
    elif how == "stdout":
        server.process.stdout.close()
        server.send({"id": 99, "method": "notekin/status"})
    else:
        server.process.send_signal(signal.SIGTERM)
    assert server.ended() == 1
    if how != "stdout":
        assert server.process.stderr.read() == b""


def test_it_ends_by_a_signal_that_wakes_no_loop(start: Any) -> None:
    server = start("struck")
    server.initialize()
    assert server.request("notekin/search", {"query": "x"})["result"]
    assert server.ended() == 1


def test_what_a_library_prints_goes_to_stderr(start: Any) -> None:
    server = start("noisy")
    server.initialize()
    assert server.request("notekin/search", {"query": "x"})["result"]["verdict"] == "found"
    assert server.request("shutdown")["result"] is None
    server.send({"method": "exit"})
    assert server.ended() == 0
    printed = server.process.stderr.read()
    assert b"from Python\n" in printed
    assert b"from C\n" in printed


def test_threads_that_never_end_do_not_hold_up_the_end(start: Any) -> None:
    server = start("stubborn")
    server.initialize()
    server.send({"id": 99, "method": "notekin/search", "params": {"query": "for ever"}})
    assert server.request("notekin/search", {"query": "x"})["result"]
    assert server.request("shutdown")["result"] is None
    server.send({"method": "exit"})
    assert server.ended() == 0


def test_the_longest_standstill_is_written_where_asked(start: Any, tmp_path: Path) -> None:
    file = tmp_path / "heartbeat"
    server = start(env={"NOTEKIN_HEARTBEAT": str(file)})
    server.initialize()
    server.request("shutdown")
    server.send({"method": "exit"})
    assert server.ended() == 0
    figures = json.loads(file.read_text())
    assert 0.0 <= figures["longest_held"] <= figures["longest"]


def test_initialize_costs_little_more_than_the_library_it_needs(start: Any) -> None:
    def answered() -> float:
        server = start()
        server.initialize()
        return _cpu_seconds(server.process)

    def loaded() -> float:
        return _cpu_seconds(subprocess.Popen([sys.executable, "-c", "import pygls.lsp.server"]))

    # Processor time: how long either takes by the clock depends on what else runs.
    ours, theirs = (min(measure() for _ in range(3)) for measure in (answered, loaded))
    print(f"initialize {ours:.3f} s, import pygls.lsp.server {theirs:.3f} s")
    assert ours < 1.5 * theirs


def _cpu_seconds(process: "subprocess.Popen[bytes]") -> float:
    if process.stdin is not None:
        process.kill()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    return usage.ru_utime + usage.ru_stime


def test_nothing_heavy_is_loaded_for_initialize() -> None:
    heavy = ("numpy", "onnxruntime", "fastembed", "tokenizers", "markdown_it", "apsw", "pymupdf")
    code = f"import sys, notekin.lsp.server; print(*(set({heavy}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.split() == []
