"""`notekin/status`, `reindex`, `pause`, `cancel`, `resume` and `unlock`."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from notekin.app.errors import BadRequest
from notekin.lsp import convert
from notekin.lsp.state import NotekinServer
from notekin_protocol import messages


def status(ls: NotekinServer, _params: messages.StatusParams) -> Any:
    """Answer with a snapshot, at once."""
    return convert.index_status(ls.status())


async def reindex(ls: NotekinServer, params: messages.ReindexParams) -> dict[str, int]:
    """Have notes looked at again; answers when they are queued, not when they are done."""
    if params.text_document is not None and params.folder is not None:
        raise BadRequest("Name a document or a folder, not both.")
    uri = params.text_document.uri if params.text_document is not None else params.folder
    paths = [convert.document_of(uri)] if uri is not None else []
    engine = await ls.vaults()
    n_queued = await ls.call(lambda engine: engine.reindex(paths, force=params.force))
    if n_queued:
        ls.bars.expect(_vaults_of(paths, engine.folders))
    return {"queued": n_queued}


async def pause(ls: NotekinServer, params: messages.FolderParams) -> Any:
    """Stop indexing until `resume`, also after a restart."""
    folder = _folder(params)
    await ls.call(lambda engine: engine.pause(folder))
    return convert.index_status(ls.status())


async def cancel(ls: NotekinServer, params: messages.FolderParams) -> Any:
    """Stop indexing until `resume` or a restart."""
    folder = _folder(params)
    await ls.call(lambda engine: engine.cancel(folder))
    return convert.index_status(ls.status())


async def resume(ls: NotekinServer, params: messages.FolderParams) -> Any:
    """Go on with what `pause` or `cancel` stopped."""
    folder = _folder(params)
    await ls.call(lambda engine: engine.resume(folder))
    return convert.index_status(ls.status())


async def unlock(ls: NotekinServer, params: messages.UnlockParams) -> dict[str, bool]:
    """Have PDFs read with these passwords; answers when the one that was named was tried."""
    document = params.text_document
    path = None if document is None else convert.document_of(document.uri)
    engine = await ls.engine()
    opened = await ls.pool.run(lambda token: engine.unlock(params.passwords, path, token))
    return {"opened": opened}


def _folder(params: messages.FolderParams) -> Path | None:
    return None if params.folder is None else convert.file_of(params.folder)


def _vaults_of(paths: Iterable[Path], vaults: Iterable[Path]) -> list[Path]:
    """Return the vaults that hold the paths; all of them when there are none."""
    wanted = list(paths)
    return [v for v in vaults if not wanted or any(path.is_relative_to(v) for path in wanted)]
