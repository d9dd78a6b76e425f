"""Where PDFs are read: two threads for all vaults, in front of the one process that reads."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Literal, TypeVar

from notekin.app.ports import PdfExtractor

Lane = Literal["text", "layout"]
LANES: tuple[Lane, ...] = ("text", "layout")

T = TypeVar("T")


class PdfDesk:
    """Bare texts on one thread, layouts on another: a text never waits for a layout."""

    def __init__(self, extractor: PdfExtractor) -> None:
        self.extractor = extractor
        self._threads = {
            lane: ThreadPoolExecutor(1, thread_name_prefix=f"notekin-pdf-{lane}") for lane in LANES
        }

    def submit(self, lane: Lane, work: Callable[[], T]) -> Future[T]:
        """Return a future of what `work` returns, once those before it in its lane are done."""
        return self._threads[lane].submit(work)

    def close(self) -> None:
        """End what works at once."""
        self.extractor.close()
        for threads in self._threads.values():
            threads.shutdown(cancel_futures=True)
