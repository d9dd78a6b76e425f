"""A model that cannot be loaded over an index that needs nothing more of it."""

from notekin.app.errors import ModelUnavailable
from notekin.app.ports import Embedder
from notekin.core.buffer import Buffer
from support.vault import Scratch


def test_a_whole_index_without_its_model_says_so(vault: Scratch) -> None:
    vault.write("a.md", "wombat")
    vault.open()
    vault.close()

    def load() -> Embedder:
        raise ModelUnavailable("There is no model psychic.")

    vault.load = load
    vault.open()
    vault.session.warm()
    status = vault.until(lambda status: bool(status.reason))
    assert (status.phase, status.reason) == ("idle", "modelMissing")
    assert status.failures[0].reason == "There is no model psychic."
    (notice,) = status.notices
    assert notice.startswith("There is no model psychic. Search goes by words alone until then")
    assert "by the model fake is kept" in notice
    assert vault.find("wombat").verdict == "incomplete"
    assert vault.find("wombat", mode="lexical").verdict == "found"


def test_where_there_are_no_notes_nobody_waits_for_a_model(vault: Scratch) -> None:
    def load() -> Embedder:
        raise ModelUnavailable("There is no model psychic.")

    vault.load = load
    vault.folder.mkdir(parents=True, exist_ok=True)
    vault.open()
    assert vault.find("wombat").verdict == "notFound"
    new = {vault.folder / "new.md": Buffer.opened("A wombat digs.", 1)}
    assert vault.related("new.md", new, offset=0).verdict == "notFound"
