"""`didOpen`, `didChange`, `didSave`, `didClose`: noted on the loop, handed on, done."""

from lsprotocol import types

from notekin.app.uris import path_from_uri
from notekin.lsp.documents import Change, Place
from notekin.lsp.state import NotekinServer


def opened(ls: NotekinServer, params: types.DidOpenTextDocumentParams) -> None:
    """The document is the editor's from now on; its note is embedded first."""
    document = params.text_document
    path = path_from_uri(document.uri)
    if path is None:
        return  # Untitled documents and those inside other documents are no files of a vault.
    ls.documents.open(path, document.version, document.text)
    _tell_opened(ls)


def changed(ls: NotekinServer, params: types.DidChangeTextDocumentParams) -> None:
    """A keystroke."""
    path = path_from_uri(params.text_document.uri)
    if path is not None:
        changes = [_change(change) for change in params.content_changes]
        ls.documents.change(path, params.text_document.version, changes, ls.client.encoding)


def saved(ls: NotekinServer, params: types.DidSaveTextDocumentParams) -> None:
    """The text on the screen is the file's now."""
    path = path_from_uri(params.text_document.uri)
    if path is None:
        return
    content = ls.documents.save(path)
    if content is None:
        ls.tell(lambda engine: engine.changed([path]))
    else:
        ls.tell(lambda engine: engine.saved(path, content))


def closed(ls: NotekinServer, params: types.DidCloseTextDocumentParams) -> None:
    """The file is the truth again."""
    ls.readables.closed(params.text_document.uri)
    path = path_from_uri(params.text_document.uri)
    if path is None:
        return
    if ls.documents.close(path):
        ls.tell(lambda engine: engine.changed([path]))
    _tell_opened(ls)


def _tell_opened(ls: NotekinServer) -> None:
    paths = ls.documents.paths
    ls.tell(lambda engine: engine.opened(paths))


def _change(change: types.TextDocumentContentChangeEvent) -> Change:
    if isinstance(change, types.TextDocumentContentChangeWholeDocument):
        return Change(change.text)
    extent = change.range
    return Change(change.text, _place(extent.start), _place(extent.end))


def _place(position: types.Position) -> Place:
    return Place(position.line, position.character)
