"""A client types in a long note: whatever it asks, ranges are right on its screen."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from notekin.app import presenting
from notekin.app.cancel import CancelToken
from notekin.app.requests import RelatedRequest, SearchRequest
from notekin.core.text import Encoding
from notekin.lsp.documents import Change, Documents, Place
from notekin_protocol.messages import Position, Range
from support.vault import Scratch, scratch

_WORDS = ("wombat", "🦘", "é", "quokka\n", "\n\n", "\r\n", "## Dingo\n\n", "", "", "numbat 😀 ")
_UNITS: dict[Encoding, tuple[str, int]] = {"utf-16": ("utf-16-le", 2), "utf-8": ("utf-8", 1)}
_NOTE = "".join(
    f"## Animal {number}\n\nA wombat 🦘 met quokka number {number} there.\r\n\n"
    for number in range(60)
)


class _Client:
    """An editor's side: its text, and positions counted the slow way."""

    def __init__(self, text: str, encoding: Encoding) -> None:
        self.text = text
        self._codec, self._size = _UNITS[encoding]

    def place(self, offset: int) -> Place:
        above = self.text[:offset]
        lines = above.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        if above.endswith("\r") and self.text.startswith("\n", offset):
            return self.place(offset - 1)
        return Place(len(lines) - 1, self._units(lines[-1]))

    def shown(self, extent: Range) -> str:
        return self.text[self._offset(extent.start) : self._offset(extent.end)]

    def _offset(self, position: Position) -> int:
        lines = self.text.replace("\r\n", "\n\0").replace("\r", "\n").split("\n")
        above = sum(len(line) + 1 for line in lines[: position.line])
        line = lines[position.line].removeprefix("\0")
        above += len(lines[position.line]) - len(line)
        units = line.encode(self._codec)[: position.character * self._size]
        return above + len(units.decode(self._codec))

    def _units(self, text: str) -> int:
        return len(text.encode(self._codec)) // self._size


@pytest.fixture
def long_note(tmp_path: Path) -> Iterator[Scratch]:
    with scratch(tmp_path) as vault:
        vault.write("long.md", _NOTE)
        vault.write("other.md", "The wombat sleeps.")
        vault.open()
        yield vault


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8"])
@pytest.mark.parametrize("seed", range(3))
def test_hits_are_right_on_the_screen_while_typing(
    long_note: Scratch, encoding: Encoding, seed: int
) -> None:
    path = long_note.folder / "long.md"
    chosen = random.Random(seed)  # noqa: S311 - no secret
    documents, client = Documents(), _Client(_NOTE, encoding)
    documents.open(path, 1, _NOTE)
    n_seen = 0
    for version in range(2, 60):
        start = chosen.randrange(len(client.text) + 1)
        end = min(len(client.text), start + chosen.choice((0, 0, 1, 30)))
        change = Change(chosen.choice(_WORDS), client.place(start), client.place(end))
        start, end = _snapped(client.text, start), _snapped(client.text, end)
        documents.change(path, version, [change], encoding)
        client.text = client.text[:start] + change.text + client.text[end:]
        if version % 3 == 0:
            buffers = documents.freeze()
            assert buffers[path].text == client.text
            n_seen += _check_all(long_note, documents, client, encoding)
        if version == 30:
            saved = documents.save(path)
            assert saved is not None
            assert saved.text == client.text
            long_note.save("long.md", saved.text)
    assert n_seen > 100


def _check_all(vault: Scratch, documents: Documents, client: _Client, encoding: Encoding) -> int:
    """Check the hits of the open note; return how many there were."""
    buffers, token = documents.freeze(), CancelToken()
    path = vault.folder / "long.md"
    search = SearchRequest("wombat quokka", mode="lexical", limit=40)
    offset = buffers[path].text.find("wombat")
    related = RelatedRequest(path, offset=offset, limit=10, include_self=True)
    results = (
        vault.session.search(vault.session.ask(search, token), buffers),
        vault.session.related(related, buffers, token),
    )
    own = [hit for result in results for hit in result.hits if hit.path == "long.md"]
    for hit in own:
        assert client.shown(presenting.hit(hit, encoding).range) == hit.text
    return len(own)


def _snapped(text: str, offset: int) -> int:
    """Return the place an editor can have its cursor at: not within a line end."""
    return offset - text.startswith("\r\n", offset - 1) if offset else 0
