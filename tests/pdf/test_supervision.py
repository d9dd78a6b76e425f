"""What the server does with a child that hangs, dies, talks nonsense or is no longer wanted."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from notekin.adapters.pdf import PdfProcesses
from notekin.app.cancel import CancelToken
from notekin.app.errors import Cancelled
from notekin.app.ports.pdf import PdfOptions, PdfTrouble
from notekin.core.pdf import PdfContent

FAKE = (sys.executable, "-P", str(Path(__file__).with_name("fake_worker.py")))
PATIENCE_SECONDS = 60.0
QUICK = PdfOptions(page_seconds=0.2)
Make = Callable[..., PdfProcesses]


@pytest.fixture
def make() -> Iterator[Make]:
    """Makes extractors, and closes them."""
    made: list[PdfProcesses] = []

    def opened(nice: int = 0, n_documents: int = 100, idle_seconds: float = 60.0) -> PdfProcesses:
        made.append(
            PdfProcesses(nice, command=FAKE, n_documents=n_documents, idle_seconds=idle_seconds)
        )
        return made[-1]

    yield opened
    for each in made:
        each.close()


def extract(pdfs: PdfProcesses, name: str, options: PdfOptions = QUICK) -> PdfContent:
    return pdfs.extract(Path(f"{name}.pdf"), options, CancelToken(), lambda _done, _all: None)


def pid(content: PdfContent) -> str:
    return content.blocks[0].text


def test_one_child_stays_warm(make: Make) -> None:
    pdfs = make()
    assert pid(extract(pdfs, "one")) == pid(extract(pdfs, "two"))


def test_a_child_is_replaced_after_some_documents(make: Make) -> None:
    pdfs = make(n_documents=2)
    pids = [pid(extract(pdfs, "fine")) for _ in range(4)]
    assert pids[0] == pids[1] != pids[2] == pids[3]


def test_progress_is_told_page_by_page(make: Make) -> None:
    told: list[tuple[int, int]] = []
    make().extract(
        Path("fine.pdf"), QUICK, CancelToken(), lambda done, of_all: told.append((done, of_all))
    )
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("hang", "timeLimit"),
        ("wait", "timeLimit"),
        ("die", "crashed"),
        ("nonsense", "crashed"),
        ("memory", "memoryLimit"),
    ],
)
def test_a_page_that_ends_the_child_is_tried_for_less(make: Make, name: str, kind: str) -> None:
    pdfs = make()
    before = pid(extract(pdfs, "fine"))
    content = extract(pdfs, name)
    assert json.loads(content.blocks[1].text) == {"2": kind}
    assert json.loads(content.blocks[2].text) == {"2": 1}
    assert pid(content) != before
    assert pid(extract(pdfs, "fine")) == pid(content)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("die-always", "crashed"),
        ("hang-at once", "timeLimit"),
        ("die-at the end", "crashed"),
        ("memory-at once", "memoryLimit"),
    ],
)
def test_a_document_that_ends_its_readers_is_given_up(make: Make, name: str, kind: str) -> None:
    pdfs = make()
    with pytest.raises(PdfTrouble) as raised:
        extract(pdfs, name)
    assert raised.value.kind == kind
    assert pid(extract(pdfs, "fine"))


def test_a_cancel_kills_what_works_at_once(make: Make) -> None:
    pdfs = make()
    token = CancelToken()
    reading = threading.Event()

    def on_page(done: int, _all: int) -> None:
        if done == 1:
            reading.set()

    with ThreadPoolExecutor() as threads:
        work = threads.submit(pdfs.extract, Path("wait.pdf"), PdfOptions(), token, on_page)
        assert reading.wait(PATIENCE_SECONDS)
        [child] = (psutil.Process(number) for number in pdfs.pids)
        token.cancel()
        assert isinstance(work.exception(PATIENCE_SECONDS), Cancelled)
    assert not child.is_running()
    assert pid(extract(pdfs, "fine"))


def test_a_cancelled_token_starts_nothing(make: Make) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        make().extract(Path("fine.pdf"), QUICK, token, lambda _done, _all: None)


def test_closing_kills_what_works_and_starts_nothing_more(make: Make) -> None:
    pdfs = make()
    reading = threading.Event()
    with ThreadPoolExecutor() as threads:
        work = threads.submit(
            pdfs.extract,
            Path("wait.pdf"),
            PdfOptions(),
            CancelToken(),
            lambda done, _all: reading.set() if done else None,
        )
        assert reading.wait(PATIENCE_SECONDS)
        pdfs.close()
        pdfs.close()
        assert isinstance(work.exception(PATIENCE_SECONDS), Cancelled)
    assert pdfs.pids == ()
    with pytest.raises(Cancelled):
        extract(pdfs, "fine")


def test_bare_text_does_not_wait_for_a_layout(make: Make) -> None:
    pdfs = make()
    token = CancelToken()
    reading = threading.Event()
    with ThreadPoolExecutor() as threads:
        work = threads.submit(
            pdfs.extract,
            Path("wait.pdf"),
            PdfOptions(),
            token,
            lambda done, _all: reading.set() if done else None,
        )
        assert reading.wait(PATIENCE_SECONDS)
        assert pdfs.read_text(Path("fine.pdf"), QUICK, CancelToken()).n_pages == 3
        assert not work.done()
        token.cancel()


def test_a_child_without_work_ends(make: Make) -> None:
    others = set(psutil.Process().children())  # of tests before this one
    pdfs = make(idle_seconds=0.01)
    extract(pdfs, "fine")
    left = [each for each in psutil.Process().children() if each not in others]
    _, alive = psutil.wait_procs(left, timeout=PATIENCE_SECONDS)
    assert not alive
    assert not pdfs.pids


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has classes of priority")
def test_a_child_stands_back(make: Make) -> None:
    pdfs = make(nice=7)
    extract(pdfs, "fine")
    assert [psutil.Process(each).nice() for each in pdfs.pids] == [7]


@pytest.mark.parametrize("name", ["fine", "busy"])
def test_no_child_outlives_a_server_that_is_killed(name: str, tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from notekin.adapters.pdf import PdfProcesses\n"
        "from notekin.app.cancel import CancelToken\n"
        "from notekin.app.ports.pdf import PdfOptions\n"
        "pdfs = PdfProcesses()\n"
        "def told(done, of_all):\n"
        "    if done == 1 or sys.argv[1] == 'fine' and done == of_all:\n"
        "        print(*pdfs.pids, flush=True)\n"
        "pdfs.extract(Path(sys.argv[2]), PdfOptions(), CancelToken(), told)\n"
        "sys.stdin.read()\n"
    )
    path = tmp_path / "some.pdf"
    make_pdf = (
        "import sys, pymupdf; document = pymupdf.open()\n"
        "for number in range(int(sys.argv[2])):\n"
        "    document.new_page().insert_text((72, 72), f'page {number}')\n"
        "document.save(sys.argv[1])\n"
    )
    n_pages = "1" if name == "fine" else "400"
    subprocess.run([sys.executable, "-c", make_pdf, str(path), n_pages], check=True)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with subprocess.Popen(
        [sys.executable, "-c", script, name, str(path)],
        env={**os.environ, "TMPDIR": str(temporary), "TEMP": str(temporary)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as server:
        assert server.stdout is not None
        [child] = (psutil.Process(int(word)) for word in server.stdout.readline().split())
        server.kill()
        gone, _ = psutil.wait_procs([child], timeout=PATIENCE_SECONDS)
        assert gone
    # The text of pages that were done is left nowhere.
    assert list(temporary.glob("notekin-pdf-*")) == []


@pytest.mark.parametrize(
    "hang",
    [
        pytest.param(
            "while True: pass",
            marks=pytest.mark.skipif(sys.platform == "win32", reason="a limit of Unix"),
        ),
        "threading.Event().wait()",
    ],
)
def test_a_parser_that_hangs_ends_without_a_server(hang: str) -> None:
    script = (
        "import threading, notekin.adapters.pdf_worker as worker\n"
        "worker._GRACE_SECONDS = 0\n"
        f"worker._limit_time(0.1)\n{hang}\n"
    )
    done = subprocess.run([sys.executable, "-c", script], timeout=PATIENCE_SECONDS, check=False)
    assert done.returncode
