"""Reads PDFs in a child process: what a file does to its reader, it does to no one else."""

import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from notekin.adapters.pdf_child import WORKER, Fault, WarmChild
from notekin.adapters.pdf_json import NO_CONTENT, content_from_json, raw_from_json
from notekin.app.cancel import CancelToken
from notekin.app.errors import Unreadable
from notekin.app.ports.pdf import OnPage, PdfOptions, PdfTrouble, Trouble
from notekin.core.pdf import PdfContent, RawPdf

_N_DOCUMENTS = 100
_IDLE_SECONDS = 60.0
_MOST_FAULTS = 8  # in one PDF; each is a child that had to be started again
_MOST_LAYOUTS = 2000  # pages; a book of more is no longer read for its layout
_LEVELS = 2  # a page may be tried with its layout, and for its bare text

_Value = TypeVar("_Value")

_SENTENCES: Mapping[Trouble, str] = {
    "timeLimit": "The PDF was given up: it takes too long to read.",
    "memoryLimit": "The PDF was given up: it needs too much memory to read.",
    "crashed": "The PDF cannot be read: it breaks the reader.",
}


class PdfProcesses:
    """Implements `app.ports.PdfExtractor`: one child for bare text, one for layouts."""

    def __init__(
        self,
        nice: int = 0,
        *,
        command: Sequence[str] = WORKER,
        n_documents: int = _N_DOCUMENTS,
        idle_seconds: float = _IDLE_SECONDS,
    ) -> None:
        """`nice` is how far the children stand back behind other programs (0 to 19). They are
        replaced after `n_documents` PDFs, and end after `idle_seconds` without work.
        """
        self._text = WarmChild(command, nice, n_documents, idle_seconds)
        self._layout = WarmChild(command, nice, n_documents, idle_seconds)

    @property
    def pids(self) -> tuple[int, ...]:
        """The children that are kept now."""
        return tuple(pid for pid in (self._text.pid, self._layout.pid) if pid is not None)

    def read_text(self, path: Path, options: PdfOptions, token: CancelToken) -> RawPdf:
        """Return the bare text of all pages."""
        with self._text as child:
            request = _request("text", path, options)
            return _checked(raw_from_json, _answer(child, request, token, _ignore))

    def extract(
        self, path: Path, options: PdfOptions, token: CancelToken, on_page: OnPage
    ) -> PdfContent:
        """Return the layout of all pages."""
        with self._layout as child, _spool() as spool:
            request = {**_request("extract", path, options), **spool}
            return _checked(content_from_json, _answer(child, request, token, on_page))

    def close(self) -> None:
        """Kill what works, and end for good."""
        self._text.close()
        self._layout.close()


@contextmanager
def _spool() -> Generator[Mapping[str, str]]:
    """Say where pages that are done are kept: a child that dies takes none with it. Nowhere
    where there is no room for a folder: no PDF fails for that.
    """
    try:
        made = tempfile.TemporaryDirectory(prefix="notekin-pdf-", ignore_cleanup_errors=True)
    except OSError:
        yield {}
        return
    with made as folder:
        yield {"spool": str(Path(folder) / "pages")}


def _request(what: str, path: Path, options: PdfOptions) -> dict[str, Any]:
    return {
        "do": what,
        "path": str(path),
        "passwords": list(options.passwords),
        "page_seconds": options.page_seconds,
        "memory_mb": options.memory_mb,
        "max_pages": options.max_pages,
        "max_layouts": _MOST_LAYOUTS,
        "ocr": options.ocr,
        "use_outline": options.use_outline,
    }


def _answer(
    child: WarmChild, request: Mapping[str, Any], token: CancelToken, on_page: OnPage
) -> Mapping[str, Any]:
    """Ask until there is an answer. A page that ends a child is tried again for less."""
    levels: dict[str, int] = {}
    faults: dict[str, str] = {}
    last: Trouble = "crashed"
    for _ in range(_MOST_FAULTS):
        answer = _asked(child, {**request, "attempts": levels, "faults": faults}, token, on_page)
        if isinstance(answer, Fault):
            page = str(answer.page)
            if answer.page < 1 or levels.get(page, 0) >= _LEVELS:
                raise PdfTrouble(answer.kind, _SENTENCES[answer.kind])
            levels[page] = levels.get(page, 0) + 1
            faults[page] = last = answer.kind
            continue
        if "unreadable" in answer:
            raise Unreadable(str(answer["unreadable"]))
        if "trouble" in answer:
            raise PdfTrouble(answer["trouble"], str(answer["sentence"]))
        return answer["result"]
    raise PdfTrouble(last, _SENTENCES[last])


def _asked(
    child: WarmChild, request: Mapping[str, Any], token: CancelToken, on_page: OnPage
) -> Mapping[str, Any] | Fault:
    try:
        answer = child.ask(request, token, on_page)
    except Fault as fault:
        return fault
    if "fault" in answer:
        return Fault(_trouble(answer["fault"]), int(answer["at_page"]))
    return answer


def _trouble(kind: object) -> Trouble:
    return "memoryLimit" if kind == "memoryLimit" else "crashed"


def _checked(read: Callable[[Mapping[str, Any]], _Value], value: Mapping[str, Any]) -> _Value:
    try:
        return read(value)
    except NO_CONTENT as error:
        raise PdfTrouble("crashed", _SENTENCES["crashed"]) from error


def _ignore(_done: int, _all: int) -> None:
    """Bare text is there before anyone could look at its progress."""
