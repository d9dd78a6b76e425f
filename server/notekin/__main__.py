"""The program `notekin`.

This file is read by whatever Python is there, in a checkout too: its syntax stays old and its
imports late, so that an unfit one is refused with a sentence and not with a traceback.
"""

import contextlib
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path
    from typing import NoReturn

    from notekin.app.session import Session
    from notekin.cli.engine import Engine

OLDEST = (3, 11)
NEWEST = (3, 14)


def refusal(version: "tuple[int, ...]") -> str:
    """Return why this version of Python (a tuple) cannot run Notekin, "" when it can."""
    if OLDEST <= version[:2] <= NEWEST:
        return ""
    found = f"{version[0]}.{version[1]}"
    return f"Notekin needs Python 3.11 to 3.14; this is {found}. Install one of these and use it."


def main() -> None:
    """Run the program on `sys.argv` and exit."""
    sentence = refusal(sys.version_info[:2])
    if sentence:
        sys.stderr.write(sentence + "\n")
        sys.exit(2)
    _fill_standard_streams()
    try:
        status = _run()
    except KeyboardInterrupt:
        status = 130
    _end(status)


def _fill_standard_streams() -> None:
    """Let streams that the caller closed lead nowhere, so that everybody may use them.

    Else the next file that is opened, an index, would take the number of one of them, and what
    a library prints would be written into it.
    """
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number: this one
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115 - open to the end


def _run() -> int:
    # An editor waits for the server, a person for the help: each loads only what it needs.
    if sys.argv[1:] in (["lsp"], ["lsp", "--stdio"]):
        return _serve_lsp()
    from notekin.cli.app import run

    return run(sys.argv[1:], _make_engine, _serve_lsp)


def _end(status: int) -> "NoReturn":
    """Exit, now that every index is closed, without the interpreter's own farewell.

    A model that is still being loaded cannot be interrupted: its thread would be torn down in
    the middle of native code, which aborts the process instead of ending it with `status`.
    """
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # whoever read it may be gone
            stream.flush()
    os._exit(status)


def _serve_lsp() -> int:
    from notekin.lsp.server import serve

    return serve(_make_editor_session)


def _make_editor_session(options: object) -> "Session":
    # Called after `initialize` was answered: the editor waits for none of these imports.
    from notekin import compose

    return compose.make_editor_session(options)


def _make_engine(index_file: "Path | None") -> "Engine":
    from notekin import compose

    return compose.make_engine(index_file)


if __name__ == "__main__":
    main()
