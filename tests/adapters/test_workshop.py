"""Helper processes prepare as this process does, and end with it."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from notekin.adapters.helper import make_preparer
from notekin.adapters.tokens import token_counter
from notekin.adapters.workshop import HelperProcesses
from notekin.app.ports import FileStat, FileText, RawNote

PATIENCE_SECONDS = 60.0
STAT = FileStat(mtime_ns=1, size=2, inode=3)
RAW = [
    RawNote(
        f"{number}.md", "markdown", FileText(f"# Note {number}\n\nabout é and 中文 \ud800", STAT)
    )
    for number in range(5)
]


@pytest.fixture
def workshop() -> Iterator[HelperProcesses]:
    opened = HelperProcesses()
    yield opened
    opened.close()


def test_helpers_prepare_as_this_process_does(workshop: HelperProcesses) -> None:
    prepare = make_preparer(token_counter())
    batches = [workshop.prepare(RAW) for _ in range(4)]
    for batch in batches:
        assert batch.result(PATIENCE_SECONDS) == [prepare(raw) for raw in RAW]


def test_a_killed_helper_fails_its_batch(workshop: HelperProcesses) -> None:
    assert workshop.prepare(RAW).result(PATIENCE_SECONDS)
    for child in psutil.Process().children(recursive=True):
        child.kill()
    # An idle thread is used again, and with it its helper.
    again = workshop.prepare(RAW)
    assert isinstance(again.exception(PATIENCE_SECONDS), OSError)


def test_closing_ends_the_helpers_and_what_they_do(workshop: HelperProcesses) -> None:
    batches = [workshop.prepare(RAW * 2000) for _ in range(2 * workshop.n_places)]
    workshop.close()
    assert all(batch.cancelled() or batch.exception() for batch in batches)
    assert not psutil.Process().children(recursive=True)


def test_a_helper_imports_nothing_from_the_folder_it_is_started_in(tmp_path: Path) -> None:
    (tmp_path / "regex.py").write_text("raise SystemExit('run from the vault')\n")
    script = (
        "from notekin.adapters.workshop import HelperProcesses\n"
        "from notekin.app.ports import FileStat, FileText, RawNote\n"
        "workshop = HelperProcesses()\n"
        "raw = RawNote('a.md', 'markdown', FileText('words', FileStat(1, 2, 3)))\n"
        "print(workshop.prepare([raw]).result()[0].passages[0].passage.text)\n"
        "workshop.close()\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert (done.stdout, done.returncode) == ("words\n", 0), done.stderr


def test_a_helper_ends_when_its_server_is_killed() -> None:
    script = (
        "import os, signal\n"
        "from notekin.adapters.workshop import HelperProcesses\n"
        "from notekin.app.ports import FileStat, FileText, RawNote\n"
        "workshop = HelperProcesses()\n"
        "raw = RawNote('a.md', 'markdown', FileText('words', FileStat(1, 2, 3)))\n"
        "workshop.prepare([raw]).result()\n"
        "print(workshop._helpers[0].pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, timeout=60, check=False
    )
    helper = int(done.stdout)
    if psutil.pid_exists(helper):
        psutil.wait_procs([psutil.Process(helper)], timeout=PATIENCE_SECONDS)
    assert not psutil.pid_exists(helper) or psutil.Process(helper).status() == "zombie"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows classes in place of numbers")
def test_helpers_stand_back_and_are_no_more_than_allowed() -> None:
    workshop = HelperProcesses(n_threads=1, nice=7)
    try:
        assert workshop.n_places == 1
        for batch in [workshop.prepare(RAW) for _ in range(3)]:
            assert batch.result(PATIENCE_SECONDS)
        (helper,) = psutil.Process().children()
        assert helper.nice() == max(7, psutil.Process().nice())
    finally:
        workshop.close()


def test_once_warm_a_first_note_loads_nothing() -> None:
    script = (
        "import sys\n"
        "from notekin.adapters.tokens import token_counter\n"
        "from notekin.adapters.helper import make_preparer\n"
        "from notekin.app.ports import FileStat, FileText, RawNote\n"
        "prepare = make_preparer(token_counter())\n"
        "prepare.warm()\n"
        "known = set(sys.modules)\n"
        "assert 'tokenizers' in known\n"
        "text = '---\\ntags: [a]\\n---\\n# Tides\\n\\n| \u276f | b |\\n|---|---|\\n'\n"
        "prepare(RawNote('a.md', 'markdown', FileText(text, FileStat(1, 1, 1))))\n"
        "sys.exit(str(set(sys.modules) - known) if set(sys.modules) - known else 0)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
