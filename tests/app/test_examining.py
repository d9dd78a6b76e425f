"""Doctor looks past the tables: at the model whose vectors an index should hold."""

from collections.abc import Iterator, Sequence

import pytest

from notekin.app.errors import ModelUnavailable
from notekin.app.examining import examine
from notekin.app.ports import Embedder, Finding
from support.fake_embedder import FakeEmbedder
from support.vault import Scratch

OTHER_NAME = (
    "The vectors are those of the model fake, but the setting notekin.model names other: all "
    "passages have to be embedded again."
)
OTHER_FILE = (
    "The vectors were made by another file or pooling of fake: all passages have to be embedded "
    "again."
)


@pytest.fixture
def whole(vault: Scratch) -> Iterator[Scratch]:
    """A vault that was embedded and is closed again."""
    for number in range(3):
        vault.write(f"{number}.md", f"note number{number}", age=number)
    vault.open()
    vault.idle()
    vault.close()
    yield vault
    assert vault.doctor() == []


def look(vault: Scratch, embedder: Embedder, *, repair: bool = False) -> Sequence[Finding]:
    index = vault.index()
    try:
        return examine(index, embedder.info.name, lambda: embedder, repair=repair)
    finally:
        index.close()


def test_vectors_of_the_model_are_in_order(whole: Scratch) -> None:
    assert look(whole, FakeEmbedder()) == []


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        (FakeEmbedder(name="other"), OTHER_NAME),
        (FakeEmbedder(dim=48), OTHER_FILE),
    ],
    ids=["name", "file"],
)
def test_vectors_of_another_model_are_named_and_changed(
    whole: Scratch, other: FakeEmbedder, sentence: str
) -> None:
    assert look(whole, other) == [Finding(sentence)]
    assert look(whole, other) == [Finding(sentence)]  # a look changes nothing
    assert look(whole, other, repair=True) == [Finding(sentence, repaired=True)]
    assert look(whole, other) == []
    index = whole.index()
    with index.read() as reader:
        assert reader.counts().n_passages_pending == 3
        assert reader.building() == other.info
    index.close()


def test_a_model_that_cannot_be_loaded_is_told_and_changes_nothing(whole: Scratch) -> None:
    def load() -> Embedder:
        raise ModelUnavailable("There is no model other.")

    index = whole.index()
    found = examine(index, "other", load, repair=True)
    assert found == [Finding("There is no model other.", mendable=False)]
    index.close()
    assert look(whole, FakeEmbedder()) == []


def test_an_index_without_vectors_needs_no_model(vault: Scratch) -> None:
    vault.open()
    vault.idle()
    vault.close()

    def load() -> Embedder:
        raise AssertionError

    index = vault.index()
    assert examine(index, "fake", load, repair=False) == []
    index.close()
