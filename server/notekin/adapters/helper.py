"""A helper process that prepares notes, and how it is talked to.

It reads batches from its stdin and writes notes to its stdout, pickled, each behind its length; it
ends when its stdin does, so it never outlives the server, however that dies. The first index waits
for its start: nothing is imported here that only the server needs.
"""

import os
import pickle
import sys
from collections.abc import Callable
from functools import cache
from io import BytesIO
from operator import attrgetter
from typing import Any, BinaryIO

from attrs import fields, has

from notekin.adapters.tokens import token_counter
from notekin.app.ports import CountTokens
from notekin.app.preparing import Preparer

_LENGTH_BYTES = 8


def make_preparer(count_tokens: CountTokens) -> Preparer:
    """Return what prepares notes, here and in a helper alike."""
    from notekin.core.chunks import cut
    from notekin.core.reading import read

    return Preparer(read, cut, count_tokens)


def serve(batches: BinaryIO, answers: BinaryIO) -> None:
    """Prepare batches until there are no more: the life of a helper."""
    prepare = make_preparer(token_counter())
    while (batch := received(batches)) is not None:
        send(answers, [prepare.or_reason(raw) for raw in batch])


def send(stream: Any, value: object) -> None:
    """Write a value."""
    packed = BytesIO()
    _Packer(packed, pickle.HIGHEST_PROTOCOL).dump(value)
    body = packed.getvalue()
    stream.write(len(body).to_bytes(_LENGTH_BYTES) + body)
    stream.flush()


class _Packer(pickle.Pickler):
    """Writes what `attrs` made as calls of its class: twice as quick to write as by the names of
    all fields, and to read.
    """

    def reducer_override(self, value: object) -> Any:
        values = _values_of(type(value))
        return (type(value), values(value)) if values else NotImplemented


@cache
def _values_of(class_: type) -> Callable[[object], tuple[object, ...]] | None:
    """Return what takes the values of all fields out of an object of such a class."""
    names = [each.name for each in fields(class_)] if has(class_) else []
    return attrgetter(*names) if len(names) > 1 else None


def received(stream: Any) -> Any:
    """Return the next value, None at the end of the stream."""
    head = stream.read(_LENGTH_BYTES)
    if len(head) < _LENGTH_BYTES:
        return None
    body = stream.read(int.from_bytes(head))
    return pickle.loads(body)  # noqa: S301 - what comes here was written by ourselves


def main() -> None:
    """Be a helper process."""
    answers = os.fdopen(os.dup(1), "wb")
    # What a library prints must not land among the answers.
    os.dup2(2, 1)
    try:
        serve(sys.stdin.buffer, answers)
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(1)  # The server is gone, or is being stopped by hand: there is nobody to tell.
