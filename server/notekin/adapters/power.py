"""What the computer runs on: asked of the system every few seconds, and on Linux as soon as
UPower says that something changed.
"""

import sys
import threading
from collections.abc import Callable
from typing import Protocol

import psutil

from notekin.adapters.upower import UPower

_LOOK_SECONDS = 5.0


class Signals(Protocol):
    """Something that calls back when it is worth looking."""

    def close(self) -> None: ...


class SystemPower:
    """Implements `app.ports.Power`. A machine without a battery is never on battery, and is not
    watched.
    """

    def __init__(
        self,
        read: Callable[[], bool | None] | None = None,
        listen: Callable[[Callable[[], None]], Signals] | None = None,
        seconds: float = _LOOK_SECONDS,
    ) -> None:
        """`read` returns whether the computer runs on battery, None where there is none; it is
        asked every so many `seconds`, and whenever what `listen` returned calls.
        """
        self._read = read or is_on_battery
        self._listen = listen or (UPower if sys.platform == "linux" else None)
        self._seconds = seconds
        self._callbacks: tuple[Callable[[], None], ...] = ()
        self._look_now = threading.Event()
        self._closed = False
        on_battery = self._read()
        self._on_battery = bool(on_battery)
        if on_battery is not None:
            threading.Thread(target=self._run, name="notekin-power", daemon=True).start()

    @property
    def on_battery(self) -> bool:
        return self._on_battery

    def on_change(self, callback: Callable[[], None]) -> None:
        self._callbacks = (*self._callbacks, callback)

    def close(self) -> None:
        self._closed = True
        self._callbacks = ()
        # Not waited for: the callback that runs may be what closes it.
        self._look_now.set()

    def _run(self) -> None:
        signals = self._listen(self._look_now.set) if self._listen is not None else None
        while not self._closed:
            self._look()
            self._look_now.wait(self._seconds)
            self._look_now.clear()
        if signals is not None:
            signals.close()

    def _look(self) -> None:
        before, self._on_battery = self._on_battery, bool(self._read())
        if self._on_battery != before:
            for callback in self._callbacks:
                callback()


def is_on_battery() -> bool | None:
    """Return whether the computer runs on battery, None where it has none or does not say."""
    try:
        battery = psutil.sensors_battery()
    except Exception:  # noqa: BLE001 - whatever a strange machine brings: it is no reason to park
        return None
    # Some batteries do not tell whether a plug is in; those park nothing.
    return None if battery is None else battery.power_plugged is False
