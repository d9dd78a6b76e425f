"""`textDocument/hover`: passages related to the paragraph under the cursor.

Notes are other people's text, too: whatever a passage holds arrives as plain text. Nothing in
it is rendered, fetched or run.
"""

import re
from collections.abc import Awaitable
from functools import partial

from lsprotocol import types

from notekin.app.errors import Cancelled, NotekinError
from notekin.app.requests import RelatedRequest
from notekin.app.results import Hit, SearchResult
from notekin.app.uris import document_path, uri_of
from notekin.core.text import Encoding
from notekin.lsp.documents import Place
from notekin.lsp.engine import Buffers
from notekin.lsp.search import neighbours
from notekin.lsp.state import Client, NotekinServer

_N_HITS = 3
_N_EXCERPT = 200  # characters

# Every ASCII punctuation character may be escaped in Markdown (CommonMark 0.31, section 2.4).
_SPECIAL = re.compile(r"([!-/:-@\[-`{-~])")
# GFM links bare addresses by what they begin with; an invisible joiner keeps them apart.
_ADDRESS = re.compile(
    r"(?i)\b(www(?=\.)|[a-z][a-z\d+.-]*(?=://)|(?:command|mailto|xmpp)(?=:)|\w+(?=@))"
)
_JOINER = "\N{WORD JOINER}"
_PATH_MARK = " \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} "
_OWN_HEADINGS = re.compile(r"\A(?:[ ]{0,3}#{1,6}[ \t][^\r\n]*[\r\n\s]*)+")
_BLANKS = re.compile(r"\s+")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]")


def hover(ls: NotekinServer, params: types.HoverParams) -> Awaitable[types.Hover | None]:
    """Answer a hover; nothing where nothing good is known."""
    return _hover(ls, params, ls.documents.freeze())


async def _hover(
    ls: NotekinServer, params: types.HoverParams, buffers: Buffers
) -> types.Hover | None:
    path = document_path(params.text_document.uri)
    if path is None or not (await ls.engine()).settings_at(path).hover:
        return None
    request = RelatedRequest(path=path, limit=_N_HITS, priority="hover")
    try:
        at = Place(params.position.line, params.position.character)
        return await neighbours(ls, request, at, buffers, partial(_shown, client=ls.client))
    except Cancelled:
        raise
    except NotekinError:
        return None  # Nobody asked a question: a file outside the vaults has nothing to show.


def _shown(result: SearchResult, client: Client) -> types.Hover | None:
    good = [hit for hit in result.hits if not hit.weak]
    return types.Hover(_contents(client, good)) if good else None


def _contents(client: Client, hits: list[Hit]) -> types.MarkupContent:
    if client.markdown:
        shown = "\n\n".join(markdown(hit, client.encoding) for hit in hits)
        return types.MarkupContent(types.MarkupKind.Markdown, shown)
    plain = "\n\n".join(f"{heading(hit)}\n{excerpt(hit.text)}" for hit in hits)
    return types.MarkupContent(types.MarkupKind.PlainText, plain)


def markdown(hit: Hit, encoding: Encoding) -> str:
    """Return a hit as Markdown: a link that opens it, and the beginning of its text."""
    return f"[{inert(heading(hit))}]({link(hit, encoding)})  \n{inert(excerpt(hit.text))}"


def heading(hit: Hit) -> str:
    """Return the title, of a PDF the page, and the last heading on one line. The page is the first
    one: what is shown of the passage is its beginning.
    """
    page = f"p. {hit.pages.first}" if hit.pages is not None else ""
    names = [f"{hit.title} {page}".strip(), *(n for n in hit.headings[-1:] if n != hit.title)]
    return _one_line(_PATH_MARK.join(name for name in names if name))


def link(hit: Hit, encoding: Encoding) -> str:
    """Return a URI that opens the hit: lines and columns from 1, as VS Code reads fragments; of a
    PDF the page, as viewers read them, and the line in its readable document.
    """
    start, end = hit.start, hit.end
    first = f"L{start.line + 1},{start.column(encoding) + 1}"
    last = f"L{end.line + 1},{end.column(encoding) + 1}"
    address = uri_of(hit.folder / hit.path).replace("(", "%28").replace(")", "%29")
    if hit.kind == "pdf":
        page = hit.pages.first if hit.pages is not None else 1
        return f"{address}#page={page}&line={start.line + 1}"
    return f"{address}#{first}-{last}"


def excerpt(text: str, limit: int = _N_EXCERPT) -> str:
    """Return the beginning of a passage on one line, cut at the end of a word, without the
    heading that it may begin with: `heading` names it already.
    """
    line = _one_line(_OWN_HEADINGS.sub("", text)) or _one_line(text)
    if len(line) <= limit:
        return line
    head, _, _ = line[: limit + 1].rpartition(" ")
    return (head or line[:limit]).rstrip() + "…"


def inert(text: str) -> str:
    """Return Markdown that shows `text` as it is."""
    return _SPECIAL.sub(r"\\\1", _ADDRESS.sub(rf"\1{_JOINER}", text))


def _one_line(text: str) -> str:
    return _BLANKS.sub(" ", _CONTROLS.sub(" ", text)).strip()
