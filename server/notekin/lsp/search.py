"""`notekin/search` and `notekin/related`: convert, ask the session, convert back."""

from pathlib import Path
from typing import Any

from attrs import evolve
from lsprotocol import types

from notekin.app.cancel import CancelToken
from notekin.app.requests import RelatedRequest, SearchRequest
from notekin.app.results import SearchResult
from notekin.core.buffer import Buffer
from notekin.core.text import Encoding, LineIndex
from notekin.lsp import convert
from notekin.lsp.engine import Engine
from notekin.lsp.state import NotekinServer
from notekin_protocol import messages


async def search(ls: NotekinServer, params: messages.SearchParams) -> Any:
    """Answer `notekin/search`."""
    request = SearchRequest(
        query=params.query,
        limit=params.limit,
        mode=params.mode,
        folders=tuple(convert.file_of(uri) for uri in params.folders),
        kinds=params.kinds,
        tags=params.tags,
    )
    return convert.search_result(await found(ls, request), ls.client.encoding)


async def related(ls: NotekinServer, params: messages.RelatedParams) -> Any:
    """Answer `notekin/related`."""
    request = RelatedRequest(
        path=convert.file_of(params.text_document.uri),
        limit=params.limit,
        include_self=params.include_self,
    )
    place = params.position
    at = types.Position(place.line, place.character) if place is not None else None
    return convert.search_result(await neighbours(ls, request, at), ls.client.encoding)


async def found(ls: NotekinServer, request: SearchRequest) -> SearchResult:
    """Search beside the loop, in the documents as they are now."""
    buffers = ls.documents.freeze()
    engine = await ls.vaults()
    return await ls.pool.run(lambda token: engine.search(request, buffers, token))


async def neighbours(
    ls: NotekinServer, request: RelatedRequest, at: types.Position | None
) -> SearchResult:
    """Find what is related to the paragraph at a position (None: the whole note)."""
    buffers, encoding = ls.documents.freeze(), ls.client.encoding
    engine = await ls.vaults()

    def work(token: CancelToken) -> SearchResult:
        if at is None:
            return engine.related(request, buffers, token)
        offset = _offset(engine, request.path, buffers.get(request.path), at, encoding)
        return engine.related(evolve(request, offset=offset), buffers, token)

    return await ls.pool.run(work)


def _offset(
    engine: Engine, path: Path, buffer: Buffer | None, at: types.Position, encoding: Encoding
) -> int:
    lines = buffer.lines if buffer is not None else LineIndex(engine.text_of(path))
    return lines.offset(at.line, at.character, encoding)
