"""The language server: the table of contents of this room.

Where code runs: every handler is called on the loop as its message comes in, and only notes,
hands on, looks up or freezes. One with more to do returns a coroutine, which does its work on a
thread of the pool and is stopped by `$/cancelRequest`. Nothing on the loop waits for files, an
index or a model.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from lsprotocol import types

from notekin import __version__
from notekin.lsp import (
    changes,
    configuration,
    hover,
    lifecycle,
    readable,
    search,
    symbols,
    sync,
    upkeep,
)
from notekin.lsp.engine import MakeEngine
from notekin.lsp.running import run
from notekin.lsp.state import NotekinServer
from notekin_protocol import messages
from notekin_protocol.convert import read

_OWN: Mapping[str, tuple[type, Callable[..., Any]]] = {
    "notekin/search": (messages.SearchParams, search.search),
    "notekin/related": (messages.RelatedParams, search.related),
    "notekin/status": (messages.StatusParams, upkeep.status),
    "notekin/reindex": (messages.ReindexParams, upkeep.reindex),
    "notekin/pause": (messages.FolderParams, upkeep.pause),
    "notekin/cancel": (messages.FolderParams, upkeep.cancel),
    "notekin/resume": (messages.FolderParams, upkeep.resume),
    "notekin/unlock": (messages.UnlockParams, upkeep.unlock),
}

_STANDARD: Mapping[str, Callable[..., Any]] = {
    types.INITIALIZE: lifecycle.initialize,
    types.INITIALIZED: lifecycle.initialized,
    types.SHUTDOWN: lifecycle.shutdown,
    types.EXIT: lifecycle.exit_,
    types.TEXT_DOCUMENT_DID_OPEN: sync.opened,
    types.TEXT_DOCUMENT_DID_CHANGE: sync.changed,
    types.TEXT_DOCUMENT_DID_SAVE: sync.saved,
    types.TEXT_DOCUMENT_DID_CLOSE: sync.closed,
    types.TEXT_DOCUMENT_HOVER: hover.hover,
    types.WORKSPACE_SYMBOL: symbols.symbols,
    types.WORKSPACE_TEXT_DOCUMENT_CONTENT: readable.content,
    types.WORKSPACE_EXECUTE_COMMAND: lifecycle.execute,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: changes.watched_files,
    types.WORKSPACE_DID_CREATE_FILES: changes.created,
    types.WORKSPACE_DID_RENAME_FILES: changes.renamed,
    types.WORKSPACE_DID_DELETE_FILES: changes.deleted,
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: configuration.changed,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: changes.folders,
    types.WINDOW_WORK_DONE_PROGRESS_CANCEL: changes.progress_cancelled,
}


def create_server(make_engine: MakeEngine) -> NotekinServer:
    """Return a server with everything registered; `make_engine` is called after `initialized`,
    on a thread.
    """
    server = NotekinServer(make_engine, __version__)
    server.protocol.own_params = {name: partial(read, kind) for name, (kind, _) in _OWN.items()}
    for name, (_, handler) in _OWN.items():
        server.feature(name)(handler)
    for name, handler in _STANDARD.items():
        server.feature(name)(handler)
    return server


def serve(make_engine: MakeEngine) -> int:
    """Serve on stdin and stdout until `exit`, the end of stdin or SIGTERM; return the exit
    status.
    """
    return run(create_server(make_engine))
