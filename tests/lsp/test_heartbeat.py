"""A server at rest lets the processor sleep."""

import asyncio
from pathlib import Path

import pytest

from notekin.lsp.heartbeat import VARIABLE, measured


async def test_nothing_beats_where_nobody_asks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    n_tasks = len(asyncio.all_tasks())
    monkeypatch.delenv(VARIABLE, raising=False)
    async with measured():
        assert len(asyncio.all_tasks()) == n_tasks
    monkeypatch.setenv(VARIABLE, str(tmp_path / "beats"))
    async with measured():
        assert len(asyncio.all_tasks()) == n_tasks + 1
    assert (tmp_path / "beats").exists()
