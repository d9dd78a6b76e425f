"""The real server with the fake model: `python -m support.serve_fake HOME [SECONDS]`.

Indexes lie below HOME/data. With SECONDS every passage takes so long to embed, so that a test
meets the server at work.
"""

import sys
import time
from pathlib import Path

from notekin.app.session import Session
from notekin.lsp.server import serve
from support.fake_embedder import FakeEmbedder
from support.vault import new_session


def make(_options: object) -> Session:
    """Return the session that the command line describes."""
    home, *rest = sys.argv[1:]
    seconds = float(rest[0]) if rest else 0.0
    embedder = FakeEmbedder(before=lambda _text: time.sleep(seconds))
    return new_session(Path(home), lambda: embedder, patience=5.0)


if __name__ == "__main__":
    sys.exit(serve(make))
