"""A small engine for the command line: it knows one vault and answers what it is told to."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from attrs import define, evolve, field, frozen

from notekin.app.cancel import CancelToken
from notekin.app.ports import Finding
from notekin.app.requests import RelatedRequest, SearchRequest
from notekin.app.results import ChunkCounts, Hit, NoteCounts, SearchResult, VaultStatus
from notekin.app.searching import Asked
from notekin.cli.engine import NoBuffers
from notekin.core.text import Anchor

START = Anchor(11, 0, 0)


def hit(vault: Path, path: str = "coffee.md", text: str = "Grind it fine.") -> Hit:
    """Return a hit on line 12 of a note."""
    return Hit(vault, path, 0, "markdown", START, START, "Coffee", ("Grinder",), text, 0.83)


def idle(vault: Path) -> VaultStatus:
    """Return the status of a complete index of two notes."""
    return VaultStatus(
        vault,
        phase="idle",
        notes=NoteCounts(n_total=2, n_indexed=2),
        chunks=ChunkCounts(n_total=5, n_embedded=5),
        model_name="a-model",
    )


@define
class FakeEngine:
    """Knows `vault`; `status_now` and `result` are what it tells, `requests` what it was asked.

    `unready` is how often `wait` times out before the index is up to date.
    """

    vault: Path
    indexed: bool = True
    status_now: VaultStatus = field(init=False)
    result: SearchResult | Exception = field(init=False)
    findings: Sequence[Finding] = ()
    told: Sequence[str] = ()
    unready: int = 0
    requests: list[SearchRequest | RelatedRequest] = field(
        factory=list["SearchRequest | RelatedRequest"]
    )
    watched: list[bool] = field(factory=list[bool])
    waits: list[str] = field(factory=list[str])
    forced: list[Path] = field(factory=list[Path])
    n_closed: int = 0
    n_resumed: int = 0
    index_file: Path | None = None

    def __attrs_post_init__(self) -> None:
        self.status_now = idle(self.vault)
        self.result = SearchResult("found", (hit(self.vault),), (self.status_now,))

    def __call__(self, index_file: Path | None) -> "FakeEngine":
        self.index_file = index_file
        return self

    def vault_of(self, path: Path) -> Path | None:
        return self.vault if self.indexed and path.is_relative_to(self.vault) else None

    def open_session(self, vault: Path, *, watch: bool) -> "FakeSession":
        self.watched.append(watch)
        assert vault.is_relative_to(self.vault)
        return FakeSession(self)

    def notices(self, vault: Path) -> Sequence[str]:
        assert vault.is_relative_to(self.vault)
        return self.told

    def status(self, vault: Path) -> VaultStatus:
        assert vault == self.vault
        return self.status_now

    def doctor(self, vault: Path, *, repair: bool) -> Sequence[Finding]:
        assert vault == self.vault
        return [evolve(finding, repaired=repair) for finding in self.findings]

    def forget(self, vault: Path) -> bool:
        known, self.indexed = self.indexed and vault == self.vault, False
        return known


@frozen
class FakeSession:
    """A session of `FakeEngine`."""

    engine: FakeEngine

    def ask(self, request: SearchRequest, token: CancelToken) -> Asked:
        return Asked(request, request.query, token, None)

    def search(self, asked: Asked, buffers: NoBuffers) -> SearchResult:
        return self._answer(asked.request, buffers, asked.token)

    def related(
        self, request: RelatedRequest, buffers: NoBuffers, token: CancelToken
    ) -> SearchResult:
        return self._answer(request, buffers, token)

    def _answer(
        self, request: SearchRequest | RelatedRequest, buffers: NoBuffers, token: CancelToken
    ) -> SearchResult:
        assert not buffers
        assert not token.cancelled
        self.engine.requests.append(request)
        if isinstance(self.engine.result, Exception):
            raise self.engine.result
        return self.engine.result

    def text_of(self, path: Path) -> str:
        return path.read_text("utf-8")

    def status(self) -> tuple[VaultStatus, ...]:
        return (self.engine.status_now,)

    def reindex(self, paths: Sequence[Path], *, force: bool) -> int:
        assert force
        self.engine.forced.extend(paths)
        return len(paths)

    def resume(self, folder: Path | None) -> None:
        assert folder is None
        self.engine.n_resumed += 1

    def unlock(self, passwords: Sequence[str], path: Path | None, token: CancelToken) -> bool:
        assert path is None
        assert not token.cancelled
        status = self.engine.status_now
        if "owl" in passwords:
            failures = tuple(each for each in status.failures if not each.locked)
            self.engine.status_now = evolve(status, failures=failures)
        return True

    def wait(
        self, until: Literal["words", "idle"], seconds: float | None, token: CancelToken
    ) -> bool:
        assert seconds is not None, "a wait that shows progress goes in steps"
        assert not token.cancelled
        self.engine.waits.append(until)
        self.engine.unready -= 1
        return self.engine.unready < 0

    def close(self) -> None:
        self.engine.n_closed += 1
