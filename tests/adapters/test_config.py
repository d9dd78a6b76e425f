"""Settings files: found where they belong, and told in a sentence when they are broken."""

import os
from pathlib import Path

import pytest

from notekin.adapters import config
from notekin.app.settings import Overlay


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NOTEKIN_CONFIG_DIR", str(tmp_path))
    return tmp_path


def told(overlay: Overlay) -> str:
    assert not overlay.values
    return " ".join(map(str, overlay.errors))


def test_missing_files_set_nothing(folder: Path) -> None:
    assert config.read_person() == config.read_vault(folder) == Overlay()


def test_the_person_may_set_everything(folder: Path) -> None:
    (folder / "config.toml").write_text('model = "m"\n[indexing]\nthreads = 2\n', "utf-8")
    assert config.read_person().values == {"model": "m", "indexing_threads": 2}


def test_a_vault_may_only_tune(tmp_path: Path) -> None:
    (tmp_path / "notekin.toml").write_text('model = "m"\nexclude = ["drafts/"]\n', "utf-8")
    overlay = config.read_vault(tmp_path)
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
    assert words in told(config.read_person())


def test_a_byte_order_mark_does_no_harm(folder: Path) -> None:
    (folder / "config.toml").write_bytes(b"\xef\xbb\xbfhover = false\n")
    assert config.read_person().values == {"hover": False}


def test_a_folder_in_its_place_is_told(folder: Path) -> None:
    (folder / "config.toml").mkdir()
    assert "no regular file" in told(config.read_person())


@pytest.mark.parametrize("make", [getattr(os, "mkfifo", None)])
def test_a_fifo_does_not_block(folder: Path, make: object) -> None:
    if callable(make):  # systems without FIFOs cannot block on one
        make(folder / "config.toml")
        assert "no regular file" in told(config.read_person())


def test_the_folders_can_be_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTEKIN_DATA_DIR", str(tmp_path / "data"))
    assert config.data_folder() == tmp_path / "data"
    monkeypatch.delenv("NOTEKIN_DATA_DIR")
    assert config.data_folder().name == "notekin"
    monkeypatch.delenv("NOTEKIN_CONFIG_DIR", raising=False)
    assert config.config_folder().name == "notekin"
