"""From a file's text to what the index stores: parse, cut, and compute the terms."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import PurePosixPath

from attrs import evolve, frozen

from notekin.app.ports import (
    CountTokens,
    FileStat,
    FileText,
    HashedFile,
    NewNote,
    NewPassage,
    PassageTerms,
    RawNote,
    StoredNote,
)
from notekin.core.note import Document, Kind, Passage, Span
from notekin.core.pages import PageRange
from notekin.core.pdf import ReadablePdf
from notekin.core.terms import index_terms
from notekin.core.text import LineIndex, text_hash

Read = Callable[[str, Kind, str], Document]
Cut = Callable[[Document, CountTokens], Sequence[Passage]]

# An equal stat proves nothing about a file that changed this shortly before it was read:
# FAT keeps time to two seconds.
RACY_NS = 2_000_000_000

_ANY_TEXT = "---\ntitle: \u7b14\u8bb0\n---\nOpen.\n"
_ANY_NOTE = RawNote("any.md", "markdown", FileText(_ANY_TEXT, FileStat(0, 0, 0)))


@frozen
class Preparer:
    """Turns texts into notes ready to be stored. Pure but for the token counter's loading."""

    read: Read
    cut: Cut
    count_tokens: CountTokens

    def __call__(self, raw: RawNote) -> NewNote:
        """Return the note, ready to be stored."""
        document = self.read(raw.path, raw.kind, raw.content.text)
        passages = self.cut(document, self.count_tokens)
        return NewNote(
            path=raw.path,
            kind=raw.kind,
            stat=raw.content.stat,
            text_hash=text_hash(raw.content.text),
            title=document.title,
            tags=document.tags,
            aliases=document.aliases,
            links=document.links,
            passages=_placed(raw.path, document, passages, _no_pages),
            racy=raw.racy,
        )

    def warm(self) -> None:
        """Load what the first note would wait for: the parsers of Markdown and of front matter,
        and the tokenizer that counts what is not plain ASCII.
        """
        self(_ANY_NOTE)

    def pdf(self, path: str, file: HashedFile, readable: ReadablePdf) -> NewNote:
        """Return a PDF, read as far as `readable` tells, ready to be stored."""
        pieces = (each for one in readable.pieces for each in self.cut(one, self.count_tokens))
        passages = [evolve(each, ordinal=ordinal) for ordinal, each in enumerate(pieces)]
        document = readable.document
        return _pdf(path, file, document, _placed(path, document, passages, readable.pages))

    def pdf_alone(self, path: str, file: HashedFile, markdown: str) -> NewNote:
        """Return a PDF of which only the readable document is left: its pages are lost."""
        # Late, and rarely: the parser is not needed otherwise.
        from notekin.core.overlap import cut_overlapping

        document = evolve(self.read(path, "markdown", markdown), kind="pdf")
        passages = cut_overlapping(document, self.count_tokens)
        return _pdf(path, file, document, _placed(path, document, passages, _no_pages))

    def or_reason(self, raw: RawNote) -> NewNote | str:
        """Return the note, or why there is none: one that cannot be parsed stops no other."""
        try:
            return self(raw)
        except (ValueError, LookupError, RecursionError, MemoryError) as error:
            # No input is known that gets here.
            return f"it could not be parsed ({type(error).__name__}); please report this note"


def is_racy(stat: FileStat, now_ns: int) -> bool:
    """Return whether the file may change again without its stat showing it.

    A time far in the future comes from a wrong clock, and waiting for it would never end.
    """
    return abs(now_ns - stat.mtime_ns) < RACY_NS


def display_title(path: str, title: str) -> str:
    """Return the note's title, or its file's name where it has none."""
    return title or PurePosixPath(path).stem


@frozen
class SharedTerms:
    """What a note's names give to each of its passages."""

    title: str
    around: str

    @classmethod
    def of(cls, path: str, note: "Document | StoredNote") -> "SharedTerms":
        """Return the terms of title, file name, aliases, tags and folders."""
        names = PurePosixPath(path)
        return cls(
            title=_joined(" ".join((note.title, names.stem, *note.aliases))),
            around=_joined(" ".join((*note.tags, *names.parent.parts))),
        )

    def with_passage(self, headings: Sequence[str], text: str) -> PassageTerms:
        """Return what the text index holds of a passage."""
        return PassageTerms(
            title=self.title,
            headings=f"{_joined(' '.join(headings))} {self.around}".strip(),
            text=" ".join(index_terms(text)),
        )


def _pdf(
    path: str, file: HashedFile, document: Document, passages: tuple[NewPassage, ...]
) -> NewNote:
    return NewNote(
        path=path,
        kind="pdf",
        stat=file.stat,
        text_hash=file.hash,
        title=document.title,
        tags=(),
        aliases=(),
        links=(),
        passages=passages,
        readable=document.text,
    )


def _no_pages(_: Span) -> None:
    """Only PDFs have pages."""


def _placed(
    path: str,
    document: Document,
    passages: Sequence[Passage],
    pages_of: Callable[[Span], PageRange | None],
) -> tuple[NewPassage, ...]:
    lines = LineIndex(document.text)
    shared = SharedTerms.of(path, document)
    return tuple(
        NewPassage(
            passage=passage,
            start=lines.anchor(passage.span.start),
            end=lines.anchor(passage.span.end),
            terms=shared.with_passage(passage.headings, passage.text),
            pages=pages_of(passage.span),
        )
        for passage in passages
    )


@lru_cache(maxsize=512)
def _joined(text: str) -> str:
    return " ".join(index_terms(text))
