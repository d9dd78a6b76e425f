"""The only file that knows all rooms: it builds what the faces use.

An index lies in the data folder under a name made of its vault's real path; the vault's own
folder is never written to.
"""

import gc
import shutil
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from attrs import define

from notekin.adapters import config
from notekin.adapters.helper import make_preparer
from notekin.adapters.locking import IndexerLock
from notekin.adapters.places import IndexFiles, shelf_of
from notekin.adapters.power import SystemPower
from notekin.adapters.sqlite.aside import files_of, remains_of
from notekin.adapters.sqlite.database import SqliteIndex
from notekin.adapters.workshop import HelperProcesses
from notekin.app.borrowing import Borrower
from notekin.app.configuring import Configuration
from notekin.app.embedding import EmbeddingQueue
from notekin.app.errors import BadRequest, BadSetting, IndexUnusable
from notekin.app.examining import examine
from notekin.app.indexing import Indexer
from notekin.app.keyring import Keyring
from notekin.app.overlays import Source, parse
from notekin.app.pdf_desk import PdfDesk
from notekin.app.pdf_parts import PdfParts
from notekin.app.ports import (
    CountTokens,
    Embedder,
    Finding,
    PdfExtractor,
    PdfOptions,
    PdfShelf,
    Power,
    Watcher,
)
from notekin.app.power import PowerWatch
from notekin.app.results import VaultStatus
from notekin.app.session import Parts, Session
from notekin.app.settings import Settings
from notekin.app.stored import stored_status
from notekin.app.vault import Vault
from notekin.app.vaults import Beside
from notekin.core.terms import TERMS_VERSION

# An editor waits for no model: words answer alone after this. At a command line the model is
# part of the answer.
_EDITOR_PATIENCE = 0.3
_COMMAND_PATIENCE = 120.0

# How many objects more than were freed begin a search for garbage among the youngest, how many of
# those one among the young, and how many of these one among all, which holds the interpreter's lock
# for as long as a hundred keystrokes take. Reading a note of a megabyte makes a million objects,
# nearly all of which are freed without any search; Python's own numbers have nine of the whole.
_GARBAGE_SEARCHES = (5_000, 10, 100)

LoadEmbedder = Callable[[Settings], Embedder]


def _shelf(index_file: Path) -> PdfShelf:
    from notekin.adapters.pdf_shelf import PdfFolder

    return PdfFolder(shelf_of(index_file))


def make_session(  # noqa: PLR0913 - what tests bring instead of the real thing
    configuration: Configuration,
    index_files: IndexFiles,
    *,
    patience: float,
    load: LoadEmbedder | None = None,
    open_power: Callable[[], Power] = SystemPower,
    open_extractor: Callable[[], PdfExtractor] | None = None,
    open_shelf: Callable[[Path], PdfShelf] = _shelf,
) -> Session:
    """Return a session without vaults."""
    load_embedder = load or _load_embedder
    embeddings = EmbeddingQueue(lambda: load_embedder(configuration.now.common))

    open_pdfs = open_extractor or partial(_open_extractor, configuration.now.common)
    desk, keys = PdfDesk(open_pdfs()), Keyring()
    power = PowerWatch(open_power, configuration.now.common.indexing_power)

    def open_workshop() -> HelperProcesses:
        common = configuration.now.common
        return HelperProcesses(common.indexing_threads, common.indexing_nice)

    def open_vault(folder: Path, on_change: Callable[[], None], beside: Beside) -> Vault:
        settings = configuration.open(folder)
        index_file = index_files.claim(folder)
        files = _files(folder, settings, beside)
        index = _index(index_file, folder)
        indexer = Indexer(
            files=files,
            index=index,
            lock=IndexerLock(index_file.with_suffix(".lock")),
            embeddings=embeddings,
            prepare=make_preparer(_count_tokens),
            open_workshop=open_workshop,
            model_name=settings.model,
            on_change=on_change,
            power=power,
            pdfs=PdfParts(
                desk, open_shelf(index_file), lambda: _pdf_options(configuration.now.common), keys
            ),
            borrower=Borrower(beside.shelves, lambda: index_files.closed(index_file)),
        )
        names = (folder,)
        return Vault(folder, folder.resolve(), names, files, index, indexer)

    return Session(
        Parts(
            configuration,
            load_embedder,
            embeddings,
            open_vault,
            _watch,
            patience,
            power,
            desk,
            keys,
        )
    )


def make_editor_session(options: object) -> Session:
    """Return a session for an editor that sent these `initializationOptions`."""
    overlay = parse(options, Source("initializationOptions", container="an object"))
    configuration = Configuration(config.SettingsFiles.usual(), overlay)
    index_files = IndexFiles(config.data_folder())
    session = make_session(configuration, index_files, patience=_EDITOR_PATIENCE)
    session.watch_settings(config.config_folder())
    warm = partial(_in_turn, [make_preparer(_count_tokens).warm, session.warm])
    session.on_status(_once_words_are_there(warm))
    # What was imported so far stays: no later collection need look through it.
    gc.freeze()
    gc.set_threshold(*_GARBAGE_SEARCHES)
    return session


def _once_words_are_there(warm: Callable[[], None]) -> Callable[[Sequence[VaultStatus]], None]:
    """Load what the first save and the first query would wait for, when that takes nothing from
    the first index of the words any more.
    """
    cold = [warm]

    def look(statuses: Sequence[VaultStatus]) -> None:
        if cold and statuses and all(status.words_complete for status in statuses):
            cold.pop()()

    return look


def _in_turn(calls: Iterable[Callable[[], None]]) -> None:
    """Make the calls on a thread of their own, one after the other: what is loaded may hold the
    interpreter for some tens of milliseconds, and two of those at once would be felt.
    """

    def run() -> None:
        for call in calls:
            call()

    threading.Thread(target=run, name="notekin-warming", daemon=True).start()


def make_engine(index_file: Path | None) -> "CommandLineEngine":
    """Return what the command line works on; `index_file` replaces the place of the index."""
    return CommandLineEngine(IndexFiles(config.data_folder(), index_file))


@define
class CommandLineEngine:
    """Vaults and their indexes for one run of the command line; see `cli.engine.Engine`."""

    _index_files: IndexFiles

    def vault_of(self, path: Path) -> Path | None:
        """Return the nearest indexed vault that is `path` or holds it."""
        return self._index_files.vault_among((path, *path.parents))

    def open_session(self, vault: Path, *, watch: bool) -> Session:
        """Open a vault and start looking at its files; with `watch`, see what changes later."""
        only = self._index_files.only
        root = _root_of(only) if only is not None else None
        if root is not None and self._index_files.vault_among([vault]) is None:
            raise BadRequest(f"{only} is the index of {root}: name another file for {vault}.")
        files = config.SettingsFiles.usual()
        wrong = [error for o in (files.person(), files.vault(vault)) for error in o.errors]
        if wrong:
            raise BadSetting("\n".join(map(str, wrong)))
        session = make_session(Configuration(files), self._index_files, patience=_COMMAND_PATIENCE)
        session.open(vault, watch=watch)
        return session

    def notices(self, vault: Path) -> Sequence[str]:
        """Return sentences about settings nobody knows."""
        files = config.SettingsFiles.usual()
        overlays = (files.person(), files.vault(vault))
        return [warning for overlay in overlays for warning in overlay.warnings]

    def status(self, vault: Path) -> VaultStatus:
        """Return what the index holds; nothing is looked at or changed."""
        index = _index(self._index_files.claim(vault), vault)
        try:
            other = self._is_indexed_by_another(vault)
            with index.read() as reader:
                return stored_status(reader, vault, other=other)
        finally:
            index.close()

    def doctor(self, vault: Path, *, repair: bool) -> Sequence[Finding]:
        """Check an index, and that its vectors are the model's; mend it with `repair`."""
        index = _index(self._index_files.claim(vault), vault)
        lock = self._lock(vault)
        if repair and not lock.acquire():
            raise IndexUnusable(
                "Another process is indexing this vault: close the editor and repair again.",
                "otherProcess",
            )
        try:
            common = Configuration(config.SettingsFiles.usual()).now.common
            return examine(index, common.model, partial(_load_embedder, common), repair=repair)
        finally:
            index.close()
            lock.release()

    def forget(self, vault: Path) -> bool:
        """Remove the index of a vault, with what was set aside of it in the data folder.

        Beside a file that the person named may stand something else that was mistaken for one.
        """
        file = self._index_files.claim(vault)
        if not file.exists():
            return False
        lock = self._lock(vault)
        if not lock.acquire():
            raise IndexUnusable(
                "Another process is indexing this vault: close the editor and try again.",
                "otherProcess",
            )
        try:
            is_named = self._index_files.only is not None
            for path in (*files_of(file), *(() if is_named else remains_of(file))):
                path.unlink(missing_ok=True)
            shutil.rmtree(shelf_of(file), ignore_errors=True)
        finally:
            lock.remove()
        return True

    def _lock(self, vault: Path) -> IndexerLock:
        return IndexerLock(self._index_files.claim(vault).with_suffix(".lock"))

    def _is_indexed_by_another(self, vault: Path) -> bool:
        lock = self._lock(vault)
        if not lock.acquire():
            return True
        lock.release()
        return False


def _root_of(index_file: Path) -> Path | None:
    from notekin.adapters.sqlite.identity import identity

    known = identity(index_file)
    return Path(known.root) if known else None


def _index(file: Path, folder: Path) -> SqliteIndex:
    from notekin.core.chunks import CHUNKER_VERSION

    versions = {"chunker": str(CHUNKER_VERSION), "terms": str(TERMS_VERSION)}
    return SqliteIndex(file, folder, versions)


def _pdf_options(settings: Settings) -> PdfOptions:
    return PdfOptions(
        ocr=settings.pdf_ocr,
        passwords=settings.pdf_passwords,
        page_seconds=settings.pdf_page_seconds,
        memory_mb=settings.pdf_memory_mb,
        max_pages=settings.pdf_max_pages,
    )


def _open_extractor(settings: Settings) -> PdfExtractor:
    from notekin.adapters.pdf import PdfProcesses

    return PdfProcesses(settings.indexing_nice)


def _load_embedder(settings: Settings) -> Embedder:
    from notekin.adapters.embedding import load_embedder

    cache_folder = config.data_folder() / "models"
    n_threads = settings.indexing_threads or None
    return load_embedder(settings.model, cache=cache_folder, n_threads=n_threads)


def _count_tokens(texts: Sequence[str]) -> Sequence[int]:
    return _token_counter()(texts)


@cache
def _token_counter() -> CountTokens:
    from notekin.adapters.tokens import token_counter

    return token_counter()


def _files(folder: Path, settings: Settings, beside: Beside) -> Any:
    from notekin.adapters.files import VaultFiles

    return VaultFiles(folder, settings.exclude, settings.suffixes, inner=beside.inner)


def _watch(folder: Path, changed: Callable[[Sequence[Path]], None]) -> Watcher:
    from notekin.adapters.watching import FolderWatcher

    return FolderWatcher(folder, changed)
