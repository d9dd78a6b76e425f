"""Between LSP's types and the core's."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from lsprotocol import types

from notekin.app.errors import BadRequest
from notekin.app.results import Hit, SearchResult, VaultStatus
from notekin.app.uris import path_from_uri, pdf_from_uri, readable_uri, uri_of
from notekin.core.text import Anchor, Encoding

_ENCODINGS: Mapping[str, Encoding] = {"utf-16": "utf-16", "utf-8": "utf-8"}


def file_of(uri: str) -> Path:
    """Return the path a URI names; raises `BadRequest` where it names no file here."""
    path = path_from_uri(uri)
    if path is None:
        raise BadRequest(f"{uri} is not a file of this computer; pass a file: URI.")
    return path


def document_of(uri: str) -> Path:
    """Return the note whose document a URI names, the PDF of a readable document; raises
    `BadRequest` where it names none here.
    """
    path = pdf_from_uri(uri)
    return file_of(uri) if path is None else path


def files_of(uris: Iterable[str]) -> list[Path]:
    """Return the paths of those URIs that name files."""
    return [path for uri in uris if (path := path_from_uri(uri)) is not None]


def chosen_encoding(offered: Iterable[str] | None) -> Encoding:
    """Return the first encoding of the client's list that is known here, else UTF-16."""
    for name in offered or ():
        if name in _ENCODINGS:
            return _ENCODINGS[name]
    return "utf-16"


def position(anchor: Anchor, encoding: Encoding) -> types.Position:
    return types.Position(anchor.line, anchor.column(encoding))


def location(hit: Hit, encoding: Encoding, *, reads_content: bool) -> types.Location:
    """Return where a hit stands; one in a PDF in its readable document, where the client
    `reads_content`.
    """
    path = hit.folder / hit.path
    extent = types.Range(position(hit.start, encoding), position(hit.end, encoding))
    if hit.kind != "pdf":
        return types.Location(uri_of(path), extent)
    if reads_content:
        return types.Location(readable_uri(path), extent)
    return types.Location(uri_of(path), types.Range(types.Position(0, 0), types.Position(0, 0)))


def search_result(result: SearchResult, encoding: Encoding) -> Any:
    """Return a result as JSON."""
    # Late: nothing before `initialized` needs the messages and their converter.
    from notekin.app import presenting
    from notekin_protocol.convert import write

    return write(presenting.search_result(result, encoding))


def index_status(statuses: Iterable[VaultStatus]) -> list[Any]:
    """Return the status of every vault as JSON."""
    from notekin.app import presenting
    from notekin_protocol.convert import write

    return [write(presenting.index_status(status)) for status in statuses]
