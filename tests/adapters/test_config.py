"""Settings files: found where they belong, and told in a sentence when they are broken."""

import os
from pathlib import Path

import pytest

from notekin.adapters import config
from notekin.app.overlays import Overlay


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NOTEKIN_CONFIG_DIR", str(tmp_path))
    return tmp_path


def person(folder: Path) -> Overlay:
    assert config.SettingsFiles.usual() == config.SettingsFiles(folder / "config.toml")
    return config.SettingsFiles.usual().person()


def vault(root: Path) -> Overlay:
    return config.SettingsFiles(root / "none").vault(root)


def told(overlay: Overlay) -> str:
    assert not overlay.values
    return " ".join(map(str, overlay.errors))


def test_missing_files_set_nothing(folder: Path) -> None:
    assert person(folder) == vault(folder) == Overlay()
    (folder / "a.md").write_text("no folder", "utf-8")
    assert vault(folder / "a.md") == Overlay()


def test_the_person_may_set_everything(folder: Path) -> None:
    (folder / "config.toml").write_text('model = "m"\n[indexing]\nthreads = 2\n', "utf-8")
    assert person(folder).values == {"model": "m", "indexing_threads": 2}


def test_a_vault_may_only_tune(tmp_path: Path) -> None:
    (tmp_path / "notekin.toml").write_text('model = "m"\nexclude = ["drafts/"]\n', "utf-8")
    overlay = vault(tmp_path)
    assert overlay.values == {"exclude": ("drafts/",)}
    assert str(tmp_path / "notekin.toml") in str(overlay.errors[0])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"hover = true\nhover = \n", ", line 2: this is no valid TOML"),
        (b"hover = ", "no valid TOML"),
        (b'hover = true\nmodel = "', "no valid TOML"),
        (b'a = 1\nmodel = "\xff"\n', ", line 2: the file must be UTF-8"),
        (b"#" * 1_000_001, "larger than a megabyte"),
        (b"a = " + b"[" * 100_000, "no valid TOML"),
    ],
)
def test_a_broken_file_is_told_with_its_line(folder: Path, content: bytes, words: str) -> None:
    (folder / "config.toml").write_bytes(content)
    assert words in told(person(folder))


def test_a_byte_order_mark_does_no_harm(folder: Path) -> None:
    (folder / "config.toml").write_bytes(b"\xef\xbb\xbfhover = false\n")
    assert person(folder).values == {"hover": False}


def test_a_folder_in_its_place_is_told(folder: Path) -> None:
    (folder / "config.toml").mkdir()
    assert "no regular file" in told(person(folder))


@pytest.mark.parametrize("make", [getattr(os, "mkfifo", None)])
def test_a_fifo_does_not_block(folder: Path, make: object) -> None:
    if callable(make):  # systems without FIFOs cannot block on one
        make(folder / "config.toml")
        assert "no regular file" in told(person(folder))


@pytest.mark.parametrize("target", ["../outside.toml", "/etc/hostname", "/dev/zero"])
def test_a_link_out_of_the_vault_is_not_followed(tmp_path: Path, target: str) -> None:
    (tmp_path / "outside.toml").write_text("hover = false\n", "utf-8")
    root = tmp_path / "vault"
    root.mkdir()
    (root / "notekin.toml").symlink_to(target)
    assert "a link out of the vault" in told(vault(root))


def test_a_link_in_the_vault_and_one_that_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "notekin.toml").symlink_to("real.toml")
    assert vault(tmp_path) == Overlay()
    (tmp_path / "real.toml").write_text("hover = false\n", "utf-8")
    assert vault(tmp_path).values == {"hover": False}
    (tmp_path / "real.toml").unlink()
    (tmp_path / "real.toml").symlink_to("notekin.toml")
    assert "cannot be read" in told(vault(tmp_path))


def test_a_pipe_or_a_folder_in_the_place_of_a_vaults_settings(tmp_path: Path) -> None:
    (tmp_path / "notekin.toml").mkdir()
    assert "no regular file" in told(vault(tmp_path))
    (tmp_path / "notekin.toml").rmdir()
    os.mkfifo(tmp_path / "notekin.toml")
    assert "no regular file" in told(vault(tmp_path))


def test_the_folders_can_be_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTEKIN_DATA_DIR", str(tmp_path / "data"))
    assert config.data_folder() == tmp_path / "data"
    monkeypatch.delenv("NOTEKIN_DATA_DIR")
    assert config.data_folder().name == "notekin"
    monkeypatch.delenv("NOTEKIN_CONFIG_DIR", raising=False)
    assert config.config_folder().name == "notekin"
