"""Both lanes of a question over all vaults, fused: what `search` and `related` share."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as TooLate
from itertools import islice

from attrs import define, evolve, field, frozen

from notekin.app.answers import Embedded
from notekin.app.cancel import CancelToken
from notekin.app.embedding import EmbeddingQueue, Priority
from notekin.app.hits import Lane
from notekin.app.ports import Holders, Role, Scored, StoredPassage
from notekin.app.preparing import display_title
from notekin.core.note import Span
from notekin.core.query import Question, coverage, narrowed, term_weights
from notekin.core.ranking import (
    Candidate,
    Lens,
    Ranked,
    TitleMatch,
    feedback_keys,
    fuse,
    title_match,
)
from notekin.core.terms import Finder
from notekin.core.vectors import Vector, toward

# A lane brings this many passages: beyond, nothing was found to reach the first ten.
_N_LANE = 50
# The first of each lane are looked at closely: their notes, titles and the terms they hold.
_N_LOOKED_AT = 20
# More terms than these add time, not answers; a paragraph that asks has that many.
_N_TERMS = 64

Key = tuple[int, int]
"""A passage among all vaults: the number of its lane, and its id there."""


@frozen
class Model:
    """The model for one request: `patience` is how long, in seconds, it may take."""

    queue: EmbeddingQueue
    patience: float
    token: CancelToken

    def ask(self, text: str, role: Role, priority: Priority) -> Future[Embedded] | None:
        """Begin to embed `text`; `answer` brings the vector. A hover loads no model: it would
        come too late for it, and take its time from the first index.
        """
        if priority == "hover" and self.queue.state != "ready":
            return None
        return self.queue.submit(text, role, priority, self.token)

    def answer(self, asked: Future[Embedded]) -> "Meaning | None":
        """Return the meaning, None when the model cannot give it in time; raises `Cancelled`."""
        try:
            with self.token.on_cancel(lambda: _take_back(asked)):
                embedded = asked.result(self.patience)
                return Meaning(embedded.vectors[0], embedded.model.fingerprint)
        except (TooLate, CancelledError, Exception):  # noqa: BLE001
            # Whatever went wrong, the words answer alone, and the verdict and the status say so.
            asked.cancel()
            self.token.check()
            return None


@frozen
class Meaning:
    """A question's vector, and the fingerprint of the model that made it."""

    vector: Vector
    fingerprint: str

    def fits(self, lane: Lane) -> bool:
        """Return whether the vectors of a lane come from the same model; a vault without passages
        needs none.
        """
        stored = lane.reader.model()
        if stored is None:
            return not lane.reader.counts().n_passages
        return stored.fingerprint == self.fingerprint


@frozen
class Inquiry:
    """A question on its way through the lanes.

    `meaning` is the question's, being computed or known; None for the text lane alone. `n_wanted`
    hits are to be shown.
    """

    question: Question
    lens: Lens
    meaning: Future[Embedded] | Meaning | None
    n_wanted: int


@frozen
class Retrieved:
    """Passages in their order, and whether the vector lane had its say wherever it should.

    There are twice as many as wanted, because some may turn out to be gone: from the index, where
    `passage` returns None, or from an open document. `marks` are what is highlighted in some of
    them; `finder` finds it in the others.
    """

    ranked: Sequence[Ranked[Key]]
    passage: Callable[[Key], StoredPassage | None]
    marks: Mapping[Key, Sequence[Span]]
    finder: Finder
    by_meaning: bool


@frozen
class Fact:
    """What ranking asks of a passage that may be shown."""

    note: Hashable
    coverage: float
    title: TitleMatch


@define
class Pool:
    """What the lanes brought for one question; scores are in the order of their lane."""

    lanes: Sequence[Lane]
    question: Question
    n_wanted: int
    bm25: dict[Key, float] = field(factory=dict[Key, float])
    cosine: dict[Key, float] = field(factory=dict[Key, float])
    moved: dict[Key, float] = field(factory=dict[Key, float])
    passages: dict[Key, StoredPassage] = field(factory=dict[Key, StoredPassage])
    marks: dict[Key, Sequence[Span]] = field(factory=dict[Key, Sequence[Span]])
    finder: Finder = field(init=False)
    _facts: dict[Key, Fact] = field(factory=dict[Key, Fact])
    _frequencies: Mapping[str, int] = field(factory=dict[str, int])

    def __attrs_post_init__(self) -> None:
        self.finder = Finder(frozenset(self.question.terms))

    def add_words(self) -> None:
        """Ask the text lanes."""
        asked = self._narrowed()
        found: dict[Key, float] = {}
        for number, lane in enumerate(self.lanes):
            rows = lane.reader.lexical(asked.weighted, lane.filters, self._n_lane)
            found.update(_keyed(number, rows))
        self.bm25 = _best_first(found)

    def add_meaning(self, meaning: Meaning) -> None:
        """Ask the vector lanes, and compare what the text lanes brought with the question."""
        self.cosine = self._cosines(meaning)

    def move(self, meaning: Meaning, ranked: Sequence[Ranked[Key]], lens: Lens) -> bool:
        """Compare the best passages so far with the question moved toward its first answers;
        return whether it has any.

        The vector lanes are not asked again: what they would bring never reached the first ten.
        """
        first = feedback_keys(ranked, lens)
        answers = [
            vectors[0]
            for number, ids in _by_lane(first).items()
            for vectors in self.lanes[number].reader.vectors(ids).values()
        ]
        if not answers:
            return False
        best = [each.key for each in ranked[: self.n_looked_at] if each.key in self.cosine]
        moved = toward(meaning.vector, answers, lens.weights.feedback)
        self.moved = self._compared(evolve(meaning, vector=moved), best)
        return True

    def look_at(self, ranked: Sequence[Ranked[Key]] = ()) -> list[Key]:
        """Look at the passages that may be shown, and return them: the first of each lane and of
        the ranking so far. What that brings (note, title, the terms they hold) ranking asks for.
        """
        n_each = self.n_looked_at
        lanes = (self.bm25, self.cosine, (each.key for each in ranked))
        first = {key for lane in lanes for key in islice(lane, n_each)}
        self._look_at(first - self._facts.keys())
        return sorted(first)

    def mark(self, is_time_over: Callable[[], bool]) -> None:
        """Mark the terms in the passages that the text lane would show, while there is time."""
        for key in islice(self.bm25, self.n_wanted):
            if is_time_over():
                return
            if passage := self.passages.get(key):
                self.marks[key] = self.finder.spans(passage.text)

    def retrieved(self, lens: Lens, *, by_meaning: bool) -> Retrieved:
        """Return the best passages by all that is known."""
        ranked = fuse(self.candidates(), lens, 2 * self.n_wanted)
        self._fetch({each.key for each in ranked[: self.n_wanted]} - self.passages.keys())
        return Retrieved(ranked, self._passage, self.marks, self.finder, by_meaning)

    def candidates(self, keys: Sequence[Key] = ()) -> list[Candidate[Key]]:
        """Return the passages `keys`, by default all so far, with what is known of them."""
        return [self._candidate(key) for key in keys or sorted({*self.bm25, *self.cosine})]

    @property
    def n_looked_at(self) -> int:
        """How many passages of each lane, and of a ranking, are looked at closely."""
        return max(_N_LOOKED_AT, 2 * self.n_wanted)

    @property
    def _n_lane(self) -> int:
        return max(_N_LANE, 2 * self.n_wanted)

    def _passage(self, key: Key) -> StoredPassage | None:
        if key not in self.passages:
            self._fetch([key])
        return self.passages.get(key)

    def _candidate(self, key: Key) -> Candidate[Key]:
        scores = self.bm25.get(key), self.cosine.get(key), self.moved.get(key)
        fact = self._facts.get(key)
        if fact is None:
            return Candidate(key, key, *scores)
        return Candidate(key, fact.note, *scores, fact.coverage, fact.title)

    def _look_at(self, keys: Collection[Key]) -> None:
        if not keys:
            return
        terms = self.question.terms
        holders = self._holders(keys)
        weights = term_weights(terms, self._frequencies, self._n_passages())
        self._fetch(keys)
        for key in keys:
            if passage := self.passages.get(key):
                number, id_ = key
                held = frozenset(t for t, those in holders[number].items() if id_ in those.among)
                # A title that answers the query holds its terms, and titles are in the index.
                holds_all = held.issuperset(terms)
                self._facts[key] = Fact(
                    note=(number, passage.path),
                    coverage=coverage(held, weights),
                    title=self._title_match(passage) if holds_all else TitleMatch.NONE,
                )

    def _fetch(self, keys: Collection[Key]) -> None:
        for number, ids in _by_lane(keys).items():
            found = self.lanes[number].reader.passages(ids)
            self.passages.update({(number, id_): passage for id_, passage in found.items()})

    def _title_match(self, passage: StoredPassage) -> TitleMatch:
        names = {passage.title, display_title(passage.path, ""), *passage.headings[-1:]}
        return max(title_match(self.question, name) for name in names)

    def _cosines(self, meaning: Meaning) -> dict[Key, float]:
        found: dict[Key, float] = {}
        for number, lane in enumerate(self.lanes):
            if meaning.fits(lane):
                rows = lane.reader.semantic(meaning.vector, lane.filters, self._n_lane)
                found.update(_keyed(number, rows))
        found.update(self._compared(meaning, self.bm25.keys() - found.keys()))
        return _best_first(found)

    def _compared(self, meaning: Meaning, keys: Collection[Key]) -> dict[Key, float]:
        return {
            (number, id_): cosine
            for number, ids in _by_lane(keys).items()
            if meaning.fits(self.lanes[number])
            for id_, cosine in self.lanes[number].reader.cosines(meaning.vector, ids).items()
        }

    def _narrowed(self) -> Question:
        """Return the question with as many terms as are worth their time."""
        terms = tuple(dict.fromkeys(self.question.weighted))
        if len(terms) <= _N_TERMS:
            return self.question
        frequencies = Counter[str]()
        for lane in self.lanes:
            frequencies.update(lane.reader.frequencies(terms))
        return narrowed(self.question, frequencies, self._n_passages(), _N_TERMS)

    def _holders(self, keys: Collection[Key]) -> Mapping[int, Mapping[str, Holders]]:
        """Return who of `keys` holds the terms, by lane; at first ask all lanes how often they
        stand there.
        """
        ids = _by_lane(keys)
        asked = ids if self._frequencies else range(len(self.lanes))
        holders = {
            number: self.lanes[number].reader.holding(ids.get(number, ()), self.question.terms)
            for number in asked
        }
        self._frequencies = self._frequencies or _frequencies(holders.values())
        return holders

    def _n_passages(self) -> int:
        return sum(lane.reader.counts().n_passages for lane in self.lanes)


def retrieve(lanes: Sequence[Lane], inquiry: Inquiry, model: Model) -> Retrieved:
    """Return the passages that answer an inquiry, best first.

    The text lane runs while the model works.
    """
    lens = inquiry.lens
    pool = Pool(lanes, inquiry.question, inquiry.n_wanted)
    asked = inquiry.meaning
    if lens.mode != "semantic":
        pool.add_words()
        if isinstance(asked, Future) and not asked.done():
            # What will probably be shown, while the model works.
            pool.look_at()
            pool.mark(asked.done)
    meaning = model.answer(asked) if isinstance(asked, Future) else asked
    if meaning is None:
        pool.look_at()
        alone = evolve(lens, mode="lexical") if lens.mode == "hybrid" else lens
        return pool.retrieved(alone, by_meaning=lens.mode == "lexical")
    pool.add_meaning(meaning)
    # Only the first few decide where the question moves, so only these are ranked for it.
    ranked = fuse(pool.candidates(pool.look_at()), lens, pool.n_looked_at)
    if pool.move(meaning, ranked, lens):
        pool.look_at(ranked)
    return pool.retrieved(lens, by_meaning=all(meaning.fits(lane) for lane in lanes))


def _take_back(asked: Future[Embedded]) -> None:
    asked.cancel()


def _keyed(number: int, found: Sequence[Scored]) -> dict[Key, float]:
    return {(number, each.id): each.score for each in found}


def _best_first(scores: Mapping[Key, float]) -> dict[Key, float]:
    return dict(sorted(scores.items(), key=lambda item: (-item[1], item[0])))


def _frequencies(holders: Iterable[Mapping[str, Holders]]) -> Mapping[str, int]:
    """Return in how many passages of all lanes each term stands."""
    counted = Counter[str]()
    for lane in holders:
        counted.update({term: those.n_passages for term, those in lane.items()})
    return counted


def _by_lane(keys: Collection[Key]) -> Mapping[int, list[int]]:
    ids: dict[int, list[int]] = {}
    for number, id_ in keys:
        ids.setdefault(number, []).append(id_)
    return ids
