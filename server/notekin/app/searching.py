"""What did I write about this? A query answered with passages and a verdict."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from notekin.app.hits import Lane, Place, hit, placed
from notekin.app.requests import SearchRequest
from notekin.app.results import Hit, SearchResult, VaultStatus, Verdict
from notekin.app.retrieving import Inquiry, Key, Model, Retrieved, by_lane, retrieve
from notekin.core.query import Mode, Question, read_query
from notekin.core.ranking import Ranked, lens_for

# What nobody found relevant: a few of it, as a hint of what the vault holds instead.
_N_WEAK = 3


def search(lanes: Sequence[Lane], request: SearchRequest, model: Model) -> SearchResult:
    """Return the passages that answer the request, and what their absence would mean."""
    question = read_query(request.query)
    statuses = tuple(lane.status for lane in lanes)
    if not question.text:
        verdict: Verdict = "notFound" if is_complete(statuses, request.mode) else "incomplete"
        return SearchResult(verdict, (), statuses)
    lens = lens_for(question, request.mode, statuses[0].model_name)
    asked = None if request.mode == "lexical" else model.ask(question.text, "query", "query")
    retrieved = retrieve(lanes, Inquiry(question, lens, asked, request.limit), model)
    found = shown(lanes, retrieved.ranked, question, request.limit)
    verdict = verdict_of(retrieved, found, is_complete(statuses, request.mode))
    return SearchResult(verdict, cut_off(verdict, found), statuses)


def shown(
    lanes: Sequence[Lane], ranked: Sequence[Ranked[Key]], question: Question, limit: int
) -> tuple[Hit, ...]:
    """Return the first `limit` hits, each where its passage stands now.

    A vault may lie in another one: a passage that both hold is one hit.
    """
    hits: dict[tuple[Path, int], Hit] = {}
    for number in range(0, len(ranked), limit):
        for each, place in _places(lanes, ranked[number : number + limit]):
            lane = lanes[each.key[0]]
            where = lane.folder / place.passage.path, place.passage.start_offset
            if where not in hits:
                hits[where] = hit(lane, place, each, question.terms, linked=None)
            if len(hits) == limit:
                return tuple(hits.values())
    return tuple(hits.values())


def _places(
    lanes: Sequence[Lane], ranked: Sequence[Ranked[Key]]
) -> Iterator[tuple[Ranked[Key], Place]]:
    """Yield those passages that are still there, with their place."""
    passages = {
        (number, id_): passage
        for number, ids in by_lane([each.key for each in ranked]).items()
        for id_, passage in lanes[number].reader.passages(ids).items()
    }
    for each in ranked:
        passage = passages.get(each.key)
        place = placed(lanes[each.key[0]], passage) if passage else None
        if place is not None:
            yield each, place


def verdict_of(retrieved: Retrieved, hits: Sequence[Hit], complete: bool) -> Verdict:  # noqa: FBT001
    """Return which of the three answers this is."""
    if not complete or not retrieved.by_meaning:
        return "incomplete"
    return "found" if any(not each.weak for each in hits) else "notFound"


def cut_off(verdict: Verdict, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return the hits to show: of a question nothing answers, only a few weak ones."""
    return tuple(hits[:_N_WEAK]) if verdict == "notFound" else tuple(hits)


def is_complete(statuses: Sequence[VaultStatus], mode: Mode) -> bool:
    """Return whether all that the mode needs is indexed: the text lane needs no vectors."""
    return all(
        status.words_complete if mode == "lexical" else status.complete for status in statuses
    )
