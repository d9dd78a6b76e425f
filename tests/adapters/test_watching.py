"""What the watcher of a folder tells, whatever becomes of the folder."""

import shutil
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field
from watchfiles._rust_notify import RustNotify

from notekin.adapters.watching import FolderWatcher

PATIENCE_SECONDS = 20.0


@define
class Told:
    """All that a watcher told."""

    paths: set[Path] = field(factory=set[Path])
    _more: threading.Condition = field(factory=threading.Condition)

    def __call__(self, paths: Sequence[Path]) -> None:
        with self._more:
            self.paths.update(paths)
            self._more.notify_all()

    def until(self, path: Path) -> None:
        with self._more:
            assert self._more.wait_for(lambda: path in self.paths, PATIENCE_SECONDS), self.paths
            self.paths.clear()


class Full:
    """Notifications that fail at the first folder that is added."""

    def watch(self, *_: object) -> None:
        raise RuntimeError("OS file watch limit reached")

    def close(self) -> None: ...


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path.resolve() / "vault"
    made.mkdir()
    return made


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def watcher(folder: Path, told: Told) -> Iterator[FolderWatcher]:
    made = FolderWatcher(folder, told)
    yield made
    made.close()


@pytest.mark.usefixtures("watcher")
def test_what_git_and_package_managers_write_is_no_news(folder: Path, told: Told) -> None:
    for name in (".git/objects/ab", "node_modules/x", "sub/.git/refs"):
        (folder / name).mkdir(parents=True)
        for number in range(50):
            (folder / name / f"{number}.md").write_text("x")
    (folder / "last.md").write_text("x")
    with told._more:  # pyright: ignore[reportPrivateUsage]
        assert told._more.wait_for(  # pyright: ignore[reportPrivateUsage]
            lambda: folder / "last.md" in told.paths, PATIENCE_SECONDS
        )
    names = {path.relative_to(folder).as_posix() for path in told.paths}
    assert names <= {".git", "node_modules", "sub", "sub/.git", "last.md"}


@pytest.mark.usefixtures("watcher")
def test_a_folder_that_goes_and_comes_back(folder: Path, told: Told) -> None:
    shutil.rmtree(folder)
    told.until(folder)
    folder.mkdir()
    told.until(folder)
    (folder / "new.md").write_text("x")
    told.until(folder / "new.md")


@pytest.mark.usefixtures("watcher")
def test_a_folder_that_is_replaced_by_another(folder: Path, told: Told) -> None:
    folder.rename(folder.with_name("away"))
    folder.mkdir()
    told.until(folder)
    (folder / "new.md").write_text("x")
    told.until(folder / "new.md")


def test_a_folder_that_appears_later(folder: Path, told: Told) -> None:
    later = folder / "later"
    watcher = FolderWatcher(later, told)
    later.mkdir()
    told.until(later)
    (later / "new.md").write_text("x")
    told.until(later / "new.md")
    assert watcher.notice == ""
    watcher.close()


def test_a_folder_reached_through_a_link(folder: Path, told: Told) -> None:
    link = folder.with_name("link")
    link.symlink_to(folder)
    watcher = FolderWatcher(link, told)
    (folder / "new.md").write_text("x")
    told.until(link / "new.md")
    watcher.close()


def test_where_the_system_watches_no_more_files_they_are_compared(folder: Path, told: Told) -> None:
    def full(paths: list[str], debug: bool, poll: bool, _delay: int, *rest: Any) -> RustNotify:  # noqa: FBT001
        if not poll:
            raise OSError("OS file watch limit reached")
        return RustNotify(paths, debug, poll, 50, *rest)

    watcher = FolderWatcher(folder, told, notify=full)
    assert "OS file watch limit reached" in watcher.notice
    assert "max_user_watches" in watcher.notice
    (folder / "new.md").write_text("x")
    told.until(folder / "new.md")
    watcher.close()


def test_a_limit_that_is_reached_later(folder: Path, told: Told) -> None:
    def notify(paths: list[str], debug: bool, poll: bool, _delay: int, *rest: Any) -> Any:  # noqa: FBT001
        return RustNotify(paths, debug, poll, 50, *rest) if poll else Full()

    watcher = FolderWatcher(folder, told, notify=notify)
    told.until(folder)
    assert watcher.notice
    (folder / "new.md").write_text("x")
    told.until(folder / "new.md")
    watcher.close()
