"""From `initialize` to `exit`, and what the server announces."""

import asyncio
from pathlib import Path
from typing import Any

from lsprotocol import types

from notekin.app.uris import READABLE_SCHEME, uri_of
from notekin.lsp import configuration, convert
from notekin.lsp.state import Client, NotekinServer
from notekin_protocol.convert import announced

_WATCHERS_ID = "notekin-watched-files"
_CLOSE_SECONDS = 3.0  # `shutdown` is answered by then, whatever the session still does


def initialize(ls: NotekinServer, params: types.InitializeParams) -> types.InitializeResult:
    """Note what the client is and answer; nothing here waits for files, a model or an index."""
    ls.process_id = params.process_id
    ls.client = _client(params)
    ls.ask_settings = lambda: configuration.order(ls)
    ls.symbols.is_fixed = configuration.asks_for_symbols(ls.client.options)
    ls.symbols.is_dynamic = _registers_symbols(params.capabilities)
    return types.InitializeResult(_capabilities(ls), types.ServerInfo(ls.name, ls.version))


def initialized(ls: NotekinServer, _params: Any) -> None:
    """Open the folders, and ask to be told about changed settings and files."""
    ls.start()
    configuration.register(ls)
    if ls.client.registers_watchers:
        watchers = [types.FileSystemWatcher("**")]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        registration = types.Registration(
            _WATCHERS_ID, types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options
        )
        ls.client_register_capability(types.RegistrationParams([registration]))


async def shutdown(ls: NotekinServer, _params: Any) -> None:
    """Answer once everything has stopped; requests from now on are refused."""
    closing = asyncio.create_task(ls.close())
    await asyncio.wait([closing], timeout=_CLOSE_SECONDS)


def exit_(ls: NotekinServer, _params: Any) -> None:
    """End the process: status 0 after `shutdown`, 1 without."""
    ls.on_exit()


def execute(ls: NotekinServer, params: types.ExecuteCommandParams) -> Any:
    """Run a command: the twin of one of the server's own requests."""
    return ls.protocol.execute(params.command, params.arguments or ())


def _client(params: types.InitializeParams) -> Client:
    capabilities = params.capabilities
    general, window, workspace = capabilities.general, capabilities.window, capabilities.workspace
    watched = workspace.did_change_watched_files if workspace else None
    configured = workspace.did_change_configuration if workspace else None
    return Client(
        encoding=convert.chosen_encoding(general.position_encodings if general else None),
        folders=tuple(dict.fromkeys(convert.files_of(_folder_uris(params)))),
        options=params.initialization_options,
        markdown=_reads_markdown(capabilities),
        progress=bool(window and window.work_done_progress),
        registers_watchers=bool(watched and watched.dynamic_registration),
        registers_configuration=bool(configured and configured.dynamic_registration),
        pulls=bool(workspace and workspace.configuration),
        reads_content=bool(workspace and workspace.text_document_content),
    )


def _registers_symbols(capabilities: types.ClientCapabilities) -> bool:
    symbol = capabilities.workspace.symbol if capabilities.workspace else None
    return bool(symbol and symbol.dynamic_registration)


def _reads_markdown(capabilities: types.ClientCapabilities) -> bool:
    hover = capabilities.text_document.hover if capabilities.text_document else None
    formats = hover.content_format if hover else None
    return formats is None or types.MarkupKind.Markdown in formats


def _folder_uris(params: types.InitializeParams) -> list[str]:
    """Return the folders the client names; older clients name one root."""
    if params.workspace_folders:
        return [folder.uri for folder in params.workspace_folders]
    if params.root_uri:
        return [params.root_uri]
    if params.root_path and (root := Path(params.root_path)).is_absolute():
        return [uri_of(root)]
    return []


def _capabilities(ls: NotekinServer) -> types.ServerCapabilities:
    """Return what is really served."""
    return types.ServerCapabilities(
        position_encoding=ls.client.encoding,
        text_document_sync=types.TextDocumentSyncOptions(
            open_close=True,
            change=types.TextDocumentSyncKind.Incremental,
            save=types.SaveOptions(include_text=False),
        ),
        hover_provider=True,
        workspace_symbol_provider=ls.symbols.is_fixed,
        execute_command_provider=types.ExecuteCommandOptions(list(ls.protocol.commands)),
        workspace=types.WorkspaceOptions(
            workspace_folders=types.WorkspaceFoldersServerCapabilities(
                supported=True, change_notifications=True
            ),
            file_operations=types.FileOperationOptions(
                did_create=_EVERY_FILE, did_rename=_EVERY_FILE, did_delete=_EVERY_FILE
            ),
            text_document_content=types.TextDocumentContentOptions([READABLE_SCHEME]),
        ),
        experimental={"notekin": announced(ls.protocol.own_params)},
    )


# Without `matches` a pattern stands for files and folders alike.
_EVERY_FILE = types.FileOperationRegistrationOptions(
    [types.FileOperationFilter(types.FileOperationPattern("**/*"), scheme="file")]
)
