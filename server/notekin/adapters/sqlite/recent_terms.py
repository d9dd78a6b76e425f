"""The postings of the terms that were asked for last: who types asks again with every letter.

They hold for one state of the index. Every transaction that changes passages gives it the next
revision, whichever process wrote it, and a reader's snapshot says which one it sees.
"""

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from notekin.adapters.sqlite.snapshot import Snapshot

if TYPE_CHECKING:
    from notekin.adapters.sqlite.postings import Postings

# So many postings are remembered in all, of 16 bytes each; a term counts as some, too.
_N_KEPT = 1_000_000
_N_A_TERM = 50


class RecentTerms:
    """The postings of the terms that were asked for last, in the newest state seen. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._snapshot: Snapshot | None = None
        self._held: OrderedDict[str, Postings] = OrderedDict()
        self._n_kept = 0

    @property
    def n_kept(self) -> int:
        """How much is remembered, as postings."""
        return self._n_kept

    def recall(self, snapshot: Snapshot, terms: Sequence[str]) -> "dict[str, Postings]":
        """Return what is remembered of the terms, in this very state."""
        with self._lock:
            if self._snapshot != snapshot:
                return {}
            known = {term: self._held[term] for term in terms if term in self._held}
            for term in known:
                self._held.move_to_end(term)
            return known

    def keep(self, snapshot: Snapshot, postings: "Mapping[str, Postings]") -> None:
        """Remember postings; those of an older state than the newest are not."""
        with self._lock:
            if snapshot.is_before(self._snapshot):
                return
            if self._snapshot != snapshot:
                self._snapshot, self._n_kept = snapshot, 0
                self._held.clear()
            for term, each in postings.items():
                self._drop(term)
                self._held[term] = each
                self._n_kept += _N_A_TERM + len(each.chunks)
            while self._n_kept > _N_KEPT:
                self._drop(next(iter(self._held)))

    def _drop(self, term: str) -> None:
        dropped = self._held.pop(term, None)
        self._n_kept -= _N_A_TERM + len(dropped.chunks) if dropped else 0
