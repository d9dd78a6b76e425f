"""What the client tells about files, folders and settings: noted, handed on, done."""

from lsprotocol import types

from notekin.lsp import convert
from notekin.lsp.state import NotekinServer

# Reading more URIs than these takes milliseconds, which the loop does not have.
_N_AT_ONCE = 200


def watched_files(ls: NotekinServer, params: types.DidChangeWatchedFilesParams) -> None:
    """Files or whole folders were created, changed or deleted, by whomever."""
    _changed(ls, [change.uri for change in params.changes])


def created(ls: NotekinServer, params: types.CreateFilesParams) -> None:
    """The editor created files or folders."""
    _changed(ls, [file.uri for file in params.files])


def renamed(ls: NotekinServer, params: types.RenameFilesParams) -> None:
    """The editor renamed files or folders: the old names are gone, the new ones are there."""
    _changed(ls, [uri for file in params.files for uri in (file.old_uri, file.new_uri)])


def deleted(ls: NotekinServer, params: types.DeleteFilesParams) -> None:
    """The editor deleted files or folders."""
    _changed(ls, [file.uri for file in params.files])


def folders(ls: NotekinServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Vaults were opened or closed."""
    for path in convert.files_of(folder.uri for folder in params.event.removed):
        ls.close_folder(path)
    for path in convert.files_of(folder.uri for folder in params.event.added):
        ls.open_folder(path)
    if params.event.added:
        ls.tell_when_known(ls.ask_settings)


def progress_cancelled(ls: NotekinServer, params: types.WorkDoneProgressCancelParams) -> None:
    """The person cancelled a progress bar."""
    ls.bars.cancelled(params.token)


def _changed(ls: NotekinServer, uris: list[str]) -> None:
    if len(uris) > _N_AT_ONCE:
        ls.tell_beside(lambda engine: engine.changed(convert.files_of(uris)))
    elif paths := convert.files_of(uris):
        ls.tell(lambda engine: engine.changed(paths))
