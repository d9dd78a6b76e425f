"""All vaults of one process, behind one door: what the faces call.

Opening, closing, `search`, `related`, `reindex`, `text_of` and `wait` take time; everything else
returns at once. Any thread may call.
"""

import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Protocol

from attrs import evolve, field, frozen

from notekin.app.cancel import CancelToken
from notekin.app.configuring import VAULT_FILE, Configuration, EditorSettings, differing
from notekin.app.embedding import EmbeddingQueue
from notekin.app.errors import BadRequest, Unreadable
from notekin.app.halts import Order
from notekin.app.hits import Lane
from notekin.app.indexing import Until
from notekin.app.keyring import Keyring
from notekin.app.pdf_desk import PdfDesk
from notekin.app.ports import Embedder, FoundFile, PdfOptions, PdfTrouble, Watcher
from notekin.app.power import PowerRule, PowerWatch
from notekin.app.relating import Asking, related
from notekin.app.requests import RelatedRequest, SearchRequest
from notekin.app.results import SearchResult, VaultStatus
from notekin.app.retrieving import Model
from notekin.app.searching import Asked, ask, search
from notekin.app.settings import MOST_PASSWORDS, Settings
from notekin.app.telling import Listener, Teller
from notekin.app.vault import Vault, distrusting
from notekin.app.vaults import Beside, Vaults, forgotten_as, opened_as
from notekin.core.buffer import Buffer
from notekin.core.query import Filters
from notekin.core.reading import is_beside_notes, kind_of
from notekin.core.rope import Content


class OpenVault(Protocol):
    """Builds the parts of a vault; `compose` knows how."""

    def __call__(self, folder: Path, on_change: Callable[[], None], beside: Beside) -> Vault: ...


Watch = Callable[[Path, Callable[[Sequence[Path]], None]], Watcher]


@frozen
class Parts:
    """What a session is made of. `patience` is how long, in seconds, the model may take before
    the words answer a search alone.
    """

    configuration: Configuration
    load: Callable[[Settings], Embedder]
    embeddings: EmbeddingQueue
    open_vault: OpenVault
    watch: Watch = field(repr=False)
    patience: float
    power: PowerWatch
    pdfs: PdfDesk
    keys: Keyring


class Session:
    """The vaults of one process."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._lock = threading.Lock()
        self._vaults = Vaults()
        self._teller = Teller(self.status, lambda: self.notices)
        self._configuring = threading.Lock()
        self._settings_watcher: Watcher | None = None
        self._rereading = ThreadPoolExecutor(1, thread_name_prefix="notekin-settings")

    @property
    def settings(self) -> Settings:
        """What holds outside of vaults."""
        return self._parts.configuration.now.common

    def settings_at(self, path: Path) -> Settings:
        """Return the settings of the vault that holds a path."""
        home = self._vaults.home(path)
        return self._parts.configuration.now.of(home[0].folder) if home else self.settings

    @property
    def folders(self) -> tuple[Path, ...]:
        """The roots of all open vaults."""
        return tuple(vault.folder for vault in self._vaults)

    def open(self, folder: Path, *, watch: bool = False) -> None:
        """Add a vault and start indexing it. With `watch`, see outside changes by itself.

        A folder that is open already, if under another name, is no second vault. A vault that
        this one lies in leaves it alone from now on.
        """
        with self._lock:
            known = self._vaults.spelled(folder) or self._vaults.same_as(folder)
            if known is not None:
                self._vaults = self._vaults.having(opened_as(known, folder))
                return
            vault = self._parts.open_vault(folder, self._teller.tell, self._beside(folder))
            self._vaults = self._vaults.having(vault)
        if watch:
            # Before the files are compared: what changes after that is told.
            self._watch(vault)
        vault.indexer.start()
        self._vaults.look_around(vault)
        self._teller.tell()

    def close_folder(self, folder: Path) -> None:
        """Stop serving a vault; its index stays. One that it lies in takes its notes back."""
        with self._lock:
            vault = self._vaults.spelled(folder)
            if vault is None:
                return
            rest = forgotten_as(vault, folder)
            if rest.names and folder != vault.folder:
                self._vaults = self._vaults.having(rest)
                return
            self._vaults = self._vaults.without(vault)
        vault.close()
        self._parts.configuration.close(vault.folder)
        for name in rest.names:
            self.open(name, watch=vault.watcher is not None)
        self._vaults.look_around(vault)
        self._teller.tell()

    def close(self) -> None:
        """Stop all work within one passage; every index is left consistent."""
        self._teller.close()
        if self._settings_watcher is not None:
            self._settings_watcher.close()
        self._rereading.shutdown(cancel_futures=True)
        for vault in self._vaults:
            vault.close()
        self._parts.pdfs.close()
        self._parts.embeddings.close()

    @property
    def notices(self) -> tuple[str, ...]:
        """Sentences about settings that the person should see; a status brings others."""
        return self._parts.configuration.now.notices

    def configure(self, editor: EditorSettings) -> None:
        """Take what the editor says now in the place of what it said before, at once. Blocks."""
        self._reconfigure(partial(self._parts.configuration.heard, editor))

    def watch_settings(self, folder: Path) -> None:
        """Read settings again whenever something changes in the folder of the person's file, which
        need not be there yet.
        """
        self._settings_watcher = self._parts.watch(folder, lambda _: self.reread_settings())

    def reread_settings(self) -> None:
        """Read the person's file again, and those of all vaults, in the background."""
        self._reread(self.folders)

    def warm(self) -> None:
        """Load the model in the background, so that the first query need not wait for it."""
        self._parts.embeddings.warm()

    def status(self) -> tuple[VaultStatus, ...]:
        """Return where each vault stands, as of now."""
        return tuple(vault.status for vault in self._vaults)

    def on_status(self, listener: Listener) -> None:
        """Call `listener`, on the thread where it happens, whenever a status changed."""
        self._teller.listen(listener)

    def saved(self, path: Path, content: Content) -> None:
        """A document was saved with this content, which is put together later, elsewhere."""
        self._notice_settings([path])
        if home := self._vaults.home(path):
            vault, relative = home
            vault.indexer.saved(relative, content)

    def changed(self, paths: Sequence[Path]) -> None:
        """Files or folders were created, changed or deleted outside the editor."""
        self._notice_settings(paths)
        for vault, relative in self._vaults.homes(paths):
            if told := [path for path in relative if not is_beside_notes(path)]:
                vault.indexer.look(told)

    def opened(self, paths: Sequence[Path]) -> None:
        """These are all the notes open in the editor now."""
        homes = {vault.folder: relative for vault, relative in self._vaults.homes(paths)}
        for vault in self._vaults:
            vault.indexer.opened(homes.get(vault.folder, []))

    def reindex(self, paths: Sequence[Path], *, force: bool) -> int:
        """Look again at files, folders or vaults (none: all vaults); return how many notes have
        to be read. With `force`, all of them are read and cut again.
        """
        chosen = self._chosen(paths)
        self._reload_failed()
        return sum(vault.indexer.reindex(relative, forced=force) for vault, relative in chosen)

    def use_power_rule(self, rule: PowerRule) -> None:
        """Go by another rule of what waits while the computer runs on battery, from now on."""
        self._parts.power.use(rule)

    def pause(self, folder: Path | None) -> None:
        """Park the indexing of a vault, or of all, in whatever process, until `resume`; also after
        a restart.
        """
        self._order("user", folder)

    def cancel(self, folder: Path | None) -> None:
        """Park the indexing of a vault, or of all, in whatever process, until `resume` or a
        restart.
        """
        self._order("cancelled", folder)

    def resume(self, folder: Path | None) -> None:
        """Go on where `pause` or `cancel` stopped, and try again what failed."""
        vaults = self._named(folder)
        self._reload_failed()
        for vault in vaults:
            vault.indexer.parking.resume()

    def unlock(self, passwords: Sequence[str], path: Path | None, token: CancelToken) -> bool:
        """Read PDFs with these passwords, in the place of those given before, until this process
        ends. Where none of them opens the PDF at `path`, return False and leave all as it is.
        """
        if len(passwords) > MOST_PASSWORDS:
            raise BadRequest(f"There are more than {MOST_PASSWORDS} passwords: give fewer.")
        if path is not None and not self._opens(passwords, path, token):
            return False
        if self._parts.keys.take(passwords):
            for vault in self._vaults:
                vault.indexer.unlock_pdfs()
        return True

    def wait(self, until: Until, seconds: float | None, token: CancelToken) -> bool:
        """Wait until all vaults are that far and listeners know; False at the time-out."""
        waited = all(v.indexer.wait(until, seconds, token) for v in self._vaults)
        # Those who wait are woken by what happened, and may run before the listeners are told.
        self._teller.tell()
        return waited

    def text_of(self, path: Path) -> str:
        """Return a note's text from its file, of a PDF its readable document; raises `BadRequest`
        when it is none of ours, or a PDF that was not read.
        """
        vault, found = self._note(path)
        if found.kind == "pdf":
            return _readable(vault, found.path)
        try:
            return vault.files.read(found.path).text
        except Unreadable as error:
            raise BadRequest(f"{path.name} cannot be read: {error}") from error

    def ask(self, request: SearchRequest, token: CancelToken) -> Asked:
        """Begin a search, for `search` to answer: the model works while that is on its way."""
        return ask(request, self._model(token))

    def search(self, asked: Asked, buffers: Mapping[Path, Buffer]) -> SearchResult:
        """Answer a search. Blocks; call it from a pool's thread."""
        begun = time.perf_counter()
        chosen = self._chosen(asked.request.folders)
        with self._lanes(chosen, asked.request, buffers, asked.token) as lanes:
            result = search(lanes, asked, self._model(asked.token))
        return _timed(result, begun)

    def related(
        self, request: RelatedRequest, buffers: Mapping[Path, Buffer], token: CancelToken
    ) -> SearchResult:
        """Answer what is related to a paragraph or a note. Blocks as `search` does."""
        begun = time.perf_counter()
        asking = self._vaults.home(request.path)
        if asking is None:
            raise BadRequest(f"{request.path} is not in an open vault: open its folder first.")
        vault, relative = asking
        buffer = buffers.get(request.path) if kind_of(relative) != "pdf" else None
        text = buffer.text if buffer is not None else self.text_of(request.path)
        chosen = [(other, [""]) for other in self._vaults]
        with self._lanes(chosen, None, buffers, token) as lanes:
            home = next(lane for lane in lanes if lane.folder == vault.folder)
            asking = Asking(home, relative, text)
            result = related(lanes, asking, request, self._model(token))
        return _timed(result, begun)

    def _opens(self, passwords: Sequence[str], path: Path, token: CancelToken) -> bool:
        vault, found = self._note(path)
        # Whatever else it holds: its first page tells.
        options = PdfOptions(passwords=tuple(passwords), max_pages=1)
        try:
            self._parts.pdfs.extractor.read_text(vault.files.root / found.path, options, token)
        except PdfTrouble as trouble:
            return trouble.kind != "needsPassword"
        except Unreadable as error:
            raise BadRequest(f"{path.name} cannot be read: {error}") from error
        return True

    def _note(self, path: Path) -> tuple[Vault, FoundFile]:
        """Return a note and its vault; raises `BadRequest` when it is none of ours."""
        home = self._vaults.home(path)
        found = home[0].files.find(home[1]) if home is not None else None
        if home is None or found is None:
            raise BadRequest(
                f"{path.name or path} is not a note of an open vault: it is not there, is "
                "left out by a rule, or is another kind of file."
            )
        return home[0], found

    def _notice_settings(self, paths: Sequence[Path]) -> None:
        """Read the settings of a vault again when its file, or all of it, may have changed."""
        told = [path for path in paths if path.name == VAULT_FILE or self._vaults.spelled(path)]
        changed = [
            vault.folder
            for vault, relative in self._vaults.homes(told)
            if not {"", VAULT_FILE}.isdisjoint(relative)
        ]
        if changed:
            self._reread(changed)

    def _reread(self, vaults: Sequence[Path]) -> None:
        reread = partial(self._parts.configuration.reread, vaults)
        with suppress(RuntimeError):  # the session is closing
            self._rereading.submit(self._reconfigure, reread)

    def _reconfigure(self, change: Callable[[], None]) -> None:
        """Change the configuration, and bring everything in line with it."""
        with self._configuring:
            before = self._parts.configuration.now
            change()
            after = self._parts.configuration.now
            loaded = after.common.model, after.common.indexing_threads
            if loaded != (before.common.model, before.common.indexing_threads):
                self._parts.embeddings.reload(partial(self._parts.load, after.common))
            if after.common.indexing_power != before.common.indexing_power:
                self.use_power_rule(after.common.indexing_power)
            for folder, then, now in differing(before, after):
                if (vault := self._vaults.spelled(folder)) is not None:
                    vault.reconfigure(then, now)
        self._teller.tell()

    def _order(self, order: Order, folder: Path | None) -> None:
        vaults = self._named(folder)
        # At once everywhere; recording it takes longer, and may fail.
        for vault in vaults:
            vault.indexer.parking.halt(order)
        for vault in vaults:
            vault.indexer.parking.order(order)

    def _reload_failed(self) -> None:
        if self._parts.embeddings.state == "failed":
            self._parts.embeddings.reload()

    def _model(self, token: CancelToken) -> Model:
        return Model(self._parts.embeddings, self._parts.patience, token)

    @contextmanager
    def _lanes(
        self,
        chosen: Sequence[tuple[Vault, Sequence[str]]],
        request: SearchRequest | None,
        buffers: Mapping[Path, Buffer],
        token: CancelToken,
    ) -> Generator[Sequence[Lane]]:
        # Before the snapshots: what is found is never older than what the verdict goes by.
        statuses = {vault.folder: vault.settled_status() for vault, _ in chosen}
        with distrusting(vault for vault, _ in chosen), ExitStack() as stack:
            yield [
                Lane(
                    folder=vault.folder,
                    reader=stack.enter_context(vault.index.read(token)),
                    filters=Filters(
                        folders=() if "" in relative else tuple(relative),
                        kinds=request.kinds if request else (),
                        tags=request.tags if request else (),
                    ),
                    status=statuses[vault.folder],
                    buffers={
                        inside: buffer
                        for path, buffer in buffers.items()
                        if (inside := self._vaults.path_in(vault, path)) is not None
                    },
                )
                for vault, relative in chosen
            ]

    def _chosen(self, folders: Sequence[Path]) -> Sequence[tuple[Vault, Sequence[str]]]:
        """Return the vaults that `folders` name, with the folders in them; all for none."""
        if not self._vaults:
            raise BadRequest("No folder of notes is open: open one and ask again.")
        if not folders:
            return [(vault, [""]) for vault in self._vaults]
        for folder in folders:
            if not self._vaults.homes([folder]):
                raise BadRequest(f"{folder} is not in an open vault: open its folder first.")
        return self._vaults.homes(folders)

    def _named(self, folder: Path | None) -> Sequence[Vault]:
        if folder is None:
            return list(self._vaults)
        vault = self._vaults.spelled(folder)
        if vault is None:
            raise BadRequest(f"{folder} is not an open vault.")
        return [vault]

    def _beside(self, folder: Path) -> Beside:
        return Beside(
            inner=lambda: self._vaults.inner(folder),
            shelves=lambda: (each.index for each in self._vaults if each.folder != folder),
        )

    def _watch(self, vault: Vault) -> None:
        watcher = self._parts.watch(vault.folder, self.changed)
        with self._lock:
            now = self._vaults.spelled(vault.folder)
            if now is not None and now.indexer is vault.indexer:
                self._vaults = self._vaults.having(evolve(now, watcher=watcher))
                return
        watcher.close()  # It was closed meanwhile.


def _readable(vault: Vault, path: str) -> str:
    with distrusting([vault]), vault.index.read() as reader:
        text, note = reader.readable(path), reader.note(path)
    if text is not None:
        return text
    if note is not None and note.reason:
        raise BadRequest(f"{path} cannot be read: {note.reason}")
    raise BadRequest(f"{path} was not read yet: try again when it is indexed.")


def _timed(result: SearchResult, begun: float) -> SearchResult:
    return evolve(result, took_ms=(time.perf_counter() - begun) * 1000)
