"""Both lanes of a question over all vaults, fused: what `search` and `related` share."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as TooLate

from attrs import define, evolve, frozen

from notekin.app.cancel import CancelToken
from notekin.app.embedding import EmbeddingQueue, Priority
from notekin.app.hits import Lane
from notekin.app.ports import Role, Scored, StoredPassage
from notekin.app.preparing import display_title
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
from notekin.core.vectors import Vector, toward

# A lane brings this many passages: beyond, nothing was found to reach the first ten.
_N_LANE = 200
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

    def ask(self, text: str, role: Role, priority: Priority) -> "Future[Sequence[Vector]]":
        """Begin to embed `text`; `answer` brings the vector."""
        return self.queue.submit(text, role, priority, self.token)

    def answer(self, asked: "Future[Sequence[Vector]]") -> Vector | None:
        """Return the vector, None when the model cannot give it in time; raises `Cancelled`."""
        try:
            with self.token.on_cancel(lambda: asked.cancel() and None):
                return asked.result(self.patience)[0]
        except (TooLate, CancelledError, Exception):  # noqa: BLE001
            # Whatever went wrong, the words answer alone, and the verdict and the status say so.
            asked.cancel()
            self.token.check()
            return None

    def made(self, lane: Lane) -> bool:
        """Return whether the vectors of a lane come from this model, as far as is known."""
        stored, loaded = lane.reader.model(), self.queue.info
        return stored is not None and (loaded is None or loaded.fingerprint == stored.fingerprint)


@frozen
class Retrieved:
    """Passages in their order, and whether the vector lane had its say wherever it should."""

    ranked: Sequence[Ranked[Key]]
    by_meaning: bool


@define
class Pool:
    """What the lanes brought for one question."""

    lanes: Sequence[Lane]
    question: Question
    model: Model
    bm25: dict[Key, float]
    cosine: dict[Key, float]
    moved: dict[Key, float]

    @classmethod
    def of(cls, lanes: Sequence[Lane], question: Question, model: Model) -> "Pool":
        """Return an empty pool."""
        return cls(lanes, question, model, {}, {}, {})

    def add_words(self) -> None:
        """Ask the text lanes."""
        terms = self.question.weighted
        held = self._n_holding(tuple(dict.fromkeys(terms)))
        asked = narrowed(self.question, held, self._n_passages(), _N_TERMS)
        for number, lane in enumerate(self.lanes):
            found = lane.reader.lexical(asked.weighted, lane.filters, _N_LANE)
            self.bm25.update(_keyed(number, found))

    def add_meaning(self, vector: Vector) -> None:
        """Ask the vector lanes, and compare what the text lanes brought with the question."""
        self.cosine = self._cosines(vector)

    def move(self, vector: Vector, first: Sequence[Key], share: float) -> None:
        """Ask the vector lanes again with the question moved toward its first answers."""
        answers = [
            vectors[0]
            for number, lane in enumerate(self.lanes)
            for vectors in lane.reader.vectors([i for n, i in first if n == number]).values()
        ]
        self.moved = self._cosines(toward(vector, answers, share))
        known = {key for key in self.moved if key not in self.cosine}
        self.cosine.update(self._compared(vector, known))

    def candidates(self) -> list[Candidate[Key]]:
        """Return all passages so far, with what ranking asks of them."""
        keys = sorted({*self.bm25, *self.cosine})
        covered = self._coverage(keys)
        passages = self._passages(keys)
        return [
            Candidate(
                key=key,
                note=(key[0], passages[key].path),
                bm25=self.bm25.get(key),
                cosine=self.cosine.get(key),
                moved=self.moved.get(key),
                coverage=covered[key],
                title=self._title_match(passages[key]),
            )
            for key in keys
            if key in passages
        ]

    def _cosines(self, vector: Vector) -> dict[Key, float]:
        found: dict[Key, float] = {}
        for number, lane in enumerate(self.lanes):
            if self.model.made(lane):
                found.update(_keyed(number, lane.reader.semantic(vector, lane.filters, _N_LANE)))
        found.update(self._compared(vector, self.bm25.keys() - found.keys()))
        return found

    def _compared(self, vector: Vector, keys: Collection[Key]) -> dict[Key, float]:
        compared: dict[Key, float] = {}
        for number, lane in enumerate(self.lanes):
            ids = [id_ for lane_number, id_ in keys if lane_number == number]
            if ids and self.model.made(lane):
                for id_, cosine in lane.reader.cosines(vector, ids).items():
                    compared[number, id_] = cosine
        return compared

    def _coverage(self, keys: Sequence[Key]) -> Mapping[Key, float]:
        terms = self.question.terms
        weights = term_weights(terms, self._n_holding(terms), self._n_passages())
        covered: dict[Key, float] = dict.fromkeys(keys, 0.0)
        for number, ids in _by_lane(keys).items():
            for id_, held in self.lanes[number].reader.holding(ids, terms).items():
                covered[number, id_] = coverage(held, weights)
        return covered

    def _passages(self, keys: Sequence[Key]) -> Mapping[Key, StoredPassage]:
        return {
            (number, id_): passage
            for number, ids in _by_lane(keys).items()
            for id_, passage in self.lanes[number].reader.passages(ids).items()
        }

    def _title_match(self, passage: StoredPassage) -> TitleMatch:
        names = {passage.title, display_title(passage.path, ""), *passage.headings[-1:]}
        return max(title_match(self.question, name) for name in names)

    def _n_holding(self, terms: Sequence[str]) -> Mapping[str, int]:
        total: Counter[str] = Counter()
        for lane in self.lanes:
            total.update(lane.reader.n_holding(terms))
        return total

    def _n_passages(self) -> int:
        return sum(lane.reader.counts().n_passages for lane in self.lanes)


def retrieve(
    lanes: Sequence[Lane],
    question: Question,
    lens: Lens,
    model: Model,
    asked: "Future[Sequence[Vector]] | Vector | None",
) -> Retrieved:
    """Return the passages that answer a question, best first.

    `asked` is the question's vector, being computed or known; None for the text lane alone.
    The text lane runs while the model works.
    """
    pool = Pool.of(lanes, question, model)
    if lens.mode != "semantic":
        pool.add_words()
    vector = model.answer(asked) if isinstance(asked, Future) else asked
    if vector is None:
        alone = evolve(lens, mode="lexical") if lens.mode == "hybrid" else lens
        return Retrieved(fuse(pool.candidates(), alone), by_meaning=lens.mode == "lexical")
    pool.add_meaning(vector)
    ranked = fuse(pool.candidates(), lens)
    first = feedback_keys(ranked, lens)
    if first:
        pool.move(vector, first, lens.weights.feedback)
        ranked = fuse(pool.candidates(), lens)
    return Retrieved(ranked, by_meaning=all(model.made(lane) for lane in lanes))


def _keyed(number: int, found: Sequence[Scored]) -> dict[Key, float]:
    return {(number, each.id): each.score for each in found}


def _by_lane(keys: Sequence[Key]) -> Mapping[int, list[int]]:
    ids: dict[int, list[int]] = {}
    for number, id_ in keys:
        ids.setdefault(number, []).append(id_)
    return ids
