"""Several processes on one vault, over their pipes: one writes, nobody waits, none is missed."""

import os
import random
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from support.stdio import Message, StdioClient, client_of
from support.vault import Scratch, scratch


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Scratch]:
    with scratch(tmp_path) as made:
        for number in range(40):
            sections = [f"## Part {part}\n\n" + f"word{number}x{part} " * 60 for part in "ab"]
            made.write(f"{number % 4}/{number}.md", "\n\n".join(sections), age=number)
        yield made


def window(stack: ExitStack, vault: Scratch, *model: str) -> StdioClient:
    """Return a client of a server that opens the vault; `model` as in `serve_fake`."""
    client = stack.enter_context(client_of("-m", "support.serve_fake", str(vault.home), *model))
    client.initialize(vault.folder)
    return client


def words(client: StdioClient, query: str) -> list[str]:
    """Return the notes that hold a word, as soon as no more can come."""
    asked = {"query": query, "mode": "lexical"}
    result: Message = {}
    for _ in range(1000):  # one that has just taken over compares all files first
        result = client.request("notekin/search", asked)
        if result["verdict"] != "incomplete":
            return [hit["chunkId"].partition("#")[0] for hit in result["hits"]]
    raise AssertionError(result["status"])


def follows(status: Message) -> bool:
    return status["phase"] == "idle" and status.get("reason") == "otherProcess"


def leads(status: Message) -> bool:
    return status["phase"] == "idle" and "reason" not in status


def test_a_save_in_any_window_is_findable_in_all(vault: Scratch) -> None:
    with ExitStack() as stack:
        first = window(stack, vault)
        first.status(leads)
        second = window(stack, vault)
        second.status(follows)
        second.save(vault.folder / "own.md", "numbat")
        assert words(second, "numbat") == ["own.md"]
        assert words(first, "numbat") == ["own.md"]
        first.save(vault.folder / "other.md", "quagga")
        assert words(first, "quagga") == ["other.md"]
        assert words(second, "quagga") == ["other.md"]
    assert vault.doctor() == []


def test_one_killed_in_the_middle_of_its_work_is_followed_by_the_other(vault: Scratch) -> None:
    with ExitStack() as stack:
        first = window(stack, vault, "0", "8")
        first.status(lambda status: status["phase"] == "embedding")
        second = window(stack, vault)
        told = second.status(lambda status: status["chunks"]["embedded"] >= 8)
        assert (told["phase"], told["reason"]) == ("embedding", "otherProcess")
        second.save(vault.folder / "0/0.md", "# Other words\n\nabout a numbat")
        first.kill()
        assert second.status(leads)["chunks"]["pending"] == 0
        assert words(second, "numbat") == ["0/0.md"]
    assert vault.doctor() == []
    vault.open()
    taken_over = vault.content()
    assert vault.embedder.documents == []
    vault.close()
    vault.index_file.unlink()
    vault.open()
    assert vault.content() == taken_over


def test_one_that_sleeps_is_not_joined_by_a_second_writer(vault: Scratch) -> None:
    with ExitStack() as stack:
        first = window(stack, vault, "0", "4")
        first.status(lambda status: status["chunks"]["embedded"] >= 4)
        second = window(stack, vault)
        second.status(lambda status: status["phase"] == "embedding")
        os.kill(first.process.pid, signal.SIGSTOP)
        try:
            second.save(vault.folder / "own.md", "numbat")
            asked = {"query": "numbat", "mode": "lexical"}
            for _ in range(2):  # each waits for the sleeper a while, and says so
                assert second.request("notekin/search", asked)["verdict"] == "incomplete"
            (status,) = second.request("notekin/status", {})
            assert (status["phase"], status["reason"]) == ("embedding", "otherProcess")
        finally:
            os.kill(first.process.pid, signal.SIGCONT)
        assert words(second, "numbat") == ["own.md"]
        assert words(first, "numbat") == ["own.md"]
    assert vault.doctor() == []


@pytest.mark.parametrize("seed", [3])
def test_three_windows_that_save_and_search_at_once_meet_no_error(
    vault: Scratch, seed: int
) -> None:
    numbers = random.Random(seed)  # noqa: S311 -- no secret
    with ExitStack() as stack:
        clients = [window(stack, vault) for _ in range(3)]
        asked: list[tuple[StdioClient, int]] = []
        for step in range(60):
            client = numbers.choice(clients)
            client.save(vault.folder / f"{step % 7}.md", f"step{step} word")
            query: dict[str, Any] = {"query": f"step{step}", "mode": "lexical"}
            asked += [(each, each.begin("notekin/search", query)) for each in clients]
        for client, number in asked:
            answer = client.message(lambda m, number=number: m.get("id") == number)
            assert "error" not in answer, answer
        # One after the other goes, and those that stay go on.
        while len(clients) > 1:
            clients.pop(0).kill()
            clients[-1].save(vault.folder / "last.md", f"after{len(clients)}")
            assert words(clients[-1], f"after{len(clients)}") == ["last.md"]
            assert words(clients[0], f"after{len(clients)}") == ["last.md"]
        clients[0].status(leads)
    assert vault.doctor() == []
