"""Listeners are told each status once, in order, and before those who wait for it go on."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from notekin.app.results import VaultStatus
from notekin.app.telling import Teller
from support.gate import Gate
from support.vault import PATIENCE_SECONDS, Scratch

Statuses = tuple[VaultStatus, ...]


class _World:
    """What a teller looks at."""

    def __init__(self) -> None:
        self.revision = 0
        self.notices: tuple[str, ...] = ()
        self.told: list[int] = []
        self.teller = Teller(self.look, lambda: self.notices)
        self.teller.listen(self.heard)

    def look(self) -> Statuses:
        return (VaultStatus(Path("vault"), revision=self.revision),)

    def heard(self, statuses: Statuses) -> None:
        self.told += [status.revision for status in statuses]


@pytest.fixture
def world() -> _World:
    return _World()


def test_what_was_told_is_not_told_again(world: _World) -> None:
    for world.revision in (1, 1, 2, 2, 1):
        world.teller.tell()
    assert world.told == [1, 2, 1]


def test_a_notice_is_news(world: _World) -> None:
    world.teller.tell()
    world.notices = ("A setting is wrong.",)
    world.teller.tell()
    assert world.told == [0, 0]


def test_nobody_goes_on_before_listeners_are_told(world: _World) -> None:
    gate = Gate()
    world.teller.listen(lambda _: gate.pass_through())
    after: list[list[int]] = []

    def wait() -> None:
        world.teller.tell()
        after.append(list(world.told))

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(world.teller.tell)
        gate.wait_until_reached()
        world.revision = 1
        second = pool.submit(wait)
        assert not after
        gate.open()
        for each in (first, second):
            each.result(PATIENCE_SECONDS)
    assert after == [[0, 1]]


def test_settings_read_again_are_no_news_of_the_vaults(vault: Scratch) -> None:
    vault.write("a.md", "alpha")
    vault.open()
    vault.statuses.clear()
    vault.reconfigured()
    assert vault.statuses == []
