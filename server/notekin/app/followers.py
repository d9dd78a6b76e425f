"""What the indexer does for the processes that follow it: their orders, and its own status."""

from collections.abc import Callable

from notekin.app.inbox import Inbox
from notekin.app.ports import IndexWriter
from notekin.app.results import VaultStatus
from notekin.app.sharing import to_shared


class Followers:
    """The other processes, as the indexer knows them; belongs to the indexer's thread.

    What was passed on goes only when what it asked for is stored, so that the next indexer finds
    it after a crash.
    """

    def __init__(self) -> None:
        self._last = 0
        self._taken: dict[int, str] = {}
        self._told: VaultStatus | None = None

    def begin(self) -> None:
        """Forget what was known of the index: another writer was opened on it."""
        self._last, self._told = 0, None
        self._taken.clear()

    def receive(self, writer: IndexWriter, inbox: Inbox) -> bool:
        """Record what was passed on since the last time as if it had been told here; return
        whether another process wrote anything at all.
        """
        if not writer.noticed():
            return False
        for each in writer.dirty(self._last):
            self._last = each.id
            self._taken[each.id] = each.path
            inbox.look([each.path], forced=each.forced)
        return True

    def settle(self, writer: IndexWriter, is_due: Callable[[str], bool]) -> None:
        """Let go of all that was taken and is not due any more."""
        done = [id_ for id_, path in self._taken.items() if not is_due(path)]
        if done:
            writer.looked_at(done)
        for id_ in done:
            del self._taken[id_]

    def tell(self, writer: IndexWriter, status: VaultStatus) -> None:
        """Share a status that was not shared yet."""
        if status is not self._told:
            writer.share(to_shared(status))
            self._told = status
