"""A folder of notes in which a person, their tools and git are at work, at random."""

import os
import random
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from attrs import define, field

from support.vault import LONG_AGO_NS

INNER = "inner/"
FOLDERS = ("", "work/", "work/deep/", "home/", INNER)
NAMES = ("a.md", "b.md", "c d.md", "README.md", "readme.md", "list.txt", "日本.md", "plan.org")
WORDS = ("ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen", "jay", "kid", "owl", "yak")
RULES = ("", "README.md\n", "work/\n", "*.txt\n", "home/\n!home/a.md\n")
EXCLUDED = ("", "work/deep/**", "**/b.md", "home/**")
# Never touched, so that no vault ever is without passages that wait for another model.
KEPT = ("keep.md", f"{INNER}keep.md")
N_KEPT_SECTIONS = 30
_BINARY = b"\x00\x01\x02\xff" * 40
_N_BODIES = 60

Tree = Mapping[str, bytes]


@define
class World:
    """The files of a vault. What changed and was not told yet is in `untold`.

    A file changed less than `racy_seconds` ago may change again without a trace in its stat.
    """

    folder: Path
    numbers: random.Random
    racy_seconds: float
    untold: dict[str, None] = field(factory=dict[str, None])
    last_natural: float = 0.0
    _age: int = 0
    _branches: list[Tree] = field(factory=list[Tree])

    def begin(self) -> None:
        """Write the first notes, and a branch beside them."""
        for path in KEPT:
            sections = [f"## Part {n}\n\nkept in {path} as {n}" for n in range(N_KEPT_SECTIONS)]
            self._write(path, "\n\n".join(sections))
        for _ in range(30):
            self.write()
        self._branches.append(self._tree())
        self.checkout()

    # --- one file ------------------------------------------------------------------------

    def save(self) -> tuple[str, str]:
        """Write what an editor saves; return path and text. Those who watch see it, too."""
        path, text = self._path(), self.text()
        self._put(path, text)
        return path, text

    def write(self) -> None:
        """Write a note, or for once something that is none."""
        content = _BINARY if self.numbers.random() < 0.05 else self.text()
        self._put(self._path(), content)

    def write_by_rename(self) -> None:
        """Write a note as careful programs do: beside it first."""
        path = self._path()
        beside = f"{path}.tmp"
        self._put(beside, self.text())
        (self.folder / beside).replace(self.folder / path)
        self._tell_later(path)

    def append(self) -> None:
        """Add to a note, as a log grows."""
        if files := self.files():
            path = self.numbers.choice(files)
            self._put(path, (self.folder / path).read_bytes() + b"\n\nand " + self._body().encode())

    def write_now(self) -> None:
        """Write a note at the present time, as most programs do."""
        self._put(self._path(), self.text(), natural=True)

    def write_again_at_once(self) -> None:
        """Change a note that changed just now, to the same size in the same moment."""
        path, text = self._path(), self.text()
        self._put(path, text, natural=True)
        file = self.folder / path
        before = file.stat()
        self.after_write()
        file.write_bytes(text.replace("e", "i").encode())
        if time.time_ns() - before.st_mtime_ns < self.racy_seconds * 1e9 / 2:
            os.utime(file, ns=(before.st_mtime_ns, before.st_mtime_ns))
        self._tell_later(path)

    after_write: Callable[[], None] = field(default=lambda: None)
    """Called between the two writes of `write_again_at_once`."""

    def set_back(self) -> None:
        """Put an old version in the place of a note, with its old time."""
        path = self._path()
        self._put(path, self.text())
        moment = LONG_AGO_NS - self._next_age() * 1_000_000_000
        os.utime(self.folder / path, ns=(moment, moment))

    def touch(self) -> None:
        """Give a note another time, and nothing else."""
        if files := self.files():
            path = self.numbers.choice(files)
            self._put(path, (self.folder / path).read_bytes())

    def remove(self) -> None:
        if files := self.files():
            path = self.numbers.choice(files)
            (self.folder / path).unlink()
            self._tell_later(path)

    def move(self) -> None:
        if files := self.files():
            old, new = self.numbers.choice(files), self._path()
            (self.folder / new).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / old).replace(self.folder / new)
            self._tell_later(old, new)

    def copy(self) -> None:
        if files := self.files():
            old, new = self.numbers.choice(files), self._path()
            self._put(new, (self.folder / old).read_bytes())

    # --- many files ----------------------------------------------------------------------

    def remove_folder(self) -> None:
        folder = self.numbers.choice(FOLDERS[1:4])
        if (self.folder / folder).is_dir():
            shutil.rmtree(self.folder / folder)
            self._tell_later(folder.rstrip("/"))

    def move_folder(self) -> None:
        """Move a folder with all in it to where there is none, and in the end back."""
        folder = self.numbers.choice(FOLDERS[1:4]).rstrip("/")
        other = f"{folder}2"
        old, new = self.numbers.sample((folder, other), 2)
        if (self.folder / old).is_dir() and not (self.folder / new).exists():
            (self.folder / old).rename(self.folder / new)
            self._tell_later(old, new)

    def checkout(self) -> None:
        """Switch to another branch: a new one, or one that was left as it is now."""
        here = self._tree()
        if len(self._branches) < 4 and self.numbers.random() < 0.4:
            there = {**here, **{self._path(): self.text().encode() for _ in range(8)}}
            for path in self.numbers.sample(
                sorted(here.keys() - set(KEPT)), k=min(6, len(here) - 2)
            ):
                there.pop(path, None)
        else:
            there = self._branches.pop(self.numbers.randrange(len(self._branches)))
        self._branches.append(here)
        self._become(there, natural=self.numbers.random() < 0.3)

    def ignore(self) -> None:
        self._put(".notekinignore", self.numbers.choice(RULES))

    def exclude(self) -> None:
        """Change the vault's own settings."""
        pattern = self.numbers.choice(EXCLUDED)
        self._put("notekin.toml", f"exclude = {[pattern] if pattern else []}\n")

    # --- looking -------------------------------------------------------------------------

    def files(self) -> Sequence[str]:
        """Return the files that may be changed."""
        return sorted(self._tree().keys() - set(KEPT))

    def told(self) -> Sequence[str]:
        """Return what is to be told now, in the order it changed."""
        told = list(self.untold)
        self.untold.clear()
        return told

    def text(self) -> str:
        """Return a text of some sections; some of them occurred before."""
        choice = self.numbers.choice
        sections = [
            f"## {choice(WORDS)}\n\n{self._body()}" for _ in range(self.numbers.randrange(4))
        ]
        title = f"# {choice(WORDS)}" if self.numbers.random() < 0.5 else ""
        return "\n\n".join([title, *sections, f"See [[{choice(NAMES)}]] #{choice(WORDS)}"])

    def put(self, path: str, text: str) -> None:
        """Write a note with a time of its own; it is not in `untold`."""
        self._write(path, text)

    def _body(self) -> str:
        number = self.numbers.randrange(_N_BODIES)
        words = random.Random(number).choices(WORDS, k=50)  # noqa: S311 -- no secret
        return f"body{number} {' '.join(words)}"

    def _become(self, there: Tree, *, natural: bool) -> None:
        here = self._tree()
        for path in here.keys() - there.keys():
            (self.folder / path).unlink()
            self._tell_later(path)
        for path, content in there.items():
            if here.get(path) != content:
                self._put(path, content, natural=natural)

    def _tree(self) -> Tree:
        files = (file for file in self.folder.rglob("*") if file.is_file())
        return {
            file.relative_to(self.folder).as_posix(): file.read_bytes()
            for file in files
            if file.name not in (".notekinignore", "notekin.toml")
        }

    def _put(self, path: str, content: str | bytes, *, natural: bool = False) -> None:
        self._write(path, content, natural=natural)
        self._tell_later(path)

    def _write(self, path: str, content: str | bytes, *, natural: bool = False) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        if natural:
            self.last_natural = time.monotonic()
        else:
            moment = LONG_AGO_NS + self._next_age() * 1_000_000_000
            os.utime(file, ns=(moment, moment))

    def _tell_later(self, *paths: str) -> None:
        for path in paths:
            self.untold[path] = None

    def _next_age(self) -> int:
        self._age += 1
        return self._age

    def _path(self) -> str:
        return self.numbers.choice(FOLDERS) + self.numbers.choice(NAMES)
