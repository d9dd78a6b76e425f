"""The server's state: all of it lives on the loop and is touched only from there."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from attrs import frozen
from lsprotocol import types
from pygls.lsp.server import LanguageServer

from notekin.app.errors import BadRequest, NotekinError
from notekin.app.results import VaultStatus
from notekin.core.text import Encoding
from notekin.lsp import convert
from notekin.lsp.documents import Documents
from notekin.lsp.engine import Engine, MakeEngine
from notekin.lsp.errors import log_failure
from notekin.lsp.feed import StatusFeed
from notekin.lsp.params import strict_converter
from notekin.lsp.progress import ProgressBars
from notekin.lsp.readables import Readables
from notekin.lsp.symbols_offer import SymbolsOffer
from notekin.lsp.wire import NotekinProtocol
from notekin.lsp.work import RequestPool, beside

logger = logging.getLogger(__name__)

T = TypeVar("T")
Order = Callable[[Engine], object]
Ask = Callable[[], Awaitable[Order | None]]
"""Brings an order that the client has to be asked for first."""


async def _nothing_to_ask() -> None:
    """Ask nothing."""


@frozen
class Client:
    """What `initialize` said about the client."""

    encoding: Encoding = "utf-16"
    folders: tuple[Path, ...] = ()
    options: object = None
    markdown: bool = True
    progress: bool = False
    registers_watchers: bool = False
    registers_configuration: bool = False
    pulls: bool = False
    reads_content: bool = False


class NotekinServer(LanguageServer):
    """pygls' server with the session, the open documents and the threads of requests."""

    # pygls declares the attribute, and makes the class that it is given.
    protocol: NotekinProtocol  # pyright: ignore[reportIncompatibleVariableOverride]

    def __init__(self, make_engine: MakeEngine, version: str) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType]
            name="notekin",
            version=version,
            protocol_cls=NotekinProtocol,
            converter_factory=strict_converter,
        )
        self.client = Client()
        self.documents = Documents()
        self.pool = RequestPool()
        self.bars = ProgressBars(self, self._cancel_folder)
        self.feed: StatusFeed | None = None
        self.on_exit: Callable[[], None] = lambda: None
        self.ask_settings: Ask = _nothing_to_ask
        self.symbols = SymbolsOffer(self)
        self.readables = Readables(self._refresh)
        self._comparing: set[asyncio.Task[None]] = set()
        self._make_engine = make_engine
        self._making: asyncio.Task[Engine] | None = None
        self._engine: Engine | None = None
        self._orders: list[Order] = []
        self._warned: set[str] = set()
        self._told_of_settings = frozenset[str]()
        self._folder_lock = asyncio.Lock()
        self._folder_tasks: set[asyncio.Task[None]] = set()

    # --- the session ---------------------------------------------------------------------

    def start(self) -> None:
        """Make the session and open the folders, in the background; once."""
        if self._making is None:
            loop = asyncio.get_running_loop()
            self.feed = StatusFeed(loop, convert.index_status, self._send_status, self._look_at)
            self._making = loop.create_task(self._made())

    async def engine(self) -> Engine:
        """Return the session, as soon as it is there; raises why it cannot be."""
        if self._engine is not None:
            return self._engine
        self.start()
        assert self._making is not None  # noqa: S101 - `start` has just seen to it
        # Shielded: a cancelled request must not take the session from the others.
        return await asyncio.shield(self._making)

    async def vaults(self) -> Engine:
        """Return the session if it has a folder to ask about, else raise `BadRequest`.

        Folders that were announced before are open (or closed) by then.
        """
        engine = await self.engine()
        if self._folder_tasks:
            await asyncio.wait(self._folder_tasks)
        if not engine.folders:
            raise BadRequest("No folder of notes is open; open one in the editor first.")
        return engine

    async def call(self, order: Callable[[Engine], T]) -> T:
        """Return what `order` returns, run beside the loop: for what may take a while."""
        engine = await self.engine()
        return await self.pool.run(lambda _: order(engine))

    def tell(self, order: Order) -> None:
        """Let the session know something; before it is there, as soon as it is."""
        if self._engine is None:
            self._orders.append(order)
            return
        try:
            order(self._engine)
        except Exception as error:  # noqa: BLE001 - nobody waits for an answer
            log_failure("An order was dropped", error)

    def tell_beside(self, order: Order) -> None:
        """As `tell`, beside the loop, for what takes a while; later requests wait for it."""
        self._in_order(order)

    def tell_when_known(self, ask: Ask) -> None:
        """As `tell_beside`, once the client was asked."""
        self._after(ask)

    def open_folder(self, folder: Path) -> None:
        """Add a vault, beside the loop."""
        watch = not self.client.registers_watchers
        self._in_order(lambda engine: engine.open(folder, watch=watch))

    def close_folder(self, folder: Path) -> None:
        """Close a vault, beside the loop."""
        self.bars.forget(folder)
        self._in_order(lambda engine: engine.close_folder(folder))

    @property
    def folders(self) -> tuple[Path, ...]:
        """The vaults, also while the session is still being made."""
        return self.client.folders if self._engine is None else self._engine.folders

    def status(self) -> tuple[VaultStatus, ...]:
        """Return a snapshot, also while the session is still being made."""
        if self._engine is not None:
            return self._engine.status()
        return tuple(VaultStatus(folder) for folder in self.client.folders)

    async def close(self) -> None:
        """Stop all work and close the session; once."""
        self.protocol.cancel_requests()
        self.bars.close()
        if self.feed is not None:
            self.feed.close()
        if self._making is not None and self._engine is None:
            self._making.cancel()
        engine, self._engine = self._engine, None
        if engine is not None:
            await beside(engine.close)
        self.pool.close()

    def _in_order(self, order: Order) -> None:
        """Let folders come and go one after the other, in the order they were told."""

        async def known() -> Order:
            return order

        self._after(known)

    def _after(self, ask: Ask) -> None:
        task = asyncio.get_running_loop().create_task(self._after_others(ask))
        self._folder_tasks.add(task)
        task.add_done_callback(self._folder_tasks.discard)

    async def _after_others(self, ask: Ask) -> None:
        async with self._folder_lock:
            try:
                engine = await self.engine()
                if (order := await ask()) is not None:
                    await self.call(order)
                self._look_at_settings(engine)
            except NotekinError as error:
                self._warn([str(error)])

    async def _made(self) -> Engine:
        problems: list[str] = []
        try:
            configure = await self.ask_settings()
            engine = await self.pool.run(lambda _: self._open_all(configure, problems))
        except NotekinError as error:
            self.show(types.MessageType.Error, str(error))
            raise
        self._engine = engine
        orders, self._orders = self._orders, []
        for order in orders:
            self.tell(order)
        self._warn(problems)
        self._look_at_settings(engine)
        return engine

    def _open_all(self, configure: Order | None, problems: list[str]) -> Engine:
        """Make the session on a thread of the pool: what it imports takes its time."""
        engine = self._make_engine(self.client.options)
        if configure is not None:
            configure(engine)
        if self.feed is not None:
            engine.on_status(self.feed.changed)
        for folder in self.client.folders:
            try:
                engine.open(folder, watch=not self.client.registers_watchers)
            except NotekinError as error:
                problems.append(str(error))
        return engine

    def _cancel_folder(self, folder: Path) -> None:
        self._in_order(lambda engine: engine.cancel(folder))

    def _look_at(self, statuses: Sequence[VaultStatus]) -> None:
        self.bars.update(statuses)
        for status in statuses:
            self._warn(status.notices)
        if self._engine is not None:
            self._look_at_settings(self._engine)
            if self.client.reads_content and self.readables.are_due(statuses):
                self._compare_readables(self._engine)

    def _look_at_settings(self, engine: Engine) -> None:
        notices = frozenset(engine.notices)
        # A setting that was put right and is wrong again is told again.
        self._warned -= self._told_of_settings - notices
        self._told_of_settings = notices
        self._warn(engine.notices)
        self.symbols.update(wanted=engine.settings.workspace_symbols)

    def _compare_readables(self, engine: Engine) -> None:
        comparing = self.readables.compare(
            engine.text_of, lambda work: self.pool.run(lambda _: work())
        )
        task = asyncio.get_running_loop().create_task(comparing)
        self._comparing.add(task)
        task.add_done_callback(self._comparing.discard)

    def _refresh(self, uri: str) -> None:
        params = types.TextDocumentContentRefreshParams(uri)
        self.workspace_text_document_content_refresh(params)

    def _warn(self, sentences: Iterable[str]) -> None:
        """Show each sentence to the person once."""
        for sentence in sentences:
            if sentence not in self._warned:
                self._warned.add(sentence)
                self.show(types.MessageType.Warning, sentence)

    # --- the client ----------------------------------------------------------------------

    def show(self, kind: types.MessageType, sentence: str) -> None:
        """Show a sentence to the person."""
        self.window_show_message(types.ShowMessageParams(kind, sentence))

    @property
    def shows_progress(self) -> bool:
        return self.client.progress

    async def create_progress(self, token: str) -> None:
        params = types.WorkDoneProgressCreateParams(token)
        await self.protocol.send_request_async(types.WINDOW_WORK_DONE_PROGRESS_CREATE, params)

    def send_progress(self, token: str, value: Any) -> None:
        self.protocol.notify(types.PROGRESS, types.ProgressParams(token, value))

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log only: a popup helps nobody, and with the client gone it would call itself."""
        logger.error("%s: %s", getattr(source, "__name__", source), type(error).__name__)

    def _send_status(self, status: Any) -> None:
        self.protocol.notify("notekin/statusChanged", {"status": status})
