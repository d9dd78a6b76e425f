"""Notes prepared in helper processes never land on newer ones, and are never lost."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import frozen

from notekin.adapters.files import VaultFiles
from notekin.adapters.helper import make_preparer
from notekin.adapters.sqlite.database import SqliteIndex
from notekin.adapters.tokens import token_counter
from notekin.app.comparing import UnreadCounts
from notekin.app.inbox import Inbox
from notekin.app.keyring import Keyring
from notekin.app.pdf_desk import PdfDesk
from notekin.app.pdf_parts import PdfParts
from notekin.app.ports import IndexWriter, PdfOptions, StoredNote
from notekin.app.preparing_ahead import PreparingAhead
from notekin.app.syncing import NoteSync
from notekin.core.rope import Content
from support.fake_pdf import FakeExtractor, FakeShelf
from support.inline_workshop import InlineWorkshop

N_NOTES = 250
PREPARE = make_preparer(token_counter())


@frozen
class Bench:
    folder: Path
    index: SqliteIndex
    writer: IndexWriter
    sync: NoteSync
    workshop: InlineWorkshop

    def text_of(self, path: str) -> str:
        with self.index.read() as reader:
            return "".join(passage.text for passage in reader.passages_of(path))

    def stored(self) -> dict[str, StoredNote]:
        with self.index.read() as reader:
            return dict(reader.notes())

    def finish(self) -> None:
        while self.sync.intake.has_unread:
            self.sync.intake.read_some(0.0)
            self.workshop.work()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """A vault of 250 notes; some are stored, some batches of 32 are away, some wait."""
    folder = tmp_path / "vault"
    folder.mkdir()
    for number in range(N_NOTES):
        (folder / f"{number:03}.md").write_text(f"old words of note {number}")
    index = SqliteIndex(tmp_path / "index.sqlite3", folder)
    writer = index.writer()
    workshop = InlineWorkshop()
    ahead = PreparingAhead(lambda: workshop, n_worth_it=50)
    files = VaultFiles(folder)
    desk = PdfDesk(FakeExtractor())
    pdfs = PdfParts(desk, FakeShelf(), PdfOptions, Keyring()).of(files, index, PREPARE, Inbox())
    sync = NoteSync(files, index, writer, PREPARE, ahead, pdfs)
    sync.scan(lambda: None)
    sync.intake.read_some(0.0)
    workshop.work()
    sync.intake.read_some(0.0)
    sync.intake.read_some(0.0)
    yield Bench(folder, index, writer, sync, workshop)
    ahead.close()
    desk.close()
    writer.close()
    index.close()


def n_unread(bench: Bench) -> int:
    return bench.sync.intake.count_unread().n_new


def away(bench: Bench) -> str:
    """Return a note that a helper has."""
    return bench.workshop.waiting[0][0][0].path


def test_all_notes_arrive_and_the_helpers_end(bench: Bench) -> None:
    assert n_unread(bench) == N_NOTES - len(bench.stored())
    bench.finish()
    assert len(bench.stored()) == N_NOTES
    assert bench.sync.intake.count_unread() == UnreadCounts()
    assert bench.workshop.closed


def test_the_indexers_thread_reads_no_note_while_helpers_do(bench: Bench) -> None:
    bench.sync.ahead.close()
    bench.sync.scan(lambda: None)
    before = len(bench.stored())
    bench.sync.intake.read_some(0.0)
    assert bench.workshop.waiting
    assert len(bench.stored()) == before


def test_a_note_saved_while_it_is_away_keeps_the_saved_words(bench: Bench) -> None:
    path = away(bench)
    (bench.folder / path).write_text("new words")
    before = n_unread(bench)
    bench.sync.saved({path: Content.of("new words")})
    assert n_unread(bench) == before - 1
    bench.finish()
    assert bench.text_of(path) == "new words"


def test_a_note_changed_outside_while_it_is_away_keeps_the_new_words(bench: Bench) -> None:
    path = away(bench)
    (bench.folder / path).write_text("new words")
    bench.sync.look({path: False})
    bench.finish()
    assert bench.text_of(path) == "new words"


def test_a_note_deleted_while_it_is_away_stays_gone(bench: Bench) -> None:
    path = away(bench)
    (bench.folder / path).unlink()
    bench.sync.look({path: False})
    bench.finish()
    assert path not in bench.stored()
    assert len(bench.stored()) == N_NOTES - 1


def test_a_scan_meanwhile_counts_each_note_once(bench: Bench) -> None:
    bench.sync.scan(lambda: None)
    assert n_unread(bench) == N_NOTES - len(bench.stored())
    bench.finish()
    assert len(bench.stored()) == N_NOTES


def test_helpers_that_die_lose_nothing(bench: Bench) -> None:
    bench.workshop.crash()
    bench.finish()
    assert len(bench.stored()) == N_NOTES
    assert bench.workshop.closed


def test_a_note_that_cannot_be_parsed_stops_no_other(bench: Bench) -> None:
    batch, future = bench.workshop.waiting.pop(0)
    future.set_result(["it is beyond us", *(PREPARE(raw) for raw in batch[1:])])
    bench.finish()
    reasons = {path: note.reason for path, note in bench.stored().items() if note.reason}
    assert reasons == {batch[0].path: "it is beyond us"}
