"""A day in a vault, at random: what a person, their tools, and bad luck do to it and its index."""

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Event

from attrs import define, evolve, field

from notekin.app.results import VaultStatus
from notekin.core.rope import Content
from support.day_ledger import Ledger
from support.day_proofs import Figures, check, healthy_content, n_idle
from support.day_windows import (
    FIRST_MODEL,
    RACY_SECONDS,
    ChildWindow,
    LocalWindow,
    Window,
    short_race,
)
from support.day_world import INNER, WORDS, World
from support.fake_power import FakePower

# What a process that is killed may have embedded and not written: what a model that takes no
# time makes of some saved notes while one transaction goes on.
_LOST_BY_A_KILL = 100
_N_BETWEEN = 40
# What two vaults may both embed while a folder goes over from one to the other, when they are
# indexed by two processes: the few that are at the model of one, or not written by it yet, when the
# other comes to them. A model that takes no time leaves next to none.
_EMBEDDED_BY_TWO = 5
# What is in the model when its window closes, or when another model is chosen.
_LOST_BY_A_CHANGE = 1


def live(home: Path, seed: int, n_steps: int) -> Figures:
    """Live through a day of so many steps in an empty folder; fails where anything is wrong."""
    day = Day(home.resolve(), random.Random(seed))  # noqa: S311 -- no secret
    with short_race(), Ledger(day.home / "ledger").watching():
        try:
            day.begin()
            for number in range(1, n_steps + 1):
                day.step()
                if number % _N_BETWEEN == 0:
                    day.settle()
        finally:
            day.end()
    return day.figures


@define
class Day:
    """`step` does something; `settle` brings it to an end and proves that all is well."""

    home: Path
    numbers: random.Random
    power: FakePower = field(factory=FakePower)
    children: list[ChildWindow] = field(factory=list[ChildWindow])
    local: list[LocalWindow] = field(factory=list[LocalWindow])
    did: list[str] = field(factory=list[str])
    n_settled: int = 0
    _world: World = field(init=False)
    _inner_open: bool = False
    _model: str = FIRST_MODEL
    _model_before: str = ""
    _n_models: int = 1
    _n_crashes: int = 0
    _n_lost_at_most: int = 0

    def __attrs_post_init__(self) -> None:
        self._world = World(self.home / "vault", self.numbers, RACY_SECONDS)
        self._world.after_write = self.tell

    @property
    def windows(self) -> Sequence[Window]:
        return (*self.local, *self.children)

    @property
    def figures(self) -> Figures:
        ledger = Ledger(self.home / "ledger")
        return Figures(
            n_steps=len(self.did),
            n_settled=self.n_settled,
            n_embedded=ledger.n_embedded,
            n_avoided=ledger.n_avoided,
            n_lost=ledger.n_lost,
            n_crashes=self._n_crashes,
        )

    def begin(self) -> None:
        self._world.begin()
        self._world.told()
        self._open_local()

    def end(self) -> None:
        for window in self.windows:
            window.close()
        self.local.clear()
        self.children.clear()

    def step(self) -> None:
        """Do one thing, and often tell of it."""
        world = self._world
        does: Mapping[Callable[[], None], int] = {
            self.save: 10,
            world.write: 8,
            world.write_by_rename: 3,
            world.append: 4,
            world.write_now: 1,
            world.write_again_at_once: 1,
            world.set_back: 2,
            world.touch: 2,
            world.remove: 4,
            world.move: 6,
            world.copy: 3,
            world.remove_folder: 1,
            world.move_folder: 3,
            world.checkout: 3,
            world.ignore: 1,
            self.exclude: 1,
            self.tell: 8,
            self.search: 5,
            self.look_at_notes: 2,
            self.halt: 3,
            self.resume: 3,
            self.switch_power: 2,
            self.reindex: 2,
            self.change_model: 1,
            self.nest: 1,
            self.open_second: 2,
            self.restart: 2,
            self.crash: 2,
        }
        (do,) = self.numbers.choices(list(does), list(does.values()))
        self.did.append(do.__name__)
        do()
        if self.numbers.random() < 0.5:
            self.tell()

    # --- what a person does in an editor -------------------------------------------------

    def save(self) -> None:
        path, text = self._world.save()
        self._any_window().do("saved", self._world.folder / path, Content.of(text))

    def tell(self) -> None:
        """Tell all windows what changed outside, as their watchers do."""
        told = [self._world.folder / path for path in self._world.told()]
        for window in self.numbers.sample(self.windows, len(self.windows)):
            window.do("changed", told)
        if any(path.name == "notekin.toml" for path in told):
            self._reread()

    def search(self) -> None:
        self._any_window().found(self.numbers.choice(WORDS))

    def look_at_notes(self) -> None:
        paths = [self._world.folder / path for path in self._world.files()]
        self._any_window().do("opened", self.numbers.sample(paths, min(2, len(paths))))

    def halt(self) -> None:
        self._any_window().do(self.numbers.choice(("pause", "cancel")), None)

    def resume(self) -> None:
        self._any_window().do("resume", None)

    def switch_power(self) -> None:
        if self.power.on_battery:
            self.power.plug()
        else:
            self.power.unplug()

    def reindex(self) -> None:
        self._any_window().do("reindex", [], force=self.numbers.random() < 0.5)

    def exclude(self) -> None:
        self._world.exclude()
        self.tell()

    def change_model(self) -> None:
        """Choose another model and stop it half way, or go on with it, or back before its end."""
        if not self._model_before:
            self._n_models += 1
            chosen = f"m{self._n_models}-{self.numbers.choice((32, 32, 48))}"
            (self.home / "held").write_text(chosen, "utf-8")
            self._model_before = self._model
            self._choose(chosen)
        elif self.numbers.random() < 0.5:
            self._choose(self._model_before)
            self._let_go()
        else:
            self._let_go()

    def nest(self) -> None:
        """Open a folder of the vault as a vault of its own in all windows, or close it again."""
        inner = self._world.folder / INNER
        self._inner_open = not self._inner_open
        for window in self.windows:
            window.do("open" if self._inner_open else "close_folder", inner)

    # --- processes that come and go ------------------------------------------------------

    def open_second(self) -> None:
        """Open another window, here or in a process of its own; or close the second one here."""
        if self.numbers.random() < 0.4 and not self.children:
            self.children.append(ChildWindow(self.home, self._folders))
        elif len(self.local) == 1:
            self._open_local()
        else:
            self._close_local()

    def restart(self) -> None:
        """Close a window, whatever it is at, and open it again."""
        self._close_local()
        self._open_local()

    def crash(self) -> None:
        """Have a process die: one that is there, or one that meets a bad moment at its work."""
        self._n_crashes += 1
        self._lose(_LOST_BY_A_KILL)
        if self.children:
            self.children.pop().kill()
            return
        n_left = self.numbers.randrange(1, 400)
        if self.numbers.random() < 0.7:
            # It shall be the one that indexes.
            n_windows = len(self.local)
            while self.local:
                self._close_local()
            self._die(n_left)
            for _ in range(n_windows):
                self._open_local()
        else:
            self._die(n_left)

    def move_vault(self) -> None:
        """Rename the vault's folder while no window is open on it."""
        n_windows = len(self.local)
        while self.windows:
            (self.children.pop() if self.children else self.local.pop()).close()
            self._lose(_LOST_BY_A_CHANGE)
        names = {"vault": "moved vault", "moved vault": "vault"}
        folder = self._world.folder
        self._world.folder = folder.rename(folder.with_name(names[folder.name]))
        for _ in range(n_windows):
            self._open_local()

    # --- the end of a piece of the day ---------------------------------------------------

    def settle(self) -> None:
        """Bring all to rest, and compare with an index made from nothing."""
        self.tell()
        self._let_go()
        self.power.plug()
        for window in self.windows:
            window.do("resume", None)
        self._rest()
        self._prove_one_idle()
        for window in self.windows:
            check(window.statuses)
            window.statuses.clear()
        self._compare()
        self._prove_nothing_embedded_again()
        self.n_settled += 1
        if self.numbers.random() < 0.2:
            self.move_vault()

    def _rest(self) -> None:
        """Wait until nobody has anything to do, also for files that changed a moment ago."""
        self._all_idle()
        Event().wait(RACY_SECONDS + 0.05)
        self._all_idle()

    def _all_idle(self) -> None:
        for _ in range(200):
            for window in self.windows:
                assert window.idle(), self._said()
            # What others follow, they hear a little later.
            if all(status.phase == "idle" for status in self._status()):
                return
            Event().wait(0.05)
        raise AssertionError(self._said())

    def _prove_one_idle(self) -> None:
        """One more piece of work ends in one status that says so, and is known everywhere."""
        before = [len(window.statuses) for window in self.local]
        word = f"probe{self.n_settled}"
        self._world.put("probe.md", word)
        saving = self._any_window()
        saving.do("saved", self._world.folder / "probe.md", Content.of(word))
        assert _found(saving, word) == ("found", ["probe.md"]), self._said()
        self._all_idle()
        for window in self.windows:
            assert _found(window, word) == ("found", ["probe.md"]), self._said()
        for window, n_before in zip(self.local, before, strict=True):
            told = [s for s in window.statuses[n_before:] if s.folder == self._world.folder]
            # What others follow, they hear a little later.
            follows = window.session.status()[0].following
            assert n_idle(told) in ((0, 1) if follows else (1,)), told

    def _compare(self) -> None:
        old = {folder: healthy_content(self.home / "data", folder) for folder in self._folders}
        fresh_home = self.home / f"fresh{self.n_settled}"
        fresh_home.mkdir()
        (fresh_home / "config.toml").write_text(f'model = "{self._model}"\n', "utf-8")
        window = LocalWindow(fresh_home, self._folders, None)
        try:
            assert window.idle()
            statuses = {status.folder: status for status in window.session.status()}
        finally:
            window.close()
        for folder in self._folders:
            new = healthy_content(fresh_home / "data", folder)
            assert new.keys() == old[folder].keys(), (new.keys() ^ old[folder].keys(), self.did)
            for path, note in new.items():
                assert note == old[folder][path], (path, self.did)
        for status in self._status():
            # How many are left out is as old as the last comparison of all files.
            notes = evolve(status.notes, n_excluded=statuses[status.folder].notes.n_excluded)
            assert notes == statuses[status.folder].notes, (status, statuses)
            assert status.chunks == statuses[status.folder].chunks

    def _prove_nothing_embedded_again(self) -> None:
        ledger = Ledger(self.home / "ledger")
        assert not (in_vain := ledger.in_vain(across=False)), (in_vain, self.did)
        n_across = len(ledger.in_vain(across=True))
        assert n_across <= _EMBEDDED_BY_TWO * self.did.count("nest"), (n_across, self.did)
        assert ledger.n_lost <= self._n_lost_at_most, self.did

    # --- parts ---------------------------------------------------------------------------

    @property
    def _folders(self) -> Sequence[Path]:
        inner = (self._world.folder / INNER,) if self._inner_open else ()
        return (self._world.folder, *inner)

    def _any_window(self) -> Window:
        return self.numbers.choice(self.windows)

    def _open_local(self) -> None:
        self.local.append(LocalWindow(self.home, self._folders, self.power))

    def _close_local(self) -> None:
        self._lose(_LOST_BY_A_CHANGE)
        window = self.local.pop(self.numbers.randrange(len(self.local)))
        window.close()
        check(window.statuses)

    def _die(self, n_left: int) -> None:
        """Have a process work until its bad moment, or until it is done before that."""
        child = ChildWindow(self.home, self._folders, n_left)
        child.do("resume", None)
        if not self._model_before:
            child.idle()
        child.kill()

    def _choose(self, model: str) -> None:
        self._model = model
        self._lose(_LOST_BY_A_CHANGE * len(self.windows))
        (self.home / "config.toml").write_text(f'model = "{model}"\n', "utf-8")
        self._reread()

    def _let_go(self) -> None:
        (self.home / "held").unlink(missing_ok=True)
        self._model_before = ""

    def _reread(self) -> None:
        for window in self.windows:
            window.do("reread_settings")

    def _lose(self, n_passages: int) -> None:
        self._n_lost_at_most += n_passages

    def _status(self) -> Sequence[VaultStatus]:
        return [status for window in self.windows for status in window.do("status") or ()]

    def _said(self) -> object:
        return self._status(), self.did


def _found(window: Window, word: str) -> tuple[str, Sequence[str]]:
    """Search as often as the answer says that it is not whole yet, as on a busy machine."""
    answer = window.found(word)
    for _ in range(60):
        if answer[0] != "incomplete":
            break
        answer = window.found(word)
    return answer
