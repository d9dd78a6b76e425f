"""What is derived from the messages is fresh, and nothing of the messages is left out of it."""

import re
from pathlib import Path
from typing import Any, get_args

import attrs
import pytest

from notekin_protocol import generate, messages
from notekin_protocol.typescript import message_classes, typescript

DESCRIBING = {messages.Request, messages.Notification, messages.Choices, messages.ErrorCode}


@pytest.mark.parametrize("path", generate.outputs())
def test_generated_file_is_fresh(path: str) -> None:
    remedy = "run `python -m notekin_protocol.generate`"
    assert (generate.repository() / path).read_text("utf-8") == generate.outputs()[path], remedy


def test_a_stale_and_an_absent_file_are_told(tmp_path: Path) -> None:
    first, *others = generate.outputs()
    (tmp_path / first).parent.mkdir(parents=True)
    (tmp_path / first).write_text("old", "utf-8")
    assert generate.stale(tmp_path) == [first, *others]


def test_check_writes_nothing_and_fails_on_a_stale_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(generate, "repository", lambda: tmp_path)
    assert generate.main(["--check"]) == 1
    assert "is stale" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0


def test_every_class_of_the_source_goes_over_the_wire() -> None:
    defined = {value for value in vars(messages).values() if attrs.has(value)}
    assert defined - DESCRIBING == set(message_classes())


@pytest.mark.parametrize("choices", messages.CHOICES, ids=lambda choices: choices.name)
def test_every_word_is_explained(choices: Any) -> None:
    assert tuple(choices.values) == get_args(choices.kind)


@pytest.mark.parametrize("cls", message_classes())
def test_every_field_is_explained_by_a_sentence(cls: Any) -> None:
    docs: list[str] = [field.metadata["doc"] for field in attrs.fields(cls)]
    assert [doc for doc in docs if not doc.endswith(".") or "*/" in doc] == []


def test_typescript_names_only_types_that_it_defines() -> None:
    code = re.sub(r'/\*\*.*?\*/|"[^"]*"|//.*', "", typescript())
    defined = set(re.findall(r"export (?:type|interface) (\w+)", code))
    assert set(re.findall(r"\b[A-Z]\w+", code)) - defined == {"Record"}


def test_optional_fields_have_a_mark() -> None:
    code = typescript()
    assert "readonly limit?: number;" in code
    assert "readonly query: string;" in code
    assert "readonly provider: string | null;" in code
    assert "readonly reason?: Reason | (string & Record<never, never>);" in code
