"""The table of contents of the command line: its commands, their options, how a run ends."""

import io
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, cast

from cyclopts import App, CycloptsError, Parameter, UnusedCliTokensError

from notekin import __version__
from notekin.app.errors import Cancelled, NotekinError
from notekin.cli.engine import MakeEngine
from notekin.cli.signals import Terminated, ending_in_order
from notekin.core.note import Kind
from notekin.core.query import Mode

# The last three as a shell tells of signals.
FAILED, INTERRUPTED, PIPE_BROKEN, TERMINATED = 2, 130, 141, 143

Json = Annotated[bool, Parameter(name="--json")]
IndexFile = Annotated[Path | None, Parameter(name="--index")]


def run(arguments: Sequence[str], make_engine: MakeEngine, serve_lsp: Callable[[], int]) -> int:
    """Run one command and return its exit status; nothing but a sentence is ever raised."""
    _accept_any_text()
    try:
        with ending_in_order():
            status = build(make_engine, serve_lsp)(
                _command_first(arguments),
                exit_on_error=False,
                print_error=False,
                result_action="return_value",
            )
            sys.stdout.flush()
    except (KeyboardInterrupt, Cancelled, Terminated) as end:
        return TERMINATED if isinstance(end, Terminated) else INTERRUPTED
    except BrokenPipeError:
        return _silenced()
    except (NotekinError, CycloptsError) as error:
        return _refused(_sentence(error))
    except OSError as error:
        return _refused(_of_the_system(error))
    except Exception as error:  # noqa: BLE001 - the last place before a person sees it
        return _unexpected(error)
    return status if isinstance(status, int) else 0


def build(make_engine: MakeEngine, serve_lsp: Callable[[], int]) -> App:
    """Return the program with all its commands."""
    app = App(
        name="notekin",
        help="Search your own notes, by words and by meaning, offline.",
        version=f"notekin {__version__}",
        help_format="plaintext",
        suppress_keyboard_interrupt=False,
        default_parameter=Parameter(negative=()),
    )

    @app.command
    def index(
        folder: Path, /, *, force: bool = False, json: Json = False, index: IndexFile = None
    ) -> int:
        """Index a folder of notes, or bring its index up to date.

        Args:
            folder: The folder of notes, a vault.
            force: Read every note again, changed or not.
            json: Print one JSON object.
            index: Keep the index in this file.
        """
        from notekin.cli import commands

        return commands.index(make_engine(index), folder, force=force, as_json=json)

    @app.command
    def search(  # noqa: PLR0913 - options of a command line
        query: str,
        folder: Path | None = None,
        /,
        *,
        mode: Mode = "hybrid",
        limit: Annotated[int, Parameter(name=["--limit", "-n"])] = 10,
        within: Annotated[list[Path] | None, Parameter(name="--folder")] = None,
        kind: list[Kind] | None = None,
        tag: list[str] | None = None,
        json: Json = False,
        index: IndexFile = None,
    ) -> int:
        """Find the passages about something; exit status 1 when there are none.

        Args:
            query: Words, or a question, in any language.
            folder: A vault or a folder in one; without it, the vault around the working folder.
            mode: By words (lexical), by meaning (semantic) or by both.
            limit: How many passages at most.
            within: Only notes in this folder of the vault; may be given again.
            kind: Only notes of this kind; may be given again.
            tag: Only notes with this tag or one below it; may be given again.
            json: Print one JSON object.
            index: Use the index in this file.
        """
        from notekin.cli import commands

        options = commands.Searching(mode, limit, within or (), kind or (), tag or (), json)
        return commands.search(make_engine(index), query, folder, options)

    @app.command
    def related(
        target: str,
        /,
        *,
        limit: Annotated[int, Parameter(name=["--limit", "-n"])] = 5,
        include_self: bool = False,
        json: Json = False,
        index: IndexFile = None,
    ) -> int:
        """Find the passages related to a note, or to the paragraph at one of its lines.

        Args:
            target: The note, as FILE or FILE:LINE.
            limit: How many passages at most.
            include_self: Passages of the note itself, too.
            json: Print one JSON object.
            index: Use the index in this file.
        """
        from notekin.cli import commands

        options = commands.Relating(limit, include_self=include_self, as_json=json)
        return commands.related(make_engine(index), target, options)

    @app.command
    def status(
        folder: Path | None = None, /, *, json: Json = False, index: IndexFile = None
    ) -> int:
        """Tell what the index of a vault holds.

        Args:
            folder: The vault; without it, the one around the working folder.
            json: Print one JSON object.
            index: Use the index in this file.
        """
        from notekin.cli import commands

        return commands.status(make_engine(index), folder, as_json=json)

    @app.command
    def doctor(
        folder: Path | None = None,
        /,
        *,
        repair: bool = False,
        json: Json = False,
        index: IndexFile = None,
    ) -> int:
        """Check that all tables of an index agree; exit status 2 when they do not.

        Args:
            folder: The vault; without it, the one around the working folder.
            repair: Mend what is wrong.
            json: Print one JSON object.
            index: Check the index in this file.
        """
        from notekin.cli import commands

        return commands.doctor(make_engine(index), folder, repair=repair, as_json=json)

    @app.command
    def forget(
        folder: Path,
        /,
        *,
        yes: Annotated[bool, Parameter(name=["--yes", "-y"])] = False,
        index: IndexFile = None,
    ) -> int:
        """Remove the index of a vault; the notes stay.

        Args:
            folder: The vault, which may be gone already.
            yes: Do not ask.
            index: Remove this index file.
        """
        from notekin.cli import commands

        return commands.forget(make_engine(index), folder, sure=yes)

    @app.command
    def lsp(*, stdio: bool = True) -> int:
        """Serve an editor over stdin and stdout.

        Args:
            stdio: The only way there is; accepted because editors say it.
        """
        del stdio
        return serve_lsp()

    return app


def _command_first(arguments: Sequence[str]) -> list[str]:
    """Let `--index FILE` stand in front of the command as well as after it."""
    moved = list(arguments)
    if moved[:1] == ["--index"] and len(moved) > 2:  # noqa: PLR2004 - the option, its value, a command
        return [moved[2], *moved[:2], *moved[3:]]
    if moved and moved[0].startswith("--index=") and len(moved) > 1:
        return [moved[1], moved[0], *moved[2:]]
    return moved


def _accept_any_text() -> None:
    """Let a name that the terminal cannot spell be shown with a mark instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            cast("io.TextIOWrapper", stream).reconfigure(errors="replace")


def _refused(sentence: str) -> int:
    from notekin.cli.output import tell

    for line in sentence.splitlines():
        tell(line)
    return FAILED


def _sentence(error: NotekinError | CycloptsError) -> str:
    if not isinstance(error, UnusedCliTokensError):
        return str(error)
    words = " ".join(error.unused_tokens or ())
    return f"Too many words, from {words!r} on: put a query, and a path with spaces, in quotes."


def _of_the_system(error: OSError) -> str:
    """Return a sentence for what reading or writing met; without a file it was the results."""
    reason = error.strerror or str(error)
    if error.filename is None:
        return f"The results cannot be written: {reason}."
    return f"{error.filename} cannot be used: {reason}. Check that it can be read and written."


def _unexpected(error: Exception) -> int:
    if os.environ.get("NOTEKIN_DEBUG") == "1":
        traceback.print_exception(error)
    words = f"{type(error).__name__}: {error}".rstrip(": ").splitlines()[0]
    return _refused(
        f"Something went wrong that should not ({words}). Please report it where Notekin is "
        "developed, with what NOTEKIN_DEBUG=1 prints for the same command."
    )


def _silenced() -> int:
    """Whoever read the results stopped; leave nothing for the interpreter to flush."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return PIPE_BROKEN
