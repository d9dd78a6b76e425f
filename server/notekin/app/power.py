"""Whether work that can wait is parked because the computer runs on battery."""

import threading
from collections.abc import Callable
from typing import Literal, Protocol

from notekin.app.ports import Power

PowerRule = Literal["always", "onPowerSource"]


class Parkable(Protocol):
    """What is told; both calls return at once."""

    def unplugged(self) -> None: ...
    def plugged(self) -> None: ...


class PowerWatch:
    """Parks and unparks whoever joined as the power source changes. Thread-safe.

    The source is looked at only while the rule asks for it and somebody has joined.
    """

    def __init__(self, open_power: Callable[[], Power], rule: PowerRule) -> None:
        self._open_power = open_power
        self._rule: PowerRule = rule
        # Held while members are told, so that each hears every change in its order.
        self._lock = threading.RLock()
        self._members: list[Parkable] = []
        self._power: Power | None = None
        self._parking = False

    def use(self, rule: PowerRule) -> None:
        """Go by another rule from now on; the same one again changes nothing."""
        with self._lock:
            self._rule = rule
            self._attend()

    def join(self, member: Parkable) -> None:
        """Tell `member` of every change from now on; at once if work is parked."""
        with self._lock:
            self._members.append(member)
            if self._parking:
                member.unplugged()
            self._attend()

    def leave(self, member: Parkable) -> None:
        """Tell `member` no more."""
        with self._lock:
            if member in self._members:
                self._members.remove(member)
            self._attend()

    def _attend(self) -> None:
        """Watch the power source if somebody needs it, and only then."""
        needed = self._rule == "onPowerSource" and bool(self._members)
        if needed and self._power is None:
            self._power = self._open_power()
            self._power.on_change(self._look)
        elif not needed and self._power is not None:
            self._power.close()
            self._power = None
        self._look()

    def _look(self) -> None:
        with self._lock:
            parking = self._power is not None and self._power.on_battery
            if parking == self._parking:
                return
            self._parking = parking
            for member in self._members:
                if parking:
                    member.unplugged()
                else:
                    member.plugged()
