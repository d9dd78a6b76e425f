"""The real server with the fake model: `python -m support.serve_fake HOME [SECONDS [N_FREE]]`.

Indexes lie below HOME/data. With SECONDS every passage takes so long to embed, so that a test
meets the server at work; with N_FREE the model embeds so many and never ends the next, so that a
test meets it there however slow the machine is.
"""

import sys
import threading
import time
from itertools import count
from pathlib import Path

from notekin.app.session import Session
from notekin.lsp.server import serve
from support.fake_embedder import FakeEmbedder
from support.vault import new_session


def make(_options: object) -> Session:
    """Return the session that the command line describes."""
    home, *rest = sys.argv[1:]
    seconds = float(rest[0]) if rest else 0.0
    n_free = int(rest[1]) if rest[1:] else None
    numbers = count()

    def before(_text: str) -> None:
        time.sleep(seconds)
        if next(numbers) == n_free:
            threading.Event().wait()

    # Several at once, as the real model does, but where the exact number is asked for.
    embedder = FakeEmbedder(before=before, n_at_once=1 if n_free else 3)
    return new_session(Path(home), lambda: embedder, patience=5.0)


if __name__ == "__main__":
    sys.exit(serve(make))
