"""A vault's folder that is empty all at once may be where a drive was: its index is kept."""

from pathlib import Path

import pytest

from notekin.app.results import VaultStatus
from support.vault import Scratch, scratch


@pytest.fixture
def emptied(vault: Scratch) -> Scratch:
    """A vault of two notes that are elsewhere now, while its folder is still there."""
    vault.write("a.md", "alpha")
    vault.write("sub/b.md", "bravo")
    vault.open()
    vault.folder.rename(vault.home / "elsewhere")
    vault.folder.mkdir()
    return vault


def _is_empty(status: VaultStatus) -> bool:
    return (status.phase, status.reason) == ("failed", "folderMissing")


def _bring_back(vault: Scratch) -> None:
    vault.folder.rmdir()
    (vault.home / "elsewhere").rename(vault.folder)


@pytest.mark.parametrize("restart", [True, False])
def test_an_empty_folder_loses_nothing(emptied: Scratch, *, restart: bool) -> None:
    if restart:
        emptied.close()
        emptied.begin()
    else:
        emptied.changed("")
    status = emptied.until(_is_empty)
    assert status.notes.n_indexed == 2
    assert "is empty" in status.failures[0].reason
    assert emptied.words("alpha bravo") == ["a.md", "sub/b.md"]
    assert emptied.find("alpha").verdict == "incomplete"
    _bring_back(emptied)
    status = emptied.until(lambda status: status.phase == "idle")
    assert (status.failures, status.notes.n_indexed) == ((), 2)
    assert len(emptied.embedder.documents) == 2


def test_a_forced_reindex_takes_an_empty_folder_at_its_word(emptied: Scratch) -> None:
    emptied.changed("")
    emptied.until(_is_empty)
    emptied.session.reindex([], force=True)
    status = emptied.idle()
    assert (status.phase, status.notes.n_total, status.failures) == ("idle", 0, ())
    assert emptied.words("alpha bravo") == []
    emptied.reopen()
    assert emptied.status.phase == "idle"


def test_a_forced_order_is_not_lost_while_an_empty_folder_is_looked_at(
    emptied: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    (vault,) = emptied.session._vaults  # pyright: ignore[reportPrivateUsage]
    files = vault.indexer._files  # pyright: ignore[reportPrivateUsage]

    def ordered_meanwhile() -> bool:
        monkeypatch.undo()
        vault.indexer._inbox.look([""], forced=True)  # pyright: ignore[reportPrivateUsage]
        return True

    monkeypatch.setattr(files, "is_empty", ordered_meanwhile)
    emptied.changed("")
    emptied.until(lambda status: (status.phase, status.notes.n_total) == ("idle", 0))


def test_the_last_note_goes_when_it_is_told_of(emptied: Scratch) -> None:
    emptied.changed("a.md")
    assert emptied.words("alpha bravo") == ["sub/b.md"]
    emptied.changed("sub")
    assert emptied.words("alpha bravo") == []
    assert emptied.idle().phase == "idle"


def test_many_notes_go_when_they_are_told_of(vault: Scratch) -> None:
    paths = [f"{number}.md" for number in range(600)]
    for path in paths:
        vault.write(path, "")
    vault.open()
    for path in paths:
        vault.remove(path)
    vault.changed(*paths)
    status = vault.idle()
    assert (status.phase, status.notes.n_total) == ("idle", 0)
    assert not any(map(_is_empty, vault.statuses))


def test_who_follows_loses_nothing_either(tmp_path: Path) -> None:
    with scratch(tmp_path) as first, scratch(tmp_path) as second:
        first.write("a.md", "alpha")
        first.open()
        first.folder.rename(first.home / "elsewhere")
        first.folder.mkdir()
        second.open()
        second.changed("")
        second.idle()
        assert first.words("alpha") == second.words("alpha") == ["a.md"]


def test_what_is_excluded_shows_that_the_folder_is_there(emptied: Scratch) -> None:
    emptied.write(".hidden/x", "")
    emptied.changed("")
    assert emptied.idle().notes.n_total == 0
