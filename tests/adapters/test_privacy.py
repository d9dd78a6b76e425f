"""Nothing leaves the machine, and nobody else on it reads along."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from notekin.app.settings import DEFAULT_MODEL
from support.vault import Scratch


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere such files lie in other places")
def test_no_library_reports_what_it_runs(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path\n"
        "from notekin.adapters.embedding import load_embedder\n"
        f"load_embedder({DEFAULT_MODEL!r}, cache=Path('cache')).embed('a note', 'query')"
    )
    moved = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / ".cache")}
    environment = {**os.environ, **moved}
    environment.pop("ORT_DISABLE_TELEMETRY", None)
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True)
    # onnxruntime writes a device id and a queue of events before it sends any.
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no modes of files")
def test_nobody_else_can_read_an_index(vault: Scratch) -> None:
    vault.write("a.md", "alpha")
    vault.open()
    folder = vault.index_file.parent
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o077 for file in folder.glob("*.sqlite3*")} == {0}
