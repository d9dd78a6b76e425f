"""What the command line needs of the rest; `compose` brings it, tests bring a small one."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Never, Protocol

from notekin.app.cancel import CancelToken
from notekin.app.ports import Finding
from notekin.app.requests import RelatedRequest, SearchRequest
from notekin.app.results import SearchResult, VaultStatus

if TYPE_CHECKING:
    from notekin.app.searching import Asked

NoBuffers = Mapping[Path, Never]
"""The open documents of a face that has none."""


class Session(Protocol):
    """The parts of `app.session.Session` that commands use; one vault is open in it."""

    def ask(self, request: SearchRequest, token: CancelToken) -> "Asked":
        """Begin a search: the model works while `search` is on its way."""
        ...

    def search(self, asked: "Asked", buffers: NoBuffers) -> SearchResult: ...
    def related(
        self, request: RelatedRequest, buffers: NoBuffers, token: CancelToken
    ) -> SearchResult: ...
    def text_of(self, path: Path) -> str: ...
    def status(self) -> tuple[VaultStatus, ...]: ...
    def reindex(self, paths: Sequence[Path], *, force: bool) -> int: ...
    def resume(self, folder: Path | None) -> None: ...
    def unlock(self, passwords: Sequence[str], path: Path | None, token: CancelToken) -> bool: ...
    def wait(
        self, until: Literal["words", "idle"], seconds: float | None, token: CancelToken
    ) -> bool: ...
    def close(self) -> None: ...


class Engine(Protocol):
    """Vaults and their indexes, none of them open yet. Folders are absolute, links resolved."""

    def vault_of(self, path: Path) -> Path | None:
        """Return the nearest indexed vault that is `path` or holds it, None when there is none."""
        ...

    def open_session(self, vault: Path, *, watch: bool) -> Session:
        """Open a vault and start looking at its files; makes the index when there is none. With
        `watch`, look again at what changes.

        Raises `BadSetting` when a setting of the person or of the vault is wrong (all of them
        in one, a line each), `IndexUnusable` when the index cannot be opened.
        """
        ...

    def notices(self, vault: Path) -> Sequence[str]:
        """Return sentences for the person: unknown settings, an index that was set aside."""
        ...

    def status(self, vault: Path) -> VaultStatus:
        """Return what the index of a vault holds, as it is: nothing is looked at or changed."""
        ...

    def doctor(self, vault: Path, *, repair: bool) -> Sequence[Finding]:
        """Check the index of a vault, and mend it with `repair`; empty means healthy."""
        ...

    def forget(self, vault: Path) -> bool:
        """Remove the index of a vault, whose folder may be gone; False when there is none."""
        ...


MakeEngine = Callable[[Path | None], Engine]
"""Makes the engine; a path is the index file to use in place of the one in the data folder.

With a path, `vault_of` knows only the vault whose index that file is, and `open_session`
raises `IndexUnusable` for another vault's file.
"""
