"""A note and a folder of the same name, one in the place of the other, told in one event."""

from support.vault import Scratch


def test_a_note_replaced_by_a_folder(vault: Scratch) -> None:
    vault.write("x.md", "quokka")
    vault.open()
    vault.remove("x.md")
    vault.write("x.md/y.md", "wombat")
    vault.changed("x.md")
    vault.idle()
    assert (vault.words("quokka"), vault.words("wombat")) == ([], ["x.md/y.md"])
    assert vault.status.notes.n_total == 1


def test_a_folder_replaced_by_a_note(vault: Scratch) -> None:
    vault.write("x.md/y.md", "wombat")
    vault.write("x.md/deep/z.md", "wombat")
    vault.open()
    vault.remove("x.md")
    vault.write("x.md", "quokka")
    vault.changed("x.md")
    vault.idle()
    assert (vault.words("quokka"), vault.words("wombat")) == (["x.md"], [])
    assert vault.status.notes.n_total == 1
    assert vault.doctor() == []
