"""On battery, what can wait does, if the person wants that; everything else is served."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from notekin.app.power import PowerWatch
from support.fake_power import FakePower
from support.gate import Gate
from support.vault import CountingEmbedder, Scratch, scratch

N_NOTES = 12


@pytest.fixture
def power() -> FakePower:
    return FakePower()


@pytest.fixture
def vault(tmp_path: Path, power: FakePower, gate: Gate) -> Iterator[Scratch]:
    """A vault of 12 notes on a laptop; the model embeds only what the gate lets pass."""
    embedder = CountingEmbedder(before=gate.pass_through)
    with scratch(tmp_path, embedder=embedder, power=power) as made:
        for number in range(N_NOTES):
            made.write(f"{number}.md", f"note number{number}", age=number)
        yield made
        gate.open()


def _parked(vault: Scratch, n_embedded: int) -> None:
    status = vault.until(lambda status: status.reason == "onBattery")
    assert (status.phase, status.notes.n_indexed) == ("paused", N_NOTES)
    status = vault.until(lambda status: status.chunks.n_embedded == n_embedded)
    assert status.chunks.n_pending == N_NOTES - n_embedded


def test_on_battery_the_words_come_and_the_meanings_wait(
    vault: Scratch, power: FakePower, gate: Gate
) -> None:
    gate.open()
    power.unplug()
    vault.open()
    _parked(vault, 0)
    phases = [status.phase for status in vault.statuses]
    assert "embedding" not in phases
    assert "idle" not in phases
    assert vault.words("number7") == ["7.md"]
    assert vault.find("number7").verdict == "incomplete"
    power.plug()
    assert vault.until(lambda status: status.phase == "idle").chunks.n_embedded == N_NOTES


def test_pulling_the_plug_stops_within_a_passage(
    vault: Scratch, power: FakePower, gate: Gate
) -> None:
    gate.let_pass(3)
    vault.begin()
    gate.wait_until_reached()
    power.unplug()
    gate.open()
    _parked(vault, 4)
    power.plug()
    assert vault.until(lambda status: status.phase == "idle").chunks.n_embedded == N_NOTES
    assert len(vault.embedder.documents) == N_NOTES


def test_saved_notes_and_changes_are_served_on_battery(
    vault: Scratch, power: FakePower, gate: Gate
) -> None:
    gate.open()
    vault.open()
    power.unplug()
    vault.statuses.clear()
    vault.save("new.md", "platypus")
    vault.idle()
    assert vault.meaning("platypus")[0] == "new.md"
    assert [status.phase for status in vault.statuses].count("idle") == 1
    assert {status.reason for status in vault.statuses} == {""}
    vault.write("outside.md", "wallaby")
    vault.changed("")
    status = vault.until(lambda status: status.reason == "onBattery")
    assert status.chunks.n_pending == 1
    assert vault.words("wallaby") == ["outside.md"]


@pytest.mark.parametrize("way", ["resume", "reindex"])
def test_a_person_may_go_on_for_this_time(
    vault: Scratch, power: FakePower, gate: Gate, way: str
) -> None:
    gate.open()
    power.unplug()
    vault.open()
    _parked(vault, 0)
    if way == "resume":
        vault.session.resume(None)
    else:
        vault.session.reindex([], force=False)
    assert vault.until(lambda status: status.phase == "idle").chunks.n_embedded == N_NOTES
    # Until the power source changes.
    power.plug()
    power.unplug()
    vault.write("outside.md", "wallaby")
    vault.changed("outside.md", "")
    vault.until(lambda status: status.reason == "onBattery")


def test_a_pause_says_more_than_the_battery(vault: Scratch, power: FakePower, gate: Gate) -> None:
    gate.open()
    power.unplug()
    vault.open()
    vault.session.pause(None)
    assert vault.status.reason == "user"
    power.plug()
    assert vault.status.reason == "user"
    power.unplug()
    vault.session.resume(None)
    assert vault.until(lambda status: status.phase == "idle").chunks.n_embedded == N_NOTES


def test_the_power_source_is_looked_at_only_while_somebody_needs_it() -> None:
    opened: list[FakePower] = []

    def open_power() -> FakePower:
        opened.append(FakePower(on_battery=True))
        return opened[-1]

    class Member:
        parked = False

        def unplugged(self) -> None:
            self.parked = True

        def plugged(self) -> None:
            self.parked = False

    watch, one, two = PowerWatch(open_power, "always"), Member(), Member()
    watch.join(one)
    assert opened == []
    watch.use("onPowerSource")
    assert one.parked
    watch.join(two)
    assert two.parked
    (power,) = opened
    power.plug()
    assert not one.parked
    assert not two.parked
    power.unplug()
    watch.use("onPowerSource")
    watch.use("always")
    assert not one.parked
    assert power.closed
    watch.use("onPowerSource")
    watch.leave(one)
    assert not opened[-1].closed
    watch.leave(two)
    assert opened[-1].closed
