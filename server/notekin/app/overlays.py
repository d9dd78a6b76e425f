"""What sources set: read from what TOML or JSON gives, and laid over each other.

What is wrong with a setting is told and never stops anything: the rest applies, and the wrong one
keeps the value it had before. Null is a setting that is not set.
"""

import difflib
from collections.abc import Iterator, Mapping
from typing import Any, cast

import attrs
from attrs import field, frozen

from notekin.app.errors import BadSetting
from notekin.app.settings import Scope, Settings, about, catalogue, shown

# Settings of an editor's extension itself; they travel in the same section and are not ours.
_OF_THE_EDITOR = frozenset({"ui", "trace", "python", "server"})


@frozen
class Source:
    """Where settings stand: a name for the sentences, and whose word it is: the person's own
    `file`, what the `person` says elsewhere, or a `vault`.

    `prefix` stands before a setting's name there; `container` is what holds them all.
    """

    name: str
    scope: Scope = "person"
    prefix: str = ""
    container: str = "a table"

    def named(self, setting: str) -> str:
        """Return a setting as the person finds it there."""
        return f'"{self.prefix}{setting}"'


@frozen
class Overlay:
    """What one source sets: valid values by attribute name, and a sentence for each problem.

    `errors` are settings that do not apply; `warnings` are names that nobody knows. `unread` are
    the attributes whose value cannot be told: what they were before stays (see `succeeding`).
    """

    values: Mapping[str, Any] = field(factory=dict[str, Any])
    errors: tuple[BadSetting, ...] = ()
    warnings: tuple[str, ...] = ()
    unread: frozenset[str] = frozenset()

    @classmethod
    def unreadable(cls, error: BadSetting) -> "Overlay":
        """Return what a source sets that cannot be read at all."""
        names = frozenset(attribute.name for attribute in attrs.fields(Settings))
        return cls(errors=(error,), unread=names)

    @property
    def sentences(self) -> tuple[str, ...]:
        """All that the person should know of it."""
        return (*map(str, self.errors), *self.warnings)

    def succeeding(self, before: "Overlay") -> "Overlay":
        """Return this with the values of `before` where its own cannot be told."""
        kept = {name: before.values[name] for name in self.unread if name in before.values}
        return attrs.evolve(self, values={**self.values, **kept})

    def repeats(self, other: "Overlay") -> bool:
        """Return whether this says all that `other` says, right or wrong."""
        has_values = other.values.items() <= self.values.items()
        return has_values and other.unread <= self.unread


def parse(raw: object, source: Source) -> Overlay:
    """Read the settings of one source: a table as TOML or JSON gives it, or None.

    Dotted names may be nested or written with their dot, and the whole may stand under one key
    `notekin`, as some editors send it.
    """
    if raw is None:
        return Overlay()
    if not isinstance(raw, Mapping):
        return Overlay.unreadable(
            BadSetting(
                f"The settings in {source.name} have no effect: they must be {source.container}, "
                f"not {shown(raw)}."
            )
        )
    table = cast("Mapping[str, object]", raw)
    inner = table.get("notekin")
    if len(table) == 1 and isinstance(inner, Mapping):
        table = cast("Mapping[str, object]", inner)
    values: dict[str, Any] = {}
    errors: list[BadSetting] = []
    warnings: list[str] = []
    unread: set[str] = set()
    for name, value in _flattened(table):
        attribute = catalogue().get(name)
        if attribute is None:
            warnings.extend(_unknown(name, source))
            continue
        try:
            values[attribute.name] = _read(attribute, value, source)
        except BadSetting as error:
            errors.append(error)
            unread.add(attribute.name)
    return Overlay(values, tuple(errors), tuple(warnings), frozenset(unread))


def merge(*overlays: Overlay) -> Settings:
    """Lay overlays over the defaults: the person's first, then the editor's, then the vault's."""
    merged: dict[str, Any] = {}
    for attribute in attrs.fields(Settings):
        given = [o.values[attribute.name] for o in overlays if attribute.name in o.values]
        if given and about(attribute).joined:
            merged[attribute.name] = _joined(given)
        elif given:
            merged[attribute.name] = given[-1]
    return Settings(**merged)


def _joined(values: list[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for items in values for item in items))


def _flattened(table: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    """Yield each setting with its dotted name; a table of unknown names is one unknown name."""
    known = catalogue()
    for key, value in table.items():
        name = f"{prefix}{key}"
        holds_settings = any(other.startswith(f"{name}.") for other in known)
        if holds_settings and name not in known and isinstance(value, Mapping):
            yield from _flattened(cast("Mapping[str, object]", value), f"{name}.")
        elif value is not None:
            yield name, value


def _read(attribute: "attrs.Attribute[Any]", value: object, source: Source) -> Any:
    what = about(attribute)
    if what.scope == "file" and source.scope != "file":
        raise BadSetting(
            f"{source.name} may not set {source.named(what.name)}: secrets stand in your own "
            "config.toml and nowhere else. Move it there."
        )
    if source.scope == "vault" and what.scope == "person":
        raise BadSetting(
            f"{source.name} may not set {source.named(what.name)}: a vault may tune how its notes "
            "are indexed, but never name a program, a model, a path outside itself or a host. Move "
            "it to your own settings."
        )
    try:
        return what.shape.read(value)
    except ValueError:
        said = "wrong" if what.scope == "file" else shown(value)
        raise BadSetting(
            f"{source.named(what.name)} is {said} in {source.name}, but must be "
            f"{what.shape.words}. It has no effect until it is corrected."
        ) from None


def _unknown(name: str, source: Source) -> Iterator[str]:
    if name.partition(".")[0] in _OF_THE_EDITOR:
        return
    near = difflib.get_close_matches(name, catalogue(), n=1)
    hint = f"did you mean {source.named(near[0])}?" if near else "remove it or correct its name."
    yield f"{source.name} sets {source.named(name)}, which Notekin does not know; {hint}"
