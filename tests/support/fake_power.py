"""A power source that a test switches."""

from collections.abc import Callable

from attrs import define, field


@define
class FakePower:
    """Implements `app.ports.Power`; `plug` and `unplug` are the person's hands."""

    on_battery: bool = False
    closed: bool = False
    _callbacks: list[Callable[[], None]] = field(factory=list[Callable[[], None]])

    def on_change(self, callback: Callable[[], None]) -> None:
        self._callbacks.append(callback)

    def close(self) -> None:
        self.closed = True
        self._callbacks.clear()

    def unplug(self) -> None:
        self._switch(to_battery=True)

    def plug(self) -> None:
        self._switch(to_battery=False)

    def _switch(self, *, to_battery: bool) -> None:
        before, self.on_battery = self.on_battery, to_battery
        if before != to_battery:
            for callback in tuple(self._callbacks):
                callback()
