"""One folder of notes with all that serves it."""

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path

from attrs import evolve, frozen

from notekin.app.errors import IndexUnusable
from notekin.app.indexing import Indexer
from notekin.app.ports import Files, Index, Watcher
from notekin.app.results import VaultStatus
from notekin.app.settings import Settings

# A search waits this long, in seconds, for saves made before it, so that nobody sees a stale hit.
_READ_YOUR_WRITES_SECONDS = 1.0


@frozen
class Vault:
    """A vault that is open. `real` is its folder with all links resolved, `names` are those by
    which it was opened.
    """

    folder: Path
    real: Path
    names: tuple[Path, ...]
    files: Files
    index: Index
    indexer: Indexer
    watcher: Watcher | None = None

    def relative(self, path: Path) -> str | None:
        """Return `path` relative to the vault, "" for the vault itself, None outside of it."""
        for name in dict.fromkeys((self.folder, *self.names, self.real)):
            if path.is_relative_to(name):
                parts = path.relative_to(name).as_posix()
                return "" if parts == "." else parts
        return None

    def lies_below(self, path: Path) -> bool:
        """Return whether the vault lies somewhere in the folder `path`, and is not it."""
        places = (self.folder, *self.names, self.real)
        return self.relative(path) is None and any(each.is_relative_to(path) for each in places)

    @property
    def status(self) -> VaultStatus:
        """Where the vault stands, with what its files, its watcher and its orders have to say."""
        speakers = (self.files, self.watcher, self.indexer.parking)
        status = self.indexer.status
        notices = tuple(each.notice for each in speakers if each and each.notice)
        return evolve(status, notices=(*status.notices, *notices)) if notices else status

    def reconfigure(self, before: Settings, now: Settings) -> None:
        """Bring the vault in line with its settings as they are now."""
        if now.model != before.model:
            self.indexer.expect_model(now.model)
        if (now.exclude, now.suffixes) != (before.exclude, before.suffixes):
            self.files.retune(now.exclude, now.suffixes)
            self.indexer.rules_changed()
        if now.of_pdfs != before.of_pdfs:
            self.indexer.retry_pdfs()

    def settled_status(self) -> VaultStatus:
        """Return where the vault stands once the saves made so far are findable by words."""
        settled = self.indexer.settled(_READ_YOUR_WRITES_SECONDS)
        status = self.status
        return status if settled else evolve(status, phase="indexing", unseen=True)

    def close(self) -> None:
        """Stop all work and wait for it; the index is left consistent."""
        if self.watcher is not None:
            self.watcher.close()
        self.indexer.stop()
        self.index.close()


@contextmanager
def distrusting(vaults: Iterable[Vault]) -> Generator[None]:
    """Have indexes built anew when one turns out to be damaged."""
    try:
        yield
    except IndexUnusable as error:
        if error.reason == "damaged":
            for vault in vaults:
                vault.indexer.distrust(error)
        raise
