"""All vaults of one process behind one door."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from notekin.app.cancel import CancelToken
from notekin.app.errors import BadRequest, Cancelled
from notekin.app.requests import RelatedRequest, SearchRequest
from notekin.app.session import Session
from notekin.core.rope import Content
from support.fake_embedder import FakeEmbedder
from support.gate import Gate
from support.vault import PATIENCE_SECONDS, CountingEmbedder, Scratch, new_session


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Session]:
    """A session with two vaults, `one` and `one/inner`, and a third folder beside them."""
    home = tmp_path.resolve()
    for path in ("one/a.md", "one/sub/b.md", "one/inner/c.md", "other/d.md"):
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(f"wombat {path[-4]}", "utf-8")
    session = new_session(home, CountingEmbedder, PATIENCE_SECONDS)
    try:
        session.open(home / "one")
        session.open(home / "other")
        assert session.wait("idle", PATIENCE_SECONDS, CancelToken())
        yield session
    finally:
        session.close()


def _found(session: Session, *folders: Path) -> set[str]:
    request = SearchRequest("wombat", mode="lexical", folders=folders)
    result = session.search(session.ask(request, CancelToken()), {})
    return {f"{hit.folder.name}/{hit.path}" for hit in result.hits}


def test_a_search_asks_all_vaults_or_those_it_names(two: Session) -> None:
    one, other = two.folders
    everything = {"one/a.md", "one/sub/b.md", "one/inner/c.md", "other/d.md"}
    assert _found(two) == everything
    assert _found(two, one, other) == everything
    assert _found(two, other) == {"other/d.md"}
    assert _found(two, one / "sub") == {"one/sub/b.md"}
    assert _found(two, one / "sub", other) == {"one/sub/b.md", "other/d.md"}
    assert [status.folder for status in two.status()] == [one, other]


def test_a_closed_vault_is_no_longer_asked(two: Session) -> None:
    one, other = two.folders
    two.close_folder(one)
    two.close_folder(one)
    assert two.folders == (other,)
    assert _found(two) == {"other/d.md"}
    two.saved(one / "a.md", Content.of("ignored"))
    two.changed([one])
    two.open(one)
    assert two.wait("idle", PATIENCE_SECONDS, CancelToken())
    assert len(_found(two)) == 4


def test_what_cannot_be_asked_is_a_sentence(two: Session, tmp_path: Path) -> None:
    token = CancelToken()
    elsewhere = tmp_path / "elsewhere"
    for ask in (
        lambda: two.search(two.ask(SearchRequest("x", folders=(elsewhere,)), token), {}),
        lambda: two.reindex([elsewhere], force=False),
        lambda: two.cancel(elsewhere),
        lambda: two.resume(elsewhere),
        lambda: two.text_of(elsewhere / "a.md"),
        lambda: two.text_of(two.folders[0] / "gone.md"),
    ):
        with pytest.raises(BadRequest, match=r"\.$"):
            ask()


def test_without_a_vault_there_is_nothing_to_ask(tmp_path: Path) -> None:
    session = new_session(tmp_path, CountingEmbedder, PATIENCE_SECONDS)
    with pytest.raises(BadRequest, match="open one"):
        session.search(session.ask(SearchRequest("x"), CancelToken()), {})
    assert session.status() == ()
    session.close()


def test_a_cancelled_search_stops(vault: Scratch) -> None:
    gate = Gate()
    vault.embedder = CountingEmbedder(before=gate.pass_through)
    vault.write("a.md", "alpha")
    vault.begin()
    gate.wait_until_reached()
    token = CancelToken()
    vault.session.on_status(lambda _: None)
    token.cancel()
    with pytest.raises(Cancelled):
        vault.session.search(vault.session.ask(SearchRequest("alpha"), token), {})
    gate.open()


def test_the_model_reads_a_query_before_its_search_begins(two: Session) -> None:
    asked = two.ask(SearchRequest("what did I write about wombat"), CancelToken())
    assert asked.meaning is not None
    assert asked.meaning.result(PATIENCE_SECONDS).vectors == FakeEmbedder().embed("wombat", "query")
    assert two.search(asked, {}).hits
    assert two.ask(SearchRequest("wombat", mode="lexical"), CancelToken()).meaning is None


def test_a_watched_vault_follows_its_files_by_itself(vault: Scratch) -> None:
    vault.write("a.md", "alpha")
    vault.open(watch=True)
    for text in ("bravo", "charlie"):
        vault.write("sub/new.md", text, age=None)
        revision = vault.status.revision
        vault.until(lambda status, old=revision: status.revision > old and status.phase == "idle")
        assert vault.words(text) == ["sub/new.md"]
    vault.remove("sub")
    vault.until(lambda status: status.notes.n_total == 1)
    assert vault.words("alpha bravo charlie") == ["a.md"]


def test_a_wrong_setting_of_the_vault_is_a_notice(vault: Scratch) -> None:
    vault.write("notekin.toml", 'exclude = "not a list"\nunheard_of = 1\n')
    vault.write("a.md", "alpha")
    vault.open()
    assert len(vault.session.notices) == 2
    assert vault.words("alpha") == ["a.md"]


def test_a_passage_of_a_vault_in_another_one_is_found_once(two: Session) -> None:
    one, other = two.folders
    two.open(one / "inner")
    assert two.wait("idle", PATIENCE_SECONDS, CancelToken())
    request = SearchRequest("wombat", mode="lexical")
    result = two.search(two.ask(request, CancelToken()), {})
    files = sorted(hit.folder / hit.path for hit in result.hits)
    assert files == [one / "a.md", one / "inner/c.md", one / "sub/b.md", other / "d.md"]


@pytest.mark.parametrize("asking", ["a.md", "inner/c.md"])
def test_no_vault_relates_a_note_to_itself(two: Session, asking: str) -> None:
    one = two.folders[0]
    two.open(one / "inner")
    assert two.wait("idle", PATIENCE_SECONDS, CancelToken())
    result = two.related(RelatedRequest(one / asking), {}, CancelToken())
    assert one / asking not in [hit.folder / hit.path for hit in result.hits]
    assert result.hits


def test_a_note_moves_from_one_vault_to_another(two: Session) -> None:
    one, other = two.folders
    (one / "sub" / "b.md").rename(other / "b.md")
    two.changed([one / "sub" / "b.md", other / "b.md"])
    assert two.wait("idle", PATIENCE_SECONDS, CancelToken())
    assert _found(two) == {"one/a.md", "one/inner/c.md", "other/b.md", "other/d.md"}
