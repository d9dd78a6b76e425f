"""A scratch vault with the whole engine over it: real files, real index, a small fake model."""

import os
import shutil
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import define, evolve, field, frozen

from notekin.adapters.config import SettingsFiles
from notekin.adapters.sqlite.connect import connect_reader
from notekin.adapters.sqlite.database import SqliteIndex
from notekin.app.cancel import CancelToken
from notekin.app.configuring import Configuration, EditorSettings
from notekin.app.overlays import Overlay
from notekin.app.ports import Embedder, Finding, Role
from notekin.app.requests import RelatedRequest, SearchRequest
from notekin.app.results import SearchResult, VaultStatus
from notekin.app.session import Session
from notekin.app.settings import Settings
from notekin.compose import IndexFiles, make_session
from notekin.core.buffer import Buffer
from notekin.core.rope import Content
from notekin.core.vectors import Vector
from support.fake_embedder import FakeEmbedder
from support.fake_pdf import FakeExtractor, FakeShelf
from support.fake_power import FakePower

# Only what hangs gets here.
PATIENCE_SECONDS = 20.0
# What no two processes of a test would write in the same two seconds.
LONG_AGO_NS = 1_600_000_000_000_000_000


class CountingEmbedder(FakeEmbedder):
    """Lists what was embedded of the notes in `documents`, apart from queries, which `before`
    does not see either.
    """

    def __init__(self, *, before: Callable[[str], None] | None = None, **given: Any) -> None:
        super().__init__(**given)
        self._before_document = before
        self.documents: list[str] = []

    def named(self, name: str) -> "CountingEmbedder":
        """Return another model; what it embeds is counted here too."""
        other = CountingEmbedder(name=name, before=self._before_document)
        other.documents = self.documents
        return other

    def embed(self, text: str, role: Role) -> Sequence[Vector]:
        if role == "document" and self._before_document is not None:
            self._before_document(text)
        vectors = super().embed(text, role)
        if role == "document":
            self.documents.append(text)
        return vectors


@define
class Scratch:
    """A vault below `home`, the index beside it. `load` makes the model; it may raise. A search
    waits `model_patience` seconds for it. With a `power` source, the battery is spared.
    """

    home: Path
    embedder: CountingEmbedder = field(factory=CountingEmbedder)
    load: Callable[[], Embedder] | None = None
    model_patience: float = PATIENCE_SECONDS
    power: FakePower | None = None
    editor: EditorSettings = field(factory=EditorSettings)
    extractor: FakeExtractor = field(factory=FakeExtractor)
    shelf: FakeShelf = field(factory=FakeShelf)
    statuses: list[VaultStatus] = field(factory=list[VaultStatus])
    _session: Session | None = None

    @property
    def folder(self) -> Path:
        return self.home / "vault"

    @property
    def index_file(self) -> Path:
        return IndexFiles(self.home / "data").of(self.folder)

    @property
    def session(self) -> Session:
        assert self._session is not None, "open() first"
        return self._session

    @property
    def status(self) -> VaultStatus:
        (status,) = self.session.status()
        return status

    # --- the files -----------------------------------------------------------------------

    def write(self, path: str, text: str | bytes, *, age: int | None = 0) -> Path:
        """Write a file `age` seconds after a time long ago; None leaves it the present time."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)
        if age is not None:
            moment = LONG_AGO_NS + age * 1_000_000_000
            os.utime(file, ns=(moment, moment))
        return file

    def remove(self, path: str) -> Path:
        """Delete a file, or a folder with all in it."""
        file = self.folder / path
        if file.is_dir():
            shutil.rmtree(file)
        else:
            file.unlink()
        return file

    # --- the session ---------------------------------------------------------------------

    def begin(self, *, watch: bool = False) -> None:
        """Open the vault and wait for nothing."""
        name = self.embedder.info.name
        self._session = session_of(
            self.home,
            name,
            self._loaded,
            self.model_patience,
            self.power,
            extractor=self.extractor,
            shelf=self.shelf,
        )
        self._session.on_status(self.statuses.extend)
        self._session.configure(self.editor)
        self._session.open(self.folder, watch=watch)

    def open(self, *, watch: bool = False) -> None:
        """Open the vault and wait until all is done."""
        self.begin(watch=watch)
        self.idle()

    def _loaded(self, settings: Settings) -> Embedder:
        """Return what `load` makes, else the embedder; for a model of another name, one that
        counts for it.
        """
        if self.load is not None:
            return self.load()
        name = settings.model
        return self.embedder if name == self.embedder.info.name else self.embedder.named(name)

    def close(self) -> None:
        if self._session is not None:
            self._session.close()
        self._session = None

    def reopen(self) -> None:
        """As another process would find things later."""
        self.close()
        self.open()

    def idle(self) -> VaultStatus:
        """Wait until all that was told is done; return the status."""
        assert self.session.wait("idle", PATIENCE_SECONDS, CancelToken()), self.status
        return self.status

    def until(self, wanted: Callable[[VaultStatus], bool]) -> VaultStatus:
        """Wait for a status like that; return it."""
        token = CancelToken()
        (vault,) = self.session._vaults  # pyright: ignore[reportPrivateUsage]
        inbox = vault.indexer._inbox  # pyright: ignore[reportPrivateUsage]
        seen: list[VaultStatus] = []

        def found() -> bool:
            seen.append(self.status)
            return wanted(seen[-1])

        with inbox._changed:  # pyright: ignore[reportPrivateUsage]
            assert inbox._changed.wait_for(  # pyright: ignore[reportPrivateUsage]
                found, PATIENCE_SECONDS
            ), self.status
        assert not token.cancelled
        return seen[-1]

    def save(self, path: str, text: str) -> None:
        """Save a document as an editor does."""
        self.session.saved(self.write(path, text, age=None), Content.of(text))

    def changed(self, *paths: str) -> None:
        self.session.changed([self.folder / path for path in paths])

    def configure(self, editor: EditorSettings) -> None:
        """Say what an editor would, now or when the vault is opened."""
        self.editor = editor
        if self._session is not None:
            self._session.configure(editor)

    def reconfigured(self, *paths: str) -> None:
        """Tell of files that changed, read all settings again, and wait until they hold."""
        if self._session is None:
            return
        self.changed(*paths)
        if not paths:
            self.session.reread_settings()
        self.session._rereading.submit(int).result(PATIENCE_SECONDS)  # pyright: ignore[reportPrivateUsage]

    def find(
        self,
        query: str,
        buffers: Mapping[Path, Buffer] | None = None,
        **given: Any,
    ) -> SearchResult:
        asked = self.session.ask(SearchRequest(query, **given), CancelToken())
        return self.session.search(asked, buffers or {})

    def words(self, query: str) -> list[str]:
        """Return the notes that hold any of the words, best first, each once."""
        return paths_of(self.find(query, mode="lexical", limit=100))

    def meaning(self, query: str) -> list[str]:
        """Return all notes by meaning, nearest first."""
        return paths_of(self.find(query, mode="semantic", limit=100))

    def related(
        self, path: str, buffers: Mapping[Path, Buffer] | None = None, **given: Any
    ) -> SearchResult:
        request = RelatedRequest(self.folder / path, **given)
        return self.session.related(request, buffers or {}, CancelToken())

    def n_embedded_by(self, work: Callable[[], object]) -> int:
        """Return how many passages are embedded until `work` is done."""
        before = len(self.embedder.documents)
        work()
        return len(self.embedder.documents) - before

    # --- the index -----------------------------------------------------------------------

    def index(self) -> SqliteIndex:
        """Return the index as another process would open it."""
        return SqliteIndex(self.index_file, self.folder)

    def doctor(self) -> Sequence[Finding]:
        index = self.index()
        try:
            return index.check(repair=False)
        finally:
            index.close()

    def content(self) -> Mapping[str, object]:
        """Return all that the index holds, by note, free of ids and times."""
        return content_of(self.index())

    def n_rows(self) -> Mapping[str, int]:
        """Return how many rows the tables of the index have that hold notes."""
        tables = ("notes", "chunks", "terms", "vectors", "tags", "links")
        database = connect_reader(self.index_file)
        try:
            return {each: database.value(f"SELECT count(*) FROM {each}") for each in tables}  # noqa: S608
        finally:
            database.close()


def new_session(
    home: Path, load: Callable[[], Embedder], patience: float, power: FakePower | None = None
) -> Session:
    """Return a session with its indexes below `home` and a model of our own. With a power source,
    it spares the battery.
    """
    name = FakeEmbedder().info.name
    return session_of(home, name, lambda _: load(), patience, power)


@frozen
class _FilesWithModel(SettingsFiles):
    """The settings files of a person who has another default model."""

    name: str

    def person(self) -> Overlay:
        set_there = super().person()
        return evolve(set_there, values={"model": self.name, **set_there.values})


def session_of(  # noqa: PLR0913 - the stand-ins of a session
    home: Path,
    name: str,
    load: Callable[[Settings], Embedder],
    patience: float,
    power: FakePower | None = None,
    *,
    extractor: FakeExtractor | None = None,
    shelf: FakeShelf | None = None,
) -> Session:
    """As `new_session`, with models by the settings, `name` where those name none; the person's
    are in `config.toml` there.
    """
    index_files = IndexFiles(home / "data")
    configuration = Configuration(_FilesWithModel(home / "config.toml", name))
    session = make_session(
        configuration,
        index_files,
        patience=patience,
        load=load,
        open_power=lambda: power or FakePower(),
        open_extractor=lambda: extractor or FakeExtractor(),
        open_shelf=lambda _: shelf or FakeShelf(),
    )
    if power is not None:
        session.use_power_rule("onPowerSource")
    return session


def paths_of(result: SearchResult) -> list[str]:
    return list(dict.fromkeys(hit.path for hit in result.hits))


def content_of(index: SqliteIndex) -> Mapping[str, object]:
    """Return what an index holds of each note: what it is, its passages, terms and vectors."""
    terms = _terms(index.path)
    try:
        with index.read() as reader:
            content: dict[str, object] = {}
            for path, note in reader.notes().items():
                passages = reader.passages_of(path)
                vectors = reader.vectors([passage.id for passage in passages])
                content[path] = (
                    (note.kind, note.reason, note.text_hash, note.title, note.tags, note.aliases),
                    tuple(reader.links_of(path)),
                    [
                        (
                            (each.ordinal, each.start_offset, each.end_offset, each.start),
                            (each.end, each.headings, each.text, each.hash),
                            terms.get(each.id),
                            [bytes(vector) for vector in vectors.get(each.id, ())],
                        )
                        for each in passages
                    ],
                )
            return content
    finally:
        index.close()


def _terms(path: Path) -> Mapping[int, Sequence[object]]:
    """Return the terms in the text index by passage, each with its column and place."""
    database = connect_reader(path)
    try:
        database.run("PRAGMA query_only = OFF")
        database.run("CREATE VIRTUAL TABLE temp.held USING fts5vocab(main, terms, instance)")
        held: dict[int, list[object]] = {}
        for term, passage, column, place in database.rows(
            "SELECT term, doc, col, offset FROM temp.held ORDER BY doc, col, offset"
        ):
            held.setdefault(passage, []).append((term, column, place))
        return held
    finally:
        database.close()


@contextmanager
def scratch(home: Path, **given: Any) -> Generator[Scratch]:
    """Yield a scratch vault, and close whatever was opened."""
    vault = Scratch(home.resolve(), **given)
    vault.folder.mkdir(parents=True, exist_ok=True)
    try:
        yield vault
    finally:
        vault.close()
