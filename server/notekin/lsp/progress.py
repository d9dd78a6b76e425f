"""Progress bars of the client, for a first index and for one that was asked for."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

from attrs import define, field
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from notekin.app.results import VaultStatus
from notekin.lsp.feed import settled

_GAP = 0.25  # seconds between two reports
_WORDS_SHARE = 10  # percent of a bar for reading the notes; the rest is for their vectors


class Client(Protocol):
    """What a bar needs of the server's connection."""

    @property
    def shows_progress(self) -> bool: ...
    async def create_progress(self, token: str) -> None: ...
    def send_progress(self, token: str, value: Any) -> None: ...


@define
class _Bar:
    folder: Path
    token: str = field(factory=lambda: f"notekin-{uuid4()}")
    shown: bool = False
    percentage: int = 0
    reported_at: float = 0.0


class ProgressBars:
    """At most one bar a vault. Tokens are never used twice, and every bar that begins ends."""

    def __init__(self, client: Client, cancel: Callable[[Path], None]) -> None:
        """`cancel` stops the indexing of a vault when the person cancels its bar."""
        self._client = client
        self._cancel = cancel
        self._bars: dict[Path, _Bar] = {}
        self._known: set[Path] = set()  # vaults whose first run since they were opened is over
        self._tasks: set[asyncio.Task[None]] = set()

    def expect(self, folders: Iterable[Path]) -> None:
        """Show a bar for work that was asked for, until it is done."""
        for folder in folders:
            self._begin(folder)

    def update(self, statuses: Sequence[VaultStatus]) -> None:
        """Begin, move and end bars by the newest status."""
        for status in statuses:
            bar = self._bars.get(status.folder)
            if settled(status):
                self._known.add(status.folder)
                self._end(bar, status)
            elif bar is not None:
                self._report(bar, status)
            elif status.folder not in self._known and _is_first_index(status):
                self._begin(status.folder)

    def cancelled(self, token: int | str) -> None:
        """Stop the work whose bar the person cancelled."""
        for bar in tuple(self._bars.values()):
            if bar.token == token:
                self._cancel(bar.folder)

    def forget(self, folder: Path) -> None:
        """End the bar of a vault that was closed."""
        self._known.discard(folder)
        self._end(self._bars.get(folder), None)

    def close(self) -> None:
        """End all bars."""
        for task in tuple(self._tasks):
            task.cancel()
        for bar in tuple(self._bars.values()):
            self._end(bar, None)

    def _begin(self, folder: Path) -> None:
        if folder in self._bars or not self._client.shows_progress:
            return
        bar = self._bars[folder] = _Bar(folder)
        task = asyncio.get_running_loop().create_task(self._show(bar))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _show(self, bar: _Bar) -> None:
        """Ask for the bar, beside any request: a request's cancel must not reach this."""
        try:
            await self._client.create_progress(bar.token)
        except JsonRpcException:
            return  # The client will not show it; the work goes on.
        if self._bars.get(bar.folder) is bar:
            bar.shown = True
            title = f"Notekin: indexing {bar.folder.name}"
            begin = types.WorkDoneProgressBegin(title, cancellable=True, percentage=0)
            self._client.send_progress(bar.token, begin)

    def _report(self, bar: _Bar, status: VaultStatus) -> None:
        now = asyncio.get_running_loop().time()
        if not bar.shown or now - bar.reported_at < _GAP:
            return
        bar.reported_at = now
        bar.percentage = max(bar.percentage, _percentage(status))
        report = types.WorkDoneProgressReport(
            cancellable=True, message=_message(status), percentage=bar.percentage
        )
        self._client.send_progress(bar.token, report)

    def _end(self, bar: _Bar | None, status: VaultStatus | None) -> None:
        if bar is None:
            return
        del self._bars[bar.folder]
        if bar.shown:
            message = _message(status) if status is not None else None
            self._client.send_progress(bar.token, types.WorkDoneProgressEnd(message=message))


def _is_first_index(status: VaultStatus) -> bool:
    """Return whether a vault that works since it was opened is (still) at its first index."""
    notes, chunks = status.notes, status.chunks
    return 2 * notes.n_indexed < notes.n_total or 2 * chunks.n_embedded < chunks.n_total


def _percentage(status: VaultStatus) -> int:
    notes, chunks = status.notes, status.chunks
    words = _WORDS_SHARE * (notes.n_total - notes.n_pending) / max(1, notes.n_total)
    if notes.n_pending or not chunks.n_total:
        return int(words)
    return int(words + (100 - _WORDS_SHARE) * chunks.n_embedded / chunks.n_total)


def _message(status: VaultStatus) -> str:
    notes, chunks = status.notes, status.chunks
    n_done = notes.n_total - notes.n_pending
    sentence = f"{n_done} of {notes.n_total} notes"
    if chunks.n_pending and not notes.n_pending:
        sentence += f", {chunks.n_embedded} of {chunks.n_total} passages by meaning"
    return sentence
