"""What JSON-RPC leaves open: every request gets exactly one answer, and nothing stays behind."""

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from pygls.exceptions import FeatureRequestError

from notekin.app.errors import BadSetting
from notekin.app.results import VaultStatus
from support.fake_session import FakeSession
from support.lsp_harness import LspClient

CANCELLED = -32800


def _minimal(folder: Path) -> dict[str, Any]:
    return {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}}


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[LspClient]:
    made = LspClient(FakeSession())
    await made.initialize([tmp_path / "notes"], {})
    made.session.calls.clear()
    yield made
    await made.stop()


def _answers(client: LspClient, msg_id: Any) -> list[Any]:
    return [m for m in client.received if m.get("id") == msg_id and "method" not in m]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 100_000, -32700),
        (b"[]", -32600),
        (b"3", -32600),
        (b'{"jsonrpc": "2.0", "id": 1.5, "method": "notekin/status"}', -32600),
        (b'{"jsonrpc": "2.0", "id": null, "method": "notekin/status"}', -32600),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "notekin/status"}', -32600),
        (b'{"jsonrpc": "2.0", "method": 3}', -32600),
    ],
)
async def test_what_is_no_message_is_answered_with_id_null(
    client: LspClient, body: bytes, code: int
) -> None:
    client.send_raw(body)
    answer = client.received[-1]
    assert answer["id"] is None
    assert answer["error"]["code"] == code
    assert (await client.request("notekin/status"))["result"]


async def test_an_id_may_be_a_string_and_params_may_hold_anything(client: LspClient) -> None:
    params = {"query": "x", "jsonrpc": "2.0", "id": 7, "method": "exit"}
    client.send({"jsonrpc": "2.0", "id": "one", "method": "notekin/search", "params": params})
    assert (await client.answer("one"))["result"]["verdict"] == "found"
    assert not client.exited


@pytest.mark.parametrize("as_command", [False, True], ids=["request", "command"])
async def test_a_cancelled_request_stops_and_is_answered_once(
    client: LspClient, *, as_command: bool
) -> None:
    client.session.gate.clear()
    params: dict[str, Any] = {"query": "x"}
    method = "notekin/search"
    if as_command:
        params = {"command": "notekin.search", "arguments": [params]}
        method = "workspace/executeCommand"
    msg_id = client.begin(method, params)
    await asyncio.to_thread(client.session.started.acquire)
    client.notify("$/cancelRequest", {"id": msg_id})
    assert (await client.answer(msg_id))["error"]["code"] == CANCELLED
    # The work stopped in the middle: only the token opened the gate.
    await asyncio.to_thread(client.session.stopped.acquire)
    assert (await client.request("notekin/search", {"query": "y"}))["result"]
    client.notify("$/cancelRequest", {"id": msg_id})
    client.notify("$/cancelRequest", {"id": 999})
    await client.request("notekin/status")
    assert len(_answers(client, msg_id)) == 1


async def test_hovers_cancelled_before_they_start_never_run(client: LspClient) -> None:
    client.session.gate.clear()
    uri = (client.session.folders[0] / "n.md").as_uri()
    params = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
    ids = [client.begin("textDocument/hover", params) for _ in range(30)]
    await asyncio.to_thread(client.session.started.acquire)
    for msg_id in reversed(ids):
        client.notify("$/cancelRequest", {"id": msg_id})
    for msg_id in ids:
        assert (await client.answer(msg_id))["error"]["code"] == CANCELLED
    assert (await client.request("notekin/search", {"query": "after"}))["result"]
    assert len([name for name, _ in client.session.calls if name == "related"]) <= 6


async def test_a_request_cancelled_as_soon_as_it_came_never_runs(client: LspClient) -> None:
    msg_id = client.begin("notekin/search", {"query": "x"})
    client.notify("$/cancelRequest", {"id": msg_id})
    assert (await client.answer(msg_id))["error"]["code"] == CANCELLED
    assert client.session.calls == []


async def test_requests_that_run_at_shutdown_are_answered(client: LspClient) -> None:
    client.session.gate.clear()
    msg_id = client.begin("notekin/search", {"query": "x"})
    await asyncio.to_thread(client.session.started.acquire)
    assert (await client.request("shutdown"))["result"] is None
    assert (await client.answer(msg_id))["error"]["code"] == CANCELLED
    client.notify("exit")
    assert client.exited
    assert client.server.protocol.shut_down


async def test_exit_without_shutdown_is_noted(client: LspClient) -> None:
    client.notify("exit")
    assert client.exited
    assert not client.server.protocol.shut_down


async def test_notifications_leave_nothing_behind(client: LspClient) -> None:
    uri = (client.session.folders[0] / "n.md").as_uri()
    document = {"uri": uri, "languageId": "markdown", "version": 1, "text": "a"}
    client.notify("textDocument/didOpen", {"textDocument": document})
    for version in range(500):
        params: dict[str, Any] = {"textDocument": {"uri": uri, "version": version}}
        change = {**params, "contentChanges": [{"text": "b"}]}
        client.notify("textDocument/didChange", change)
        client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    await client.request("notekin/search", {"query": "x"})
    protocol: Any = client.server.protocol
    assert protocol._request_futures == protocol._result_types == protocol._tasks == {}


async def test_the_documents_of_a_request_are_those_of_its_moment(client: LspClient) -> None:
    client.session.gate.clear()
    uri = (client.session.folders[0] / "n.md").as_uri()
    document = {"uri": uri, "languageId": "markdown", "version": 1, "text": "before"}
    client.notify("textDocument/didOpen", {"textDocument": document})
    msg_id = client.begin("notekin/search", {"query": "x"})
    change = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": "after"}]}
    client.notify("textDocument/didChange", change)
    client.session.gate.set()
    await client.answer(msg_id)
    assert client.session.seen == [{"n.md": "before"}]


async def test_late_and_unasked_answers_of_the_client_are_ignored(client: LspClient) -> None:
    client.send({"jsonrpc": "2.0", "id": "nobody", "result": {}})
    client.answers_requests = False
    task = asyncio.create_task(client.server.create_progress("token"))
    asked = await client.message(lambda m: m.get("method") == "window/workDoneProgress/create")
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    running = client.begin("notekin/search", {"query": "x"})
    client.send({"jsonrpc": "2.0", "id": running, "result": "not yours to answer"})
    client.send({"jsonrpc": "2.0", "id": asked["id"], "result": None})
    client.send({"jsonrpc": "2.0", "id": asked["id"], "result": None})
    assert (await client.answer(running))["result"]["verdict"] == "found"
    assert client.notifications("window/showMessage") == []


async def test_errors_are_logged_without_popup_and_without_text(
    client: LspClient, caplog: pytest.LogCaptureFixture
) -> None:
    text = "what nobody else is to read"
    client.session.failure = ValueError(text)
    with caplog.at_level(logging.DEBUG, logger="notekin"):
        answer = await client.request("notekin/search", {"query": text})
        client.server.report_server_error(ValueError(text), FeatureRequestError)
    assert answer["error"]["code"] == -32603
    assert text not in str(answer)
    logged = "\n".join(r.getMessage() for r in caplog.records if r.name.startswith("notekin"))
    assert "ValueError" in logged
    assert text not in logged
    assert client.notifications("window/showMessage") == []


async def test_a_wrong_setting_is_shown_and_answered(tmp_path: Path) -> None:
    sentence = "`model` in config.toml must be a string; remove it."

    def refuse(_: Any) -> Any:
        raise BadSetting(sentence)

    client = LspClient(FakeSession(), make_engine=refuse)
    params = _minimal(tmp_path)
    assert "result" in await client.request("initialize", params)
    client.notify("initialized", {})
    answer = await client.request("notekin/search", {"query": "x"})
    assert answer["error"] == {"code": -32803, "message": sentence}
    assert client.notifications("window/showMessage") == [{"type": 1, "message": sentence}]
    await client.stop()


async def test_a_setting_that_is_wrong_again_is_told_again(
    client: LspClient, tmp_path: Path
) -> None:
    session, sentence = client.session, "notekin.toml is no regular file."
    for notices in ((sentence,), (sentence,), (), (sentence,)):
        session.notices = notices
        session.publish(VaultStatus(tmp_path / "notes", revision=len(session.calls)))
        await client.request("notekin/search", {"query": "x"})
    told = {"type": 2, "message": sentence}
    assert client.notifications("window/showMessage") == [told, told]


async def test_status_never_waits_for_the_session(tmp_path: Path) -> None:
    session = FakeSession()
    session.gate.clear()

    def slowly(_: Any) -> Any:
        session.gate.wait(10)
        return session

    client = LspClient(session, make_engine=slowly)
    params = _minimal(tmp_path)
    await client.request("initialize", params)
    client.notify("initialized", {})
    answer = await client.request("notekin/status")
    assert [(s["folder"], s["phase"]) for s in answer["result"]] == [
        (tmp_path.as_uri(), "starting")
    ]
    client.notify("workspace/didCreateFiles", {"files": [{"uri": f"{tmp_path.as_uri()}/a.md"}]})
    session.gate.set()
    await client.request("notekin/search", {"query": "x"})
    assert ("changed", ["a.md"]) in session.calls
    await client.stop()


async def test_a_client_that_never_says_initialized_is_served(tmp_path: Path) -> None:
    client = LspClient(FakeSession())
    params = _minimal(tmp_path)
    await client.request("initialize", params)
    assert (await client.request("notekin/search", {"query": "x"}))["result"]
    await client.stop()


async def test_a_status_change_reaches_the_client(client: LspClient) -> None:
    folder = client.session.folders[0]
    client.session.publish(VaultStatus(folder, phase="paused", reason="cancelled", revision=9))
    message = await client.message(lambda m: m.get("method") == "notekin/statusChanged")
    assert message["params"]["status"][0]["revision"] == 9
