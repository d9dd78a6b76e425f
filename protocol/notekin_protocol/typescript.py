"""The messages as TypeScript types, for clients."""

from collections.abc import Iterable, Iterator
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

import attrs

from notekin_protocol import messages
from notekin_protocol.convert import wire_name
from notekin_protocol.messages import CHOICES, NOTIFICATIONS, PROTOCOL_VERSION, REQUESTS, Choices

HEADER = "// Generated from protocol/notekin_protocol/messages.py by `python -m \
notekin_protocol.generate`; do not edit."

_PRIMITIVES: dict[Any, str] = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    NoneType: "null",
}


def typescript() -> str:
    """Return the text of `protocol.ts`."""
    parts = (
        HEADER,
        f"export const protocolVersion = {PROTOCOL_VERSION};",
        *(_choices(choices) for choices in CHOICES),
        *(_interface(cls) for cls in message_classes()),
        _map("Requests", "What each request takes and gives.", _request_lines()),
        _map("Notifications", "What each notification carries.", _notification_lines()),
        _names("requests", "The names of the requests.", (one.name for one in REQUESTS)),
        _names("commands", "Their twins for `workspace/executeCommand`.", _commands()),
        _names("notifications", "The names of the notifications.", (n.name for n in NOTIFICATIONS)),
    )
    return "\n\n".join(parts) + "\n"


def message_classes() -> tuple[type, ...]:
    """Return every class that goes over the wire, in the order of the source."""
    roots: list[Any] = [messages.ServerCapability]
    roots += [kind for request in REQUESTS for kind in (request.params, request.result)]
    roots += [notification.params for notification in NOTIFICATIONS]
    reached = {cls for root in roots for cls in _reachable(root)}
    return tuple(
        value for value in vars(messages).values() if attrs.has(value) and value in reached
    )


def type_name(kind: Any) -> str:
    """Return the TypeScript type of an annotation."""
    for choices in CHOICES:
        if kind == choices.kind:
            return choices.name
    if get_origin(kind) is tuple:
        return f"readonly {type_name(get_args(kind)[0])}[]"
    if get_origin(kind) in {Union, UnionType}:
        return " | ".join(_union(get_args(kind)))
    return _PRIMITIVES.get(kind) or kind.__name__


def is_optional(field: Any) -> bool:
    """Return whether the field may be left out."""
    return field.default is not attrs.NOTHING


def wire_type(field: Any) -> str:
    """Return the TypeScript type of a field; what may be left out is never null."""
    name = type_name(field.type)
    return name.removesuffix(" | null") if is_optional(field) else name


def _union(kinds: Iterable[Any]) -> Iterator[str]:
    """Yield the types of a union; the known words of an open one stay visible to editors."""
    names = [type_name(kind) for kind in kinds]
    is_open = any(choices.name in names for choices in CHOICES)
    for name in names:
        yield "(string & Record<never, never>)" if name == "string" and is_open else name


def _reachable(kind: Any) -> Iterator[type]:
    """Yield the message classes that an annotation leads to."""
    for argument in get_args(kind):
        yield from _reachable(argument)
    if attrs.has(kind):
        yield kind
        for field in attrs.fields(kind):
            yield from _reachable(field.type)


def _choices(choices: Choices) -> str:
    lines = [_comment(choices.doc), f"export type {choices.name} ="]
    for word, doc in choices.values.items():
        lines += [_comment(doc, "  "), f'  | "{word}"']
    return "\n".join(lines) + ";"


def _interface(cls: type) -> str:
    doc = _comment(" ".join((cls.__doc__ or "").split()))
    fields: tuple[Any, ...] = attrs.fields(cls)
    if not fields:
        return f"{doc}\nexport type {cls.__name__} = Record<string, never>;"
    body = "\n".join(_member(field) for field in fields)
    return f"{doc}\nexport interface {cls.__name__} {{\n{body}\n}}"


def _member(field: Any) -> str:
    mark = "?" if is_optional(field) else ""
    name = f"{wire_name(field.name)}{mark}"
    return f"{_comment(field.metadata['doc'], '  ')}\n  readonly {name}: {wire_type(field)};"


def _map(name: str, doc: str, lines: Iterable[str]) -> str:
    body = "\n".join(lines)
    return f"{_comment(doc)}\nexport interface {name} {{\n{body}\n}}"


def _request_lines() -> Iterator[str]:
    for request in REQUESTS:
        types = f"params: {type_name(request.params)}; result: {type_name(request.result)}"
        yield f'{_comment(request.doc, "  ")}\n  readonly "{request.name}": {{ {types} }};'


def _notification_lines() -> Iterator[str]:
    for one in NOTIFICATIONS:
        yield f'{_comment(one.doc, "  ")}\n  readonly "{one.name}": {type_name(one.params)};'


def _commands() -> Iterator[str]:
    return (request.command for request in REQUESTS)


def _names(name: str, doc: str, wire_names: Iterable[str]) -> str:
    lines = [f'  {wire.replace(".", "/").split("/")[1]}: "{wire}",' for wire in wire_names]
    return "\n".join((_comment(doc), f"export const {name} = {{", *lines, "} as const;"))


def _comment(doc: str, indent: str = "") -> str:
    return f"{indent}/** {doc} */"
