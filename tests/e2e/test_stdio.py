"""The real server over its pipes, with the fake model: what an editor sees."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.stdio import Message, StdioClient, client_of

NOTES = {
    "bread.md": "# Bread\n\nThe dough rises overnight.\n\nSee [[flour]].\n",
    "flour.md": "# Flour\n\nThe dough rises overnight.\n",
    "deep/er/sea.md": "# Sea\n\nWaves and a lighthouse.\n",
}
WATCHES = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    vault = tmp_path.resolve() / "vault"
    for path, text in NOTES.items():
        (vault / path).parent.mkdir(parents=True, exist_ok=True)
        (vault / path).write_text(text, "utf-8")
    return vault


@pytest.fixture
def client(folder: Path) -> Iterator[StdioClient]:
    """A client of a server that has indexed the folder."""
    with client_of("-m", "support.serve_fake", str(folder.parent)) as client:
        client.initialize(folder, **WATCHES)
        client.idle()
        yield client


def _search(client: StdioClient, query: str, **given: Any) -> list[str]:
    result = client.request("notekin/search", {"query": query, "mode": "lexical", **given})
    return [hit["chunkId"] for hit in result["hits"]]


def _progress(message: Message) -> dict[str, Any]:
    """Return what a message tells of a progress bar."""
    return message["params"]["value"] if message.get("method") == "$/progress" else {}


def test_save_and_search(client: StdioClient, folder: Path) -> None:
    assert _search(client, "lighthouse") == ["deep/er/sea.md#0"]
    client.save(folder / "bread.md", "# Bread\n\nSourdough, this time.\n")
    assert _search(client, "sourdough") == ["bread.md#0"]
    assert _search(client, "overnight") == ["flour.md#0"]
    client.idle()
    result = client.request("notekin/search", {"query": "sourdough this time"})
    assert result["verdict"] == "found"
    (hit, *_) = result["hits"]
    assert hit["uri"] == (folder / "bread.md").as_uri()
    assert hit["folder"] == folder.as_uri()
    assert hit["range"]["end"] == {"line": 2, "character": 21}
    assert hit["semantic"]["rank"] == 1
    assert client.leave() == 0


def test_unsaved_edits_move_hits(client: StdioClient, folder: Path) -> None:
    uri = (folder / "deep/er/sea.md").as_uri()
    text = NOTES["deep/er/sea.md"]
    document = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": document})
    start = {"line": 0, "character": 0}
    change = {"range": {"start": start, "end": start}, "text": "🌊\nabove\n"}
    versioned = {"uri": uri, "version": 2}
    client.notify("textDocument/didChange", {"textDocument": versioned, "contentChanges": [change]})
    (hit,) = client.request("notekin/search", {"query": "lighthouse", "limit": 1})["hits"]
    assert hit["range"]["start"]["line"] == 2


@pytest.mark.parametrize("told", ["deep/er/sea.md", "deep"])
def test_a_watched_file_or_folder_that_is_gone(
    client: StdioClient, folder: Path, told: str
) -> None:
    (folder / "deep/er/sea.md").unlink()
    (folder / "deep/er").rmdir()
    (folder / "deep").rmdir()
    changes = [{"uri": (folder / told).as_uri(), "type": 3}]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    assert _search(client, "lighthouse") == []
    (status,) = client.request("notekin/status", {})
    assert status["notes"]["total"] == 2


def test_a_client_that_does_not_watch_is_served_too(folder: Path) -> None:
    with client_of("-m", "support.serve_fake", str(folder.parent)) as client:
        client.initialize(folder)
        client.idle()
        (folder / "new.md").write_text("a pelican", "utf-8")
        client.status(lambda status: status["notes"]["indexed"] == 4)
        assert _search(client, "pelican") == ["new.md#0"]


def test_related_hover_and_symbols(client: StdioClient, folder: Path) -> None:
    asking = {"textDocument": {"uri": (folder / "bread.md").as_uri()}}
    position = {"line": 2, "character": 5}
    related = client.request("notekin/related", {**asking, "position": position})
    (first, *_) = related["hits"]
    assert (first["title"], first["linked"]) == ("Flour", True)
    assert all(hit["uri"] != asking["textDocument"]["uri"] for hit in related["hits"])
    document = {"languageId": "markdown", "version": 1, "text": NOTES["bread.md"]}
    opened = {"textDocument": {**document, **asking["textDocument"]}}
    client.notify("textDocument/didOpen", opened)
    hover = client.request("textDocument/hover", {**asking, "position": position})
    assert "Flour" in json.dumps(hover)
    symbols = client.request("workspace/symbol", {"query": "dough rises overnight"})
    assert any("bread.md" in symbol["location"]["uri"] for symbol in symbols)


def test_commands_are_the_requests(client: StdioClient) -> None:
    params = {"query": "lighthouse", "mode": "lexical"}
    command = {"command": "notekin.search", "arguments": [params]}
    twins = [
        client.request("workspace/executeCommand", command),
        client.request("notekin/search", params),
    ]
    assert twins[0]["hits"] == twins[1]["hits"] != []


def test_a_first_index_shows_progress_and_can_be_cancelled(folder: Path) -> None:
    for number in range(300):
        (folder / f"{number}.md").write_text(f"note number{number}", "utf-8")
    with client_of("-m", "support.serve_fake", str(folder.parent), "0.02") as client:
        client.initialize(folder, window={"workDoneProgress": True}, **WATCHES)

        def reported(message: Message) -> bool:
            value = _progress(message)
            return value.get("kind") == "report" and value["percentage"] > 0

        report = client.message(reported)["params"]
        assert "of 303 notes" in report["value"]["message"]
        assert report["value"]["cancellable"]
        client.notify("window/workDoneProgress/cancel", {"token": report["token"]})
        status = client.status(lambda status: status["phase"] == "paused")
        assert status["reason"] == "cancelled"
        client.message(lambda message: _progress(message).get("kind") == "end")
        assert client.request("notekin/search", {"query": "number7"})["verdict"] == "incomplete"
        client.save(folder / "bread.md", "# Bread\n\nSourdough.\n")
        assert _search(client, "sourdough") == ["bread.md#0"]
        (resumed,) = client.request("notekin/resume", {})
        assert resumed["phase"] in ("scanning", "indexing", "embedding")
        (cancelled,) = client.request("notekin/cancel", {"folder": folder.as_uri()})
        assert (cancelled["phase"], cancelled["reason"]) == ("paused", "cancelled")
        assert client.leave() == 0


def test_a_missing_folder_is_a_status(tmp_path: Path) -> None:
    with client_of("-m", "support.serve_fake", str(tmp_path)) as client:
        client.initialize(tmp_path / "nowhere")
        status = client.status(lambda status: status["phase"] == "failed")
        assert status["reason"] == "folderMissing"
        assert "nowhere" in status["failures"][0]["reason"]
        assert client.leave() == 0
