"""A vault that another process indexes: what is saved here is passed on, its progress is told."""

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence

from attrs import define, field, frozen

from notekin.app.comparing import behind
from notekin.app.errors import IndexUnusable, Unreadable
from notekin.app.halts import parks_reading
from notekin.app.inbox import Inbox
from notekin.app.ports import Files, Index, IndexFollower, Lock
from notekin.app.reporting import Reporter
from notekin.app.sharing import from_shared

# How often, in seconds, a follower looks what the indexer did: while somebody may wait for a
# note that was passed on, and otherwise.
_WAITING_SECONDS = 0.01
_RESTING_SECONDS = 0.1
# How often it tries to become the indexer.
_TRYING_SECONDS = 0.25
# Beyond this the indexer had better compare all files by itself.
_MOST_PASSED_ON = 500


@frozen
class _PassedOn:
    """What went to the indexer, and the ticket that those hold who wait for it."""

    ticket: int
    ids: Sequence[int]
    whole: int | None


@define
class Following:
    """Follows until it is this process that indexes. Belongs to the indexer's thread."""

    files: Files
    index: Index
    lock: Lock
    inbox: Inbox
    report: Reporter
    catch_up: Callable[[], None]
    _unsent: dict[str, bool] = field(factory=dict[str, bool])
    _sent: deque[_PassedOn] = field(factory=deque[_PassedOn])
    _ticket: int = 0

    def until_leading(self) -> bool:
        """Return True once the lock is ours, False when told to stop before."""
        if self.lock.acquire():
            return True
        while not self.inbox.stopping:
            self.inbox.trust()
            follower = self.index.follow()
            try:
                if self._follow(follower):
                    self._take_over()
                    return True
            finally:
                follower.close()
        return False

    def _follow(self, follower: IndexFollower) -> bool:
        """Follow while the file is the same; return whether the lock is ours."""
        # What was passed on through another file went with it; the indexer starts anew.
        self._serve_all()
        tried_at = time.monotonic()
        while follower.in_place() and not self.inbox.distrusted:
            # The order matters: what is passed on as the last thing before a stop is no loss.
            stopping = self.inbox.stopping
            self._pass_on(follower)
            self.catch_up()
            if follower.noticed():
                self._see(follower)
            if stopping:
                return False
            if time.monotonic() - tried_at >= _TRYING_SECONDS:
                tried_at = time.monotonic()
                if self.lock.acquire():
                    return True
            self.inbox.pause(_WAITING_SECONDS if self._unsent or self._sent else _RESTING_SECONDS)
        return False

    def _take_over(self) -> None:
        """Go on as the indexer: whatever the last one left undone is to be found."""
        self._sent.clear()
        for path, forced in self._unsent.items():
            self.inbox.look([path], forced=forced)
        self.inbox.look([""])
        self.report.took_over()

    def _pass_on(self, follower: IndexFollower) -> None:
        self._scan()
        recorded = self.inbox.take()
        self._ticket = max(self._ticket, recorded.ticket)
        looks = {**dict.fromkeys(recorded.saves, False), **recorded.looks}
        for path, forced in looks.items():
            self._unsent[path] = forced or self._unsent.get(path, False)
        if not self._unsent:
            if recorded.fresh and not self._sent:
                self.inbox.served(recorded.ticket)
            return
        try:
            ids = follower.pass_on(self._unsent)
        except IndexUnusable as error:
            if error.reason != "busy":
                raise
            return
        of = dict(zip(self._unsent, ids, strict=True))
        whole = of.pop("", None)
        self._sent.append(_PassedOn(self._ticket, list(of.values()), whole))
        self._unsent.clear()

    def _scan(self) -> None:
        """Compare all files with the index, when that is due, and pass on what differs."""
        scan = self.inbox.scan
        if not scan.due:
            return
        self._unsent.update(self._behind(forced=scan.due == "forced"))
        self.inbox.scanned(scan)

    def _behind(self, *, forced: bool) -> Mapping[str, bool]:
        if forced:
            return {"": True}
        try:
            paths = behind(self.files, self.index)
        except Unreadable:
            return {}
        return dict.fromkeys(paths if len(paths) <= _MOST_PASSED_ON else [""], False)

    def _see(self, follower: IndexFollower) -> None:
        """Tell what the indexer tells, and serve those whose notes it has looked at."""
        waiting = set(follower.waiting([id_ for sent in self._sent for id_ in _ids(sent)]))
        # After the question: a status is shared before the rows that it is about go.
        told = from_shared(follower.shared(), self.files.root)
        self.report.follow(told)
        while self._sent and not self._holds(waiting):
            self.inbox.served(self._sent.popleft().ticket)

    def _holds(self, waiting: set[int]) -> bool:
        """Return whether the oldest of what was passed on is still to be served. An indexer that
        is parked compares no files, and one that failed does nothing: nobody is to wait for it.
        """
        status, sent = self.report.status, self._sent[0]
        if status.phase == "failed":
            return False
        ids = sent.ids if parks_reading(status.reason) else _ids(sent)
        return not waiting.isdisjoint(ids)

    def _serve_all(self) -> None:
        while self._sent:
            self.inbox.served(self._sent.popleft().ticket)


def _ids(sent: _PassedOn) -> Sequence[int]:
    return sent.ids if sent.whole is None else (*sent.ids, sent.whole)
