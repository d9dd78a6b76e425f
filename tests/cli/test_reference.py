"""The hand-written page of the command line names every command and every option."""

import re
from pathlib import Path

import pytest

from notekin.cli.app import build
from support.fake_engine import FakeEngine

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "command-line.md"
COMMANDS = [name for name in build(FakeEngine(Path()), lambda: 0) if not name.startswith("-")]


def sections() -> dict[str, str]:
    parts = re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    return {" ".join(part.split()[:2]): part for part in parts}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_names_every_option(name: str) -> None:
    found = sections()
    text = found[f"notekin {name}"] + found["For all"]
    command = build(FakeEngine(Path()), lambda: 0)[name]
    options = {
        option
        for argument in command.assemble_argument_collection()
        for option in argument.names
        if option.startswith("-") and not option.startswith(("--no-", "--empty-"))
    }
    assert {option for option in options if option not in text} == set()


def test_the_page_names_no_command_too_many() -> None:
    named = {name.split()[1] for name in sections() if name.startswith("notekin ")}
    assert named == set(COMMANDS)
