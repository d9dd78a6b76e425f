"""Progress bars: for a first index and one that was asked for; each begins and ends once."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from pygls.exceptions import JsonRpcException

from notekin.app.results import ChunkCounts, NoteCounts, Phase, VaultStatus
from notekin.lsp.progress import ProgressBars
from support.fake_session import FakeSession
from support.lsp_harness import LspClient

FOLDER = Path("/notes")
SUPPORT = {"capabilities": {"window": {"workDoneProgress": True}}}


class FakeClient:
    """Shows bars; `refuses` and `shows_progress` say whether it can."""

    def __init__(self, *, shows_progress: bool = True, refuses: bool = False) -> None:
        self.shows_progress = shows_progress
        self.refuses = refuses
        self.created: list[str] = []
        self.values: list[tuple[str, Any]] = []

    async def create_progress(self, token: str) -> None:
        self.created.append(token)
        if self.refuses:
            raise JsonRpcException("no")

    def send_progress(self, token: str, value: Any) -> None:
        self.values.append((token, value))

    @property
    def kinds(self) -> list[str]:
        return [value.kind for _, value in self.values]


def _status(phase: Phase, n_notes: int = 0, n_embedded: int = 0) -> VaultStatus:
    """A vault of 10 notes with 100 passages."""
    return VaultStatus(
        FOLDER,
        phase=phase,
        notes=NoteCounts(n_total=10, n_indexed=n_notes, n_pending=10 - n_notes),
        chunks=ChunkCounts(n_total=100, n_embedded=n_embedded, n_pending=100 - n_embedded),
    )


def _bars(client: FakeClient) -> ProgressBars:
    return ProgressBars(client, lambda _: None)


async def _begun(client: FakeClient) -> ProgressBars:
    bars = _bars(client)
    bars.update([_status("indexing")])
    await asyncio.sleep(0)
    return bars


async def test_a_first_index_has_one_bar_from_begin_to_end() -> None:
    client = FakeClient()
    bars = await _begun(client)
    bars.update([_status("embedding", n_notes=10, n_embedded=50)])
    bars.update([_status("idle", n_notes=10, n_embedded=100)])
    assert client.kinds == ["begin", "report", "end"]
    (_, begin), (_, report), (_, end) = client.values
    assert begin.cancellable
    assert begin.percentage == 0
    assert report.percentage == 55
    assert report.message == "10 of 10 notes, 50 of 100 passages by meaning"
    assert end.message == "10 of 10 notes"
    assert {token for token, _ in client.values} == set(client.created)


async def test_a_save_later_has_no_bar() -> None:
    client = FakeClient()
    bars = await _begun(client)
    bars.update([_status("idle", n_notes=10, n_embedded=100)])
    bars.update([_status("embedding", n_notes=10, n_embedded=20)])
    await asyncio.sleep(0)
    assert len(client.created) == 1


async def test_a_vault_opened_again_has_no_bar() -> None:
    client = FakeClient()
    bars = _bars(client)
    bars.update([VaultStatus(FOLDER), VaultStatus(FOLDER, phase="scanning")])
    bars.update([_status("embedding", n_notes=10, n_embedded=97)])
    await asyncio.sleep(0)
    assert client.created == []


async def test_an_index_asked_for_has_a_fresh_token() -> None:
    client = FakeClient()
    bars = await _begun(client)
    bars.update([_status("idle", n_notes=10, n_embedded=100)])
    bars.expect([FOLDER])
    bars.expect([FOLDER])
    await asyncio.sleep(0)
    bars.update([_status("indexing", n_notes=9, n_embedded=90)])
    bars.update([_status("idle", n_notes=10, n_embedded=100)])
    assert client.kinds == ["begin", "end", "begin", "report", "end"]
    assert len(set(client.created)) == 2


async def test_work_done_before_the_client_made_the_bar_shows_none() -> None:
    client = FakeClient()
    bars = _bars(client)
    bars.update([_status("indexing")])
    bars.update([_status("idle", n_notes=10)])
    await asyncio.sleep(0)
    assert client.values == []


@pytest.mark.parametrize("how", [{"shows_progress": False}, {"refuses": True}])
async def test_a_client_that_cannot_or_will_not_gets_none(how: dict[str, bool]) -> None:
    client = FakeClient(**how)
    bars = await _begun(client)
    bars.update([_status("idle", n_notes=10)])
    assert client.values == []


@pytest.mark.parametrize("phase", ["paused", "failed"])
async def test_a_bar_ends_when_the_work_does_however(phase: Phase) -> None:
    client = FakeClient()
    bars = await _begun(client)
    bars.update([_status(phase)])
    assert client.kinds == ["begin", "end"]


async def test_closing_ends_every_bar() -> None:
    client = FakeClient()
    bars = await _begun(client)
    bars.close()
    assert client.kinds == ["begin", "end"]


async def test_percentages_never_fall() -> None:
    client = FakeClient()
    bars = await _begun(client)
    bar = bars._bars[FOLDER]  # pyright: ignore[reportPrivateUsage]
    for status in (_status("indexing", 5), _status("embedding", 10, 90), _status("indexing", 2)):
        bar.reported_at = 0.0
        bars.update([status])
    reports = [value.percentage for _, value in client.values if value.kind == "report"]
    assert reports == [5, 91, 91]


async def test_cancelling_the_bar_cancels_the_indexing(tmp_path: Path) -> None:
    session = FakeSession()
    client = LspClient(session)
    await client.initialize([tmp_path], SUPPORT)
    session.publish(evolve(_status("indexing"), folder=tmp_path))
    begin = await client.message(lambda m: m.get("method") == "$/progress")
    assert begin["params"]["value"]["kind"] == "begin"
    token = begin["params"]["token"]
    client.notify("window/workDoneProgress/cancel", {"token": "another"})
    client.notify("window/workDoneProgress/cancel", {"token": token})
    await client.message(lambda m: _kind(m) == "end")
    assert ("cancel", tmp_path.name) in session.calls
    await client.stop()


async def test_a_reindex_shows_a_bar(tmp_path: Path) -> None:
    session = FakeSession()
    client = LspClient(session)
    await client.initialize([tmp_path], SUPPORT)
    session.publish(evolve(_status("idle", 10, 100), folder=tmp_path))
    await client.request("notekin/reindex", {"force": True})
    await client.message(lambda m: _kind(m) == "begin")
    session.publish(evolve(_status("idle", 10, 100), folder=tmp_path, revision=2))
    await client.message(lambda m: _kind(m) == "end")
    await client.stop()


def _kind(message: Any) -> str | None:
    if message.get("method") != "$/progress":
        return None
    return message["params"]["value"]["kind"]
