"""`workspace/symbol`: the search from the picker of any editor."""

from collections.abc import Awaitable
from functools import partial

from lsprotocol import types

from notekin.app.requests import SearchRequest
from notekin.app.results import Hit, SearchResult
from notekin.lsp import convert
from notekin.lsp.engine import Buffers
from notekin.lsp.hover import excerpt, heading
from notekin.lsp.search import found
from notekin.lsp.state import Client, NotekinServer

_N_SYMBOLS = 20
_N_SNIPPET = 80  # characters


def symbols(
    ls: NotekinServer, params: types.WorkspaceSymbolParams
) -> Awaitable[list[types.WorkspaceSymbol]]:
    """Answer with passages, best first."""
    return _symbols(ls, params.query, ls.documents.freeze())


async def _symbols(ls: NotekinServer, query: str, buffers: Buffers) -> list[types.WorkspaceSymbol]:
    if not query.strip() or not (await ls.engine()).settings.workspace_symbols:
        return []
    shape = partial(_named, client=ls.client)
    return await found(ls, SearchRequest(query, limit=_N_SYMBOLS), buffers, shape)


def _named(result: SearchResult, client: Client) -> list[types.WorkspaceSymbol]:
    return [_symbol(hit, client) for hit in result.hits if not hit.weak]


def _symbol(hit: Hit, client: Client) -> types.WorkspaceSymbol:
    return types.WorkspaceSymbol(
        location=convert.location(hit, client.encoding, reads_content=client.reads_content),
        name=f"{heading(hit)}: {excerpt(hit.text, _N_SNIPPET)}",
        kind=types.SymbolKind.String,
        container_name=hit.path,
    )
