"""Long notes. One of 550 passages in the real server with the real model (the caps stand in the
page on the architecture, under "Threads"); one of a megabyte.
"""

import os
import subprocess
import sys
from pathlib import Path

import psutil

from support.stdio import Message, client_of

N_PASSAGES = 550
MOST_MORE_MB = 64
MOST_MORE_THREADS = 1


def test_a_long_note_costs_neither_threads_nor_memory(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "short.md").write_text("# Short\n\nA heron stands in the pond.\n", "utf-8")
    places = {"NOTEKIN_DATA_DIR": str(tmp_path / "data"), "NOTEKIN_CONFIG_DIR": str(tmp_path)}
    with client_of("-m", "notekin", "lsp", env=places) as client:
        client.patience = 300.0
        client.initialize(vault)
        client.idle()
        # Once asked, all is loaded that the long note may use, too.
        client.request("notekin/search", {"query": "heron"})
        server = psutil.Process(client.process.pid)
        n_threads, memory = [server.num_threads()], [server.memory_info().rss]

        def embedded(status: Message) -> bool:
            n_threads.append(server.num_threads())
            memory.append(server.memory_info().rss)
            return status["phase"] == "idle" and status["chunks"]["embedded"] > N_PASSAGES

        sections = (f"## Day {n}\n\nThe heron stood there.\n\n" for n in range(N_PASSAGES))
        client.save(vault / "long.md", "# Long\n\n" + "".join(sections))
        status = client.status(embedded)
        assert status["chunks"]["total"] > N_PASSAGES
        assert max(n_threads) - n_threads[0] <= MOST_MORE_THREADS
        assert (max(memory) - memory[0]) / 2**20 <= MOST_MORE_MB
        assert client.leave() == 0


_READ_A_MEGABYTE = """
import gc
from notekin import compose
from notekin.app.ports import FileStat, FileText, RawNote

session = compose.make_editor_session(None)
prepare = compose.make_preparer(lambda texts: [len(text) // 4 for text in texts])
prepare.warm()
text = "".join(f"## Day {n}\\n\\nThe heron stood there for {n} hours.\\n\\n" for n in range(20_000))
generations = []
gc.callbacks.append(lambda phase, info: generations.append(info["generation"]))
prepare(RawNote("long.md", "markdown", FileText(text, FileStat(1, len(text), 1)), racy=False))
print(generations.count(2))
session.close()
"""


def test_a_note_of_a_megabyte_is_read_without_a_search_for_garbage_in_everything(
    tmp_path: Path,
) -> None:
    places = {"NOTEKIN_DATA_DIR": str(tmp_path), "NOTEKIN_CONFIG_DIR": str(tmp_path)}
    read = subprocess.run(
        [sys.executable, "-c", _READ_A_MEGABYTE],
        env={**os.environ, **places},
        capture_output=True,
        check=False,
        text=True,
    )
    assert (read.stdout, read.stderr) == ("0\n", "")
