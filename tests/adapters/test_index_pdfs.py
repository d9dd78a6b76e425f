"""What an index holds of a PDF beside its passages: pages, the readable document, warnings."""

from pathlib import Path

from attrs import evolve

from notekin.adapters.sqlite.connect import connect_writer
from notekin.adapters.sqlite.database import SqliteIndex
from notekin.adapters.sqlite.store import SqliteWriter
from notekin.app.ports import NewNote
from notekin.core.pages import PageRange
from support.indexing import MODEL, embed_all, ids_of, note, stat
from support.old_schema import age

BOXES = ((7, (72.0, 80.5, 540.0, 92.25)), (8, (72.0, 70.0, 540.0, 100.0)))
PAGES = PageRange(7, 8, BOXES, ((0, 7), (1, 8)))


def pdf(path: str = "a.pdf", *texts: str, hash_: bytes = b"1" * 16) -> NewNote:
    """Return a PDF whose passages stand on pages 7 and 8."""
    plain = note(path, *(texts or ("rain", "snow")))
    passages = tuple(evolve(each, pages=PAGES) for each in plain.passages)
    return evolve(
        plain, kind="pdf", text_hash=hash_, passages=passages, readable="rain\n\nsnow \ud800\n"
    )


def test_pages_and_boxes_come_back(index: SqliteIndex, writer: SqliteWriter) -> None:
    writer.put([pdf(), note("b.md", "hail")])
    with index.read() as reader:
        assert [each.pages for each in reader.passages_of("a.pdf")] == [PAGES] * 2
        assert [each.pages for each in reader.passages_of("b.md")] == [None]


def test_other_pages_for_the_same_text_cost_no_vector(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    writer.set_model(MODEL)
    writer.put([pdf()])
    embed_all(writer)
    before = ids_of(index, "a.pdf")
    moved = evolve(pdf(), passages=tuple(evolve(e, pages=None) for e in pdf().passages))
    (counts,) = writer.put([moved])
    assert (counts.n_kept, counts.n_new) == (2, 0)
    assert ids_of(index, "a.pdf") == before
    with index.read() as reader:
        assert {each.pages for each in reader.passages_of("a.pdf")} == {None}


def test_the_readable_document_goes_with_its_pdf(index: SqliteIndex, writer: SqliteWriter) -> None:
    writer.put([pdf("a.pdf"), pdf("b.pdf"), pdf("c.pdf")])
    with index.read() as reader:
        assert reader.readable("a.pdf") == "rain\n\nsnow \ud800\n"
        assert reader.readable("none.pdf") is None
    writer.delete(["a.pdf"])
    writer.fail("b.pdf", "pdf", stat(), "it is damaged")
    with index.read() as reader:
        assert [reader.readable(f"{name}.pdf") is None for name in "abc"] == [True, True, False]
    assert index.check(repair=False) == []


def test_what_is_raw_waits_for_no_vector_until_it_is_all_there_is(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    writer.set_model(MODEL)
    writer.put([evolve(pdf(), stage="raw"), note("b.md", "hail")])
    assert [each.path for each in writer.pending([], 9)] == ["b.md"]
    assert [each.path for each in writer.pending(["a.pdf"], 9)] == ["b.md"]
    with index.read() as reader:
        stored = reader.note("a.pdf")
        assert stored is not None
        assert stored.stage == "raw"
    writer.keep_raw("a.pdf", ["The layout is damaged."])
    assert sorted(each.path for each in writer.pending([], 9)) == ["a.pdf", "a.pdf", "b.md"]
    with index.read() as reader:
        assert reader.warnings(9) == [("a.pdf", "The layout is damaged.")]
    assert index.check(repair=False) == []


def test_warnings_go_when_there_is_nothing_to_warn_of(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    writer.put([evolve(pdf(), warnings=("Page 2 is damaged.", "Page 3 too."))])
    with index.read() as reader:
        assert reader.warnings(9) == [("a.pdf", "Page 2 is damaged. Page 3 too.")]
    writer.put([pdf()])
    with index.read() as reader:
        assert reader.warnings(9) == []


def test_the_pdfs_that_are_there_are_known_by_their_hashes(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    writer.put([pdf("a.pdf"), pdf("b.pdf"), pdf("c.pdf", hash_=b"2" * 16), note("d.md", "hail")])
    writer.fail("e.pdf", "pdf", stat(), "it needs a password")
    with index.read() as reader:
        assert set(reader.pdfs()) == {b"1" * 16, b"2" * 16}


def test_a_readable_document_that_is_lost_is_found_by_the_doctor(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    writer.put([pdf()])
    writer.close()
    db = connect_writer(index.path)
    db.run("DELETE FROM readables")
    db.run(
        "INSERT INTO notes SELECT 99, x'7a', kind, 1, 1, 1, 0, x'', '', '[]', '[]', '', 0, "
        "'whole', '[]' FROM notes"
    )
    db.run("PRAGMA foreign_keys = OFF")
    db.run("INSERT INTO readables VALUES(77, x'00')")
    db.close()
    assert len(index.check(repair=False)) == 2
    assert all(each.repaired for each in index.check(repair=True))
    assert index.check(repair=False) == []


def test_an_index_of_a_schema_without_pdfs_gets_them(tmp_path: Path) -> None:
    path = tmp_path / "old"
    index = SqliteIndex(path, tmp_path)
    writer = index.writer()
    writer.set_model(MODEL)
    writer.put([note("a.md", "rain", "snow")])
    embed_all(writer)
    writer.put([note("b.md", "hail")])
    writer.close()
    index.close()
    age(path, 3)

    index = SqliteIndex(path, tmp_path)
    writer = index.writer()
    assert [each.path for each in writer.pending([], 9)] == ["b.md"]
    writer.put([pdf()])
    with index.read() as reader:
        assert [each.pages for each in reader.passages_of("a.md")] == [None, None]
        assert reader.readable("a.pdf") is not None
    writer.close()
    assert index.check(repair=False) == []
    index.close()


def test_pdfs_of_a_schema_without_starts_of_pages_are_looked_at_again(tmp_path: Path) -> None:
    path = tmp_path / "old"
    index = SqliteIndex(path, tmp_path)
    writer = index.writer()
    writer.set_model(MODEL)
    one_page = tuple(evolve(each, pages=PageRange(7, 7)) for each in pdf().passages)
    writer.put([pdf("a.pdf"), evolve(pdf("b.pdf", "fog"), passages=one_page), note("c.md", "hail")])
    embed_all(writer)
    writer.close()
    index.close()
    age(path, 5)

    index = SqliteIndex(path, tmp_path)
    writer = index.writer()
    with index.read() as reader:
        assert [n for n, each in reader.notes().items() if each.stage == "raw"] == ["a.pdf"]
        assert {each.pages for each in reader.passages_of("a.pdf")} == {PageRange(7, 8, BOXES)}
    assert index.check(repair=False) == []
    (counts,) = writer.put([pdf("a.pdf")])
    assert (counts.n_kept, counts.n_new) == (2, 0)
    assert not writer.pending([], 9)
    with index.read() as reader:
        assert {each.pages for each in reader.passages_of("a.pdf")} == {PAGES}
    writer.close()
    assert index.check(repair=False) == []
    index.close()


def test_the_settings_of_pdfs_are_kept_and_are_no_change_of_notes(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    with index.read() as reader:
        assert reader.pdf_settings() == ""
        revision = reader.revision()
    for settings in ("one", "two"):
        writer.keep_pdf_settings(settings)
        with index.read() as reader:
            assert reader.pdf_settings() == settings
            assert reader.revision() == revision
    assert index.check(repair=False) == []


def test_what_a_password_opens_is_told_from_other_failures(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    writer.put([evolve(pdf("a.pdf"), stage="raw")])
    writer.fail("b.pdf", "pdf", stat(), "it needs a password", "locked")
    writer.fail("c.pdf", "pdf", stat(), "it is damaged")
    with index.read() as reader:
        assert reader.locked() == ["b.pdf"]
        assert len(reader.failures(9)) == 2
    writer.fail("b.pdf", "pdf", stat(), "it is damaged")
    writer.fail("c.pdf", "pdf", stat(), "it needs a password", "locked")
    writer.put([pdf("c.pdf")])
    with index.read() as reader:
        assert reader.locked() == []
    assert index.check(repair=False) == []
