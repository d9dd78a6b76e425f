"""What storing a note does to its passages: which keep their vector, which come, which go."""

from collections import defaultdict, deque
from collections.abc import Sequence

from attrs import frozen

from notekin.core.note import Passage


@frozen
class Plan:
    """The difference between the stored passages of a note and its new ones.

    `kept` pairs a stored id with the new passage of the same hash: the vector stays, while
    ordinal and range may have moved. `inserted` and `deleted` have no partner.
    """

    kept: tuple[tuple[int, Passage], ...] = ()
    inserted: tuple[Passage, ...] = ()
    deleted: tuple[int, ...] = ()


def plan(stored: Sequence[tuple[int, bytes]], new: Sequence[Passage]) -> Plan:
    """Match `stored` (id, hash) in document order to `new` by hash.

    Equal hashes are paired in order, so a stored passage is used once at most and ids move as
    little as they can.
    """
    ids_of: defaultdict[bytes, deque[int]] = defaultdict(deque)
    for id_, hash_ in stored:
        ids_of[hash_].append(id_)
    kept: list[tuple[int, Passage]] = []
    inserted: list[Passage] = []
    for passage in new:
        ids = ids_of.get(passage.hash)
        if ids:
            kept.append((ids.popleft(), passage))
        else:
            inserted.append(passage)
    taken = {id_ for id_, _ in kept}
    deleted = tuple(id_ for id_, _ in stored if id_ not in taken)
    return Plan(tuple(kept), tuple(inserted), deleted)
