"""PDFs through the real server over its pipes, with the real reader of PDFs and the real model."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import psutil
import pytest

from support.pdf_files import encrypted, pages, written
from support.stdio import PATIENCE_SECONDS, TESTS, StdioClient, client_of

# Sixty pages are half a minute of a processor, which others may be using.
LAYOUT_SECONDS = 400.0
FACT = "The heron of Lake Orta was ringed on a Tuesday by the postman."


def book(n_pages: int, page: int) -> bytes:
    """Return a PDF with the fact on one of its pages."""
    filler = "On page {0} the ferry left at {0} past nine, and nobody on it had seen a bird so far."
    texts = [" ".join([filler.format(number)] * 6) for number in range(1, n_pages + 1)]
    texts[page - 1] = f"{texts[page - 1]} {FACT} {texts[page - 1]}"
    return written(pages(texts))


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path.resolve() / "vault"
    folder.mkdir()
    (folder / "birds.md").write_text("# Birds\n\nWho ringed the heron at the lake?\n", "utf-8")
    return folder


@pytest.fixture
def env(vault: Path) -> Mapping[str, str]:
    home = vault.parent
    return {"NOTEKIN_DATA_DIR": str(home / "data"), "NOTEKIN_CONFIG_DIR": str(home / "config")}


@pytest.fixture
def client(env: Mapping[str, str]) -> Iterator[StdioClient]:
    with client_of("-m", "notekin", "lsp", env=env) as made:
        made.patience = LAYOUT_SECONDS
        yield made


def found(client: StdioClient, query: str) -> list[dict[str, Any]]:
    return client.request("notekin/search", {"query": query, "mode": "lexical"})["hits"]


def text_in(document: str, span: Mapping[str, Any]) -> str:
    """Return what stands in a range of a document in ASCII."""
    lines = document.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]

    def offset(at: Mapping[str, int]) -> int:
        return starts[at["line"]] + at["character"]

    return document[offset(span["start"]) : offset(span["end"])]


def test_a_fact_on_page_45_is_found_with_its_page(
    client: StdioClient, vault: Path, env: Mapping[str, str]
) -> None:
    (vault / "lake.pdf").write_bytes(book(60, 45))
    client.initialize(vault)
    client.status(lambda status: " p. " in status.get("current", ""))
    client.idle()

    asked = {"query": "which bird was ringed by the postman", "kinds": ["pdf"]}
    result = client.request("notekin/search", asked)
    assert result["verdict"] == "found"
    (hit, *_) = result["hits"]
    assert (hit["uri"], hit["page"]) == ((vault / "lake.pdf").as_uri(), 45)
    assert FACT in hit["text"]
    place = hit["textDocument"]
    content = client.request("workspace/textDocumentContent", {"uri": place["uri"]})
    assert text_in(content["text"], place["range"]) == hit["text"]
    position = {"line": 2, "character": 8}
    asking = {"textDocument": {"uri": (vault / "birds.md").as_uri()}, "position": position}
    related = client.request("notekin/related", asking)
    assert [each["page"] for each in related["hits"] if FACT in each["text"]] == [45]
    assert client.leave() == 0

    command = [sys.executable, "-m", "notekin", "search", "heron postman", str(vault)]
    shown = subprocess.run(
        command, env={**_environment(), **env}, capture_output=True, text=True, check=True
    )
    assert "lake.pdf p. 45" in shown.stdout


def test_a_pdf_that_is_dropped_while_it_runs_is_found(client: StdioClient, vault: Path) -> None:
    client.initialize(vault)
    client.idle()
    (vault / "lake.pdf").write_bytes(book(12, 7))
    client.status(lambda status: status["notes"]["total"] == 2 and status["phase"] == "idle")

    (hit, *_) = found(client, "ringed on a Tuesday")
    assert hit["page"] == 7
    (vault / "lake.pdf").unlink()
    client.received.clear()
    client.status(lambda status: status["notes"]["total"] == 1)
    assert not [each for each in found(client, "Tuesday postman") if "page" in each]


def test_a_server_that_is_killed_while_it_reads_goes_on_where_it_was(
    vault: Path, env: Mapping[str, str]
) -> None:
    (vault / "done.pdf").write_bytes(written(pages(["A kingfisher dived."])))
    with client_of("-m", "notekin", "lsp", env=env) as killed:
        killed.initialize(vault)
        killed.idle()
        (vault / "lake.pdf").write_bytes(book(12, 7))
        killed.status(lambda status: status.get("current", "").startswith("lake.pdf p. "))
        children = psutil.Process(killed.process.pid).children()
    assert psutil.wait_procs(children, PATIENCE_SECONDS)[1] == []
    (kept,) = vault.parent.glob("data/indexes/*.pdfs/*/content_list.json")
    written_at = kept.stat().st_mtime_ns

    with client_of("-m", "notekin", "lsp", env=env) as client:
        client.patience = LAYOUT_SECONDS
        client.initialize(vault)
        client.idle()
        (hit, *_) = found(client, "ringed on a Tuesday")
        assert hit["page"] == 7
        assert kept.stat().st_mtime_ns == written_at
        assert len(list(kept.parents[1].iterdir())) == 2
        assert client.leave() == 0


def test_a_password_that_came_while_no_server_ran_opens_its_pdf(
    vault: Path, env: Mapping[str, str]
) -> None:
    (vault / "locked.pdf").write_bytes(encrypted())
    with client_of("-m", "notekin", "lsp", env=env) as client:
        client.initialize(vault)
        (failure,) = client.idle()["failures"]
        assert "password" in failure["reason"]
        assert client.leave() == 0
    config = Path(env["NOTEKIN_CONFIG_DIR"])
    config.mkdir()
    (config / "config.toml").write_text('pdf.passwords = ["owl"]')

    for _ in range(2):
        with client_of("-m", "notekin", "lsp", env=env) as client:
            client.initialize(vault)
            assert client.idle()["failures"] == []
            (hit, *_) = found(client, "lighthouses along the shore")
            assert hit["page"] == 1
            assert client.leave() == 0
    told = {
        file.name: file.read_bytes() for file in vault.parent.glob("data/**/*") if file.is_file()
    }
    assert [name for name, content in told.items() if b'"owl"' in content] == []


def test_a_password_that_is_asked_for_opens_its_pdf_and_is_kept_nowhere(
    vault: Path, env: Mapping[str, str]
) -> None:
    (vault / "locked.pdf").write_bytes(encrypted())
    with client_of("-m", "notekin", "lsp", env=env) as client:
        client.initialize(vault)
        (failure,) = client.idle()["failures"]
        assert failure["needsPassword"] is True
        asked = {"textDocument": {"uri": failure["uri"]}}
        wrong = client.request("notekin/unlock", {"passwords": ["kestrel"], **asked})
        assert wrong == {"opened": False}
        client.received.clear()
        right = client.request("notekin/unlock", {"passwords": ["kestrel", "owl"], **asked})
        assert right == {"opened": True}
        client.status(lambda status: status["phase"] == "idle" and not status["failures"])
        (hit, *_) = found(client, "lighthouses along the shore")
        assert hit["page"] == 1
        assert client.leave() == 0
    told = [file.read_bytes() for file in vault.parent.glob("data/**/*") if file.is_file()]
    assert told
    assert [content for content in told if b"kestrel" in content] == []


def _environment() -> Mapping[str, str]:
    roots = [TESTS.parent / "server", TESTS.parent / "protocol"]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, roots))}
