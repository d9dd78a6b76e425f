"""Another model at run time: words answer meanwhile, nothing of the two is ever mixed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from notekin.app.configuring import EditorSettings
from notekin.app.errors import ModelUnavailable
from notekin.app.overlays import Overlay
from notekin.app.ports import Embedder
from notekin.app.results import VaultStatus
from notekin.app.settings import Settings
from support.gate import Gate
from support.vault import CountingEmbedder, Scratch

N_NOTES = 12
KINDS: dict[str, dict[str, Any]] = {
    "same-dimension": {},
    "other-dimension": {"dim": 48},
    "smaller-window": {"window": 2},
}


class Shelf:
    """Models by their name, each made once; `gate` holds back every other than the first."""

    def __init__(self) -> None:
        self.gate = Gate()
        self.models = {"fake": CountingEmbedder()}
        self.missing: set[str] = set()

    def put(self, name: str, **given: Any) -> CountingEmbedder:
        made = CountingEmbedder(name=name, before=self.gate.pass_through, **given)
        return self.models.setdefault(name, made)

    def load(self, settings: Settings) -> Embedder:
        if settings.model in self.missing:
            raise ModelUnavailable(f"There is no model {settings.model}.")
        return self.models[settings.model]

    def n_embedded(self) -> dict[str, int]:
        return {name: len(model.documents) for name, model in self.models.items()}


@pytest.fixture
def shelf() -> Iterator[Shelf]:
    made = Shelf()
    yield made
    made.gate.open()


@pytest.fixture
def whole(vault: Scratch, shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> Scratch:
    """A vault that the first model has embedded."""

    def load(_: Scratch, settings: Settings) -> Embedder:
        return shelf.load(settings)

    monkeypatch.setattr(Scratch, "_loaded", load)
    for number in range(N_NOTES):
        vault.write(f"{number}.md", f"some words of the note number{number} in it", age=number)
    vault.model_patience = 3.0  # a search behind a gate waits this long in vain
    vault.open()
    return vault


def choose(vault: Scratch, model: str) -> None:
    vault.configure(EditorSettings(Overlay({"model": model})))


def rebuilt(vault: Scratch, n_passages: int) -> VaultStatus:
    """Wait until the new model has embedded so many passages."""
    return vault.until(
        lambda status: (
            bool(status.notices) and status.chunks.n_embedded in range(n_passages, N_NOTES)
        )
    )


def texts_of(vault: Scratch) -> object:
    """Return all that the index holds but its vectors, and the ids of its passages."""
    index = vault.index()
    try:
        with index.read() as reader:
            return {path: list(reader.passages_of(path)) for path in reader.notes()}
    finally:
        index.close()


@pytest.mark.parametrize("kind", KINDS)
def test_words_answer_until_the_last_vector_is_there(
    whole: Scratch, shelf: Shelf, kind: str
) -> None:
    other = shelf.put("other", **KINDS[kind])
    before = texts_of(whole)
    shelf.gate.let_pass(5)
    choose(whole, "other")
    status = rebuilt(whole, 5)
    assert (status.phase, status.reason) == ("embedding", "modelChanged")
    assert "from fake to other" in status.notices[0]
    result = whole.find("number3")
    assert result.verdict == "incomplete"
    assert (result.hits[0].path, result.hits[0].semantic) == ("3.md", None)
    assert whole.find("number3", mode="lexical").verdict == "found"
    shelf.gate.open()
    status = whole.idle()
    assert (status.reason, status.chunks.n_embedded, status.notices) == ("", N_NOTES, ())
    assert status.fingerprint == other.info.fingerprint
    assert texts_of(whole) == before
    assert shelf.n_embedded() == {"fake": N_NOTES, "other": N_NOTES}
    result = whole.find("number3")
    assert result.verdict == "found"
    assert result.hits[0].semantic is not None
    assert whole.doctor() == []


@pytest.mark.parametrize("kind", KINDS)
def test_going_back_before_the_end_embeds_nothing(whole: Scratch, shelf: Shelf, kind: str) -> None:
    shelf.put("other", **KINDS[kind])
    content = whole.content()
    shelf.gate.let_pass(5)
    choose(whole, "other")
    rebuilt(whole, 5)
    shelf.gate.wait_until_reached()
    choose(whole, "fake")  # while the other model is at a passage
    shelf.gate.open()
    assert whole.idle().reason == ""
    assert whole.find("number3").verdict == "found"
    assert shelf.n_embedded()["fake"] == N_NOTES
    assert whole.content() == content
    assert whole.doctor() == []


def test_another_file_under_the_same_name(whole: Scratch, shelf: Shelf) -> None:
    old = shelf.models["fake"]
    shelf.models["fake"] = CountingEmbedder()
    info = evolve(old.info, fingerprint="another file")
    shelf.models["fake"]._info = info  # pyright: ignore[reportPrivateUsage]
    whole.close()
    whole.begin()
    whole.session.warm()
    whole.until(lambda status: status.fingerprint == "another file" and status.phase == "idle")
    assert len(shelf.models["fake"].documents) == N_NOTES
    assert any("another file or pooling" in n for s in whole.statuses for n in s.notices)


def test_a_rebuild_goes_on_after_a_restart_and_a_pause(whole: Scratch, shelf: Shelf) -> None:
    other = shelf.put("other")
    shelf.gate.let_pass(4)
    choose(whole, "other")
    rebuilt(whole, 4)
    shelf.gate.wait_until_reached()
    whole.session.pause(None)
    shelf.gate.open()
    status = rebuilt(whole, 5)
    assert (status.phase, status.reason) == ("paused", "user")
    whole.close()
    n_before = len(other.documents)
    whole.open()
    assert whole.status.reason == "user"
    whole.session.resume(None)
    assert whole.idle().chunks.n_embedded == N_NOTES
    assert len(other.documents) - n_before == N_NOTES - 5
    assert whole.find("number3").verdict == "found"


def test_a_model_that_is_missing_leaves_the_old_vectors(whole: Scratch, shelf: Shelf) -> None:
    shelf.missing.add("gone")
    choose(whole, "gone")
    status = whole.until(lambda status: status.reason == "modelMissing")
    (notice,) = status.notices
    assert notice.startswith("There is no model gone. Search goes by words alone until then")
    assert "by the model fake is kept" in notice
    result = whole.find("number3")
    assert (result.verdict, result.hits[0].path) == ("incomplete", "3.md")
    choose(whole, "fake")
    whole.until(lambda status: not status.reason and status.phase == "idle")
    assert whole.find("number3").verdict == "found"
    assert shelf.n_embedded() == {"fake": N_NOTES}


def test_a_passage_that_the_new_model_refuses_is_named(whole: Scratch, shelf: Shelf) -> None:
    def refuse(text: str) -> None:
        if "number3 " in text:
            raise ValueError

    shelf.models["other"] = CountingEmbedder(name="other", before=refuse)
    choose(whole, "other")
    status = whole.until(lambda status: status.reason == "modelFailed" and not status.notices)
    assert [failure.path.name for failure in status.failures] == ["3.md"]
    assert status.chunks.n_pending == 1
    index = whole.index()
    with index.read() as reader:
        assert (reader.model(), reader.building()) == (shelf.models["other"].info, None)
    index.close()
    result = whole.find("number4")
    assert (result.verdict, result.hits[0].path) == ("incomplete", "4.md")
    assert result.hits[0].semantic is not None
    assert whole.words("number3") == ["3.md"]


def test_two_processes_with_different_models(tmp_path: Path) -> None:
    leader, follower = Scratch(tmp_path.resolve()), Scratch(tmp_path.resolve())
    follower.embedder = CountingEmbedder(name="other")
    leader.write("a.md", "wombat")
    leader.open()
    follower.open()
    try:
        status = follower.until(lambda status: bool(status.notices))
        assert "with the model fake, while this one is set to other" in status.notices[0]
        result = follower.find("wombat")
        assert (result.verdict, result.hits[0].semantic) == ("incomplete", None)
        assert leader.find("wombat").verdict == "found"
        leader.close()
        follower.until(lambda status: not status.following and status.phase == "idle")
        assert follower.find("wombat").verdict == "found"
        assert len(follower.embedder.documents) == 1
    finally:
        leader.close()
        follower.close()
