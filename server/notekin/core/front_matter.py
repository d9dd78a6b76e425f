"""The YAML block at the top of a note: its title, tags, aliases and description."""

import re
from collections.abc import Mapping
from typing import Any, cast

from attrs import frozen

from notekin.core.note import Span

# Front matter is a handful of lines; what is larger is not read for metadata.
MAX_CHARACTERS = 64_000
_OPENING = re.compile(r"\ufeff?---[ \t]*(?:\r\n|\r|\n)")
_CLOSING = re.compile(r"(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n|\r|\n|\Z)")
_KEY = re.compile(r"\s*[^\s#:\[\]{},'\"-][^:\r\n]{0,99}:(?:\s|\Z)")
_TITLE_LINE, _DESCRIPTION_LINE = (
    re.compile(
        rf"(?<![^\r\n])(?:{names})[ \t]*:[ \t]*"
        r"(?!(?:''|\"\")?[ \t]*(?:[\r\n]|\Z))[^\r\n]+",
        re.IGNORECASE,
    )
    for names in ("title", "desc|description|summary|abstract")
)
_NONE = frozenset({"", "~", "null"})


@frozen
class FrontMatter:
    """What a front matter says; `end` is the code point at which the note's body begins.

    `description` and `title_line` are the lines that say these, if any.
    """

    end: int = 0
    title: str = ""
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    title_line: Span | None = None
    description: Span | None = None


def read_front_matter(text: str) -> FrontMatter:
    """Return the front matter of `text`; without one, or where `---` is a rule, an empty one.

    Broken YAML that begins like a mapping is front matter without metadata.
    """
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if not opening or not closing:
        return FrontMatter()
    source = text[opening.end() : closing.start()]
    values = _values(source)
    if values is None:
        return FrontMatter()
    inside = Span(opening.end(), closing.start())
    return FrontMatter(
        end=closing.end(),
        title=_string(values.get("title")),
        tags=_tags(values.get("tags", values.get("tag"))),
        aliases=_strings(values.get("aliases", values.get("alias"))),
        title_line=_line(_TITLE_LINE, text, inside),
        description=_line(_DESCRIPTION_LINE, text, inside),
    )


def _line(expression: re.Pattern[str], text: str, inside: Span) -> Span | None:
    match = expression.search(text, inside.start, inside.end)
    return Span(*match.span()) if match else None


def _values(source: str) -> Mapping[str, object] | None:
    """Return the top level of a YAML mapping with keys in lower case, empty where it is broken;
    None where the source is something else than a mapping.
    """
    broken: dict[str, object] | None = {} if _KEY.match(source) else None
    if not source.strip():
        return {}
    if len(source) > MAX_CHARACTERS:
        return broken
    # Late: in many vaults no note has front matter.
    import yaml

    try:
        # The base loader makes nothing but strings, lists and mappings: no dates, no objects,
        # no merge keys that multiply, and an alias is a reference, never a copy.
        loaded: object = yaml.load(source, Loader=yaml.CBaseLoader)  # noqa: S506 - see above
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):
        return broken
    if not isinstance(loaded, dict):
        return None
    return {str(key).lower(): value for key, value in cast("dict[Any, object]", loaded).items()}


def _string(value: object) -> str:
    """Return a scalar as one line, "" for anything else."""
    text = " ".join(value.split()) if isinstance(value, str) else ""
    return "" if text.lower() in _NONE else text


def _strings(value: object) -> tuple[str, ...]:
    """Return the scalars of a list, or those of a scalar separated by commas."""
    items = cast("list[object]", value) if isinstance(value, list) else _string(value).split(",")
    return tuple(dict.fromkeys(filter(None, map(_string, items))))


def _tags(value: object) -> tuple[str, ...]:
    """Return tags without their `#`; a scalar may also separate them by spaces."""
    text = _string(value)
    items = re.split(r"[,\s]+", text) if text else _strings(value)
    return tuple(dict.fromkeys(filter(None, (item.lstrip("#").strip("/") for item in items))))
