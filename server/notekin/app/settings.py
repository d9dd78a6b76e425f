"""The settings: one class, the same names in every file, every editor and the reference page.

A setting is known by its wire name (`workspaceSymbols`, `indexing.threads`); a dot is a table in
TOML and an object in JSON.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Literal, cast, get_args

import attrs
from attrs import field, frozen

from notekin.app.power import PowerRule

Scope = Literal["file", "person", "vault"]
DEFAULT_MODEL = "all-MiniLM-L6-v2"
MAX_THREADS = 256
MAX_NICE = 19
MOST_PASSWORDS = 100
# Each path is matched with all of them, and they may come with a vault.
_MOST_PATTERNS = 1_000


@frozen
class Shape:
    """What a setting's value must look like.

    `read` returns the value as `Settings` holds it and raises ValueError for another shape;
    `words` end the sentence "must be …"; `schema` is JSON Schema.
    """

    words: str
    read: Callable[[object], Any]
    schema: Mapping[str, Any]


@frozen
class About:
    """What is known of a setting besides its value.

    `scope` is `person` when only the person may set it, `vault` when a vault's `notekin.toml`
    may as well, `file` when it is a secret that stands in the person's own file and nowhere else.
    `joined` settings add up over their sources; of the others the last one holds.
    """

    name: str
    scope: Scope
    shape: Shape
    doc: str
    joined: bool = False


def _read_bool(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise ValueError


def _read_whole(least: int, most: int, value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value
    raise ValueError


def _whole(least: int, most: int) -> Shape:
    return Shape(
        f"a whole number from {least:,} to {most:,}",
        partial(_read_whole, least, most),
        {"type": "integer", "minimum": least, "maximum": most},
    )


def _read_passwords(value: object) -> tuple[str, ...]:
    if isinstance(value, list | tuple):
        passwords = tuple(cast("Iterable[object]", value))
        if len(passwords) <= MOST_PASSWORDS and all(isinstance(each, str) for each in passwords):
            return cast("tuple[str, ...]", passwords)
    raise ValueError


def _read_power(value: object) -> PowerRule:
    if value in get_args(PowerRule):
        return cast("PowerRule", value)
    raise ValueError


def _read_name(value: object) -> str:
    if isinstance(value, str) and value.strip() == value and value.isprintable() and value:
        return value
    raise ValueError


def _is_pattern(pattern: object) -> bool:
    return isinstance(pattern, str) and pattern.isprintable()


def _read_patterns(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise ValueError  # noqa: TRY004  # one kind of error for every wrong shape
    patterns = tuple(cast("Iterable[object]", value))
    if len(patterns) <= _MOST_PATTERNS and all(map(_is_pattern, patterns)):
        return cast("tuple[str, ...]", patterns)
    raise ValueError


def _read_suffixes(value: object) -> tuple[str, ...]:
    suffixes = _read_patterns(value)
    if all(re.fullmatch(r"\.[^/\\]+", suffix) for suffix in suffixes):
        return tuple(suffix.lower() for suffix in suffixes)
    raise ValueError


_BOOL = Shape("true or false", _read_bool, {"type": "boolean"})
_THREADS = _whole(0, MAX_THREADS)
_NICE = _whole(0, MAX_NICE)
_PASSWORDS = Shape(
    f"a list of strings, {MOST_PASSWORDS} at most",
    _read_passwords,
    {"type": "array", "items": {"type": "string"}},
)
_POWER = Shape(
    '"always" or "onPowerSource"',
    _read_power,
    {"type": "string", "enum": list(get_args(PowerRule))},
)
_NAME = Shape("a name in quotes", _read_name, {"type": "string", "minLength": 1})
_PATTERNS = Shape(
    f'a list of patterns, such as ["drafts/", "*.tmp.md"], {_MOST_PATTERNS:,} at most',
    _read_patterns,
    {"type": "array", "items": {"type": "string"}},
)
_SUFFIXES = Shape(
    'a list of suffixes with their dot, such as [".adoc", ".tex"]',
    _read_suffixes,
    {"type": "array", "items": {"type": "string", "pattern": r"^\.[^/\\]+$"}},
)


def _validate(_settings: object, attribute: "attrs.Attribute[Any]", value: object) -> None:
    what = about(attribute)
    try:
        what.shape.read(value)
    except ValueError:
        said = "" if what.scope == "file" else f", not {shown(value)}"
        raise ValueError(f'"{what.name}" must be {what.shape.words}{said}') from None


def _setting(what: About, *, default: Any, secret: bool = False) -> Any:
    return field(default=default, validator=_validate, metadata={About: what}, repr=not secret)


@frozen
class Settings:
    """All settings, each with a value; constructing one with a wrong value raises ValueError."""

    model: str = _setting(
        About(
            "model",
            "person",
            _NAME,
            "The embedding model, which finds notes by their meaning. The default is part of the "
            "installation and works offline. Any other model that fastembed lists is downloaded "
            "once; the full path of a folder that holds an ONNX model and its tokenizer needs no "
            "network. Every passage is embedded again.",
        ),
        default=DEFAULT_MODEL,
    )
    exclude: tuple[str, ...] = _setting(
        About(
            "exclude",
            "vault",
            _PATTERNS,
            "Notes and folders to leave out, in the syntax of .gitignore, relative to the vault. "
            "They add to what .gitignore files already leave out; patterns of all sources add up.",
            joined=True,
        ),
        default=(),
    )
    suffixes: tuple[str, ...] = _setting(
        About(
            "suffixes",
            "vault",
            _SUFFIXES,
            "Further file name suffixes that are notes; they are read as plain text. Suffixes of "
            "all sources add up.",
            joined=True,
        ),
        default=(),
    )
    hover: bool = _setting(
        About(
            "hover",
            "vault",
            _BOOL,
            "Whether hovering over a paragraph shows the passages related to it.",
        ),
        default=True,
    )
    workspace_symbols: bool = _setting(
        About(
            "workspaceSymbols",
            "person",
            _BOOL,
            "Whether the editor's picker of workspace symbols searches the notes. Turn it off in "
            "an editor that filters the answers by name.",
        ),
        default=True,
    )
    indexing_threads: int = _setting(
        About(
            "indexing.threads",
            "person",
            _THREADS,
            "How many passages the model reads at once, by as many processor threads, and how "
            "many helper processes may read notes (three at most); 0 lets Notekin choose.",
        ),
        default=0,
    )
    indexing_nice: int = _setting(
        About(
            "indexing.nice",
            "person",
            _NICE,
            "How far the helper processes stand back behind other programs, as with the command "
            "nice: 0 not at all, 19 as far as possible. On Windows 1 to 14 is below normal, more "
            "is idle.",
        ),
        default=5,
    )
    indexing_power: Literal["always", "onPowerSource"] = _setting(
        About(
            "indexing.power",
            "person",
            _POWER,
            "When passages are embedded that nobody waits for: always, or onPowerSource to leave "
            "them until the computer no longer runs on battery. Words, saved notes and searches "
            "are served in any case.",
        ),
        default="always",
    )

    pdf_ocr: bool = _setting(
        About(
            "pdf.ocr",
            "person",
            _BOOL,
            "Whether text is read from the images of PDFs without a text layer. It needs Tesseract "
            "to be installed, takes seconds a page, and is marked, as it may be wrong.",
        ),
        default=False,
    )
    pdf_passwords: tuple[str, ...] = _setting(
        About(
            "pdf.passwords",
            "file",
            _PASSWORDS,
            "Passwords that are tried on encrypted PDFs. They are kept nowhere else, and are told "
            "to nobody; the text of a PDF that one opens is in the index as any other.",
        ),
        default=(),
        secret=True,
    )
    pdf_max_pages: int = _setting(
        About(
            "pdf.maxPages",
            "person",
            _whole(1, 100_000),
            "How many pages of a PDF are read; of a longer one the others are left out, and the "
            "status says so.",
        ),
        default=10_000,
    )
    pdf_page_seconds: int = _setting(
        About(
            "pdf.pageSeconds",
            "person",
            _whole(1, 3_600),
            "How many seconds one page of a PDF may take. What takes longer is given up, and of "
            "the PDF only the bare text is indexed.",
        ),
        default=30,
    )
    pdf_memory_mb: int = _setting(
        About(
            "pdf.memoryMb",
            "person",
            _whole(256, 65_536),
            "How many megabytes the process that reads PDFs may use; it is ended when a file needs "
            "more.",
        ),
        default=1_500,
    )

    @property
    def of_pdfs(self) -> tuple[object, ...]:
        """All that decides how much of a PDF can be read."""
        return (
            self.pdf_ocr,
            self.pdf_passwords,
            self.pdf_max_pages,
            self.pdf_page_seconds,
            self.pdf_memory_mb,
        )


def about(attribute: "attrs.Attribute[Any]") -> About:
    """Return what is known of a field of `Settings`."""
    return attribute.metadata[About]


def catalogue() -> Mapping[str, "attrs.Attribute[Any]"]:
    """Return the fields of `Settings` by wire name, in the order of the reference page."""
    return {about(attribute).name: attribute for attribute in attrs.fields(Settings)}


def shown(value: object, limit: int = 60) -> str:
    """Return a value as it may stand in a sentence."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
