"""What is known of PDFs while they wait and while they are read."""

import time
from concurrent.futures import Future

from attrs import define, field, frozen

from notekin.app.cancel import CancelToken
from notekin.app.comparing import Unread, UnreadCounts
from notekin.app.pdf_reading import Layout, PdfRead
from notekin.app.preparing import RACY_NS

# For the estimate of a PDF whose pages nobody has counted yet.
_BYTES_A_PAGE = 40_000


@frozen
class PdfsLeft:
    """What is still to be read. `texts` are not findable yet; `n_layouts` are, by their bare text.
    `current` names the one in work with its page, `seconds` is how long the layouts will take.
    """

    texts: UnreadCounts = field(factory=UnreadCounts)
    n_layouts: int = 0
    current: str = ""
    seconds: float | None = None


@define
class Running:
    """A PDF that is being read. `dropped` when nobody wants it any more."""

    layout: Layout | None
    unread: Unread
    token: CancelToken = field(factory=CancelToken)
    future: Future[PdfRead] | None = None
    dropped: bool = False
    n_done: int = 0
    n_counted: int = 0
    n_pages: int = 0


def shown(running: Running | None) -> str:
    """Return what a status says of a PDF in work, "" for none."""
    if running is None:
        return ""
    path, n_pages = running.unread.found.path, running.n_pages
    return f"{path} p. {min(running.n_done + 1, n_pages)} of {n_pages}" if n_pages else path


def length_of(layout: Layout) -> int:
    """Return how many pages there are, or about how many."""
    return layout.n_pages or 1 + layout.file.stat.size // _BYTES_A_PAGE


def settled_in(unread: Unread) -> float:
    """Return in how many seconds a file has not changed for long enough: until then it may be
    written still. A time in the future comes from a wrong clock.
    """
    age = time.time_ns() - unread.found.stat.mtime_ns
    return 0.0 if age < 0 or age >= RACY_NS else (RACY_NS - age) / 1e9
