"""`workspace/textDocumentContent`: the readable documents of PDFs."""

from lsprotocol import types

from notekin.app.errors import BadRequest
from notekin.app.uris import pdf_from_uri
from notekin.lsp.state import NotekinServer


async def content(
    ls: NotekinServer, params: types.TextDocumentContentParams
) -> types.TextDocumentContentResult:
    """Answer with the Markdown that a PDF was made into."""
    path = pdf_from_uri(params.uri)
    if path is None:
        raise BadRequest(f"{params.uri} is no readable document of a PDF; take one from a hit.")
    engine = await ls.vaults()
    text = await ls.pool.run(lambda _: engine.text_of(path))
    ls.readables.gave(params.uri, path, text)
    return types.TextDocumentContentResult(text)
