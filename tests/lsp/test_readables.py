"""The client fetches a readable document again when it is another, and only then."""

from collections.abc import Callable
from pathlib import Path

import pytest

from notekin.app.errors import BadRequest
from notekin.app.results import VaultStatus
from notekin.lsp.readables import Readables

URI = "notekin-pdf:///v/a.pdf.md"
PDF = Path("/v/a.pdf")


async def at_once(work: Callable[[], bytes]) -> bytes:
    return work()


@pytest.fixture
def refreshed() -> list[str]:
    return []


@pytest.fixture
def readables(refreshed: list[str]) -> Readables:
    made = Readables(refreshed.append)
    made.gave(URI, PDF, "bare")
    return made


def at(revision: int) -> list[VaultStatus]:
    return [VaultStatus(Path("/v"), revision=revision)]


async def test_what_changed_is_fetched_again_once(
    readables: Readables, refreshed: list[str]
) -> None:
    await readables.compare(lambda _: "bare", at_once)
    assert refreshed == []
    await readables.compare(lambda _: "whole", at_once)
    await readables.compare(lambda _: "whole", at_once)
    assert refreshed == [URI]


async def test_what_is_gone_is_fetched_again_too(
    readables: Readables, refreshed: list[str]
) -> None:
    def gone(path: Path) -> str:
        raise BadRequest(f"{path} is not a note.")

    await readables.compare(gone, at_once)
    assert refreshed == [URI]


async def test_what_is_closed_is_left_alone(readables: Readables, refreshed: list[str]) -> None:
    readables.closed(URI)
    await readables.compare(lambda _: "whole", at_once)
    assert refreshed == []
    assert not readables.are_due(at(1))


async def test_what_was_given_while_it_was_compared_is_newer(
    readables: Readables, refreshed: list[str]
) -> None:
    async def late(work: Callable[[], bytes]) -> bytes:
        found = work()
        readables.gave(URI, PDF, "whole")
        return found

    await readables.compare(lambda _: "whole", late)
    assert refreshed == []


def test_documents_are_compared_once_a_revision(readables: Readables) -> None:
    assert readables.are_due(at(1))
    assert not readables.are_due(at(1))
    assert readables.are_due(at(2))
