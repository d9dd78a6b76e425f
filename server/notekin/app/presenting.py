"""Results of the use cases as messages of the wire; pure, shared by all faces."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from notekin.app import results
from notekin.app.uris import readable_uri, uri_of
from notekin.core.note import Span
from notekin.core.text import Anchor, Encoding, utf16_length
from notekin_protocol import messages

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_START = messages.Position(0, 0)
_SCORE_DECIMALS = 4
_MILLISECOND_DECIMALS = 2


def search_result(result: results.SearchResult, encoding: Encoding) -> messages.SearchResult:
    """Return a search's answer with ranges in the units of `encoding`."""
    return messages.SearchResult(
        verdict=result.verdict,
        hits=tuple(hit(found, encoding) for found in result.hits),
        status=statuses(result.status),
        took_ms=round(result.took_ms, _MILLISECOND_DECIMALS),
    )


def hit(found: results.Hit, encoding: Encoding) -> messages.Hit:
    """Return one hit with its range in the units of `encoding`."""
    place = messages.Range(position(found.start, encoding), position(found.end, encoding))
    return messages.Hit(
        folder=uri_of(found.folder),
        chunk_id=_speakable(f"{found.path}#{found.ordinal}"),
        uri=uri_of(found.folder / found.path),
        range=messages.Range(_START, _START) if found.kind == "pdf" else place,
        title=_speakable(found.title),
        headings=tuple(_speakable(heading) for heading in found.headings),
        text=_speakable(found.text),
        highlights=spans(found.text, found.highlights),
        score=_rounded(found.score),
        **_in_pdf(found, place),
        lexical=_lane(found.lexical),
        semantic=_lane(found.semantic),
        linked=found.linked,
        weak=True if found.weak else None,
    )


def _in_pdf(found: results.Hit, place: messages.Range) -> Mapping[str, Any]:
    """Return what only a hit in a PDF has."""
    if found.kind != "pdf":
        return {}
    document = messages.DocumentRange(readable_uri(found.folder / found.path), place)
    if found.pages is None:
        return {"text_document": document}
    first, last = found.pages.first, found.pages.last
    return {
        "text_document": document,
        "page": found.page,
        "first_page": first if last != first else None,
        "last_page": last if last != first else None,
    }


def position(anchor: Anchor, encoding: Encoding) -> messages.Position:
    """Return a place as an LSP position in the units of `encoding`."""
    return messages.Position(line=anchor.line, character=anchor.column(encoding))


def spans(text: str, highlights: Iterable[Span]) -> tuple[messages.Span, ...]:
    """Return spans of code points of `text` in UTF-16 code units, in order."""
    ordered = sorted(highlights, key=lambda span: (span.start, span.end))
    if text.isascii():
        return tuple(messages.Span(span.start, span.end) for span in ordered)
    return tuple(_span(text, span) for span in ordered)


def statuses(vaults: Iterable[results.VaultStatus]) -> tuple[messages.IndexStatus, ...]:
    """Return the status of every vault."""
    return tuple(index_status(vault) for vault in vaults)


def index_status(status: results.VaultStatus) -> messages.IndexStatus:
    """Return one vault's status."""
    notes, chunks = status.notes, status.chunks
    return messages.IndexStatus(
        folder=uri_of(status.folder),
        phase=status.phase,
        reason=status.reason or None,
        notes=messages.NoteCounts(
            total=notes.n_total,
            indexed=notes.n_indexed,
            pending=notes.n_pending,
            failed=notes.n_failed,
            excluded=notes.n_excluded,
        ),
        chunks=messages.ChunkCounts(
            total=chunks.n_total, embedded=chunks.n_embedded, pending=chunks.n_pending
        ),
        current=_speakable(status.current) or None,
        eta_seconds=None if status.eta_seconds is None else round(status.eta_seconds, 1),
        model=messages.Model(
            name=status.model_name, dim=status.dim, fingerprint=status.fingerprint
        ),
        revision=status.revision,
        failures=tuple(
            _failure(failure) for failure in status.failures[: results.N_FAILURES_SHOWN]
        ),
        warnings=tuple(map(_failure, status.warnings[: results.N_FAILURES_SHOWN])) or None,
    )


def _speakable(text: str) -> str:
    """Return `text` with lone surrogates replaced; its length in UTF-16 stays.

    They stand in file names that are no UTF-8 and in what broken clients send; strict JSON
    readers refuse a whole answer because of one.
    """
    return text if text.isascii() else _LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def _failure(failure: results.Failure) -> messages.Failure:
    return messages.Failure(
        uri=uri_of(failure.path),
        reason=_speakable(failure.reason),
        needs_password=True if failure.locked else None,
    )


def _lane(score: results.LaneScore | None) -> messages.LaneScore | None:
    return None if score is None else messages.LaneScore(score.rank, _rounded(score.score))


def _rounded(score: float) -> float:
    return round(score, _SCORE_DECIMALS)


def _span(text: str, span: Span) -> messages.Span:
    start = utf16_length(text[: span.start])
    return messages.Span(start, start + utf16_length(text[span.start : span.end]))
