"""What the tests of the use cases share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from notekin.adapters.files import VaultFiles
from notekin.app.ports import FileText
from support.vault import Scratch, scratch


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Scratch]:
    """An empty vault with an engine, not yet open."""
    with scratch(tmp_path) as made:
        yield made


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The notes whose files were read, in order."""
    paths: list[str] = []
    read = VaultFiles.read

    def noting(files: VaultFiles, path: str) -> FileText:
        paths.append(path)
        return read(files, path)

    monkeypatch.setattr(VaultFiles, "read", noting)
    return paths
