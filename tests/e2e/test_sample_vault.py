"""The sample vault in the real server with the real model, through pytest-lsp's client."""

import asyncio
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient

from support.engine import SAMPLE_VAULT

_PATIENCE_SECONDS = 300.0  # Only what hangs gets here.


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SAMPLE_VAULT, tmp_path.resolve() / "vault"))


async def test_the_sample_vault_is_indexed_and_searched(folder: Path) -> None:
    command = [sys.executable, "-m", "notekin", "lsp", "--stdio"]
    environment = {**os.environ, "NOTEKIN_DATA_DIR": str(folder.parent / "data")}
    client = await ClientServerConfig(command, server_env=environment).start()
    assert isinstance(client, LanguageClient)
    idle = asyncio.Event()

    def status_changed(params: Any) -> None:
        if params.status and params.status[0].phase == "idle":
            idle.set()

    client.feature("notekin/statusChanged")(status_changed)
    uri = folder.as_uri()
    answer = await client.initialize_session(
        types.InitializeParams(
            capabilities=types.ClientCapabilities(),
            workspace_folders=[types.WorkspaceFolder(uri, folder.name)],
        )
    )
    announced: Any = answer.capabilities.experimental
    assert announced["notekin"]["protocolVersion"] == 1
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            await idle.wait()
            request = client.protocol.send_request_async
            result = await request("notekin/search", {"query": "ERR-4032"})
            assert result.verdict == "found"
            assert result.hits[0].uri.endswith("/Postmortem%20ERR-4032.md")
            meant = {"query": "how did we get rid of the message broker", "mode": "semantic"}
            hits = (await request("notekin/search", meant)).hits
            assert any(hit.uri.endswith("/Decision%20queue.md") for hit in hits[:3])
            (status,) = await request("notekin/status", {})
            assert (status["notes"]["pending"], status["chunks"]["pending"]) == (0, 0)
    finally:
        await client.shutdown_session()
        await client.stop()
