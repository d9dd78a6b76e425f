"""What else did I write about this? Passages related to a paragraph or to a whole note."""

from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from notekin.app.hits import Lane, is_linked
from notekin.app.requests import RelatedRequest
from notekin.app.results import Hit, SearchResult
from notekin.app.retrieving import Inquiry, Meaning, Model, retrieve
from notekin.app.searching import cut_off, is_complete, is_empty, shown, verdict_of
from notekin.core.note import Span
from notekin.core.paragraph import paragraph_at
from notekin.core.query import read_query
from notekin.core.ranking import RELATED, lens_for
from notekin.core.reading import kind_of, read
from notekin.core.text import text_hash
from notekin.core.vectors import toward

# A whole note asks with this much of its text in the text lane.
_LONGEST_ASKING = 8_000
# The parts of a long note asked for by their meaning: evenly spread over it.
_N_PARTS = 32


@frozen
class Asking:
    """Who asks: a note of the vault behind `lane`, with the text the person sees."""

    lane: Lane
    path: str
    text: str


def related(
    lanes: Sequence[Lane], asking: Asking, request: RelatedRequest, model: Model
) -> SearchResult:
    """Return what is related to the paragraph at the request's offset, or to the whole note."""
    if not request.include_self:
        lanes = [_without(lane, asking) for lane in lanes]
    statuses = tuple(lane.status for lane in lanes)
    complete = is_complete(statuses, "hybrid")
    span = _asked(asking.text, request.offset)
    text = asking.text[span.start : span.end]
    question = read_query(text[:_LONGEST_ASKING])
    if not question.text or is_empty(lanes):
        return SearchResult("notFound" if complete else "incomplete", (), statuses)
    lens = lens_for(question, "hybrid", statuses[0].model_name, RELATED)
    known = _of_note(asking) if request.offset is None else None
    asked = known or model.ask(question.text, "document", request.priority)
    retrieved = retrieve(lanes, Inquiry(question, lens, asked, request.limit), model)
    hits = shown(lanes, retrieved, request.limit)
    verdict = verdict_of(retrieved, hits, complete)
    hits = cut_off(verdict, hits)
    if request.priority == "query":  # a hover does not show it
        hits = _marked(lanes, asking, hits)
    return SearchResult(verdict, hits, statuses)


def _asked(text: str, offset: int | None) -> Span:
    return Span(0, len(text)) if offset is None else paragraph_at(text, offset)


def _without(lane: Lane, asking: Asking) -> Lane:
    file = asking.lane.folder / asking.path
    if not file.is_relative_to(lane.folder):
        return lane
    path = file.relative_to(lane.folder).as_posix()
    return evolve(lane, filters=evolve(lane.filters, without=(path,)))


def _of_note(asking: Asking) -> Meaning | None:
    """Return the mean direction of a note's stored passages, None while it has none."""
    reader = asking.lane.reader
    model = reader.model()
    passages = reader.passages_of(asking.path)
    step = max(1, len(passages) // _N_PARTS)
    stored = reader.vectors([passage.id for passage in passages[::step]])
    vectors = [vectors[0] for vectors in stored.values()]
    if model is None or not vectors:
        return None
    return Meaning(toward(vectors[0], vectors[1:], len(vectors) - 1), model.fingerprint)


def _marked(lanes: Sequence[Lane], asking: Asking, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Say of each hit whether the asking note already links to it, as the person sees it."""
    targets = _links(asking)
    homes: Mapping[object, Lane] = {lane.folder: lane for lane in lanes}
    return tuple(
        evolve(
            each,
            linked=each.folder == asking.lane.folder
            and is_linked(homes[each.folder], targets, asking.path, each.path),
        )
        for each in hits
    )


def _links(asking: Asking) -> Sequence[str]:
    """Return what the asking text links to: a link is there as soon as it is typed."""
    reader, kind = asking.lane.reader, kind_of(asking.path) or "text"
    stored = reader.note(asking.path)
    known = stored is not None and stored.text_hash == text_hash(asking.text)
    if known or kind == "pdf":
        return reader.links_of(asking.path)
    return read(asking.path, kind, asking.text).links
