"""`notekin/search` and `notekin/related`: convert, ask the session, convert back."""

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from attrs import evolve

from notekin.app.cancel import CancelToken
from notekin.app.requests import RelatedRequest, SearchRequest
from notekin.app.results import SearchResult
from notekin.core.buffer import Buffer
from notekin.core.text import Encoding, LineIndex
from notekin.lsp import convert
from notekin.lsp.documents import Place
from notekin.lsp.engine import Buffers, Engine
from notekin.lsp.state import NotekinServer
from notekin_protocol import messages

T = TypeVar("T")


def search(ls: NotekinServer, params: messages.SearchParams) -> Awaitable[Any]:
    """Answer `notekin/search`."""
    request = SearchRequest(
        query=params.query,
        limit=params.limit,
        mode=params.mode,
        folders=tuple(convert.file_of(uri) for uri in params.folders),
        kinds=params.kinds,
        tags=params.tags,
    )
    return found(ls, request, ls.documents.freeze(), _as_json(ls))


def related(ls: NotekinServer, params: messages.RelatedParams) -> Awaitable[Any]:
    """Answer `notekin/related`."""
    request = RelatedRequest(
        path=convert.document_of(params.text_document.uri),
        limit=params.limit,
        include_self=params.include_self,
    )
    place = params.position
    at = Place(place.line, place.character) if place is not None else None
    return neighbours(ls, request, at, ls.documents.freeze(), _as_json(ls))


async def found(
    ls: NotekinServer, request: SearchRequest, buffers: Buffers, shape: Callable[[SearchResult], T]
) -> T:
    """Search beside the loop, and bring the result into its shape there, too."""
    engine, token = await ls.vaults(), CancelToken()
    asked = engine.ask(request, token)
    return await ls.pool.run(lambda _: shape(engine.search(asked, buffers)), token)


async def neighbours(
    ls: NotekinServer,
    request: RelatedRequest,
    at: Place | None,
    buffers: Buffers,
    shape: Callable[[SearchResult], T],
) -> T:
    """As `found`, what is related to the paragraph at a position (None: the whole note)."""
    engine, encoding = await ls.vaults(), ls.client.encoding

    def work(token: CancelToken) -> T:
        if at is None:
            return shape(engine.related(request, buffers, token))
        offset = _offset(engine, request.path, buffers.get(request.path), at, encoding)
        return shape(engine.related(evolve(request, offset=offset), buffers, token))

    return await ls.pool.run(work)


def _as_json(ls: NotekinServer) -> Callable[[SearchResult], Any]:
    return partial(convert.search_result, encoding=ls.client.encoding)


def _offset(
    engine: Engine, path: Path, buffer: Buffer | None, at: Place, encoding: Encoding
) -> int:
    lines = buffer.lines if buffer is not None else LineIndex(engine.text_of(path))
    return lines.offset(at.line, at.character, encoding)
