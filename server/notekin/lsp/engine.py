"""The parts of `app.session.Session` that a server uses, so that tests can bring a small one."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from notekin.app.cancel import CancelToken
from notekin.app.configuring import EditorSettings
from notekin.app.requests import RelatedRequest, SearchRequest
from notekin.app.results import SearchResult, VaultStatus
from notekin.core.buffer import Buffer
from notekin.core.rope import Content

if TYPE_CHECKING:
    from notekin.app.searching import Asked

Buffers = Mapping[Path, Buffer]


class SettingsView(Protocol):
    """The settings that the server itself looks at."""

    @property
    def hover(self) -> bool: ...
    @property
    def workspace_symbols(self) -> bool: ...


class Engine(Protocol):
    """All vaults of one process, thread-safe. Opening, closing, `search`, `related`, `text_of`
    and `reindex` take time; the rest returns at once.
    """

    @property
    def folders(self) -> tuple[Path, ...]: ...
    @property
    def settings(self) -> SettingsView: ...
    def settings_at(self, path: Path, /) -> SettingsView:
        """Return the settings of the vault that holds a path."""
        ...

    @property
    def notices(self) -> tuple[str, ...]:
        """Sentences for the person: wrong settings, an index that was set aside."""
        ...

    def open(self, folder: Path, *, watch: bool) -> None:
        """Add a vault; `watch` says that no client reports changes of its files."""
        ...

    def configure(self, editor: EditorSettings) -> None:
        """Take what the editor says now in the place of what it said before. Takes a while."""
        ...

    def close_folder(self, folder: Path) -> None: ...
    def close(self) -> None: ...
    def ask(self, request: SearchRequest, token: CancelToken) -> "Asked":
        """Begin a search: the model works while `search` is on its way."""
        ...

    def search(self, asked: "Asked", buffers: Buffers) -> SearchResult: ...
    def related(
        self, request: RelatedRequest, buffers: Buffers, token: CancelToken
    ) -> SearchResult: ...
    def text_of(self, path: Path) -> str:
        """Return the text of a note on disk; raises `BadRequest`."""
        ...

    def status(self) -> tuple[VaultStatus, ...]: ...
    def on_status(self, listener: Callable[[tuple[VaultStatus, ...]], None]) -> None: ...
    def saved(self, path: Path, content: Content) -> None: ...
    def changed(self, paths: Sequence[Path]) -> None: ...
    def opened(self, paths: Sequence[Path]) -> None: ...
    def reindex(self, paths: Sequence[Path], *, force: bool) -> int: ...
    def pause(self, folder: Path | None) -> None: ...
    def cancel(self, folder: Path | None) -> None: ...
    def resume(self, folder: Path | None) -> None: ...
    def unlock(self, passwords: Sequence[str], path: Path | None, token: CancelToken) -> bool:
        """Read PDFs with these passwords; False where none opens the one at `path`. Takes a
        while.
        """
        ...


MakeEngine = Callable[[object], Engine]
"""Makes the session from the client's `initializationOptions`, whatever those are."""
