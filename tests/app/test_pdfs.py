"""PDFs in a vault: found by words within seconds, then with their layout, each read once."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from notekin.app.cancel import CancelToken
from notekin.app.errors import BadRequest
from notekin.app.results import Hit
from support.fake_pdf import FakeExtractor, FakeShelf, pdf
from support.fake_power import FakePower
from support.old_schema import age
from support.vault import PATIENCE_SECONDS, Scratch, scratch

PAPER = pdf(["# Rain", "In May it rained."], ["## Results", "The gauge overflowed twice."])
SECRET = "open sesame"  # noqa: S105 - of a PDF that nobody has


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Scratch]:
    with scratch(tmp_path) as made:
        yield made


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Scratch]:
    """A vault in which no layout is read before it is released."""
    extractor = FakeExtractor(held=True)
    with scratch(tmp_path, extractor=extractor) as made:
        yield made
        extractor.release()


def hit(vault: Scratch, words: str) -> Hit:
    (first, *_) = vault.find(words, mode="lexical").hits
    return first


def words_known(vault: Scratch) -> None:
    assert vault.session.wait("words", PATIENCE_SECONDS, CancelToken())


# --- what is found -----------------------------------------------------------------------


def test_a_fact_is_found_with_its_page_and_headings(vault: Scratch) -> None:
    vault.write("papers/rain.pdf", PAPER)
    vault.open()

    found = hit(vault, "gauge overflowed")

    assert (found.path, found.kind, found.title) == ("papers/rain.pdf", "pdf", "Rain")
    assert found.headings == ("Rain", "Results")
    assert found.pages is not None
    assert (found.pages.first, found.pages.last) == (2, 2)
    assert vault.find("gauge overflowed").verdict == "found"


def test_a_passage_over_two_pages_is_found_with_the_page_that_was_asked_for(
    vault: Scratch,
) -> None:
    vault.write("rain.pdf", pdf("In May it rained.", "In June a gauge overflowed."))
    vault.open()

    of_may, of_june = hit(vault, "rained in May"), hit(vault, "a gauge in June")

    assert of_may.text == of_june.text
    assert (of_may.page, of_june.page) == (1, 2)
    assert of_june.pages is not None
    assert (of_june.pages.first, of_june.pages.last) == (1, 2)


def test_a_pdf_is_named_as_it_names_itself(vault: Scratch) -> None:
    vault.write("a.pdf", pdf("It snowed in June.", title="On Snow"))
    vault.write("b.pdf", pdf("It hailed in July."))
    vault.open()

    assert hit(vault, "snowed").title == "On Snow"
    assert hit(vault, "hailed").title == "b"


def test_passages_are_the_readable_documents_text(vault: Scratch) -> None:
    file = vault.write("rain.pdf", PAPER)
    vault.open()

    text = vault.session.text_of(file)

    assert text == "# Rain\n\nIn May it rained.\n\n## Results\n\nThe gauge overflowed twice.\n"
    found = hit(vault, "gauge overflowed")
    assert found.text in text
    assert text.splitlines()[found.start.line].startswith("## Results")


def test_only_pdfs_are_searched_when_only_they_are_asked_for(vault: Scratch) -> None:
    vault.write("rain.pdf", PAPER)
    vault.write("rain.md", "The gauge overflowed in the garden.")
    vault.open()

    assert {each.path for each in vault.find("gauge", kinds=("pdf",)).hits} == {"rain.pdf"}
    assert {each.path for each in vault.find("gauge").hits} == {"rain.pdf", "rain.md"}


def test_notes_and_pdfs_are_related_to_each_other(vault: Scratch) -> None:
    vault.write("rain.pdf", PAPER)
    vault.write("garden.md", "The gauge overflowed twice in the garden.")
    vault.open()

    assert {each.path for each in vault.related("garden.md").hits} == {"rain.pdf"}
    offset = vault.session.text_of(vault.folder / "rain.pdf").index("overflowed")
    assert {each.path for each in vault.related("rain.pdf", offset=offset).hits} == {"garden.md"}


# --- words first, then the layout ---------------------------------------------------------


def test_words_are_found_while_the_layout_is_still_to_come(held: Scratch) -> None:
    held.write("book.pdf", PAPER)
    held.begin()
    held.extractor.wait_until_reached("book.pdf")
    words_known(held)

    found = hit(held, "gauge overflowed")
    assert found.pages is not None
    assert found.pages.first == 2
    assert found.headings == ()
    assert held.find("gauge overflowed").verdict == "incomplete"
    assert held.find("gauge overflowed", mode="lexical").verdict == "found"
    status = held.until(lambda status: status.current.endswith("p. 1 of 2"))
    assert (status.phase, status.notes.n_pending) == ("indexing", 1)
    assert not held.embedder.documents

    held.extractor.release()
    held.idle()
    assert hit(held, "gauge overflowed").headings == ("Rain", "Results")
    assert all("Rain" in text for text in held.embedder.documents)


def test_a_note_that_is_saved_waits_for_no_layout(held: Scratch) -> None:
    held.write("book.pdf", PAPER)
    held.begin()
    held.extractor.wait_until_reached("book.pdf")

    held.save("note.md", "platypus")

    assert held.words("platypus") == ["note.md"]
    assert held.status.notes.n_pending == 1


def test_another_pdfs_words_wait_for_no_layout(held: Scratch) -> None:
    held.write("book.pdf", PAPER)
    held.begin()
    held.extractor.wait_until_reached("book.pdf")

    held.write("dropped.pdf", pdf("A heron landed."))
    held.changed("dropped.pdf")
    held.until(lambda status: status.notes.n_layouts == 2)

    assert hit(held, "heron").path == "dropped.pdf"


def test_the_shortest_is_laid_out_first(held: Scratch) -> None:
    held.write("held.pdf", pdf("one"))
    held.begin()
    held.extractor.wait_until_reached("held.pdf")
    held.write("book.pdf", pdf(*(f"page {n}" for n in range(9))))
    held.write("leaf.pdf", pdf("leaf"))
    held.changed("book.pdf", "leaf.pdf")
    held.until(lambda status: status.notes.n_layouts == 3)
    held.extractor.release()
    held.idle()

    assert held.extractor.layouts == ["held.pdf", "leaf.pdf", "book.pdf"]


# --- nothing twice ------------------------------------------------------------------------


def test_an_unchanged_pdf_is_neither_read_nor_embedded_again(vault: Scratch) -> None:
    file = vault.write("rain.pdf", PAPER)
    vault.open()
    extractor = vault.extractor

    def again() -> None:
        vault.session.reindex([vault.folder], force=False)
        vault.idle()
        vault.session.reindex([file], force=True)
        vault.idle()
        vault.reopen()

    assert vault.n_embedded_by(again) == 0
    assert (extractor.texts, extractor.layouts) == (["rain.pdf"], ["rain.pdf"])


def test_a_pdf_of_another_time_is_not_read_again(vault: Scratch) -> None:
    vault.write("rain.pdf", PAPER)
    vault.open()
    vault.write("rain.pdf", PAPER, age=7)

    vault.changed("rain.pdf")
    vault.idle()

    assert vault.extractor.texts == ["rain.pdf"]
    vault.reopen()
    assert vault.extractor.texts == ["rain.pdf"]


def test_a_copy_is_read_once_and_found_twice(vault: Scratch) -> None:
    vault.write("rain.pdf", PAPER)
    vault.write("copy/again.pdf", PAPER)
    vault.open()

    assert len(vault.extractor.layouts) == 1
    found = {each.path for each in vault.find("gauge overflowed").hits}
    assert found == {"rain.pdf", "copy/again.pdf"}
    n_texts = len(set(vault.embedder.documents))
    assert len(vault.embedder.documents) == n_texts


def test_an_index_that_does_not_know_where_pages_begin_learns_it_from_what_was_kept(
    vault: Scratch,
) -> None:
    vault.write("rain.pdf", pdf("In May it rained.", "In June a gauge overflowed."))
    vault.open()

    def again() -> None:
        vault.close()
        age(vault.index_file, 5)
        vault.open()

    assert vault.n_embedded_by(again) == 0
    assert (vault.extractor.texts, vault.extractor.layouts) == (["rain.pdf"], ["rain.pdf"])
    assert hit(vault, "a gauge in June").page == 2


def test_a_renamed_pdf_is_not_read_again(vault: Scratch) -> None:
    old = vault.write("rain.pdf", PAPER)
    vault.open()

    old.rename(vault.folder / "weather.pdf")
    assert (
        vault.n_embedded_by(lambda: (vault.changed("rain.pdf", "weather.pdf"), vault.idle())) == 0
    )

    assert vault.extractor.texts == ["rain.pdf"]
    assert hit(vault, "gauge overflowed").path == "weather.pdf"
    assert hit(vault, "weather").path == "weather.pdf"


def test_a_pdf_renamed_before_its_layout_is_there_still_gets_one(held: Scratch) -> None:
    old = held.write("rain.pdf", PAPER)
    held.begin()
    held.extractor.wait_until_reached("rain.pdf")
    words_known(held)
    old.rename(held.folder / "weather.pdf")
    held.changed("rain.pdf", "weather.pdf")
    held.extractor.release()
    held.idle()

    assert hit(held, "gauge overflowed").headings == ("Rain", "Results")
    assert hit(held, "gauge overflowed").path == "weather.pdf"


def test_what_was_interrupted_goes_on_where_it_was(held: Scratch) -> None:
    held.write("done.pdf", pdf("A heron landed.", title="Heron"))
    held.extractor.n_free = 1
    held.open()
    held.write("book.pdf", PAPER)
    held.changed("book.pdf")
    held.until(lambda status: status.notes.n_layouts == 1)
    held.close()

    held.extractor.release()
    held.open()

    assert sorted(held.extractor.texts) == ["book.pdf", "done.pdf"]
    assert held.extractor.layouts.count("done.pdf") == 1
    assert hit(held, "gauge overflowed").headings == ("Rain", "Results")


def test_what_was_read_of_a_pdf_goes_with_the_last_that_uses_it(vault: Scratch) -> None:
    vault.write("rain.pdf", PAPER)
    vault.write("copy.pdf", PAPER)
    vault.open()
    vault.remove("rain.pdf")
    vault.changed("rain.pdf")
    vault.idle()
    assert len(vault.shelf.contents) == 1

    vault.remove("copy.pdf")
    vault.changed("copy.pdf")
    vault.idle()

    vault.shelf.wait_for(0)
    assert vault.words("gauge") == []
    assert vault.n_rows()["chunks"] == 0


def test_a_pdf_of_which_only_the_readable_document_is_left_is_cut_from_it(
    vault: Scratch,
) -> None:
    vault.write("rain.pdf", PAPER)
    vault.open()
    vault.shelf.contents.clear()
    vault.write("copy.pdf", PAPER)
    vault.changed("copy.pdf")
    vault.idle()

    assert vault.extractor.layouts == ["rain.pdf"]
    of_copy = vault.find("gauge overflowed", kinds=("pdf",)).hits
    assert {each.path: each.pages is None for each in of_copy} == {
        "copy.pdf": True,
        "rain.pdf": False,
    }
    (warning,) = vault.status.warnings
    assert "pages" in warning.reason


# --- changes while it goes on -------------------------------------------------------------


def test_a_pdf_that_changes_is_read_anew(vault: Scratch) -> None:
    vault.write("rain.pdf", PAPER)
    vault.open()
    vault.write("rain.pdf", pdf("A heron landed."), age=5)
    vault.changed("rain.pdf")
    vault.idle()

    assert vault.words("gauge") == []
    assert vault.words("heron") == ["rain.pdf"]


def test_a_pdf_that_is_deleted_while_it_is_read_is_given_up_at_once(held: Scratch) -> None:
    held.write("book.pdf", PAPER)
    held.begin()
    held.extractor.wait_until_reached("book.pdf")
    held.remove("book.pdf")
    held.changed("book.pdf")
    held.until(lambda status: status.notes.n_total == 0)

    assert held.extractor.killed == ["book.pdf"]
    assert held.words("gauge") == []
    held.extractor.release()
    held.idle()
    assert held.status.notes.n_total == 0


def test_what_is_replaced_while_its_words_are_read_is_not_stored(held: Scratch) -> None:
    held.write("rain.pdf", PAPER)
    held.extractor.meanwhile["rain.pdf"] = lambda: held.write(
        "rain.pdf", pdf("A heron landed."), age=5
    )
    held.begin()
    held.extractor.wait_until_reached("rain.pdf")

    assert held.extractor.texts == ["rain.pdf", "rain.pdf"]
    assert held.words("gauge") == []
    assert held.words("heron") == ["rain.pdf"]


def test_what_is_kept_of_a_pdf_after_it_went_is_removed(tmp_path: Path) -> None:
    keeping, told = threading.Event(), threading.Event()

    def before_put() -> None:
        keeping.set()
        assert told.wait(PATIENCE_SECONDS)

    shelf = FakeShelf(before_put)
    with scratch(tmp_path, shelf=shelf) as vault:
        vault.write("rain.pdf", PAPER)
        vault.begin()
        assert keeping.wait(PATIENCE_SECONDS)
        n_before = shelf.n_tidied
        vault.remove("rain.pdf")
        vault.changed("rain.pdf")
        shelf.wait_until_tidied(n_before + 1)
        told.set()
        shelf.wait_until_tidied(n_before + 2)

        assert shelf.documents == {}


@pytest.mark.parametrize("told", [".", "book.pdf"])
def test_a_link_in_the_place_of_what_is_read_ends_the_reading(held: Scratch, told: str) -> None:
    file = held.write("book.pdf", PAPER)
    held.begin()
    held.extractor.wait_until_reached("book.pdf")
    outside = held.write("../outside.pdf", pdf("A heron landed."))
    file.unlink()
    file.symlink_to(outside)
    if told == ".":
        held.session.reindex([held.folder], force=False)
    else:
        held.changed(told)
    held.until(lambda status: status.notes.n_failed == 1)
    held.idle()

    assert held.extractor.killed == ["book.pdf"]
    assert held.words("gauge heron") == []
    assert held.doctor() == []


@pytest.mark.parametrize("change", ["deleted", "replaced"])
def test_what_went_before_its_layout_was_read_is_no_failure(held: Scratch, change: str) -> None:
    held.write("held.pdf", pdf("one"))
    held.begin()
    held.extractor.wait_until_reached("held.pdf")
    held.write("book.pdf", PAPER)
    held.changed("book.pdf")
    held.until(lambda status: status.notes.n_layouts == 2)
    # Nobody tells of it.
    if change == "deleted":
        held.remove("book.pdf")
    else:
        held.write("book.pdf", b"no JSON", age=5)
    held.extractor.release()
    held.idle()

    reasons = [] if change == "deleted" else ["It is no PDF, whatever its name says."]
    assert [each.reason for each in held.status.failures] == reasons
    assert held.words("gauge") == []
    assert held.status.notes.n_total == (1 if change == "deleted" else 2)


@pytest.mark.parametrize("order", ["pause", "cancel"])
def test_a_stop_kills_what_is_read_and_a_resume_reads_it(held: Scratch, order: str) -> None:
    held.write("book.pdf", PAPER)
    held.begin()
    held.extractor.wait_until_reached("book.pdf")

    getattr(held.session, order)(None)
    assert held.extractor.killed == ["book.pdf"]
    held.until(lambda status: status.phase == "paused")
    held.extractor.release()
    held.session.resume(None)
    held.idle()

    assert held.extractor.layouts == ["book.pdf", "book.pdf"]
    assert hit(held, "gauge overflowed").headings == ("Rain", "Results")


def test_a_close_kills_what_is_read(held: Scratch) -> None:
    held.write("book.pdf", PAPER)
    held.begin()
    held.extractor.wait_until_reached("book.pdf")
    held.close()

    assert held.extractor.killed == ["book.pdf"]
    assert held.extractor.closed


def test_on_battery_the_words_come_and_the_layouts_wait(tmp_path: Path) -> None:
    power = FakePower(on_battery=True)
    with scratch(tmp_path, power=power) as laptop:
        laptop.write("book.pdf", PAPER)
        laptop.begin()
        status = laptop.until(lambda status: status.reason == "onBattery")
        status = laptop.until(lambda status: status.notes.n_layouts == 1)
        assert (status.phase, laptop.extractor.layouts) == ("paused", [])
        assert laptop.words("gauge") == ["book.pdf"]
        power.plug()
        laptop.idle()
        assert hit(laptop, "gauge overflowed").headings == ("Rain", "Results")


def test_pulling_the_plug_stops_a_layout(tmp_path: Path) -> None:
    power, extractor = FakePower(), FakeExtractor(held=True)
    with scratch(tmp_path, power=power, extractor=extractor) as laptop:
        laptop.write("book.pdf", PAPER)
        laptop.begin()
        extractor.wait_until_reached("book.pdf")
        power.unplug()
        laptop.until(lambda status: (status.phase, status.reason) == ("paused", "onBattery"))
        assert extractor.killed == ["book.pdf"]
        extractor.release()
        power.plug()
        assert laptop.idle().notes.n_pending == 0


def test_what_is_excluded_is_never_opened(vault: Scratch) -> None:
    vault.write(".gitignore", "*.pdf\n!kept.pdf\n")
    left_out = vault.write("secret.pdf", PAPER)
    left_out.chmod(0)
    vault.write("kept.pdf", pdf("A heron landed."))
    vault.open()

    assert vault.extractor.texts == ["kept.pdf"]
    assert (vault.status.notes.n_total, vault.status.notes.n_failed) == (1, 0)


def test_a_pdf_that_the_rules_leave_out_while_it_is_read_is_given_up(held: Scratch) -> None:
    held.write("book.pdf", PAPER)
    held.begin()
    held.extractor.wait_until_reached("book.pdf")
    held.write(".notekinignore", "book.pdf\n")
    held.changed(".notekinignore")
    held.until(lambda status: status.notes.n_total == 0)

    assert held.extractor.killed == ["book.pdf"]
    assert held.words("gauge") == []


# --- trouble, said plainly ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (pdf("x", password=SECRET), "It needs a password."),
        (pdf("x", scanned=True), "It is scanned: it has no text layer."),
        (pdf("x", trouble=("empty", "It is empty.")), "It is empty."),
        (b"no JSON", "It is no PDF, whatever its name says."),
    ],
)
def test_what_cannot_be_read_says_why(vault: Scratch, content: bytes, reason: str) -> None:
    file = vault.write("odd.pdf", content)
    vault.write("good.pdf", PAPER)
    vault.open()

    status = vault.status
    assert [(each.path, each.reason) for each in status.failures] == [(file, reason)]
    assert (status.notes.n_indexed, status.notes.n_failed) == (1, 1)
    with pytest.raises(BadRequest, match=r"odd\.pdf cannot be read"):
        vault.session.text_of(file)
    n_tried = len(vault.extractor.texts) + len(vault.extractor.layouts)
    vault.reopen()
    assert len(vault.extractor.texts) + len(vault.extractor.layouts) == n_tried


def test_a_password_of_the_persons_own_opens_it(vault: Scratch) -> None:
    vault.write("locked.pdf", pdf("A heron landed.", password=SECRET))
    vault.open()
    (vault.home / "config.toml").write_text('pdf.passwords = ["guess", "open sesame"]')
    vault.reconfigured()
    vault.idle()

    assert vault.words("heron") == ["locked.pdf"]
    assert vault.status.failures == ()


def test_a_password_that_is_given_opens_all_that_it_fits(vault: Scratch) -> None:
    locked = vault.write("locked.pdf", pdf("A heron landed.", password=SECRET))
    vault.write("other.pdf", pdf("A kestrel hovered.", password=SECRET))
    torn = vault.write("torn.pdf", pdf("x", trouble=("empty", "It is empty.")))
    vault.open()
    assert {each.path.name: each.locked for each in vault.status.failures} == {
        "locked.pdf": True,
        "other.pdf": True,
        "torn.pdf": False,
    }
    unlock = vault.session.unlock

    assert not unlock(["guess"], locked, CancelToken())
    vault.idle()
    assert vault.status.notes.n_failed == 3
    assert unlock(["guess", SECRET], locked, CancelToken())
    vault.idle()

    assert set(vault.words("heron kestrel")) == {"locked.pdf", "other.pdf"}
    assert [each.path for each in vault.status.failures] == [torn]
    n_read = len(vault.extractor.texts)
    assert unlock([SECRET], None, CancelToken())
    vault.idle()
    assert len(vault.extractor.texts) == n_read


def test_a_password_that_is_given_is_forgotten_with_the_process(vault: Scratch) -> None:
    vault.write("locked.pdf", pdf("A heron landed.", password=SECRET))
    vault.open()
    assert vault.session.unlock([SECRET], None, CancelToken())
    vault.idle()
    n_read = len(vault.extractor.texts)
    vault.reopen()
    assert vault.words("heron") == ["locked.pdf"]
    assert len(vault.extractor.texts) == n_read

    vault.write("new.pdf", pdf("A kestrel hovered.", password=SECRET))
    vault.changed("new.pdf")
    vault.idle()
    assert vault.words("kestrel") == []
    vault.close()
    for file in vault.index_file.parent.iterdir():
        assert SECRET.encode() not in file.read_bytes()


def test_a_password_can_be_given_before_the_index_is_open(vault: Scratch) -> None:
    vault.write("locked.pdf", pdf("A heron landed.", password=SECRET))
    vault.open()
    vault.close()
    vault.begin()
    assert vault.session.unlock([SECRET], None, CancelToken())
    vault.idle()

    assert vault.words("heron") == ["locked.pdf"]


def test_only_a_pdf_of_ours_can_be_unlocked_and_not_with_any_number_of_passwords(
    vault: Scratch,
) -> None:
    vault.write("odd.pdf", b"no JSON")
    vault.open()
    unlock = vault.session.unlock

    with pytest.raises(BadRequest, match="not a note"):
        unlock([SECRET], vault.home / "elsewhere.pdf", CancelToken())
    with pytest.raises(BadRequest, match="more than 100"):
        unlock([SECRET] * 101, None, CancelToken())
    assert unlock([SECRET], vault.folder / "odd.pdf", CancelToken())


@pytest.mark.parametrize(
    ("content", "settings"),
    [
        (pdf("A heron landed.", password=SECRET), 'pdf.passwords = ["open sesame"]'),
        (pdf("A heron landed.", scanned=True), "pdf.ocr = true"),
    ],
)
def test_a_setting_that_changed_while_nothing_ran_is_noticed(
    vault: Scratch, content: bytes, settings: str
) -> None:
    vault.write("closed.pdf", content)
    vault.write("open.pdf", PAPER)
    vault.open()
    vault.close()
    (vault.home / "config.toml").write_text(settings)
    vault.open()

    assert vault.words("heron") == ["closed.pdf"]
    assert vault.status.failures == ()
    assert vault.extractor.texts.count("open.pdf") == 1


def test_what_no_setting_changed_for_is_not_read_again(vault: Scratch) -> None:
    vault.write("torn.pdf", pdf("A heron landed.", warnings=["Page 2 is damaged."]))
    vault.write("scan.pdf", pdf("x", scanned=True))
    for settings in ('pdf.passwords = ["guess"]', 'pdf.passwords = ["guess"]\n'):
        (vault.home / "config.toml").write_text(settings)
        vault.reopen()
    n_read = len(vault.extractor.texts), len(vault.extractor.layouts)
    vault.reopen()

    assert (len(vault.extractor.texts), len(vault.extractor.layouts)) == n_read == (2, 2)


def test_what_was_read_by_ocr_stays_where_a_process_knows_nothing_of_that_setting(
    vault: Scratch,
) -> None:
    vault.write("scan.pdf", pdf("A heron landed.", scanned=True))
    settings = vault.home / "config.toml"
    settings.write_text("pdf.ocr = true")
    vault.open()
    vault.close()
    settings.unlink()
    vault.open()
    assert vault.words("heron") == ["scan.pdf"]
    vault.close()
    settings.write_text("pdf.ocr = true")
    vault.open()

    assert vault.words("heron") == ["scan.pdf"]
    assert vault.extractor.layouts == ["scan.pdf"]


def test_a_crash_amid_the_second_reading_loses_none_of_it(held: Scratch) -> None:
    held.extractor.release()
    for name in ("a.pdf", "b.pdf"):
        held.write(name, pdf("A heron landed.", name, warnings=["Page 2 was left out."]))
    held.open()
    held.close()
    held.extractor.held = True
    (held.home / "config.toml").write_text("pdf.pageSeconds = 60")
    held.begin()
    held.until(lambda status: status.notes.n_layouts == 2)
    held.close()
    held.extractor.release()
    held.open()

    # Two, one that was in work when it crashed, and both once more, none from the shelf.
    assert len(held.extractor.layouts) == 5


def test_a_setting_that_changed_while_it_ran_is_no_news_at_the_next_start(vault: Scratch) -> None:
    vault.write("scan.pdf", pdf("x", scanned=True))
    vault.open()
    (vault.home / "config.toml").write_text('pdf.passwords = ["guess"]')
    vault.reconfigured()
    vault.idle()
    n_read = len(vault.extractor.layouts)
    assert n_read == 2
    vault.reopen()

    assert len(vault.extractor.layouts) == n_read


def test_passwords_are_nowhere_in_the_index(vault: Scratch) -> None:
    vault.write("locked.pdf", pdf("A heron landed.", password=SECRET))
    (vault.home / "config.toml").write_text('pdf.passwords = ["open sesame"]')
    vault.open()
    assert vault.words("heron") == ["locked.pdf"]
    vault.close()

    for file in vault.index_file.parent.iterdir():
        assert SECRET.encode() not in file.read_bytes()


def test_ocr_is_read_only_when_the_person_wants_it_and_is_marked(vault: Scratch) -> None:
    vault.write("scan.pdf", pdf("A heron landed.", scanned=True))
    vault.open()
    assert vault.words("heron") == []
    (vault.home / "config.toml").write_text("pdf.ocr = true")
    vault.reconfigured()
    vault.idle()

    assert vault.words("heron") == ["scan.pdf"]
    (warning,) = vault.status.warnings
    assert "OCR" in warning.reason


def test_what_ocr_read_is_no_text_of_a_copy_when_the_person_wants_none(vault: Scratch) -> None:
    vault.write("scan.pdf", pdf("A heron landed.", scanned=True))
    (vault.home / "config.toml").write_text("pdf.ocr = true")
    vault.open()
    vault.close()
    (vault.home / "config.toml").write_text("pdf.ocr = false")
    vault.write("copy.pdf", pdf("A heron landed.", scanned=True))
    vault.open()

    assert vault.words("heron") == ["scan.pdf"]
    (failure,) = vault.status.failures
    assert (failure.path.name, failure.reason) == (
        "copy.pdf",
        "It is scanned: it has no text layer.",
    )


def test_what_is_damaged_is_found_as_far_as_it_goes_with_a_warning(vault: Scratch) -> None:
    file = vault.write("torn.pdf", pdf("A heron landed.", warnings=["Page 2 is damaged."]))
    vault.open()

    assert vault.words("heron") == ["torn.pdf"]
    assert [(each.path, each.reason) for each in vault.status.warnings] == [
        (file, "Page 2 is damaged.")
    ]
    vault.reopen()
    assert len(vault.status.warnings) == 1


def test_of_a_layout_that_cannot_be_read_the_bare_text_stays(vault: Scratch) -> None:
    trouble = ("timeLimit", "A page took too long.")
    vault.write("slow.pdf", pdf("A heron landed.", layout_trouble=trouble))
    vault.open()

    assert vault.find("heron").verdict == "found"
    (warning,) = vault.status.warnings
    assert "A page took too long." in warning.reason
    vault.reopen()
    assert len(vault.extractor.layouts) == 1


def test_a_readable_document_that_is_not_there_yet_is_a_clear_error(held: Scratch) -> None:
    held.write("note.md", "x")
    held.open()
    file = held.write("late.pdf", PAPER, age=None)  # just written: it is left alone for a moment
    held.changed("late.pdf")
    held.until(lambda status: status.notes.n_pending == 1)
    with pytest.raises(BadRequest, match="was not read yet"):
        held.session.text_of(file)
    with pytest.raises(BadRequest, match="not a note"):
        held.session.text_of(held.folder / "none.pdf")
    held.extractor.release()


def test_the_tables_agree_after_all_of_it(vault: Scratch) -> None:
    vault.write("rain.pdf", PAPER)
    vault.write("torn.pdf", pdf("A heron landed.", warnings=["Page 2 is damaged."]))
    vault.write("odd.pdf", b"no JSON")
    vault.open()
    vault.write("rain.pdf", pdf("Another text."), age=3)
    vault.changed("rain.pdf")
    vault.idle()

    assert vault.doctor() == []


def test_a_shelf_outlives_an_index_that_is_lost(vault: Scratch) -> None:
    vault.write("rain.pdf", PAPER)
    vault.open()
    vault.close()
    for file in vault.index_file.parent.glob(f"{vault.index_file.name}*"):
        file.unlink()
    vault.open()

    assert vault.extractor.layouts == ["rain.pdf"]
    assert isinstance(vault.shelf, FakeShelf)
    assert hit(vault, "gauge overflowed").headings == ("Rain", "Results")
