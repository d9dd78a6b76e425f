"""The parameters of standard methods, typed and checked."""

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import Any, cast

import cattrs
from lsprotocol import types
from pygls.protocol import default_converter

from notekin.app.errors import BadRequest

# What `lifecycle` looks at; of what has a dot, the part behind it alone.
_CAPABILITIES: Mapping[str, tuple[str, ...]] = {
    "general": ("positionEncodings",),
    "textDocument": ("hover",),
    "window": ("workDoneProgress",),
    "workspace": (
        "didChangeWatchedFiles",
        "didChangeConfiguration",
        "configuration",
        "symbol.dynamicRegistration",
        "textDocumentContent",
    ),
}

_MISSING = "required field missing"
_UNDERLINE = re.compile(r"_([a-z])")

_NO_PARAMS: frozenset[str] = frozenset({types.SHUTDOWN, types.EXIT})


def strict_converter() -> cattrs.Converter:
    """Return lsprotocol's converter, which takes a number for a string no more."""
    converter = default_converter()
    for leaf in (str, int, bool):
        converter.register_structure_hook(leaf, _leaf)
    return converter


def _leaf(value: Any, kind: Any) -> Any:
    if issubclass(kind, Enum):
        return kind(value)
    if type(value) is not kind:
        raise TypeError
    return value


def read_standard(method: str, raw: Any, converter: cattrs.Converter) -> Any:
    """Return the parameters of a standard method; raises `BadRequest` that names the field that
    is wrong, never its value.
    """
    if method in _NO_PARAMS:
        return None
    if method == types.INITIALIZE:
        raw = _without_strange_capabilities(raw)
    kind: Any = types.METHOD_TO_TYPES[method][2]
    try:
        return converter.structure({} if raw is None else raw, kind)
    except Exception as error:
        problem = _first_problem(error)
        raise BadRequest(f"The parameters of {method} are malformed: {problem}.") from error


def _without_strange_capabilities(raw: Any) -> Any:
    """Leave out the capabilities that nothing here looks at: newer clients than lsprotocol name
    kinds that it does not know, and are to be served nevertheless.
    """
    if not isinstance(raw, dict):
        return raw
    params = cast("dict[str, Any]", raw)
    offered = params.get("capabilities")
    if not isinstance(offered, dict):
        return params
    capabilities: dict[str, Any] = {}
    for room, names in _CAPABILITIES.items():
        given = cast("dict[str, Any]", offered).get(room)
        if isinstance(given, dict):
            rooms = cast("dict[str, Any]", given)
            capabilities[room] = dict(_picked(rooms, names))
    return {**params, "capabilities": capabilities}


def _picked(given: Mapping[str, Any], names: Iterable[str]) -> Iterator[tuple[str, Any]]:
    for whole in names:
        name, _, part = whole.partition(".")
        value = given.get(name)
        if part:
            value = {part: value[part]} if isinstance(value, dict) and part in value else None
        if value is not None:
            yield name, value


def _first_problem(error: Exception) -> str:
    problems: list[str] = []
    if isinstance(error, cattrs.BaseValidationError):
        problems = cattrs.transform_error(error, "params")
    # cattrs says "<what> @ params.<field>.<field>", with the names of Python.
    what, _, place = (problems or [""])[0].partition(" @ ")
    name = _UNDERLINE.sub(lambda match: match[1].upper(), place.partition(".")[2])
    if not name:
        return "they must be an object" if place else "a value has the wrong type"
    return f"`{name}` {'is missing' if what == _MISSING else 'has the wrong type'}"
