"""The messages as the page `docs/reference/protocol.md`."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

import attrs

from notekin_protocol.convert import wire_name
from notekin_protocol.messages import (
    CHOICES,
    ERRORS,
    NOTIFICATIONS,
    PROTOCOL_VERSION,
    REQUESTS,
    Choices,
)
from notekin_protocol.typescript import is_optional, message_classes, type_name, wire_type

_INTRODUCTION = f"""\
<!-- Generated from protocol/notekin_protocol/messages.py by \
`python -m notekin_protocol.generate`; do not edit. -->

# Protocol

What an editor or a script may rely on beside standard LSP, version {PROTOCOL_VERSION}. Types are \
written as in TypeScript.

- Positions are LSP positions in the negotiated encoding: UTF-16 unless the client asks for \
another. Offsets inside `text` are UTF-16 code units.
- Documents, folders and vaults are URIs.
- A field marked optional may be left out; null stands for left out. Unknown fields are ignored, a \
field of a wrong type is refused with a sentence that names it.
- The server announces `capabilities.experimental.notekin`, a `ServerCapability`, with the methods \
that it serves; this page has all methods of the protocol.
"""


def reference() -> str:
    """Return the text of the page."""
    return "\n".join(
        (
            _INTRODUCTION,
            "## Requests\n",
            "Each is also a command for `workspace/executeCommand`, its argument the params.\n",
            _requests(),
            "## Notifications\n",
            "The server sends these.\n",
            _notifications(),
            "## Errors\n",
            "Every request is answered, a failed one with a code and a sentence for the person.\n",
            _table(("Code", "Meaning"), ((str(one.code), one.doc) for one in ERRORS)),
            "## Messages\n",
            *(_message(cls) for cls in message_classes()),
            "## Words\n",
            *(_words(choices) for choices in CHOICES),
        )
    )


def _requests() -> str:
    head = ("Method", "Command", "Params", "Result", "What it does")
    return _table(
        head,
        (
            (
                _code(request.name),
                _code(request.command),
                _code(type_name(request.params)),
                _code(_plain(type_name(request.result))),
                request.doc,
            )
            for request in REQUESTS
        ),
    )


def _notifications() -> str:
    rows = ((_code(one.name), _code(type_name(one.params)), one.doc) for one in NOTIFICATIONS)
    return _table(("Method", "Params", "When"), rows)


def _message(cls: type) -> str:
    doc = " ".join((cls.__doc__ or "").split())
    fields: tuple[Any, ...] = attrs.fields(cls)
    title = f"### {cls.__name__}\n\n{doc}\n"
    if not fields:
        return title
    head = ("Field", "Type", "Optional", "Meaning")
    return f"{title}\n" + _table(head, (_field(field) for field in fields))


def _field(field: Any) -> tuple[str, str, str, str]:
    at_least = field.metadata["at_least"]
    bound = "" if at_least is None else f" ≥ {at_least}"
    meaning: str = field.metadata["doc"]
    return (
        _code(wire_name(field.name)),
        _code(_plain(wire_type(field))) + bound,
        _optional(field),
        meaning,
    )


def _optional(field: Any) -> str:
    if not is_optional(field):
        return ""
    if field.default is None or field.default == ():
        return "yes"
    return f"yes, {_code(json.dumps(field.default))}"


def _words(choices: Choices) -> str:
    rows = ((_code(word), doc) for word, doc in choices.values.items())
    return f"### {choices.name}\n\n{choices.doc}\n\n" + _table(("Word", "Meaning"), rows)


def _plain(name: str) -> str:
    """Return a type as a reader of the page needs it, without what only a compiler does."""
    return name.replace("readonly ", "").replace("(string & Record<never, never>)", "string")


def _code(text: str) -> str:
    return f"`{text}`"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(map(_cell, line))} |\n" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
