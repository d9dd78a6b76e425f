"""Vaults come and go, lie in each other and hold the same: each note is found and embedded once."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import pytest
from attrs import define, field

from notekin.app.cancel import CancelToken
from notekin.app.requests import RelatedRequest, SearchRequest
from notekin.app.session import Session
from notekin.core.buffer import Buffer
from notekin.core.rope import Content
from support.gate import Gate
from support.vault import PATIENCE_SECONDS, CountingEmbedder, new_session

# As many as wait for the embedding thread at a time.
_N_BEFORE = 3
_NOTES = ("a.md", "sub/b.md", "inner/c.md", "inner/deep/d.md")


@define
class _Home:
    """A folder `outer` with notes, one of its folders to be a vault of its own."""

    home: Path
    embedder: CountingEmbedder = field(factory=CountingEmbedder)
    session: Session = field(init=False)

    def __attrs_post_init__(self) -> None:
        for path in _NOTES:
            file = self.outer / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"# Wombat\n\nwombat of {path}\n", "utf-8")
        self.restart()

    @property
    def outer(self) -> Path:
        return self.home / "outer"

    @property
    def inner(self) -> Path:
        return self.outer / "inner"

    def restart(self) -> None:
        self.session = new_session(self.home, lambda: self.embedder, PATIENCE_SECONDS)

    def open(self, *folders: Path) -> None:
        for folder in folders:
            self.session.open(folder)
        self.idle()

    def load(self) -> None:
        """Have the model loaded before anything needs it."""
        embeddings, loaded = self.session._parts.embeddings, Event()  # pyright: ignore[reportPrivateUsage]
        self.session.warm()
        embeddings.on_settled(loaded.set)
        assert loaded.wait(PATIENCE_SECONDS)

    def idle(self) -> None:
        assert self.session.wait("idle", PATIENCE_SECONDS, CancelToken()), self.session.status()

    def found(self, *folders: Path) -> list[tuple[str, str]]:
        """Return (vault, path) of all hits, by words."""
        request = SearchRequest("wombat", mode="lexical", folders=folders, limit=50)
        hits = self.session.search(self.session.ask(request, CancelToken()), {}).hits
        return sorted((hit.folder.name, hit.path) for hit in hits)

    def n_notes(self) -> dict[str, int]:
        return {each.folder.name: each.notes.n_total for each in self.session.status()}

    def n_embedded_by(self, work: Callable[[], object]) -> int:
        before = len(self.embedder.documents)
        work()
        return len(self.embedder.documents) - before


@pytest.fixture
def home(tmp_path: Path) -> Iterator[_Home]:
    made = _Home(tmp_path.resolve())
    yield made
    made.session.close()


_ALL = [("outer", path) for path in sorted(_NOTES)]
_APART = [("inner", "c.md"), ("inner", "deep/d.md"), ("outer", "a.md"), ("outer", "sub/b.md")]


def test_a_vault_added_in_another_one_takes_its_notes_with_their_vectors(home: _Home) -> None:
    home.open(home.outer)
    assert home.found() == _ALL
    assert home.n_embedded_by(lambda: home.open(home.inner)) == 0
    assert home.found() == _APART
    assert home.n_notes() == {"outer": 2, "inner": 2}
    assert [status.chunks.n_pending for status in home.session.status()] == [0, 0]


def test_a_vault_removed_from_another_one_gives_its_notes_back(home: _Home) -> None:
    home.open(home.outer, home.inner)

    def remove() -> None:
        home.session.close_folder(home.inner)
        home.idle()

    assert home.n_embedded_by(remove) == 0
    assert home.found() == _ALL
    assert home.n_notes() == {"outer": 4}


def test_a_vault_gives_its_notes_back_though_another_waits_that_it_never_had(home: _Home) -> None:
    """It was asked for vectors of that one, and had none; its file is as it was then."""
    home.open(home.outer, home.inner)
    home.session.close()
    gate = Gate()
    home.embedder = CountingEmbedder(before=gate.pass_through)
    home.restart()
    home.open(home.outer, home.inner)
    home.session.saved(home.outer / "a.md", Content.of("# Wombat\n\na new wombat\n"))
    gate.wait_until_reached()
    home.session.close_folder(home.inner)
    gate.open()
    home.idle()
    assert home.found() == _ALL
    assert len(home.embedder.documents) == 1


@pytest.mark.parametrize("inner_first", [True, False])
def test_vaults_in_each_other_embed_each_passage_once(home: _Home, *, inner_first: bool) -> None:
    folders = [home.inner, home.outer] if inner_first else [home.outer, home.inner]
    assert home.n_embedded_by(lambda: home.open(*folders)) == len(_NOTES)
    assert home.found() == _APART
    home.session.changed([home.inner / "c.md", home.outer / "inner", home.outer])
    home.idle()
    assert home.found() == _APART


def test_a_part_of_a_vault_that_is_closed_takes_its_vectors(home: _Home) -> None:
    home.open(home.outer)
    home.session.close_folder(home.outer)
    assert home.n_embedded_by(lambda: home.open(home.inner)) == 0
    assert home.found() == [("inner", "c.md"), ("inner", "deep/d.md")]
    home.session.close()
    home.restart()
    assert home.n_embedded_by(lambda: home.open(home.outer)) == 0


def test_a_copy_takes_the_vectors_of_what_it_was_copied_from(home: _Home) -> None:
    home.open(home.outer)
    copy = Path(shutil.copytree(home.outer, home.home / "copy"))
    assert home.n_embedded_by(lambda: home.open(copy)) == 0
    assert home.n_notes() == {"outer": 4, "copy": 4}
    home.session.saved(copy / "a.md", Content.of("# Wombat\n\na new wombat\n"))
    home.idle()
    assert home.embedder.documents[-1].endswith("a new wombat")


def test_vaults_that_hold_the_same_are_embedded_once_when_opened_together(home: _Home) -> None:
    gate = Gate()
    home.embedder = CountingEmbedder(before=gate.pass_through)
    copy = Path(shutil.copytree(home.outer, home.home / "copy"))
    home.session.open(home.outer)
    home.session.open(copy)
    gate.open()
    home.idle()
    assert len(home.embedder.documents) == len(_NOTES)


def test_a_part_opened_in_another_window_meanwhile_is_not_embedded_twice(home: _Home) -> None:
    # The newest come first: when these are at the model, all others are known to wait.
    newest = [f"new {number}.md" for number in range(_N_BEFORE)]
    for path in newest:
        (home.outer / path).write_text(f"# Wombat\n\nwombat of {path}\n", "utf-8")
    for age, path in enumerate([*_NOTES, *newest]):
        os.utime(home.outer / path, (age, age))
    gate = Gate()
    home.embedder = CountingEmbedder(before=gate.pass_through)
    home.load()
    home.session.open(home.outer)
    gate.wait_until_reached()
    other = CountingEmbedder()
    window = new_session(home.home, lambda: other, PATIENCE_SECONDS)
    window.open(home.inner)
    assert window.wait("idle", PATIENCE_SECONDS, CancelToken())
    window.close()
    gate.open()
    home.idle()
    assert len(other.documents) == 2
    assert len(home.embedder.documents) == _N_BEFORE + 2
    assert len(home.found()) == _N_BEFORE + len(_NOTES)


def test_vectors_of_another_model_are_not_lent(home: _Home) -> None:
    home.open(home.outer)
    home.session.close()
    home.embedder = CountingEmbedder(name="another")
    home.restart()
    assert home.n_embedded_by(lambda: home.open(home.inner)) == 2


def test_a_search_in_a_folder_asks_the_vaults_that_lie_in_it(home: _Home) -> None:
    home.open(home.outer, home.inner)
    assert home.found(home.outer) == _APART
    assert home.found(home.inner) == _APART[:2]
    assert home.found(home.inner / "deep") == [("inner", "deep/d.md")]


def test_a_folder_that_holds_a_vault_goes_and_comes_back(home: _Home) -> None:
    home.open(home.outer, home.inner / "deep")
    kept = home.home / "kept"
    home.inner.rename(kept)
    home.session.changed([home.inner])
    home.idle()
    assert ("outer", "inner/c.md") not in home.found()
    assert ("deep", "d.md") in home.found(), "a drive that is gone takes no note with it"
    kept.rename(home.inner)
    home.session.changed([home.inner])
    home.idle()
    assert len(home.found()) == 4


def test_the_same_folder_by_another_name_is_one_vault(home: _Home) -> None:
    link = home.home / "link"
    link.symlink_to(home.outer)
    home.open(home.outer, link, home.home / "outer" / ".." / "outer")
    assert home.session.folders == (home.outer,)
    assert home.found(link / "sub") == [("outer", "sub/b.md")]
    home.session.saved(link / "a.md", Content.of("# Wombat\n\nsaved by its other name\n"))
    home.idle()
    asked = home.session.ask(SearchRequest("saved", mode="lexical"), CancelToken())
    found = home.session.search(asked, {})
    assert [hit.path for hit in found.hits] == ["a.md"]
    assert home.session.related(RelatedRequest(link / "a.md"), {}, CancelToken()).hits
    home.session.close_folder(home.outer)
    assert len(home.session.folders) == 1
    home.idle()
    assert len(home.found()) == 4
    for folder in (link, home.home / "outer" / ".." / "outer"):
        home.session.close_folder(folder)
    assert home.session.folders == ()


def test_a_vault_in_one_with_another_name_is_found_by_that_name(home: _Home) -> None:
    link = home.home / "link"
    link.symlink_to(home.outer)
    home.open(home.outer, link, home.inner)
    assert home.found(link / "inner") == _APART[:2]
    assert home.found(link) == _APART
    text = "# Wombat\n\nsaved by its other name\n"
    home.session.saved(link / "inner/c.md", Content.of(text))
    home.idle()
    buffers = {link / "inner/c.md": Buffer.opened(f"\n{text}", 1)}
    request = SearchRequest("saved", mode="lexical")
    (hit,) = home.session.search(home.session.ask(request, CancelToken()), buffers).hits
    assert (hit.folder, hit.path, hit.start.line) == (home.inner, "c.md", 1)


def test_a_vault_added_and_removed_again_and_again_ends_as_it_was_left(home: _Home) -> None:
    gate = Gate()
    home.embedder = CountingEmbedder(before=gate.pass_through)
    home.session.open(home.outer)
    gate.wait_until_reached()
    for _ in range(3):
        home.session.open(home.inner)
        home.session.close_folder(home.inner)
        home.session.close_folder(home.outer)
        home.session.open(home.outer)
    home.session.open(home.inner)
    gate.open()
    home.idle()
    assert home.found() == _APART
    assert len(home.embedder.documents) <= len(_NOTES) + 1, "one was on its way when it closed"


def test_a_folder_that_is_not_there_yet_becomes_a_vault_when_it_comes(home: _Home) -> None:
    later = home.home / "later"
    home.session.open(later)
    home.session.open(home.outer)
    shutil.copytree(home.outer, home.home / "made")
    (home.home / "made").rename(later)
    home.session.changed([later])
    home.idle()
    assert ("later", "a.md") in home.found(later)
