"""The wire contract of what changes: edits, saves, watched files, orders, notifications."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.stdio import StdioClient, client_of

SEEN = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
TEXT = "# One\n\nThe quokka naps.\n\n# Two\n\nThe wombat digs.\n"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    vault = tmp_path.resolve() / "vault"
    (vault / "deep").mkdir(parents=True)
    (vault / "a.md").write_text(TEXT, "utf-8")
    (vault / "deep/b.md").write_text("# Numbat\n\nTermites for dinner.\n", "utf-8")
    return vault


@pytest.fixture
def client(vault: Path) -> Iterator[StdioClient]:
    with client_of("-m", "support.serve_fake", str(vault.parent)) as client:
        client.initialize(vault, **SEEN)
        client.idle()
        yield client


def _found(client: StdioClient, query: str) -> list[str]:
    result = client.request("notekin/search", {"query": query, "mode": "lexical"})
    return [hit["chunkId"] for hit in result["hits"]]


def _until_found(client: StdioClient, query: str, *wanted: str) -> None:
    """Ask until the answer is that; only what hangs asks to the end."""
    answers = (_found(client, query) for _ in range(5_000))
    assert any(answer == list(wanted) for answer in answers), _found(client, query)


def _change(client: StdioClient, file: Path, version: int, *changes: Any) -> None:
    document = {"uri": file.as_uri(), "version": version}
    given = {"textDocument": document, "contentChanges": list(changes)}
    client.notify("textDocument/didChange", given)


def _open(client: StdioClient, file: Path) -> None:
    text = file.read_text("utf-8")
    document = {"uri": file.as_uri(), "languageId": "markdown", "version": 1, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": document})


def test_the_client_is_asked_to_watch_everything(client: StdioClient, vault: Path) -> None:
    (vault / "a.md").unlink()
    (vault / "deep/b.md").unlink()
    (vault / "deep").rmdir()
    (vault / "new.md").write_text("potoroo", "utf-8")
    kinds = {"new.md": 1, "a.md": 3, "deep": 3}
    changes = [{"uri": (vault / name).as_uri(), "type": kind} for name, kind in kinds.items()]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    _until_found(client, "potoroo", "new.md#0")
    _until_found(client, "quokka numbat")


def test_files_renamed_in_the_editor(client: StdioClient, vault: Path) -> None:
    (vault / "deep").rename(vault / "moved")
    pair = {"oldUri": (vault / "deep").as_uri(), "newUri": (vault / "moved").as_uri()}
    client.notify("workspace/didRenameFiles", {"files": [pair]})
    _until_found(client, "termites", "moved/b.md#0")


def test_hits_stand_where_unsaved_edits_moved_them(client: StdioClient, vault: Path) -> None:
    file = vault / "a.md"
    _open(client, file)
    top = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    _change(client, file, 2, {"range": top, "text": "😀 new\r\nlines\r"})
    (hit,) = client.request("notekin/search", {"query": "wombat", "mode": "lexical"})["hits"]
    assert hit["range"]["start"] == {"line": 6, "character": 0}
    assert hit["text"].startswith("# Two")
    # Ranges beyond the text, backwards or malformed harm nothing.
    far = {"start": {"line": 10**9, "character": 0}, "end": {"line": 10**9, "character": 9}}
    back = {"start": {"line": 1, "character": 2}, "end": {"line": 0, "character": 0}}
    _change(client, file, 3, {"range": far, "text": ""}, {"range": back, "text": ""})
    _change(client, file, 4, {"range": "nowhere", "text": "x"})
    (again,) = client.request("notekin/search", {"query": "wombat", "mode": "lexical"})["hits"]
    assert again["range"] == hit["range"]
    client.notify("textDocument/didClose", {"textDocument": {"uri": file.as_uri()}})
    (closed,) = client.request("notekin/search", {"query": "wombat", "mode": "lexical"})["hits"]
    assert closed["range"]["start"] == {"line": 4, "character": 0}


def test_the_last_of_many_saves_is_what_is_found(client: StdioClient, vault: Path) -> None:
    file = vault / "a.md"
    _open(client, file)
    for number in range(50):
        text = f"# Draft\n\nbilby{number} sleeps\n"
        _change(client, file, number + 2, {"text": text})
        file.write_text(text, "utf-8")
        client.notify("textDocument/didSave", {"textDocument": {"uri": file.as_uri()}})
    _until_found(client, "bilby49", "a.md#0")
    assert _found(client, "bilby48 quokka wombat") == []


def test_orders(client: StdioClient, vault: Path) -> None:
    one = {"textDocument": {"uri": (vault / "a.md").as_uri()}, "force": True}
    assert client.request("notekin/reindex", one) == {"queued": 1}
    assert client.request("notekin/reindex", {"force": True}) == {"queued": 2}
    here = {"folder": vault.as_uri()}
    (cancelled,) = client.request("notekin/cancel", here)
    assert (cancelled["phase"], cancelled["reason"]) == ("paused", "cancelled")
    (resumed,) = client.request("notekin/resume", here)
    assert resumed["phase"] != "paused"
    client.status(lambda status: status["phase"] == "idle")
    client.begin("notekin/cancel", {"folder": vault.parent.as_uri()})
    assert client.message(lambda m: "error" in m)["error"]["code"] == -32602


def test_hover_and_symbols(client: StdioClient, vault: Path) -> None:
    hostile = "Quokka naps ![](https://example.org/p.png) [x](command:quit) <b> `c` www.example.org"
    client.save(vault / "h.md", f"# H\n\nThe {hostile}\n")
    client.status(lambda status: status["phase"] == "idle" and status["notes"]["total"] == 3)
    place = {
        "textDocument": {"uri": (vault / "a.md").as_uri()},
        "position": {"line": 2, "character": 1},
    }
    shown = client.request("textDocument/hover", place)["contents"]["value"]
    assert f"({(vault / 'h.md').as_uri()}#" in shown
    for live in ("![]", "](command", "<b>", "`c`", " https://", "www."):
        assert live not in shown.replace("\\", "\0")
    (symbol, *_) = client.request("workspace/symbol", {"query": "wombat digs"})
    assert symbol["location"]["uri"] == (vault / "a.md").as_uri()
    assert symbol["name"]


def test_nothing_is_written_to_the_vault(client: StdioClient, vault: Path) -> None:
    names = sorted(path.relative_to(vault).as_posix() for path in vault.rglob("*"))
    assert names == ["a.md", "deep", "deep/b.md"]
    assert client.leave() == 0
    assert sorted(path.relative_to(vault).as_posix() for path in vault.rglob("*")) == names
