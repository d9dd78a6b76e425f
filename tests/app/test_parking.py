"""Orders that meet: whichever thread comes between, the last of them holds."""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from attrs import define

from notekin.adapters.sqlite.database import SqliteIndex
from notekin.adapters.sqlite.reading import SqliteReader
from notekin.app.backlog import Backlog
from notekin.app.errors import IndexUnusable
from notekin.app.halts import Halt, Order
from notekin.app.inbox import Inbox
from notekin.app.parking import Parking
from notekin.app.pdfs import Pdfs
from notekin.app.ports import Index
from notekin.app.reporting import Reporter
from support.gate import PATIENCE_SECONDS, Gate


@define
class _Backlog:
    """Notes whether it goes on; halts only `after_halt` has returned."""

    after_halt: Callable[[], None] = lambda: None
    goes_on: bool = True

    def halt(self) -> None:
        self.after_halt()
        self.goes_on = False

    def halt_saves(self) -> None: ...

    def retry(self) -> None:
        self.goes_on = True


class _Pdfs:
    """Are never read."""

    def halt(self) -> None: ...

    def halt_texts(self) -> None: ...


class _Report:
    """Is told, and tells nobody."""

    def halted(self, *_given: Any, **_named: Any) -> None: ...

    def noticed(self) -> None: ...


@define
class Window:
    """What parks the work of one process on an index."""

    parking: Parking
    backlog: _Backlog

    @property
    def reasons(self) -> frozenset[Halt]:
        return self.parking.halts().reasons


@pytest.fixture
def windows(tmp_path: Path) -> Generator[tuple[Window, Window]]:
    """Yield the window of the process that indexes and that of another one."""
    indexes = [SqliteIndex(tmp_path / "index.db", tmp_path) for _ in range(2)]
    first, second = map(_window, indexes)
    yield first, second
    for index in indexes:
        index.close()


def _window(index: "SqliteIndex | _Locked") -> Window:
    backlog = _Backlog()
    others = cast("Backlog", backlog), cast("Pdfs", _Pdfs()), cast("Reporter", _Report())
    parking = Parking(cast("Index", index), Inbox(), *others)
    return Window(parking, backlog)


def _let_run(thread: threading.Thread) -> None:
    """Let a thread do what it can by itself: where nothing keeps it from others, all of it."""
    thread.join(0.1)


@contextmanager
def _while_it_looks(window: Window, monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """Run a block between the moment when a window has read the order and that when it obeys."""
    gate, parked = Gate(), SqliteReader.parked

    def slow(reader: SqliteReader) -> Order | None:
        order = parked(reader)
        if threading.current_thread() is looking:
            gate.pass_through()
        return order

    monkeypatch.setattr(SqliteReader, "parked", slow)
    looking = threading.Thread(target=window.parking.look_for_order)
    looking.start()
    gate.wait_until_reached()
    yield
    gate.open()
    looking.join(PATIENCE_SECONDS)


def _meanwhile(
    window: Window, do: Callable[[Parking], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Have a person order something in a window that has just read what another one ordered."""
    ordering = threading.Thread(target=do, args=(window.parking,))
    with _while_it_looks(window, monkeypatch):
        ordering.start()
        _let_run(ordering)
    ordering.join(PATIENCE_SECONDS)
    window.parking.look_for_order()


def test_a_resume_holds_though_the_pause_was_just_being_heard(
    windows: tuple[Window, Window], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = windows
    second.parking.order("user")
    _meanwhile(first, Parking.resume, monkeypatch)
    assert first.reasons == frozenset()


def test_a_pause_holds_though_a_resume_was_just_being_heard(
    windows: tuple[Window, Window], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = windows
    first.parking.order("user")
    second.parking.resume()
    _meanwhile(first, lambda parking: parking.order("user"), monkeypatch)
    assert first.reasons == {"user"}


@pytest.mark.parametrize("orders", [("cancelled", "user"), ("user", "cancelled")])
def test_a_resume_elsewhere_lifts_all_that_was_ordered_here(
    windows: tuple[Window, Window], orders: tuple[Order, Order]
) -> None:
    first, second = windows
    for order in orders:
        first.parking.order(order)
    second.parking.resume()
    first.parking.look_for_order()
    assert first.reasons == frozenset()


def test_a_resume_elsewhere_leaves_the_battery_spared(windows: tuple[Window, Window]) -> None:
    first, second = windows
    first.parking.halt("onBattery")
    first.parking.order("user")
    second.parking.resume()
    first.parking.look_for_order()
    assert first.reasons == {"onBattery"}


def test_a_resume_in_the_middle_of_a_halt_has_the_backlog_go_on(
    windows: tuple[Window, Window], gate: Gate
) -> None:
    window, _ = windows
    window.backlog.after_halt = gate.pass_through
    halting = threading.Thread(target=window.parking.halt, args=("onBattery",))
    resuming = threading.Thread(target=window.parking.resume)
    halting.start()
    gate.wait_until_reached()
    resuming.start()
    _let_run(resuming)
    gate.open()
    halting.join(PATIENCE_SECONDS)
    resuming.join(PATIENCE_SECONDS)
    assert window.reasons == frozenset()
    assert window.backlog.goes_on


@define
class _Locked:
    """An index that another program holds until it is `free`."""

    parked: Order | None = None
    is_free: bool = False

    def park(self, order: Order) -> Order:
        self._open()
        self.parked = order
        return order

    def unpark(self) -> None:
        self._open()
        self.parked = None

    @contextmanager
    def read(self) -> Generator[SqliteReader]:
        yield cast("SqliteReader", SimpleNamespace(parked=lambda: self.parked))

    def _open(self) -> None:
        if not self.is_free:
            raise IndexUnusable("Close the other program.", "busy")


@pytest.fixture
def locked() -> _Locked:
    return _Locked()


@pytest.fixture
def window(locked: _Locked, monkeypatch: pytest.MonkeyPatch) -> Window:
    """Return the window on an index that is locked; it tries again whenever it is asked to."""
    monkeypatch.setattr("notekin.app.parking._RETRY_SECONDS", 0.0)
    return _window(locked)


def test_a_resume_that_cannot_be_recorded_holds_here_is_told_and_is_recorded_later(
    locked: _Locked, window: Window
) -> None:
    locked.parked = "user"
    window.parking.look_for_order()
    window.parking.resume()
    assert window.reasons == frozenset()
    assert "resume holds in this window only" in window.parking.notice
    assert window.parking.notice.endswith("Close the other program.")
    window.parking.catch_up()
    window.parking.look_for_order()
    assert (window.reasons, locked.parked) == (frozenset(), "user")
    locked.is_free = True
    window.parking.catch_up()
    assert (window.parking.notice, locked.parked) == ("", None)
    window.parking.look_for_order()
    assert window.reasons == frozenset()


@pytest.mark.parametrize("order", ["user", "cancelled"])
def test_an_order_that_cannot_be_recorded_holds_here_and_is_recorded_later(
    locked: _Locked, window: Window, order: Order
) -> None:
    window.parking.order(order)
    window.parking.look_for_order()
    assert window.reasons == {order}
    assert "this window only" in window.parking.notice
    locked.is_free = True
    window.parking.catch_up()
    assert (window.reasons, window.parking.notice, locked.parked) == ({order}, "", order)


def test_the_last_of_what_could_not_be_recorded_is_recorded(
    locked: _Locked, window: Window
) -> None:
    window.parking.order("user")
    window.parking.resume()
    window.parking.order("cancelled")
    locked.is_free = True
    window.parking.catch_up()
    assert (window.reasons, locked.parked) == ({"cancelled"}, "cancelled")


def test_what_cannot_be_recorded_is_not_tried_again_at_every_turn(locked: _Locked) -> None:
    window = _window(locked)
    window.parking.order("user")
    locked.is_free = True
    window.parking.catch_up()
    assert locked.parked is None
