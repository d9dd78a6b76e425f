"""A session without vaults: it answers what it is given and remembers what it was told."""

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import define, evolve, field, frozen

from notekin.app.cancel import CancelToken
from notekin.app.configuring import EditorSettings
from notekin.app.requests import RelatedRequest, SearchRequest
from notekin.app.results import Hit, SearchResult, VaultStatus
from notekin.app.searching import Asked
from notekin.core.buffer import Buffer
from notekin.core.rope import Content

Listener = Callable[[tuple[VaultStatus, ...]], None]


@frozen
class FakeSettings:
    hover: bool = True
    workspace_symbols: bool = True


@define
class FakeSession:
    """Thread-safe as far as tests need it. `failure` is raised by every search; a closed
    `gate` holds searches back until it opens or their token is cancelled.
    """

    hits: tuple[Hit, ...] = ()
    verdict: Any = "found"
    texts: Mapping[str, str] = field(factory=dict[str, str])
    failure: Exception | None = None
    settings: FakeSettings = FakeSettings()
    n_queued: int = 3
    notices: tuple[str, ...] = ()
    gate: threading.Event = field(factory=threading.Event)
    calls: list[tuple[str, Any]] = field(factory=list[tuple[str, Any]])
    seen: list[dict[str, str]] = field(factory=list[dict[str, str]])
    started: threading.Semaphore = field(factory=lambda: threading.Semaphore(0))
    stopped: threading.Semaphore = field(factory=lambda: threading.Semaphore(0))
    _statuses: dict[Path, VaultStatus] = field(factory=dict[Path, VaultStatus])
    _listeners: list[Listener] = field(factory=list[Listener])

    def __attrs_post_init__(self) -> None:
        self.gate.set()

    # --- what a test does ----------------------------------------------------------------

    def publish(self, status: VaultStatus) -> None:
        """Change a vault's status, as a worker thread would."""
        self._statuses[status.folder] = status
        for listener in self._listeners:
            listener(self.status())

    # --- what the server calls -----------------------------------------------------------

    @property
    def folders(self) -> tuple[Path, ...]:
        return tuple(self._statuses)

    def open(self, folder: Path, *, watch: bool) -> None:
        self.calls.append(("open", [folder.name, watch]))
        self._statuses[folder] = VaultStatus(folder, phase="idle")

    def settings_at(self, _path: Path) -> FakeSettings:
        """Return the same settings for every path."""
        return self.settings

    def configure(self, editor: EditorSettings) -> None:
        told = {
            "everywhere": dict(editor.everywhere.values),
            **{folder.name: dict(own.values) for folder, own in editor.by_folder.items()},
        }
        self.calls.append(("configure", told))
        self.notices += editor.everywhere.sentences
        for own in editor.by_folder.values():
            self.notices += own.sentences
        symbols = editor.everywhere.values.get("workspace_symbols", True)
        self.settings = evolve(self.settings, workspace_symbols=symbols)

    def close_folder(self, folder: Path) -> None:
        self.calls.append(("close_folder", folder.name))
        self._statuses.pop(folder, None)

    def close(self) -> None:
        self.calls.append(("close", None))

    def ask(self, request: SearchRequest, token: CancelToken) -> Asked:
        return Asked(request, request.query, token, None)

    def search(self, asked: Asked, buffers: Mapping[Path, Buffer]) -> SearchResult:
        request = asked.request
        folders = [folder.name for folder in request.folders]
        told = {"query": request.query, "limit": request.limit, "mode": request.mode}
        self.calls.append(("search", {**told, "folders": folders, "tags": list(request.tags)}))
        return self._answer(buffers, asked.token)

    def related(
        self, request: RelatedRequest, buffers: Mapping[Path, Buffer], token: CancelToken
    ) -> SearchResult:
        asked = {"path": request.path.name, "offset": request.offset, "limit": request.limit}
        self.calls.append(("related", {**asked, "priority": request.priority}))
        return self._answer(buffers, token)

    def text_of(self, path: Path) -> str:
        return self.texts.get(path.name, "a note")

    def status(self) -> tuple[VaultStatus, ...]:
        return tuple(self._statuses.values())

    def on_status(self, listener: Listener) -> None:
        self._listeners.append(listener)

    def saved(self, path: Path, content: Content) -> None:
        self.calls.append(("saved", [path.name, content.text]))

    def changed(self, paths: Sequence[Path]) -> None:
        self.calls.append(("changed", [path.name for path in paths]))

    def opened(self, paths: Sequence[Path]) -> None:
        self.calls.append(("opened", [path.name for path in paths]))

    def reindex(self, paths: Sequence[Path], *, force: bool) -> int:
        self.calls.append(("reindex", [[path.name for path in paths], force]))
        return self.n_queued

    def pause(self, folder: Path | None) -> None:
        self.calls.append(("pause", folder.name if folder else None))
        self._park("paused", "user")

    def cancel(self, folder: Path | None) -> None:
        self.calls.append(("cancel", folder.name if folder else None))
        self._park("paused", "cancelled")

    def resume(self, folder: Path | None) -> None:
        self.calls.append(("resume", folder.name if folder else None))
        self._park("idle", "")

    def unlock(self, passwords: Sequence[str], path: Path | None, token: CancelToken) -> bool:
        assert not token.cancelled
        self.calls.append(("unlock", [list(passwords), path.name if path else None]))
        return path is None or "owl" in passwords

    def _park(self, phase: Any, reason: str) -> None:
        for status in self.status():
            self.publish(evolve(status, phase=phase, reason=reason))

    def _answer(self, buffers: Mapping[Path, Buffer], token: CancelToken) -> SearchResult:
        self.seen.append({path.name: buffer.text for path, buffer in buffers.items()})
        self.started.release()
        if not self.gate.is_set():
            self._wait(token)
        if self.failure is not None:
            raise self.failure
        return SearchResult(self.verdict, self.hits, self.status(), 1.5)

    def _wait(self, token: CancelToken) -> None:
        with token.on_cancel(self.gate.set):
            self.gate.wait(10)
        if token.cancelled:
            self.stopped.release()
        token.check()
