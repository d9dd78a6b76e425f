"""The readable documents that the client was given: it is told when one of them is another now."""

from collections.abc import Awaitable, Callable, Sequence
from hashlib import blake2b
from pathlib import Path

from attrs import frozen

from notekin.app.errors import NotekinError
from notekin.app.results import VaultStatus

TextOf = Callable[[Path], str]
Beside = Callable[[Callable[[], bytes]], Awaitable[bytes]]


@frozen
class _Given:
    """The PDF of a document, and what tells the text that was given from another."""

    path: Path
    hash: bytes


class Readables:
    """Belongs to the loop. `refresh` asks the client to fetch a document again."""

    def __init__(self, refresh: Callable[[str], object]) -> None:
        self._refresh = refresh
        self._given: dict[str, _Given] = {}
        self._seen: object = None

    def gave(self, uri: str, path: Path, text: str) -> None:
        """The client has this text from now on."""
        self._given[uri] = _Given(path, _hash(text))

    def closed(self, uri: str) -> None:
        """The client shows the document no more."""
        self._given.pop(uri, None)

    def are_due(self, statuses: Sequence[VaultStatus]) -> bool:
        """Return whether any may have changed since the last time."""
        seen = [(status.folder, status.revision) for status in statuses]
        before, self._seen = self._seen, seen
        return bool(self._given) and before != seen

    async def compare(self, text_of: TextOf, beside: Beside) -> None:
        """Have the client fetch what changed; `beside` runs what takes a while."""

        def hash_of(path: Path) -> bytes:
            try:
                return _hash(text_of(path))
            except NotekinError:
                return b""  # It is gone, and the client is to see that.

        for uri, given in list(self._given.items()):
            now = await beside(lambda path=given.path: hash_of(path))
            if now != given.hash and self._given.get(uri) == given:
                self._given[uri] = _Given(given.path, now)
                self._refresh(uri)


def _hash(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
