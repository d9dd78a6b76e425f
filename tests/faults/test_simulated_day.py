"""A day in a vault, at random: the index always tells the truth and ends as a fresh one."""

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from attrs import define, field

from notekin.app.results import VaultStatus
from support.vault import Scratch, scratch

N_STEPS = 300
FOLDERS = ("", "work/", "work/deep/", "home/")
NAMES = ("a.md", "b.md", "c d.md", "README.md", "list.txt", "日本.md")
WORDS = ("ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen", "jay", "kid", "lion", "mole")
BINARY = b"\x00\x01\x02\xff" * 40


@define
class Day:
    """Does random things to a vault's files and tells, or does not tell, the engine."""

    vault: Scratch
    numbers: random.Random
    age: int = 0
    untold: set[str] = field(factory=set[str])

    def step(self) -> None:
        does: Mapping[Callable[[], None], int] = {
            self.save: 8,
            self.write: 8,
            self.remove: 4,
            self.move: 4,
            self.remove_folder: 1,
            self.ignore: 1,
            self.tell: 8,
            self.cancel_and_resume: 2,
            self.reindex: 1,
            self.search: 6,
            self.restart: 1,
        }
        (do,) = self.numbers.choices(list(does), list(does.values()))
        do()

    def save(self) -> None:
        path, text = self._path(), self._text()
        self.vault.write(path, text, age=self._next_age())
        self.vault.session.saved(self.vault.folder / path, text)

    def write(self) -> None:
        content = BINARY if self.numbers.random() < 0.1 else self._text()
        self._put(self._path(), content)

    def remove(self) -> None:
        if files := self._files():
            path = self.numbers.choice(files)
            self.vault.remove(path)
            self.untold.add(path)

    def move(self) -> None:
        if files := self._files():
            old, new = self.numbers.choice(files), self._path()
            (self.vault.folder / new).parent.mkdir(parents=True, exist_ok=True)
            (self.vault.folder / old).replace(self.vault.folder / new)
            self.untold |= {old, new}

    def remove_folder(self) -> None:
        folder = self.numbers.choice(FOLDERS[1:])
        if (self.vault.folder / folder).is_dir():
            self.vault.remove(folder)
            self.untold.add(folder.rstrip("/"))

    def ignore(self) -> None:
        self._put(".notekinignore", self.numbers.choice(("", "README.md\n", "work/\n", "*.txt\n")))

    def tell(self) -> None:
        self.vault.changed(*sorted(self.untold))
        self.untold.clear()

    def cancel_and_resume(self) -> None:
        self.vault.session.cancel(None)
        self.write()
        self.tell()
        self.vault.session.resume(None)

    def reindex(self) -> None:
        self.vault.session.reindex([], force=self.numbers.random() < 0.5)

    def search(self) -> None:
        result = self.vault.find(self.numbers.choice(WORDS), mode="lexical")
        check(result.status)

    def restart(self) -> None:
        self.vault.close()
        assert self.vault.doctor() == []
        self.vault.begin()

    def _put(self, path: str, content: str | bytes) -> None:
        self.vault.write(path, content, age=self._next_age())
        self.untold.add(path)

    def _next_age(self) -> int:
        self.age += 1
        return self.age

    def _path(self) -> str:
        return self.numbers.choice(FOLDERS) + self.numbers.choice(NAMES)

    def _files(self) -> Sequence[str]:
        files = (file for file in self.vault.folder.rglob("*") if file.is_file())
        return sorted(file.relative_to(self.vault.folder).as_posix() for file in files)

    def _text(self) -> str:
        sections = [
            f"## {self.numbers.choice(WORDS)}\n\n" + " ".join(self.numbers.choices(WORDS, k=60))
            for _ in range(self.numbers.randrange(4))
        ]
        title = f"# {self.numbers.choice(WORDS)}" if self.numbers.random() < 0.5 else ""
        return "\n\n".join([title, *sections, f"See [[{self.numbers.choice(NAMES)}]] #tag"])


def check(statuses: Sequence[VaultStatus]) -> None:
    """Every status that is published adds up."""
    for status in statuses:
        notes, chunks = status.notes, status.chunks
        assert notes.n_total == notes.n_indexed + notes.n_pending + notes.n_failed, status
        assert chunks.n_total == chunks.n_embedded + chunks.n_pending, status
        assert min(notes.n_indexed, notes.n_pending, notes.n_failed, chunks.n_pending) >= 0, status
        if status.phase == "idle":
            assert not notes.n_pending, status
            assert not chunks.n_pending, status


@pytest.mark.parametrize("seed", [1, 2])
def test_a_day_ends_as_a_fresh_index(tmp_path: Path, seed: int) -> None:
    with scratch(tmp_path / "old") as vault:
        day = Day(vault, random.Random(seed))  # noqa: S311 -- no secret
        vault.begin()
        for number in range(N_STEPS):
            day.step()
            if number % 50 == 0:
                day.tell()
                vault.idle()
        day.tell()
        vault.idle()
        check(vault.statuses)
        vault.close()
        assert vault.doctor() == []
        with scratch(tmp_path / "new") as fresh:
            vault.folder.rename(fresh.home / "vault and more")
            fresh.folder.rmdir()
            (fresh.home / "vault and more").rename(fresh.folder)
            fresh.open()
            assert fresh.status.notes.n_total
            assert fresh.content() == vault.content()
