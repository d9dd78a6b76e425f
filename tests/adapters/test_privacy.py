"""Nothing leaves the machine, and nobody else on it reads along."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from notekin.app.settings import DEFAULT_MODEL
from support import pdf_files
from support.vault import Scratch

EMBEDDING = (
    "from pathlib import Path\n"
    "from notekin.adapters.embedding import load_embedder\n"
    f"load_embedder({DEFAULT_MODEL!r}, cache=Path('cache')).embed('a note', 'query')"
)
PDF = (
    "import sys\n"
    "from pathlib import Path\n"
    "from notekin.adapters.pdf import PdfProcesses\n"
    "from notekin.app.cancel import CancelToken\n"
    "from notekin.app.ports import PdfOptions\n"
    "pdfs, asked = PdfProcesses(), (Path(sys.argv[1]), PdfOptions(), CancelToken())\n"
    "pdfs.read_text(*asked)\n"
    "pdfs.extract(*asked, lambda _done, _all: None)\n"
    "pdfs.close()"
)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere such files lie in other places")
@pytest.mark.parametrize("code", [EMBEDDING, PDF])
def test_no_library_reports_what_it_runs(code: str, tmp_path: Path) -> None:
    file, home = tmp_path / "a.pdf", tmp_path / "home"
    file.write_bytes(pdf_files.plain())
    home.mkdir()
    moved = {name: str(home) for name in ("HOME", "XDG_CACHE_HOME", "TMPDIR")}
    environment = {**os.environ, **moved}
    environment.pop("ORT_DISABLE_TELEMETRY", None)
    command = [sys.executable, "-c", code, str(file)]
    subprocess.run(command, cwd=home, env=environment, check=True)
    # onnxruntime writes a device id, a session and a queue of events before it sends any.
    assert [path.name for path in home.rglob("*") if path.is_file()] == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no modes of files")
def test_nobody_else_can_read_an_index(vault: Scratch) -> None:
    vault.write("a.md", "alpha")
    vault.open()
    folder = vault.index_file.parent
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o077 for file in folder.glob("*.sqlite3*")} == {0}
