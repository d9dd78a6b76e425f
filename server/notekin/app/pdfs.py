"""The PDFs of one vault that are to be read: bare texts first, then layouts, one at a time.

Like the passages without a vector they are known by a query: what the index holds no layout of
is found again by the next comparison of the files, so that whatever was interrupted goes on.
Belongs to the indexer's thread, but for `halt`, `halt_texts`, `close` and what is called while a
PDF is read.
"""

import threading
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import CancelledError, wait
from functools import partial

from notekin.app.comparing import Unread, UnreadCounts
from notekin.app.errors import Cancelled, IndexUnusable
from notekin.app.halts import Halts
from notekin.app.inbox import Inbox
from notekin.app.pdf_desk import LANES, Lane, PdfDesk
from notekin.app.pdf_reading import Layout, PdfRead, PdfReader, bare_only
from notekin.app.pdf_running import PdfsLeft, Running, length_of, settled_in, shown
from notekin.app.ports import Index, IndexWriter, PdfShelf
from notekin.app.progress import Pace

# Whoever looks at the status sees a page more this often, in seconds.
_PAGE_SECONDS = 0.25
# What is being read is killed at a stop, so this is waited for only where that fails.
_CLOSE_SECONDS = 5.0


class Pdfs:
    """Queues PDFs, has them read beside the indexer's thread, and stores what comes back."""

    def __init__(
        self,
        index: Index,
        reader: PdfReader,
        shelf: PdfShelf,
        desk: PdfDesk,
        inbox: Inbox,
    ) -> None:
        self._index = index
        self._reader = reader
        self._shelf = shelf
        self._desk = desk
        self._inbox = inbox
        self._texts: dict[str, Unread] = {}
        self._layouts: dict[str, Layout] = {}
        self._running: dict[Lane, Running] = {}
        self._lock = threading.Lock()
        self._pace = Pace()
        self._told_at = 0.0
        self._untidy = True
        self._closed = False

    # --- called from any thread ----------------------------------------------------------

    def halt(self) -> None:
        """Stop reading layouts at once; those that were in work wait once more."""
        self._cancel("layout")

    def halt_texts(self) -> None:
        """Stop reading bare texts at once, too."""
        self._cancel("text")

    def close(self) -> None:
        """Stop for good, and wait until nothing works any more."""
        self._closed = True
        for lane in LANES:
            self._cancel(lane)
        futures = [each.future for each in self._snapshot() if each.future is not None]
        wait([future for future in futures if not future.cancel()], _CLOSE_SECONDS)

    # --- the indexer's thread ------------------------------------------------------------

    def begin(self) -> None:
        """Forget what was queued: another writer was opened, and all files are compared."""
        self.drop(self.waiting())
        self._untidy = True

    def waiting(self) -> set[str]:
        """Return the PDFs that are queued or being read."""
        running = {each.unread.found.path for each in self._snapshot() if not each.dropped}
        return {*self._texts, *self._layouts, *running}

    def enqueue(self, due: Sequence[Unread]) -> None:
        """Have PDFs read. One that is queued or in work as it is goes on."""
        new = {each.found.path: each for each in due if each.forced or not self._is_known(each)}
        if new:
            self.drop(new.keys())
            merged = {**self._texts, **new}
            self._texts = dict(
                sorted(merged.items(), key=lambda item: -item[1].found.stat.mtime_ns)
            )

    def drop(self, paths: Collection[str]) -> None:
        """Forget that PDFs, and all below them, are to be read; kill what reads them."""
        below = tuple(f"{path}/" for path in paths)
        gone = [p for p in self.waiting() if p in paths or p.startswith(below)]
        for path in gone:
            self._texts.pop(path, None)
            self._layouts.pop(path, None)
        for each in self._snapshot():
            if each.unread.found.path in gone:
                each.dropped = True
                each.token.cancel()
        # Whether or not it was queued, a PDF that went leaves files behind.
        self._untidy = True

    def count(self) -> PdfsLeft:
        """Tell what is still to be read."""
        reading, laying = self._wanted("text"), self._wanted("layout")
        texts = [*self._texts.values(), *([reading.unread] if reading else [])]
        n_pages = sum(map(length_of, self._layouts.values()))
        if laying is not None and laying.layout is not None:
            n_pages += max(1, length_of(laying.layout) - laying.n_done)
        return PdfsLeft(
            texts=UnreadCounts.of([each.before for each in texts]),
            n_layouts=len(self._layouts) + (laying is not None),
            current=shown(laying) or shown(reading),
            seconds=self._pace.seconds_for(n_pages),
        )

    def step(self, writer: IndexWriter, halts: Callable[[], Halts]) -> bool:
        """Store what was read, and have more read; return whether anything was stored."""
        self._count_pages()
        stored = [self._collect(lane, writer) for lane in LANES]
        for lane in LANES:
            if lane not in self._running and not _parks(halts(), lane):
                self._begin_next(lane)
                # Whoever parked meanwhile did not see it.
                if _parks(halts(), lane) or self._closed:
                    self._cancel(lane)
        return any(stored)

    def due_in(self) -> float | None:
        """Return in how many seconds there is something to begin with, None while there is not."""
        if "text" in self._running or not self._texts:
            return None
        return min(settled_in(each) for each in self._texts.values())

    def tidy(self) -> bool:
        """Remove what was kept of PDFs that are not in the vault any more; return whether there
        was anything to look for.
        """
        if not self._untidy or self.waiting():
            return False
        self._untidy = False
        with self._index.read() as reader:
            held = reader.pdfs()
        # Before all are compared once more, nobody knows which are still used.
        if b"" not in held:
            self._shelf.keep_only(held)
        return True

    def _wanted(self, lane: Lane) -> Running | None:
        """Return what is being read in a lane, None for what nobody wants any more."""
        running = self._running.get(lane)
        return None if running is None or running.dropped else running

    def _count_pages(self) -> None:
        """Note how fast layouts are read."""
        if (laying := self._wanted("layout")) is not None and laying.n_counted < laying.n_done:
            self._pace.tick(time.monotonic(), laying.n_done - laying.n_counted)
            laying.n_counted = laying.n_done

    def _is_known(self, unread: Unread) -> bool:
        """Return whether the same file is queued or being read already."""
        path, stat = unread.found.path, unread.found.stat
        queued = self._texts.get(path)
        laid = self._layouts.get(path)
        running = [each.unread for each in self._snapshot() if not each.dropped]
        known = [each for each in (queued, laid and laid.unread, *running) if each is not None]
        return any(each.found.path == path and each.found.stat == stat for each in known)

    def _begin_next(self, lane: Lane) -> None:
        running = self._next_text() if lane == "text" else self._next_layout()
        if running is None:
            return
        with self._lock:
            self._running[lane] = running
        running.future = self._desk.submit(lane, partial(self._read, running))
        running.future.add_done_callback(lambda _: self._inbox.wake())

    def _next_text(self) -> Running | None:
        for path, unread in self._texts.items():
            if settled_in(unread) <= 0:
                del self._texts[path]
                return Running(None, unread)
        return None

    def _next_layout(self) -> Running | None:
        """Return the shortest: no book keeps many papers waiting."""
        if not self._layouts:
            return None
        path = min(self._layouts, key=lambda path: length_of(self._layouts[path]))
        layout = self._layouts.pop(path)
        return Running(layout, layout.unread, n_pages=layout.n_pages)

    def _read(self, running: Running) -> PdfRead:
        """Run on a thread of the desk."""
        if running.layout is None:
            return self._reader.text(running.unread, running.token)
        on_page = partial(self._turned, running)
        return self._reader.layout(running.layout, running.token, on_page)

    def _turned(self, running: Running, n_done: int, n_pages: int) -> None:
        """Note, on a thread of the desk, how many pages are done."""
        running.n_done, running.n_pages = n_done, n_pages
        now = time.monotonic()
        if now - self._told_at >= _PAGE_SECONDS:
            self._told_at = now
            self._inbox.wake()

    def _collect(self, lane: Lane, writer: IndexWriter) -> bool:
        running = self._running.get(lane)
        if running is None or running.future is None or not running.future.done():
            return False
        with self._lock:
            del self._running[lane]
        if running.dropped:
            # It may have been kept in the moment in which it was dropped.
            self._untidy = True
            return False
        try:
            read = running.future.result()
        except (Cancelled, CancelledError):
            self._take_back(running)
            return False
        except IndexUnusable:
            raise
        except Exception as error:  # noqa: BLE001 - one PDF stops no other
            what = type(error).__name__
            read = PdfRead(failed=f"it could not be read ({what}); please report this PDF")
        self._store(running, read, writer)
        return True

    def _take_back(self, running: Running) -> None:
        path = running.unread.found.path
        if running.layout is None:
            self._texts.setdefault(path, running.unread)
        else:
            self._layouts.setdefault(path, running.layout)

    def _store(self, running: Running, read: PdfRead, writer: IndexWriter) -> None:
        found = running.unread.found
        is_gone = self._reader.files.find(found.path) is None
        if read.note is not None:
            writer.put([read.note])
        if read.touched is not None:
            writer.touch([read.touched])
        if read.failed and not is_gone:
            stage = "locked" if read.locked else "whole"
            writer.fail(found.path, found.kind, found.stat, read.failed, stage)
        if read.kept:
            writer.keep_raw(found.path, bare_only(read.kept))
        if read.layout is not None:
            self._layouts[found.path] = read.layout
        # It changed or went while it was read, and nobody may tell of that.
        if is_gone or read == PdfRead():
            self._inbox.look([found.path], forced=running.unread.forced)

    def _cancel(self, lane: Lane) -> None:
        with self._lock:
            running = self._running.get(lane)
        if running is not None:
            running.token.cancel()

    def _snapshot(self) -> Sequence[Running]:
        with self._lock:
            return list(self._running.values())


def _parks(halts: Halts, lane: Lane) -> bool:
    return halts.park_reading if lane == "text" else halts.park_backlog
