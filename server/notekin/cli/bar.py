"""The progress bar of a terminal."""

from collections.abc import Generator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress

from notekin.app.results import VaultStatus
from notekin.cli.output import clean
from notekin.cli.phases import amount, phase_in_words


class Bar:
    """One bar, begun anew at each phase."""

    def __init__(self, progress: RichProgress) -> None:
        self._progress = progress
        self._phase = ""
        self._task = TaskID(0)

    def show(self, status: VaultStatus) -> None:
        done, total = amount(status)
        if status.phase != self._phase:
            for task in self._progress.task_ids:
                self._progress.remove_task(task)
            self._phase = status.phase
            self._task = self._progress.add_task(phase_in_words(status), total=None)
        words = clean(phase_in_words(status))
        self._progress.update(self._task, description=words, completed=done, total=total or None)


@contextmanager
def bar() -> Generator[Bar]:
    """Yield a bar on stderr; it is wiped at the end."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with RichProgress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield Bar(progress)
