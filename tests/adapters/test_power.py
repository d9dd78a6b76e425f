"""What every `Power` promises; and that the system's own hears UPower, or does without."""

import logging
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from attrs import define, field

from notekin.adapters.power import SystemPower, is_on_battery
from notekin.adapters.upower import UPower
from notekin.app.ports import Power
from support.fake_bus import FakeBus
from support.fake_power import FakePower

PATIENCE_SECONDS = 10.0
NEVER = 1e6


@define
class Switch:
    """What stands in for the system: a battery, a plug, and somebody who tells of them."""

    on_battery: bool | None = False
    tell: Callable[[], None] = lambda: None
    closed: threading.Event = field(factory=threading.Event)

    def read(self) -> bool | None:
        return self.on_battery

    def listen(self, changed: Callable[[], None]) -> "Switch":
        self.tell = changed
        changed()
        return self

    def close(self) -> None:
        self.closed.set()


@define
class Bench:
    power: Power
    unplug: Callable[[], None]
    plug: Callable[[], None]


def _fake() -> Bench:
    power = FakePower()
    return Bench(power, power.unplug, power.plug)


def _system() -> Bench:
    switch = Switch()

    def turn(*, on_battery: bool) -> None:
        switch.on_battery = on_battery
        switch.tell()

    power = SystemPower(switch.read, switch.listen, NEVER)
    return Bench(power, lambda: turn(on_battery=True), lambda: turn(on_battery=False))


def _polled() -> Bench:
    switch = Switch()

    def turn(*, on_battery: bool) -> None:
        switch.on_battery = on_battery

    power = SystemPower(switch.read, lambda _: switch, 0.001)
    return Bench(power, lambda: turn(on_battery=True), lambda: turn(on_battery=False))


@pytest.fixture(params=[_fake, _system, _polled], ids=["fake", "told", "polled"])
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    made = request.param()
    yield made
    made.power.close()


def test_changes_are_told_once_each(bench: Bench) -> None:
    told = threading.Semaphore(0)
    seen: list[bool] = []

    def changed() -> None:
        seen.append(bench.power.on_battery)
        told.release()

    assert not bench.power.on_battery
    bench.power.on_change(changed)
    for turn in (bench.unplug, bench.plug, bench.unplug):
        turn()
        assert told.acquire(timeout=PATIENCE_SECONDS)
    assert seen == [True, False, True]


def test_a_callback_may_close_it(bench: Bench) -> None:
    closed = threading.Event()

    def changed() -> None:
        bench.power.close()
        closed.set()

    bench.power.on_change(changed)
    bench.unplug()
    assert closed.wait(PATIENCE_SECONDS)


def test_a_machine_without_a_battery_is_not_watched() -> None:
    switch = Switch(on_battery=None)
    n_threads = threading.active_count()
    power = SystemPower(switch.read, switch.listen, 0.001)
    assert not power.on_battery
    assert threading.active_count() == n_threads
    power.close()


def test_closing_ends_the_listening() -> None:
    switch = Switch()
    power = SystemPower(switch.read, switch.listen, NEVER)
    power.close()
    assert switch.closed.wait(PATIENCE_SECONDS)


@pytest.mark.parametrize(
    ("plugged", "on_battery"), [(True, False), (False, True), (None, False)], ids=str
)
def test_a_battery_that_does_not_tell_parks_nothing(
    monkeypatch: pytest.MonkeyPatch,
    plugged: bool | None,  # noqa: FBT001
    on_battery: bool,  # noqa: FBT001
) -> None:
    @define
    class Battery:
        power_plugged: bool | None

    monkeypatch.setattr(psutil, "sensors_battery", lambda: Battery(plugged))
    assert is_on_battery() is on_battery


def _no_battery() -> None:
    return None


def _broken() -> None:
    raise RuntimeError


@pytest.mark.parametrize("sensors", [_no_battery, _broken])
def test_a_strange_machine_has_no_battery(
    monkeypatch: pytest.MonkeyPatch, sensors: Callable[[], Any]
) -> None:
    monkeypatch.setattr(psutil, "sensors_battery", sensors)
    assert is_on_battery() is None


@pytest.fixture
def bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeBus]:
    made = FakeBus(tmp_path / "bus")
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", made.address)
    yield made
    made.close()


def test_upower_is_heard(bus: FakeBus) -> None:
    heard = threading.Semaphore(0)
    listener = UPower(heard.release)
    for _ in range(3):
        bus.tell()
        assert heard.acquire(timeout=PATIENCE_SECONDS)
    (rule,) = bus.rules
    assert "path='/org/freedesktop/UPower'" in rule
    listener.close()
    assert bus.left.wait(PATIENCE_SECONDS)


def test_a_bus_that_vanishes_bothers_nobody(
    bus: FakeBus, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level(logging.DEBUG):
        listener = UPower(lambda: None)
        assert bus.matched.wait(PATIENCE_SECONDS)
        bus.vanish()
        _wait_for_listeners()
        listener.close()
    assert caplog.records == []
    assert capfd.readouterr() == ("", "")


def test_without_a_bus_nothing_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={tmp_path / 'none'}")
    listener = UPower(lambda: None)
    _wait_for_listeners()
    listener.close()
    assert capfd.readouterr() == ("", "")


def _wait_for_listeners() -> None:
    for thread in threading.enumerate():
        if thread.name == "notekin-upower":
            thread.join(PATIENCE_SECONDS)
            assert not thread.is_alive()
