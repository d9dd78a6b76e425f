"""The pages of PDFs as hits name them: an index of what was read of them, and searches in it."""

import tempfile
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import NoReturn, Self

from attrs import define, field, frozen

from notekin.adapters.helper import make_preparer
from notekin.adapters.sqlite.database import SqliteIndex
from notekin.adapters.tokens import token_counter
from notekin.app.cancel import CancelToken
from notekin.app.embedding import EmbeddingQueue
from notekin.app.hits import Lane
from notekin.app.ports import FileStat, HashedFile, NewPassage
from notekin.app.requests import SearchRequest
from notekin.app.results import Hit, VaultStatus
from notekin.app.retrieving import Model
from notekin.app.searching import ask, search
from notekin.core.note import Span
from notekin.core.pdf import PdfContent, readable
from notekin.core.query import Filters

_N_HITS = 20


@frozen
class PageFound:
    """The page range of the passage that holds a sentence, and the page that its hit names when
    the sentence is searched; 0 where the passage is not among the first hits.
    """

    first: int
    last: int
    named: int


@define
class PageScore:
    """Sentences, and how many were found with their page; `wrong` has a line for each other."""

    n_sentences: int = 0
    n_on_several: int = 0
    n_in_range: int = 0
    n_right: int = 0
    wrong: list[str] = field(factory=list[str])

    def add(self, name: str, page: int, found: PageFound | None) -> None:
        """Count a sentence on a page of a PDF."""
        self.n_sentences += 1
        if found is None:
            self.wrong.append(f"{name} p. {page}: in no passage")
            return
        is_in_range = found.first <= page <= found.last
        is_right = is_in_range and found.named == page
        self.n_on_several += found.first < found.last
        self.n_in_range += is_in_range
        self.n_right += is_right
        if not is_right:
            named = f"p. {found.named}" if found.named else "no hit"
            self.wrong.append(
                f"{name} p. {page}: passage p. {found.first} to {found.last}, {named}"
            )


class PageIndex:
    """An index of PDFs, made as the server makes it but for the vectors, in a folder of its own."""

    def __init__(self, contents: Mapping[str, PdfContent]) -> None:
        self._home = tempfile.TemporaryDirectory()
        self._folder = Path(self._home.name)
        self._index = SqliteIndex(self._folder / "index", self._folder)
        self._passages: dict[str, tuple[NewPassage, ...]] = {}
        # Searches by words alone ask no model.
        self._model = Model(EmbeddingQueue(_no_model), 0.0, CancelToken())
        prepare = make_preparer(token_counter())
        writer = self._index.writer()
        for name, content in contents.items():
            file = HashedFile(blake2b(name.encode(), digest_size=16).digest(), FileStat(1, 1, 1))
            note = prepare.pdf(name, file, readable(content))
            self._passages[name] = note.passages
            writer.put([note])
        writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._model.queue.close()
        self._index.close()
        self._home.cleanup()

    def look_up(self, name: str, span: Span, sentence: str) -> PageFound | None:
        """Return what is known of the pages of a sentence, None where no passage holds it; `span`
        is where it stands in the readable document. One that is cut belongs to the passage that
        holds the most of it.
        """
        held = max(self._passages[name], key=lambda each: _n_shared(each.passage.span, span))
        if held.pages is None or _n_shared(held.passage.span, span) <= 0:
            return None
        named = self._named(name, held.passage.ordinal, sentence)
        return PageFound(held.pages.first, held.pages.last, named)

    def _named(self, name: str, ordinal: int, sentence: str) -> int:
        request = SearchRequest(query=sentence, limit=_N_HITS, mode="lexical")
        for hit in self._hits(request):
            if (hit.path, hit.ordinal) == (name, ordinal):
                return hit.page or 0
        return 0

    def _hits(self, request: SearchRequest) -> tuple[Hit, ...]:
        status = VaultStatus(self._folder, phase="idle")
        with self._index.read() as reader:
            lane = Lane(self._folder, reader, Filters(), status, {})
            return search([lane], ask(request, self._model), self._model).hits


def _n_shared(one: Span, other: Span) -> int:
    return min(one.end, other.end) - max(one.start, other.start)


def _no_model() -> NoReturn:
    raise RuntimeError("No model is needed for a search by words.")
