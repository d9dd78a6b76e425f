"""Which vault a command is about, and how it is opened."""

import math
import shlex
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from notekin.app.cancel import CancelToken
from notekin.app.errors import BadRequest, NotIndexed
from notekin.app.results import VaultStatus
from notekin.cli.engine import Engine, Session
from notekin.cli.output import place, tell
from notekin.cli.progress import wait
from notekin.core.query import Mode

# A command answers with what is known so far rather than wait longer, in seconds, for the model,
# or for another process, which may be in the middle of a first index.
_PATIENCE_SECONDS = 5.0


def existing_folder(given: Path | None) -> Path:
    """Return the folder that was named, or the working one; raises `BadRequest`."""
    folder = (given or Path()).expanduser().resolve()
    if not folder.exists():
        raise BadRequest(f"There is no folder {folder}: check its name.")
    if not folder.is_dir():
        raise BadRequest(f"{folder} is a file: name the folder it lies in.")
    return folder


def vault_holding(engine: Engine, path: Path) -> Path:
    """Return the indexed vault around a path; raises `NotIndexed` and says how to make one."""
    vault = engine.vault_of(path)
    if vault is None:
        folder = path if path.is_dir() else path.parent
        command = f"notekin index {shlex.quote(place(folder))}"
        raise NotIndexed(f"{folder} was never indexed: run `{command}` first.")
    return vault


def inside(vault: Path, named: Sequence[Path]) -> tuple[Path, ...]:
    """Return the folders named by `--folder`: as seen from here, else as seen from the vault."""
    return tuple(_inside(vault, folder.expanduser()) for folder in named)


def _inside(vault: Path, folder: Path) -> Path:
    for candidate in (folder.resolve(), (vault / folder).resolve()):
        if candidate.is_dir() and candidate.is_relative_to(vault):
            return candidate
    raise BadRequest(f"There is no folder {folder} in {vault}: check its name.")


@contextmanager
def opened(engine: Engine, vault: Path, *, watch: bool = False) -> Generator[Session]:
    """Open a vault; however the command ends, its index is closed consistent. With `watch`, what
    changes in the meantime is seen, too.
    """
    session = engine.open_session(vault, watch=watch)
    try:
        for notice in engine.notices(vault):
            tell(notice)
        yield session
    finally:
        session.close()


def refresh(session: Session, mode: Mode, token: CancelToken) -> None:
    """Look at the files and index what changed, or have it indexed by the process that does: all
    words, and meanings while patience lasts.
    """
    wait(session, "words", _beside_another, token)
    if mode != "lexical":
        wait(session, "idle", lambda _: _PATIENCE_SECONDS, token)


def _beside_another(status: VaultStatus) -> float:
    return _PATIENCE_SECONDS if status.following else math.inf


def shortfall(status: VaultStatus) -> str:
    """Return what is missing of an index that answers and what to do, "" when nothing is."""
    if status.emptiness:
        return status.emptiness
    if status.phase == "failed":
        return f"The index cannot be brought up to date ({status.reason})."
    if status.reason == "modelMissing":
        command = f"`notekin doctor {shlex.quote(place(status.folder))}`"
        return f"The embedding model cannot be loaded: only words are searched. {command} says why."
    if status.chunks.n_pending or status.notes.n_pending:
        if status.following and status.phase != "paused":
            return _pending(status, "Another process is at it.")
        command = f"`notekin index {shlex.quote(place(status.folder))}`"
        return _pending(status, f"Run {command} to finish.")
    return ""


def left_undone(status: VaultStatus) -> str:
    """Return what an interrupted run leaves for the next one."""
    notes, chunks = status.notes, status.chunks
    waiting = [f"{chunks.n_pending:,} of {chunks.n_total:,} passages are not yet embedded"]
    if notes.n_pending:
        waiting.insert(0, f"{notes.n_pending:,} of {notes.n_total:,} notes are not yet read")
    command = f"notekin index {shlex.quote(place(status.folder))}"
    if status.complete:
        return "Stopped; the index is complete."
    if status.phase in ("starting", "scanning"):
        return f"Stopped before all files were compared with the index: `{command}` goes on."
    return f"Stopped; {' and '.join(waiting)}: `{command}` goes on from here."


def _pending(status: VaultStatus, remedy: str) -> str:
    chunks, n_layouts = status.chunks, status.notes.n_layouts
    bare = f" {n_layouts:,} PDFs are findable by their bare text only." if n_layouts else ""
    return (
        f"The index is not complete: {chunks.n_embedded:,} of {chunks.n_total:,} passages are "
        f"findable by meaning.{bare} {remedy}"
    )
