"""Messages from and to JSON values.

Reading is strict about types and lenient about what does not matter: unknown fields are
ignored, and null stands for an optional field left out. Writing gives camelCase names and
leaves out optionals that are None.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin

import attrs
from cattrs import Converter
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from notekin_protocol.messages import PROTOCOL_VERSION, REQUESTS, ServerCapability

T = TypeVar("T")
Hook = Callable[[Any, Any], Any]

# The largest whole number that every JSON reader keeps exact (RFC 8259, section 6).
_LARGEST = 2**53 - 1
_SHOWN = 40  # characters of a wrong value that a sentence repeats


class MalformedParams(ValueError):
    """A message does not fit its class; `str(error)` says which field and what it must be."""


def read(cls: type[T], payload: object) -> T:
    """Return the message `payload` (a JSON value) as `cls`; None stands for `{}`.

    Raises `MalformedParams`.
    """
    try:
        return converter().structure({} if payload is None else payload, cls)
    except _Unfit as error:
        subject = f"`{error.path.removeprefix('.')}`" if error.path else "The params"
        raise MalformedParams(f"{subject} {error}.") from None


def write(message: object) -> Any:
    """Return a message, or a tuple of messages, as a JSON value."""
    return converter().unstructure(message)


def announced(methods: Iterable[str]) -> dict[str, Any]:
    """Return `capabilities.experimental.notekin` of a server that serves `methods`.

    Raises `ValueError` for a method that the protocol does not have.
    """
    served = set(methods)
    known = tuple(request.name for request in REQUESTS)
    if strange := served.difference(known):
        raise ValueError(f"Not in the protocol: {', '.join(sorted(strange))}.")
    capability = ServerCapability(PROTOCOL_VERSION, tuple(name for name in known if name in served))
    return write(capability)


def wire_name(name: str) -> str:
    """Return an attribute's name on the wire: `took_ms` is `tookMs`."""
    head, *tail = name.split("_")
    return head + "".join(part.capitalize() for part in tail)


@cache
def converter() -> Converter:
    """Return the converter of all messages; it is made once and never changed."""
    made = Converter(detailed_validation=False, unstruct_collection_overrides={tuple: list})
    made.register_structure_hook(str, _word)
    made.register_structure_hook(bool, _word)
    made.register_structure_hook(int, _number)
    made.register_structure_hook(float, _number)
    made.register_structure_hook_func(_is_choice, _word)

    # Factories with one argument are told apart from those with two by their signature.
    def optional(kind: Any) -> Hook:
        return _optional(kind, made)

    def listed(kind: Any) -> Hook:
        return _list(kind, made)

    def message(kind: Any) -> Hook:
        return _object(kind, made)

    def written(kind: Any) -> Callable[[Any], Any]:
        return _written(kind, made)

    made.register_structure_hook_factory(_is_union, optional)
    made.register_structure_hook_factory(_is_tuple, listed)
    made.register_structure_hook_factory(attrs.has, message)
    made.register_unstructure_hook_factory(attrs.has, written)
    return made


# --- reading -----------------------------------------------------------------------------


# What stands between what a value must be and what it is.
_NOT = ", not "


class _Unfit(Exception):
    """A value is not what it must be; `path` is where it stands, from the hooks it passed."""

    def __init__(self, what: str, path: str = "") -> None:
        super().__init__(what)
        self.path = path

    def below(self, step: str) -> "_Unfit":
        return _Unfit(str(self), step + self.path)

    def discreet(self) -> "_Unfit":
        """Return the same without the value: it may be a secret."""
        return _Unfit(str(self).partition(_NOT)[0], self.path)


def _object(cls: Any, made: Converter) -> Hook:
    """Return the hook of one message class."""
    fields = attrs.fields(cls)
    overrides: Any = {
        field.name: override(rename=wire_name(field.name), struct_hook=_field(field, made))
        for field in fields
    }
    structure = make_dict_structure_fn(cls, made, **overrides)
    required = {
        wire_name(field.name): field.type for field in fields if field.default is attrs.NOTHING
    }

    def hook(payload: Any, kind: Any) -> Any:
        if not isinstance(payload, dict):
            unfit = _Unfit(f"must be {_expected(cls)}{_NOT}{_shown(payload)}")
            raise unfit if all(field.repr for field in fields) else unfit.discreet()
        items = cast("dict[str, Any]", payload).items()
        given = {name: value for name, value in items if value is not None or name in required}
        for name, wanted in required.items():
            if name not in given:
                raise _Unfit(f"is missing; it must be {_expected(wanted)}", f".{name}")
        return structure(given, kind)

    return hook


def _field(field: Any, made: Converter) -> Hook:
    """Return the hook of one field, which notes its name on what is wrong."""
    inner = _bounded(made.get_structure_hook(field.type), field.metadata["at_least"])

    def hook(payload: Any, kind: Any) -> Any:
        try:
            return inner(payload, kind)
        except _Unfit as error:
            unfit = error if field.repr else error.discreet()
            raise unfit.below(f".{wire_name(field.name)}") from None

    return hook


def _bounded(inner: Hook, at_least: int | None) -> Hook:
    """Return `inner` with the smallest number that it lets through."""
    if at_least is None:
        return inner

    def hook(payload: Any, kind: Any) -> Any:
        value = inner(payload, kind)
        if value < at_least:
            wanted = f"{_expected(kind)} of at least {at_least}"
            raise _Unfit(f"must be {wanted}{_NOT}{_shown(payload)}")
        return value

    return hook


def _list(kind: Any, made: Converter) -> Hook:
    """Return the hook of `tuple[T, ...]`, a JSON array."""
    item = get_args(kind)[0]
    inner = made.get_structure_hook(item)

    def hook(payload: Any, kind: Any) -> Any:
        if not isinstance(payload, list):
            raise _Unfit(f"must be {_expected(kind)}{_NOT}{_shown(payload)}")
        values: list[Any] = []
        for index, value in enumerate(cast("list[Any]", payload)):
            try:
                values.append(inner(value, item))
            except _Unfit as error:
                raise error.below(f"[{index}]") from None
        return tuple(values)

    return hook


def _optional(kind: Any, made: Converter) -> Hook:
    """Return the hook of `T | None`."""
    some = _without_none(kind)
    inner = made.get_structure_hook(some)
    return lambda payload, _: None if payload is None else inner(payload, some)


def _word(payload: Any, kind: Any) -> Any:
    """Return a string, boolean or choice as it is, without any coercion."""
    choice = get_origin(kind) is Literal
    fits = isinstance(payload, str if choice else kind)
    if not fits or (choice and payload not in get_args(kind)):
        raise _Unfit(f"must be {_expected(kind)}{_NOT}{_shown(payload)}")
    return payload


def _number(payload: Any, kind: Any) -> Any:
    """Return a finite number as int or float."""
    fits = isinstance(payload, int | float) and not isinstance(payload, bool)
    # JSON knows one kind of number, and some clients write 10 as 10.0.
    if not fits or (kind is int and payload % 1 != 0):
        raise _Unfit(f"must be {_expected(kind)}{_NOT}{_shown(payload)}")
    if not abs(payload) <= _LARGEST:
        raise _Unfit(f"must not be beyond {_LARGEST}")
    return kind(payload)


def _is_choice(kind: Any) -> bool:
    return get_origin(kind) is Literal


def _is_tuple(kind: Any) -> bool:
    return get_origin(kind) is tuple


def _is_union(kind: Any) -> bool:
    return get_origin(kind) in {Union, UnionType}


def _without_none(kind: Any) -> Any:
    """Return what a union holds beside None; str stands for itself and its known words."""
    kinds = [some for some in get_args(kind) if some is not type(None)]
    return str if str in kinds else kinds[0]


# --- sentences ---------------------------------------------------------------------------

_WORDS: Mapping[Any, str] = {
    str: "a string",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
}


def _expected(kind: Any) -> str:
    """Return in words what a value of `kind` is in JSON."""
    if _is_union(kind):
        return _expected(_without_none(kind))
    if get_origin(kind) is Literal:
        return "one of " + ", ".join(json.dumps(word) for word in get_args(kind))
    if _is_tuple(kind):
        return "a list"
    return _WORDS.get(kind) or _object_in_words(kind)


def _object_in_words(cls: Any) -> str:
    names = ", ".join(f"`{wire_name(field.name)}`" for field in attrs.fields(cls))
    return f"an object with {names}" if names else "an object"


def _shown(value: Any) -> str:
    """Return a wrong value as JSON, shortened."""
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


# --- writing -----------------------------------------------------------------------------


def _written(cls: Any, made: Converter) -> Callable[[Any], Any]:
    """Return the hook that writes one message class."""
    overrides: Any = {
        field.name: override(rename=wire_name(field.name), omit_if_default=field.default is None)
        for field in attrs.fields(cls)
    }
    return make_dict_unstructure_fn(cls, made, **overrides)
