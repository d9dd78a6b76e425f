"""What each command does. Each returns the exit status: 0, 1 when nothing was found or done, 2 when
`doctor` found what it did not mend.
"""

import json
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import frozen

from notekin.app import presenting
from notekin.app.cancel import CancelToken
from notekin.app.errors import BadRequest, IndexUnusable
from notekin.app.requests import RelatedRequest, SearchRequest
from notekin.app.results import SearchResult, VaultStatus
from notekin.cli import output
from notekin.cli.engine import Engine, Session
from notekin.cli.passwords import ask_for_password
from notekin.cli.progress import for_ever, wait
from notekin.cli.signals import Terminated
from notekin.cli.vaults import (
    existing_folder,
    inside,
    left_undone,
    opened,
    refresh,
    shortfall,
    vault_holding,
)
from notekin.core.note import Kind
from notekin.core.query import Mode
from notekin.core.text import LineIndex
from notekin_protocol import convert, messages

FOUND, NOTHING_FOUND, FAILED = 0, 1, 2
_MOST_HITS = 1_000_000  # more passages than any vault holds, and still a number for SQLite


@frozen
class Searching:
    """The options of `search`."""

    mode: Mode = "hybrid"
    limit: int = 10
    folders: Sequence[Path] = ()
    kinds: Sequence[Kind] = ()
    tags: Sequence[str] = ()
    as_json: bool = False


@frozen
class Relating:
    """The options of `related`."""

    limit: int = 5
    include_self: bool = False
    as_json: bool = False


def index(engine: Engine, named: Path, *, force: bool, as_json: bool) -> int:
    """Index a vault, or bring its index up to date, to the end."""
    vault = existing_folder(named)
    begun = time.perf_counter()
    if _is_paused(engine, vault):
        output.tell("Indexing was paused; it goes on because you asked for it, here and elsewhere.")
    _tell_of_vault_around(engine, vault)
    # It may take hours, with no editor beside it that would tell what changes.
    with opened(engine, vault, watch=True) as session, _told_if_interrupted(session):
        token = CancelToken()
        session.resume(None)
        if force:
            session.reindex([vault], force=True)
        wait(session, "idle", for_ever, token)
        if not as_json:
            ask_for_password(session, token)
        (status,) = session.status()
    if status.phase == "failed":
        raise IndexUnusable(shortfall(status), status.reason)
    if as_json:
        _print_json(messages.StatusChangedParams((presenting.index_status(status),)))
    else:
        _print_summary(status, time.perf_counter() - begun)
    missing = shortfall(status)
    if missing:
        output.tell(missing)
    return FOUND


def search(engine: Engine, query: str, named: Path | None, options: Searching) -> int:
    """Search a vault, or the part of it that was named."""
    if not query.strip():
        raise BadRequest("There is nothing to search for: give some words or a question.")
    folder = _searched_folder(query, named)
    vault = vault_holding(engine, folder)
    folders = inside(vault, options.folders)
    if not folders and named is not None and folder != vault:
        folders = (folder,)
    request = SearchRequest(
        query,
        limit=_positive(options.limit),
        mode=options.mode,
        folders=folders,
        kinds=tuple(options.kinds),
        tags=tuple(tag.removeprefix("#") for tag in options.tags),
    )
    with opened(engine, vault) as session:
        token = CancelToken()
        refresh(session, options.mode, token)
        result = session.search(session.ask(request, token), {})
    return _answer(result, as_json=options.as_json)


def related(engine: Engine, target: str, options: Relating) -> int:
    """Find what is related to a note, or to the paragraph at one of its lines."""
    path, line = _split_target(target)
    vault = vault_holding(engine, path)
    with opened(engine, vault) as session:
        token = CancelToken()
        refresh(session, "hybrid", token)
        offset = None if line is None else _offset(session.text_of(path), line, path)
        request = RelatedRequest(
            path, offset, limit=_positive(options.limit), include_self=options.include_self
        )
        result = session.related(request, {}, token)
    return _answer(result, as_json=options.as_json)


def status(engine: Engine, named: Path | None, *, as_json: bool) -> int:
    """Tell what the index of a vault holds."""
    vault = vault_holding(engine, existing_folder(named))
    state = engine.status(vault)
    if as_json:
        _print_json(messages.StatusChangedParams((presenting.index_status(state),)))
    else:
        output.show_status(state)
    return FOUND


def doctor(engine: Engine, named: Path | None, *, repair: bool, as_json: bool) -> int:
    """Check the index of a vault; 2 when something is wrong and was not mended."""
    vault = vault_holding(engine, existing_folder(named))
    findings = engine.doctor(vault, repair=repair)
    ill = [finding for finding in findings if not finding.repaired]
    if as_json:
        report = [{"sentence": each.sentence, "repaired": each.repaired} for each in findings]
        _print_line(json.dumps({"healthy": not ill, "findings": report}, ensure_ascii=False))
    else:
        for finding in findings:
            mark = "repaired: " if finding.repaired else ""
            _print_line(output.clean(f"{mark}{finding.sentence}"))
        if not findings:
            _print_line(f"The index of {output.clean(str(vault))} is healthy.")
            if _is_paused(engine, vault):
                output.tell("Its indexing is paused: resume it in the editor, or index it here.")
        elif not repair and any(finding.mendable for finding in ill):
            output.tell("Run the same command with --repair to mend this.")
    return FAILED if ill else FOUND


def forget(engine: Engine, named: Path, *, sure: bool) -> int:
    """Remove the index of a vault; its notes are never touched."""
    vault = named.expanduser().resolve()
    if not sure and not _confirmed(vault):
        output.tell("Nothing was removed.")
        return NOTHING_FOUND
    if not engine.forget(vault):
        raise BadRequest(f"{vault} has no index: there is nothing to forget.")
    _print_line(f"The index of {output.clean(str(vault))} is removed; the notes are as they were.")
    return FOUND


def _searched_folder(query: str, named: Path | None) -> Path:
    """Return the folder to search; a name that is none may be the second word of a query."""
    if named and named.parent == Path() and not named.expanduser().exists():
        raise BadRequest(
            f"There is no folder {named}: check its name. A query of several words stands in "
            f'quotes: notekin search "{query} {named}"'
        )
    return existing_folder(named)


def _is_paused(engine: Engine, vault: Path) -> bool:
    return engine.vault_of(vault) == vault and engine.status(vault).reason == "user"


def _tell_of_vault_around(engine: Engine, vault: Path) -> None:
    """Say that a folder's notes are in an index already: a second one may not be what was meant."""
    around = engine.vault_of(vault)
    if around not in (None, vault):
        output.tell(
            f"{around} holds this folder and is indexed already; this makes an index of its own. "
            f'To remove it again: notekin forget "{vault}"'
        )


@contextmanager
def _told_if_interrupted(session: Session) -> Generator[None]:
    """Close the session and say what is left when the person, or the system, ends the run."""
    try:
        yield
    except (KeyboardInterrupt, Terminated):
        session.close()
        for status in session.status():
            output.tell(left_undone(status))
        raise


def _answer(result: SearchResult, *, as_json: bool) -> int:
    if as_json:
        _print_json(presenting.search_result(result, "utf-16"))
    else:
        output.show_hits(result)
        if result.verdict == "notFound":
            near = "Nothing found; these are the nearest." if result.hits else "Nothing found."
            output.tell(" ".join((near, *filter(None, (each.emptiness for each in result.status)))))
        if result.verdict == "incomplete":
            missing = " ".join(filter(None, map(shortfall, result.status)))
            output.tell(missing or "The index is not complete: this is what is known so far.")
    nothing = result.verdict == "notFound" or not result.hits
    return NOTHING_FOUND if nothing else FOUND


def _split_target(target: str) -> tuple[Path, int | None]:
    """Read FILE or FILE:LINE; a file whose name ends so is that file."""
    whole = Path(target).expanduser()
    if whole.is_file():
        return whole.resolve(), None
    name, colon, line = target.rpartition(":")
    path = Path(name).expanduser()
    if colon and line.isdecimal() and path.is_file():
        return path.resolve(), int(line)
    if whole.is_dir():
        raise BadRequest(f"{whole} is a folder: name a note in it.")
    raise BadRequest(f"There is no note {target}: check its name.")


def _offset(text: str, line: int, path: Path) -> int:
    """Return where a line (from 1) begins, in code points."""
    lines = LineIndex(text)
    if not 1 <= line <= lines.n_lines:
        raise BadRequest(f"{path.name} has {lines.n_lines} lines and no line {line}.")
    return lines.line_span(line - 1).start


def _positive(limit: int) -> int:
    if limit < 1:
        raise BadRequest(f"--limit must be 1 or more, not {limit}.")
    return min(limit, _MOST_HITS)


def _confirmed(vault: Path) -> bool:
    if not sys.stdin.isatty():
        raise BadRequest("Add --yes to remove an index without being asked.")
    sys.stderr.write(f"Remove the index of {output.clean(str(vault))}? The notes stay. [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in {"y", "yes"}


def _print_summary(state: VaultStatus, seconds: float) -> None:
    notes, chunks, vault = state.notes, state.chunks, output.clean(str(state.folder))
    _print_line(
        f"{vault}: {notes.n_indexed:,} notes, {chunks.n_total:,} passages, "
        f"{chunks.n_embedded:,} findable by meaning ({seconds:.1f} s)"
    )
    for failure in state.failures:
        output.tell(f"{output.place(failure.path)} is left out: {failure.reason}")
    for warning in state.warnings:
        output.tell(f"{output.place(warning.path)}: {warning.reason}")


def _print_json(message: Any) -> None:
    _print_line(json.dumps(convert.write(message), ensure_ascii=False))


def _print_line(line: str) -> None:
    sys.stdout.write(f"{line}\n")
