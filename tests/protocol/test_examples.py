"""The golden examples are exactly what the classes read and write."""

import json
from pathlib import Path
from typing import Any, get_args

import attrs
import pytest

import notekin_protocol
from notekin_protocol import convert, messages
from notekin_protocol.typescript import message_classes

EXAMPLES = sorted((Path(notekin_protocol.__file__).parent / "examples").glob("*.json"))


def class_of(example: Path) -> Any:
    return getattr(messages, example.name.split(".")[0])


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example_is_read_and_written_the_same(example: Path) -> None:
    payload = json.loads(example.read_text("utf-8"))
    message = convert.read(class_of(example), payload)
    assert convert.write(message) == payload


def test_every_message_has_an_example() -> None:
    assert classes_at_the_top() <= {class_of(example) for example in EXAMPLES}


def test_every_field_is_in_an_example() -> None:
    written = "\n".join(example.read_text("utf-8") for example in EXAMPLES)
    names = {convert.wire_name(field.name) for cls in message_classes() for field in fields(cls)}
    assert [name for name in sorted(names) if f'"{name}"' not in written] == []


def fields(cls: Any) -> tuple[Any, ...]:
    return attrs.fields(cls)


def classes_at_the_top() -> set[type]:
    results = [
        get_args(one.result)[0] if get_args(one.result) else one.result for one in messages.REQUESTS
    ]
    return {
        messages.ServerCapability,
        *results,
        *(one.params for one in messages.REQUESTS),
        *(one.params for one in messages.NOTIFICATIONS),
    }
