"""What did I write about this? A query answered with passages and a verdict."""

from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path

from attrs import frozen

from notekin.app.answers import Embedded
from notekin.app.cancel import CancelToken
from notekin.app.hits import Lane, hit, page_of, placed
from notekin.app.requests import SearchRequest
from notekin.app.results import Hit, SearchResult, VaultStatus, Verdict
from notekin.app.retrieving import Inquiry, Model, Retrieved, retrieve
from notekin.core.query import Mode, read_query, subject_of
from notekin.core.ranking import lens_for

# What nobody found relevant: a few of it, as a hint of what the vault holds instead.
_N_WEAK = 3


@frozen
class Asked:
    """A request about a `subject`, whose meaning is being computed where that matters."""

    request: SearchRequest
    subject: str
    token: CancelToken
    meaning: Future[Embedded] | None


def ask(request: SearchRequest, model: Model) -> Asked:
    """Have the model begin, at once: it is what a search waits for longest."""
    subject = subject_of(request.query)
    if request.mode == "lexical" or not subject:
        return Asked(request, subject, model.token, None)
    return Asked(request, subject, model.token, model.ask(subject, "query", "query"))


def search(lanes: Sequence[Lane], asked: Asked, model: Model) -> SearchResult:
    """Return the passages that answer the request, and what their absence would mean."""
    question, request = read_query(asked.subject), asked.request
    statuses = tuple(lane.status for lane in lanes)
    if not question.text or is_empty(lanes):
        verdict: Verdict = "notFound" if is_complete(statuses, request.mode) else "incomplete"
        return SearchResult(verdict, (), statuses)
    lens = lens_for(question, request.mode, statuses[0].model_name)
    retrieved = retrieve(lanes, Inquiry(question, lens, asked.meaning, request.limit), model)
    found = shown(lanes, retrieved, request.limit)
    verdict = verdict_of(retrieved, found, is_complete(statuses, request.mode))
    return SearchResult(verdict, cut_off(verdict, found), statuses)


def shown(lanes: Sequence[Lane], retrieved: Retrieved, limit: int) -> tuple[Hit, ...]:
    """Return the first `limit` hits, each where its passage stands now.

    A vault may lie in another one: a passage that both hold is one hit.
    """
    hits: dict[tuple[Path, int], Hit] = {}
    for each in retrieved.ranked:
        lane, passage = lanes[each.key[0]], retrieved.passage(each.key)
        place = placed(lane, passage) if passage else None
        if place is None:
            continue
        where = lane.folder / place.passage.path, place.passage.start_offset
        if where not in hits:
            known = retrieved.marks.get(each.key) if place.passage is passage else None
            marks = retrieved.finder.spans(place.text) if known is None else known
            page = page_of(place.passage.pages, place.text, retrieved.finder)
            hits[where] = hit(lane, place, each, marks, page)
        if len(hits) == limit:
            break
    return tuple(hits.values())


def verdict_of(retrieved: Retrieved, hits: Sequence[Hit], complete: bool) -> Verdict:  # noqa: FBT001
    """Return which of the three answers this is."""
    if not complete or not retrieved.by_meaning:
        return "incomplete"
    return "found" if any(not each.weak for each in hits) else "notFound"


def cut_off(verdict: Verdict, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return the hits to show: of a question nothing answers, only a few weak ones."""
    return tuple(hits[:_N_WEAK]) if verdict == "notFound" else tuple(hits)


def is_empty(lanes: Sequence[Lane]) -> bool:
    """Return whether there is no passage: then no model has to be waited for."""
    return not any(lane.reader.counts().n_passages for lane in lanes)


def is_complete(statuses: Sequence[VaultStatus], mode: Mode) -> bool:
    """Return whether all that the mode needs is indexed: the text lane needs no vectors."""
    return all(
        status.words_complete if mode == "lexical" else status.complete for status in statuses
    )
