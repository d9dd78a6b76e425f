"""One ranking from two lanes, and whether it answers the question.

The score of a hit is a weighted mean of its cosine and of its BM25 divided by the best BM25,
both of the pooled candidates of all vaults. Weights and thresholds were measured on judged
collections: docs/decisions/0004-ranking.md has the tables, tests/benchmarks/ranking.py
prints them again.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from enum import IntEnum
from operator import itemgetter
from statistics import median
from typing import Generic, NamedTuple, TypeVar

import regex
from attrs import field, frozen

from notekin.core.folding import fold_phrase
from notekin.core.query import Mode, Question, subject_of
from notekin.core.terms import index_terms

Key = TypeVar("Key", bound=Hashable)


class TitleMatch(IntEnum):
    """How a note's title answers a query; the higher, the nearer."""

    NONE = 0
    HOLDS = 1  # an identifier (a query with a digit) stands in the title
    SAME = 2


@frozen
class Weights:
    """What the ranking trusts. The thresholds say when a passage is relevant at all.

    A passage is strong when its cosine plus `coverage_in_sum` times its coverage reaches
    `strong_sum`, or its coverage alone `strong_coverage`.
    """

    bm25: float = 0.4  # beside a cosine of weight 1
    trusts_cosine: bool = True  # False: the model does not read what is asked
    feedback: float = 0.5  # how far the query moves toward its first answers (Rocchio's beta)
    n_feedback: int = 3
    strong_coverage: float = 0.75
    coverage_in_sum: float = 0.35
    strong_sum: float = 0.5
    lexical_coverage: float = 0.4  # strong by words alone, where no cosine can be trusted
    lexical_coverage_pairs: float = 0.25  # the same for pairs of characters, half of them noise
    semantic_cosine: float = 0.4  # strong by meaning alone, in semantic mode
    n_of_one_note: int = 3  # passages of a note that keep their full score
    crowding: float = 0.85  # each further one is multiplied by this once more


SEARCH = Weights()
FOREIGN = Weights(bm25=2.0, trusts_cosine=False)
"""For a query in a script the model does not read: its cosines say little."""

RELATED = Weights(bm25=0.3)
"""For a paragraph that asks: it says many words that matter little."""


class Candidate(NamedTuple, Generic[Key]):
    """A passage that one of the lanes brought, with all that is known of it.

    `key` and `note` are opaque; passages of one note share `note`. `bm25` is -bm25(), None
    for a passage the text lane did not bring. `cosine` is that to the query as asked, None only
    where no vector is known; `moved` that to the query after feedback. `coverage` is 0..1.
    """

    key: Key
    note: Hashable
    bm25: float | None = None
    cosine: float | None = None
    moved: float | None = None
    coverage: float = 0.0
    title: TitleMatch = TitleMatch.NONE


class Ranked(NamedTuple, Generic[Key]):
    """A candidate in its place. `score` is 0..1 and never grows down the list.

    Ranks count from 1 within a lane; None where the lane does not know the passage.
    """

    key: Key
    score: float
    lexical_rank: int | None
    lexical_score: float | None
    semantic_rank: int | None
    semantic_score: float | None
    weak: bool


@frozen
class Lens:
    """How one question is looked at.

    `pairs` says that the question is written in pairs of characters (Chinese).
    """

    mode: Mode = "hybrid"
    weights: Weights = field(default=SEARCH)
    pairs: bool = False


def fuse(
    candidates: Sequence[Candidate[Key]], lens: Lens, limit: int | None = None
) -> list[Ranked[Key]]:
    """Return the candidates of the mode's lanes, best first; ties keep the order given.

    All compete, however few the `limit` leaves to be returned.
    """
    pool = [each for each in candidates if _in_mode(each, lens.mode)]
    scored = _best_first(zip(pool, _scores(pool, lens), strict=True))
    ranked = _spread(_lifted(scored, lens.mode), lens.weights)[:limit]
    lexical = _ranks((each.key, each.bm25) for each in pool)
    semantic = _ranks((each.key, each.cosine) for each in pool)
    return [
        Ranked(
            key=each.key,
            score=score,
            lexical_rank=lexical.get(each.key),
            lexical_score=each.bm25,
            semantic_rank=semantic.get(each.key),
            semantic_score=each.cosine,
            weak=not is_strong(each, lens),
        )
        for each, score in ranked
    ]


def is_strong(candidate: Candidate[Key], lens: Lens) -> bool:
    """Return whether a passage is relevant, whatever the others are."""
    weights = lens.weights
    if candidate.title and lens.mode != "semantic":
        return True
    cosine = candidate.cosine
    if cosine is None or lens.mode == "lexical" or not weights.trusts_cosine:
        enough = weights.lexical_coverage_pairs if lens.pairs else weights.lexical_coverage
        return candidate.coverage >= enough
    if lens.mode == "semantic":
        return cosine >= weights.semantic_cosine
    return (
        candidate.coverage >= weights.strong_coverage
        or cosine + weights.coverage_in_sum * candidate.coverage >= weights.strong_sum
    )


def feedback_keys(ranked: Sequence[Ranked[Key]], lens: Lens) -> list[Key]:
    """Return the passages toward which the query's vector moves (`core.vectors.toward`).

    The best candidates are then compared with it again. Empty where meaning has no say or nothing
    relevant was found.
    """
    if lens.mode == "lexical" or not lens.weights.trusts_cosine:
        return []
    first = ranked[: lens.weights.n_feedback]
    return [each.key for each in first if not each.weak and each.semantic_score is not None]


def title_match(question: Question, title: str) -> TitleMatch:
    """Return how `title` (the note's own, a heading's or its file name) answers a question."""
    asked = question.phrase
    # The question has lost its "what I know about"; a title that begins so keeps its own.
    if asked and any(asked == fold_phrase(name) for name in {title, subject_of(title)}):
        return TitleMatch.SAME
    if not any(map(str.isdigit, asked)):
        return TitleMatch.NONE
    terms, wanted = index_terms(title), index_terms(question.text)
    places = range(len(terms) - len(wanted) + 1)
    holds = any(terms[place : place + len(wanted)] == wanted for place in places)
    return TitleMatch.HOLDS if wanted and holds else TitleMatch.NONE


def lens_for(question: Question, mode: Mode, model_name: str, weights: Weights = SEARCH) -> Lens:
    """Return how to look at a question, given the model that made the vectors.

    `weights` hold for a question that the model reads; another gets those of a foreign one.
    """
    letters = _LETTERS.findall(question.text)
    n_latin = sum(1 for letter in letters if _LATIN.match(letter))
    foreign = 2 * n_latin < len(letters) and not _MULTILINGUAL.search(model_name)
    n_pairs = sum(1 for term in question.terms if _HAN_PAIR.match(term))
    return Lens(mode, FOREIGN if foreign else weights, pairs=2 * n_pairs > len(question.terms))


_LETTERS = regex.compile(r"\p{L}")
_LATIN = regex.compile(r"\p{Latin}")
_HAN_PAIR = regex.compile(r"\p{Han}{2}")
# Names of fastembed's list whose models read more scripts than the Latin one.
_MULTILINGUAL = regex.compile(r"(?i)multilingual|-m3|e5-(?:small|base|large)|v2-moe|-v3|zh|gemma")


def _in_mode(candidate: Candidate[Key], mode: Mode) -> bool:
    if mode == "lexical":
        return candidate.bm25 is not None
    return mode == "hybrid" or candidate.cosine is not None


def _scores(pool: Sequence[Candidate[Key]], lens: Lens) -> list[float]:
    """Return the score of each: how much words and meaning weigh, the best BM25 counts as 1.

    A passage that has no vector yet stands in the middle of the cosines known, so that it is
    neither lifted nor sunk.
    """
    best = max((each.bm25 or 0.0 for each in pool), default=0.0) or 1.0
    words = [(each.bm25 or 0.0) / best for each in pool]
    meanings = [each.cosine if each.moved is None else each.moved for each in pool]
    known = [meaning for meaning in meanings if meaning is not None]
    if lens.mode == "lexical" or not known:
        return words
    share = 1.0 / (1.0 + (lens.weights.bm25 if lens.mode == "hybrid" else 0.0))
    stand_in = median(known) if len(known) < len(pool) else 0.0
    return [
        (1.0 - share) * word + share * min(1.0, max(0.0, stand_in if meaning is None else meaning))
        for word, meaning in zip(words, meanings, strict=True)
    ]


_Scored = tuple[Candidate[Key], float]


def _lifted(scored: Sequence[_Scored[Key]], mode: Mode) -> list[_Scored[Key]]:
    """Bring the best passage of each note whose title is asked for to the front."""
    if mode == "semantic":
        return list(scored)
    lifted: dict[Hashable, _Scored[Key]] = {}
    rest: list[_Scored[Key]] = []
    for each in scored:
        note, title = each[0].note, each[0].title
        if title and note not in lifted:
            lifted[note] = each
        else:
            rest.append(each)
    first = sorted(lifted.values(), key=lambda each: -each[0].title)
    return [(each, 1.0) for each, _ in first] + rest


def _spread(scored: Sequence[_Scored[Key]], weights: Weights) -> list[_Scored[Key]]:
    """Let a note with many good passages not crowd the others out."""
    n_seen: defaultdict[Hashable, int] = defaultdict(int)
    spread: list[_Scored[Key]] = []
    for each, score in scored:
        n_over = n_seen[each.note] - weights.n_of_one_note + 1
        n_seen[each.note] += 1
        spread.append((each, score * weights.crowding**n_over) if n_over > 0 else (each, score))
    return _best_first(spread)


def _best_first(scored: Iterable[_Scored[Key]]) -> list[_Scored[Key]]:
    return sorted(scored, key=itemgetter(1), reverse=True)


def _ranks(scores: Iterable[tuple[Key, float | None]]) -> dict[Key, int]:
    known = [(key, score) for key, score in scores if score is not None]
    known.sort(key=itemgetter(1), reverse=True)
    return {key: rank for rank, (key, _) in enumerate(known, 1)}
