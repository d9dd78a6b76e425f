"""The child that reads PDFs: what a file does to it, it does to no one else.

It reads requests from its stdin and writes answers to its stdout, a line of JSON each. It ends
when its stdin does, and when a page takes far too long: it never outlives the server, however
that dies, also while the parser hangs.
"""

import faulthandler
import json
import math
import os
import queue
import shutil
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, BinaryIO

from notekin.adapters.pdf_child import COMPOSE_FACTOR, PATIENCE_FACTOR
from notekin.adapters.pdf_compose import blocks_of, readable_title
from notekin.adapters.pdf_document import OpenPdf, has_complaints, opened, raw_pages, read_draft
from notekin.adapters.pdf_json import content_to_json, raw_to_json
from notekin.adapters.pdf_mupdf import load_layout, pymupdf
from notekin.adapters.pdf_ocr import find_tessdata
from notekin.adapters.pdf_spool import Spool
from notekin.adapters.pdf_warnings import warnings_of, without_text
from notekin.app.errors import Unreadable
from notekin.app.ports.pdf import PdfTrouble
from notekin.core.pdf import PdfContent, RawPdf

_GRACE_SECONDS = 5.0  # the server ends a page that takes too long first, if there is one
_MEGABYTE = 1 << 20

Answers = Any
"""A function that sends one answer."""


def serve(requests: "queue.Queue[Mapping[str, Any]]", answer: Answers) -> None:
    """Answer requests for ever."""
    while True:
        request = requests.get()
        try:
            answer({"result": _answered(request, answer)})
        except PdfTrouble as trouble:
            answer({"trouble": trouble.kind, "sentence": str(trouble)})
        except Unreadable as error:
            answer({"unreadable": str(error)})
        except OSError as error:
            answer({"unreadable": f"The file cannot be read: {error.strerror or 'unknown'}."})
        except MemoryError:
            answer({"fault": "memoryLimit"})
        except Exception as error:  # noqa: BLE001 - the next file may be better
            answer({"fault": "crashed", "error": type(error).__name__})
        finally:
            faulthandler.cancel_dump_traceback_later()
            pymupdf.TOOLS.store_shrink(100)


def _answered(request: Mapping[str, Any], answer: Answers) -> dict[str, Any]:
    _limit_memory(int(request["memory_mb"]))
    reads_layout = request["do"] == "extract"
    if reads_layout:
        load_layout()

    seconds = float(request["page_seconds"])
    _limit_time(seconds)
    answer({"page": 0, "of": 0})
    with opened(str(request["path"]), list(request["passwords"])) as pdf:
        n_pages = min(pdf.n_pages, int(request["max_pages"]))

        def on_page(number: int) -> None:
            _limit_time(seconds if number <= n_pages else seconds * COMPOSE_FACTOR)
            answer({"page": number, "of": n_pages})

        if reads_layout:
            return content_to_json(_content(pdf, n_pages, request, on_page))
        skipped = {int(number) for number in request["attempts"]}
        pages = tuple(raw_pages(pdf, n_pages, skipped, on_page))
        return raw_to_json(RawPdf(pdf.n_pages, pages, readable_title(pdf.title)))


def _content(pdf: OpenPdf, n_pages: int, request: Mapping[str, Any], on_page: Any) -> PdfContent:
    attempts = {int(number): int(level) for number, level in request["attempts"].items()}
    faults = {int(number): str(kind) for number, kind in request["faults"].items()}
    tessdata = find_tessdata() if request["ocr"] else None
    max_layouts = int(request["max_layouts"])
    outline = pdf.outline() if request["use_outline"] else []
    with closing(Spool(_spool_of(request))) as spool:
        drafts = spool.drafts
        for number in range(len(drafts) + 1, n_pages + 1):
            on_page(number)
            level = attempts.get(number, int(number > max_layouts))
            spool.keep(read_draft(pdf, number, level, tessdata, faults.get(number, "")))
    on_page(n_pages + 1)
    trouble = without_text(drafts, ocr=bool(request["ocr"]), tesseract=tessdata is not None)
    if trouble is not None and trouble.kind == "empty" and (pdf.damaged or has_complaints()):
        raise PdfTrouble("damaged", "The PDF is damaged: no text of it can be read.")
    if trouble is not None:
        raise trouble
    return PdfContent(
        title=readable_title(pdf.title),
        n_pages=pdf.n_pages,
        blocks=blocks_of(drafts, outline),
        warnings=tuple(warnings_of(drafts, pdf.n_pages, max_layouts, damaged=pdf.damaged)),
        ocr=any(draft.ocr and draft.fragments for draft in drafts),
    )


def _spool_of(request: Mapping[str, Any]) -> Path | None:
    return Path(request["spool"]) if "spool" in request else None


def _limit_time(seconds: float) -> None:
    """Let this process end when what comes next takes too long: it may hold the interpreter, and
    the server may be gone.
    """
    # Its thread needs no interpreter.
    faulthandler.dump_traceback_later(
        seconds * PATIENCE_FACTOR + _GRACE_SECONDS, exit=True, file=_NOWHERE
    )
    if sys.platform == "win32":
        return
    import resource

    with suppress(OSError, ValueError):
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        wanted = math.ceil(time.process_time() + seconds + _GRACE_SECONDS)
        resource.setrlimit(resource.RLIMIT_CPU, (wanted if hard < 0 else min(wanted, hard), hard))


def _limit_memory(megabytes: int) -> None:
    if sys.platform != "linux":
        return  # The server watches.
    import resource

    with suppress(OSError, ValueError):
        size = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * os.sysconf(
            "SC_PAGE_SIZE"
        )
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        wanted = size + megabytes * _MEGABYTE
        resource.setrlimit(resource.RLIMIT_AS, (wanted if hard < 0 else min(wanted, hard), hard))


def _read_requests(stream: BinaryIO, requests: "queue.Queue[Mapping[str, Any]]") -> None:
    spool: Path | None = None
    for line in stream:
        request = json.loads(line)
        spool = _spool_of(request) or spool
        requests.put(request)
    # The server is gone, or wants no more. What it can't remove any more holds a PDF's text.
    if spool is not None:
        shutil.rmtree(spool.parent, ignore_errors=True)
    os._exit(0)


def _private_stream() -> BinaryIO:
    """Return a stream to the server; what libraries print goes nowhere."""
    stream = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    return stream


_NOWHERE = open(os.devnull, "w", encoding="ascii")  # noqa: PTH123, SIM115 - open until the end


def main() -> None:
    """Be the child."""
    stream = _private_stream()

    def answer(value: Mapping[str, Any]) -> None:
        try:
            stream.write(json.dumps(value).encode("ascii") + b"\n")
            stream.flush()
        except OSError:
            # There is nobody to tell. The thread that reads requests sees that, too: it tidies and
            # ends this process, and is not to be cut short.
            time.sleep(_GRACE_SECONDS)
            os._exit(1)

    pymupdf.TOOLS.mupdf_display_errors(on=False)
    pymupdf.TOOLS.mupdf_display_warnings(on=False)
    requests: queue.Queue[Mapping[str, Any]] = queue.Queue()
    threading.Thread(target=_read_requests, args=(sys.stdin.buffer, requests), daemon=True).start()
    with suppress(KeyboardInterrupt):
        serve(requests, answer)


if __name__ == "__main__":
    main()
