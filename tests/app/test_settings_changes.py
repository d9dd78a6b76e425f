"""Settings that change at run time: what each change does, from whatever source it comes."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

from notekin.app.configuring import EditorSettings
from notekin.app.overlays import Source, parse
from support.gate import Gate
from support.vault import CountingEmbedder, Scratch

EDITOR = Source("your editor's settings", prefix="notekin.")
FOLDER = Source("your editor's settings of a folder", "vault", prefix="notekin.")
CHANGES = Path(__file__).parents[1] / "cases" / "settings" / "changes.yaml"


def _cases() -> list[Any]:
    return [
        pytest.param(source, case, id=f"{source}: {case['about']}")
        for case in yaml.safe_load(CHANGES.read_text("utf-8"))
        for source in case["source"]
    ]


@pytest.mark.parametrize(("source", "case"), _cases())
def test_a_change_at_run_time(vault: Scratch, source: str, case: Any) -> None:
    for number, path in enumerate(("a.md", "drafts/b.md", "c.tex")):
        vault.write(path, f"wombat {number}", age=number)
    _set(vault, source, case["before"])
    vault.open()
    assert vault.session.notices == ()

    assert vault.n_embedded_by(lambda: _change(vault, source, case["after"])) == case["embeds"]
    assert sorted(vault.words("wombat")) == case["finds"]
    assert vault.find("wombat").verdict == "found"
    told = "\n".join(vault.session.notices)
    assert bool(told) == bool(case.get("tells"))
    assert all(words in told for words in case.get("tells", [])), told

    assert vault.n_embedded_by(lambda: _change(vault, source, case["before"])) == case["undone"]
    assert vault.session.notices == ()
    assert vault.doctor() == []


def test_a_broken_file_keeps_what_held_and_a_missing_one_does_not(vault: Scratch) -> None:
    for path in ("a.md", "drafts/b.md"):
        vault.write(path, f"wombat {path}")
    _set(vault, "vault", {"exclude": ["drafts/"]})
    vault.open()
    vault.write("notekin.toml", "exclude = [")
    vault.reconfigured("notekin.toml")
    assert vault.words("wombat") == ["a.md"]
    assert "no valid TOML" in vault.session.notices[0]
    vault.changed(vault.remove("notekin.toml").name)
    vault.reconfigured()
    vault.idle()
    assert sorted(vault.words("wombat")) == ["a.md", "drafts/b.md"]
    assert vault.session.notices == ()


def test_the_settings_of_a_vault_come_and_go_with_the_whole_of_it(vault: Scratch) -> None:
    vault.write("drafts/b.md", "wombat")
    vault.open()
    vault.write("notekin.toml", 'exclude = ["drafts/"]')
    vault.reconfigured("")  # as a sync client that reports the folder alone
    vault.idle()
    assert vault.words("wombat") == []


def test_the_persons_file_is_followed_from_before_its_folder_is_there(vault: Scratch) -> None:
    vault.write("drafts/b.md", "wombat")
    vault.open()
    vault.session.watch_settings(vault.home / "config")
    assert vault.words("wombat") == ["drafts/b.md"]
    (vault.home / "config.toml").write_text('exclude = ["drafts/"]', "utf-8")
    (vault.home / "config").mkdir()  # what changes in the folder has all settings read again
    vault.until(lambda status: status.notes.n_total == 0)


def test_a_vault_tunes_itself_alone(tmp_path: Path) -> None:
    one, other = Scratch(tmp_path.resolve()), tmp_path.resolve() / "other"
    one.write("a.md", "wombat a")
    one.write("notekin.toml", "hover = false")
    other.mkdir()
    one.open()
    one.session.open(other)
    try:
        assert not one.session.settings_at(one.folder / "a.md").hover
        assert one.session.settings_at(other / "b.md").hover
        assert one.session.settings_at(tmp_path / "elsewhere.md").hover
    finally:
        one.close()


def test_what_is_excluded_while_it_waits_is_never_opened(tmp_path: Path, reads: list[str]) -> None:
    gate = Gate()
    vault = Scratch(tmp_path.resolve(), embedder=CountingEmbedder(before=gate.pass_through))
    vault.folder.mkdir()
    vault.begin()
    vault.idle()
    vault.session.pause(None)
    for number in range(60):
        vault.write(f"drafts/{number}.md", f"wombat {number}")
    vault.write("a.md", "wombat")
    try:
        vault.changed("a.md", "drafts")  # more than are read at once: they wait
        vault.reconfigured()
        _set(vault, "editor", {"exclude": ["drafts/"]})
        gate.open()
        vault.session.resume(None)
        assert vault.idle().notes.n_total == 1
        assert not [path for path in reads if path.startswith("drafts/")]
    finally:
        vault.close()


@pytest.mark.parametrize("name", ["model", "deep/model", "~nobody/model", "\0"])
def test_a_model_that_came_with_a_vault_is_not_used(vault: Scratch, name: str) -> None:
    vault.write("a.md", "wombat")
    vault.open()
    inside = "model" in name and "~" not in name
    model = str(vault.folder / name) if inside else name
    _set(vault, "editor", {"model": model})
    told = " ".join(vault.session.notices)
    assert ("lies in the vault" in told) == inside
    assert (vault.session.settings.model == model) == ("~" in name)
    _set(vault, "person", {"model": str(vault.folder / "model")})
    _set(vault, "editor", {})
    assert vault.session.settings.model == str(vault.folder / "model"), "their own word"


def _change(vault: Scratch, source: str, values: Mapping[str, object]) -> None:
    _set(vault, source, values)
    vault.idle()


def _set(vault: Scratch, source: str, values: Mapping[str, object]) -> None:
    """Let a source set these values, and wait until they hold."""
    lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items())
    if source == "vault":
        vault.write("notekin.toml", lines)
        vault.reconfigured("notekin.toml")
    elif source == "person":
        (vault.home / "config.toml").write_text(lines, "utf-8")
        vault.reconfigured()
    else:
        by_folder = {vault.folder: parse(values, FOLDER)} if source == "folder" else {}
        everywhere = parse(values if source == "editor" else None, EDITOR)
        vault.configure(EditorSettings(everywhere, cast("Any", by_folder)))
