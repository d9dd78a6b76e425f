"""What surrounds a vault: helper processes, other processes, the system's watching and power."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Protocol

from notekin.app.ports.files import RawNote
from notekin.app.ports.stored import NewNote


class Workshop(Protocol):
    """Prepares many notes beside this process, so that a first index holds up nobody."""

    @property
    def n_places(self) -> int:
        """How many batches are worked on at once."""
        ...

    def prepare(self, batch: Sequence[RawNote]) -> Future[Sequence[NewNote | str]]:
        """Return a future of the notes in order, or for a note that cannot be parsed the
        reason. It fails with `OSError` when the helper is gone.
        """
        ...

    def close(self) -> None:
        """End at once; what is not done fails."""
        ...


class Lock(Protocol):
    """Says which process indexes a vault."""

    def acquire(self) -> bool:
        """Take the lock if it is free, without waiting; True when this process holds it."""
        ...

    def in_place(self) -> bool:
        """Return whether this process holds it: somebody may have taken it away."""
        ...

    def release(self) -> None:
        """Give the lock back; nothing when it is not held."""
        ...


class Watcher(Protocol):
    """Tells what changes below a folder, for clients that do not."""

    @property
    def notice(self) -> str:
        """A sentence when changes are seen late, else ""."""
        ...

    def close(self) -> None:
        """Stop watching and wait for it."""
        ...


class Power(Protocol):
    """What the computer runs on."""

    @property
    def on_battery(self) -> bool:
        """Whether it runs on battery now; never where there is none. Returns at once."""
        ...

    def on_change(self, callback: Callable[[], None]) -> None:
        """Call `callback`, on a thread of the port, after `on_battery` changed."""
        ...

    def close(self) -> None:
        """Look no more; a callback that is running may call this."""
        ...
