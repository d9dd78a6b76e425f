"""The whole engine as the faces get it, over a copy of the sample vault."""

import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from notekin.adapters.config import SettingsFiles
from notekin.app.cancel import CancelToken
from notekin.app.configuring import Configuration
from notekin.app.session import Session
from notekin.compose import IndexFiles, make_session

SAMPLE_VAULT = Path(__file__).resolve().parents[2] / "sample-vault"
# Only what hangs gets here; a whole index of the sample vault takes seconds.
_PATIENCE_SECONDS = 300.0


@contextmanager
def sample_session(folder: Path) -> Generator[Session]:
    """Yield a session with one vault, the sample vault copied into `folder`, wholly indexed.

    The real model embeds; the index lies in `folder` too.
    """
    vault = folder.resolve() / "vault"
    shutil.copytree(SAMPLE_VAULT, vault)
    session = make_session(
        Configuration(SettingsFiles(folder / "config.toml")),
        IndexFiles(folder / "data"),
        patience=_PATIENCE_SECONDS,
    )
    try:
        session.open(vault)
        if not session.wait("idle", _PATIENCE_SECONDS, CancelToken()):
            raise TimeoutError(f"The sample vault was not indexed in time: {session.status()}")
        yield session
    finally:
        session.close()
