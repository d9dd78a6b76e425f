"""The program as a person starts it, while an editor has the same vault open, and before."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from e2e.test_command_line import Program, program_in
from support.stdio import Message, StdioClient, client_of


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return program_in(tmp_path.resolve())


@contextmanager
def editor(program: Program) -> Generator[StdioClient]:
    with client_of("-m", "notekin", "lsp", env=program.environment) as client:
        client.initialize(program.vault)
        yield client


def leads(status: Message) -> bool:
    return status["phase"] == "idle" and "reason" not in status


def asked(program: Program, *arguments: str) -> Any:
    """Return what a command answers; it must be whole, and nothing may be said beside it."""
    answer = program(*arguments, "--json")
    assert (answer.returncode, answer.stderr) == (0, ""), answer
    return json.loads(answer.stdout)


def test_commands_beside_an_editor_answer_fresh(program: Program) -> None:
    with editor(program) as client:
        client.status(leads)
        (told,) = asked(program, "status")["status"]
        assert (told["phase"], told["reason"]) == ("idle", "otherProcess")
        # The editor's client tells its server nothing of this.
        (program.vault / "late.md").write_text("# Late\n\nA wallaby in the garden.\n", "utf-8")
        answer = asked(program, "search", "wallaby", "--mode", "lexical")
        assert (answer["verdict"], len(answer["hits"])) == ("found", 1)
        (program.vault / "late.md").write_text("# Late\n\nA numbat in the garden.\n", "utf-8")
        answer = asked(program, "search", "numbat in the garden")
        assert (answer["verdict"], "numbat" in answer["hits"][0]["text"]) == ("found", True)
        (program.vault / "late.md").unlink()
        (told,) = asked(program, "index", ".")["status"]
        assert told["notes"]["total"] == 3
        assert "healthy" in program("doctor").stdout
        refused = program("forget", ".", "--yes")
        assert refused.returncode == 2
        assert "close the editor" in refused.stderr


def test_an_editor_opened_beside_a_command_follows_and_takes_over(program: Program) -> None:
    for number in range(400):
        text = f"# Note {number}\n\n" + f"A sentence about thing{number}. " * 30
        (program.vault / f"{number}.md").write_text(text, "utf-8")
    indexing = program.start("index", ".")
    with editor(program) as client:
        client.status(lambda status: status.get("reason") == "otherProcess")
        client.save(program.vault / "0.md", "# Nought\n\nA numbat.\n")
        query = {"query": "numbat", "mode": "lexical"}
        while not (answer := client.request("notekin/search", query))["hits"]:
            assert answer["verdict"] == "incomplete"
        assert indexing.poll() is None, "the command was to be at work still"
        indexing.terminate()
        indexing.communicate()
        client.status(lambda status: status["phase"] == "embedding" and "reason" not in status)
    assert "healthy" in program("doctor").stdout
