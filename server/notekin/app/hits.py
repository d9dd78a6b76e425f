"""From a stored passage to a hit: where it stands now, what of it matched, what links to it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from notekin.app.ports import IndexReader, StoredPassage
from notekin.app.preparing import display_title
from notekin.app.results import Hit, LaneScore, VaultStatus
from notekin.core.buffer import Buffer
from notekin.core.links import links_to
from notekin.core.note import Span
from notekin.core.pages import PageRange
from notekin.core.query import Filters
from notekin.core.ranking import Ranked
from notekin.core.terms import Finder


@frozen
class Lane:
    """One vault as a question sees it: a snapshot of its index and of its open documents.

    `filters` hold in this vault; `buffers` are by path relative to the vault.
    """

    folder: Path
    reader: IndexReader
    filters: Filters
    status: VaultStatus
    buffers: Mapping[str, Buffer]


@frozen
class Place:
    """Where a passage stands in the text that the person sees, and that text."""

    passage: StoredPassage
    text: str


def placed(lane: Lane, passage: StoredPassage) -> Place | None:
    """Return the passage as it stands in the open document, unsaved edits included; None when
    those have deleted it. A note that is not open stands as it was indexed, and so does a PDF.
    """
    buffer = lane.buffers.get(passage.path) if passage.kind != "pdf" else None
    note = lane.reader.note(passage.path) if buffer is not None else None
    if buffer is None or note is None:
        return Place(passage, passage.text)
    if buffer.knows(note.text_hash):
        span = buffer.locate(note.text_hash, Span(passage.start_offset, passage.end_offset))
    else:
        span = buffer.find(passage.text, passage.start_offset)
    if span is None or not buffer.text[span.start : span.end].strip():
        return None
    return Place(_at(passage, buffer, span), buffer.text[span.start : span.end])


def _at(passage: StoredPassage, buffer: Buffer, span: Span) -> StoredPassage:
    return evolve(
        passage,
        start_offset=span.start,
        end_offset=span.end,
        start=buffer.lines.anchor(span.start),
        end=buffer.lines.anchor(span.end),
    )


def hit(
    lane: Lane, place: Place, ranked: Ranked[Any], marks: Sequence[Span], page: int | None
) -> Hit:
    """Return the hit for a passage; `marks` are what is highlighted in its text, `page` is where
    to go in a PDF.
    """
    passage = place.passage
    return Hit(
        folder=lane.folder,
        path=passage.path,
        ordinal=passage.ordinal,
        kind=passage.kind,
        start=passage.start,
        end=passage.end,
        title=display_title(passage.path, passage.title),
        headings=passage.headings,
        text=place.text,
        score=ranked.score,
        highlights=tuple(marks),
        lexical=_lane_score(ranked.lexical_rank, ranked.lexical_score),
        semantic=_lane_score(ranked.semantic_rank, ranked.semantic_score),
        weak=ranked.weak,
        pages=passage.pages,
        page=page,
    )


def page_of(pages: PageRange | None, text: str, finder: Finder) -> int | None:
    """Return the page on which a passage with this text has the most terms of `finder`."""
    if pages is None:
        return None
    return pages.best((term.start, term.term) for term in finder.places(text))


def is_linked(lane: Lane, targets: Sequence[str], asking: str, path: str) -> bool:
    """Return whether a note at `asking` that writes these link targets links to `path`."""
    note = lane.reader.note(path)
    if note is None:
        return False
    return links_to(targets, asking, path, note.title, note.aliases)


def _lane_score(rank: int | None, score: float | None) -> LaneScore | None:
    return None if rank is None or score is None else LaneScore(rank, score)
