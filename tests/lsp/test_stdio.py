"""Framing: what comes in pieces, and what other clients write in their headers."""

import os
from collections.abc import Callable

import pytest

from notekin.lsp.stdio import QueuedWriter, bodies


def _pieces(data: bytes, size: int) -> Callable[[], bytes]:
    rest = [data[start : start + size] for start in range(0, len(data), size)]
    return lambda: rest.pop(0) if rest else b""


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_messages_come_in_pieces_of_any_size(size: int) -> None:
    data = (
        b"Content-Length: 2\r\n\r\n{}"
        b"content-length:3\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n[1]"
        b"Content-Type: x\r\nContent-Length: 4\r\n\r\nnull"
    )
    assert list(bodies(_pieces(data, size))) == [b"{}", b"[1]", b"null"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"Content-Length: 2\r\n",
        b"Content-Length: 20\r\n\r\n{}",
        b"no header\r\n\r\n",
        b"Content-Length: two\r\n\r\n",
    ],
)
def test_what_is_cut_off_or_unreadable_is_no_message(data: bytes) -> None:
    assert list(bodies(_pieces(data, 5))) == []


def test_a_block_without_a_length_is_skipped() -> None:
    data = b"hello\r\n\r\nContent-Length: 2\r\n\r\n{}"
    assert list(bodies(_pieces(data, 4))) == [b"{}"]


def test_an_unreadable_pipe_is_its_end() -> None:
    def read() -> bytes:
        raise OSError

    assert list(bodies(read)) == []


def test_the_writer_keeps_order_and_writes_all_before_it_closes() -> None:
    source, sink = os.pipe()
    writer = QueuedWriter(sink, lambda: None)
    for number in range(100):
        writer.write(b"%d\n" % number)
    writer.close()
    os.close(sink)
    with os.fdopen(source, "rb") as read:
        assert read.read() == b"".join(b"%d\n" % number for number in range(100))


def test_a_client_that_is_gone_is_told_once() -> None:
    source, sink = os.pipe()
    os.close(source)
    lost: list[bool] = []
    writer = QueuedWriter(sink, lambda: lost.append(True))
    writer.write(b"a")
    writer.write(b"b")
    writer.close()
    os.close(sink)
    assert lost == [True]
