"""The writer's side of all vectors: those served, and those of a model that is being built.

Passages wait for vectors of the model being built, while those of the other stay and answer.
The last passage that gets one makes the new model the one served. Until then the old one can
come back and finds its vectors where they were.
"""

from collections.abc import Callable, Collection, Sequence

from attrs import evolve

from notekin.adapters.sqlite.connect import Database
from notekin.adapters.sqlite.model import (
    MARK_EMBEDDED,
    StoredModel,
    describe_model,
    drop_model,
    insert_model,
    is_same,
    load_models,
)
from notekin.adapters.sqlite.slots import Slots
from notekin.app.ports import ModelInfo
from notekin.core.vectors import Vector


class Vectors:
    """Vectors of passages. All calls belong into the writer's transaction, after `begin`."""

    def __init__(self, connection: Database, clock: Callable[[], float]) -> None:
        self._db = connection
        self._clock = clock
        self._served: Slots | None = None
        self._building: Slots | None = None

    @property
    def models(self) -> Sequence[Slots]:
        """The slots of each model, those served first."""
        return [slots for slots in (self._served, self._building) if slots is not None]

    def begin(self) -> None:
        """Start a transaction: see which models there are."""
        models = load_models(self._db)
        self._served, self._building = self._slots(models.served), self._slots(models.building)

    def known(self, hashes: Collection[bytes]) -> set[bytes]:
        """Return those of `hashes` that need not be embedded."""
        target = self._target
        return {each for each in hashes if target.knows(each)} if target else set()

    def find(self, hash_: bytes) -> Sequence[Vector]:
        """Return the vectors of a hash; those of the cache are taken out of it."""
        return self._target.find(hash_) if self._target else ()

    def give(self, chunk: int, hash_: bytes, vectors: Sequence[Vector]) -> None:
        """Store the vectors of a passage that waits."""
        self._checked_target().give(chunk, hash_, vectors)

    def keep(self, hash_: bytes, vectors: Sequence[Vector]) -> None:
        """Put vectors that no passage waits for into the cache."""
        self._checked_target().keep(hash_, vectors)

    def release(self, chunks: Collection[int]) -> None:
        """Take the vectors of passages that go away into the cache, each model's into its own."""
        for slots in self.models:
            slots.release(chunks)

    @property
    def asked_of(self) -> ModelInfo | None:
        """The model whose vectors passages wait for."""
        return self._target.model.info if self._target else None

    def set_model(self, info: ModelInfo) -> None:
        """Have passages wait for vectors of the model `info`, where they have none of it."""
        for slots in self.models:
            if is_same(slots.model.info, info):
                describe_model(self._db, evolve(slots.model, info=info))
                if slots is self._served:
                    self._drop(self._building)
                break
        else:
            self._drop(self._building)
            if self._served and not self._served.n_vectors:
                self._drop(self._served)
                self._served = None
            insert_model(self._db, info, served=self._served is None)
        self._db.run(MARK_EMBEDDED)
        self.begin()

    def settle(self) -> None:
        """Bring slots and caches into their bounds, and serve the model that is built; the last
        step of a transaction.
        """
        for slots in self.models:
            slots.settle()
        if self._building and not self._n_pending():
            self.serve_built()

    def serve_built(self) -> bool:
        """Serve the model that is being built, and drop the other; return whether there is one."""
        if self._building is None:
            return False
        self._drop(self._served)
        self._db.run("UPDATE models SET served = 1")
        self.begin()
        return True

    def age(self) -> None:
        """Drop what nobody asked of the caches for long."""
        for slots in self.models:
            slots.age()

    @property
    def _target(self) -> Slots | None:
        return self._building or self._served

    def _checked_target(self) -> Slots:
        if self._target is None:
            raise ValueError("set_model comes before the first vector")
        return self._target

    def _slots(self, model: StoredModel | None) -> Slots | None:
        return Slots(self._db, self._clock, model) if model else None

    def _drop(self, slots: Slots | None) -> None:
        if slots is not None:
            drop_model(self._db, slots.model)

    def _n_pending(self) -> int:
        return self._db.value("SELECT value FROM counters WHERE name = 'pending'")
