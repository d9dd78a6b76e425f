"""How the demo prints answers of the server."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

_VERDICTS = {
    "found": ("found", "bold green"),
    "notFound": ("not found", "bold yellow"),
    "incomplete": ("incomplete", "bold red"),
}
_N_LINES = 4
_MARKS = ("#", "```", "$$")  # headings, which stand above the passage already, and fences


def answer(console: Console, asked: str, result: dict[str, Any], n_hits: int) -> None:
    """Print what was asked, the verdict, and the first hits with their passages.

    Weak hits are shown only where there is nothing better.
    """
    word, style = _VERDICTS[result["verdict"]]
    head = Table.grid(expand=True)
    head.add_column(ratio=1)
    head.add_column(justify="right")
    head.add_row(
        Text(asked, style="bold cyan"),
        Text.assemble((word, style), (f"  {result['tookMs']:.0f} ms", "dim")),
    )
    console.print()
    console.print(head)
    strong = [hit for hit in result["hits"] if not weak(hit)]
    for hit in (strong or result["hits"])[:n_hits]:
        console.print(Padding(_hit(hit), (0, 0, 0, 2)))


def _hit(hit: dict[str, Any]) -> RenderableType:
    names = [hit["title"], *hit["headings"]]
    if names[:1] == names[1:2]:
        del names[0]
    title = Text.assemble(
        (f"{hit['score']:.2f}  ", "dim" if weak(hit) else "green"),
        (" \u203a ".join(names), "bold dim" if weak(hit) else "bold"),
    )
    place = Text.assemble((f"{path(hit)}{_place(hit)}", "magenta"), (f"  {_lanes(hit)}", "dim"))
    return Group(title, Padding(Group(place, *_passage(hit)), (0, 0, 0, 6)))


def _place(hit: dict[str, Any]) -> str:
    if "page" in hit:
        return f" p. {hit['page']}"
    return f":{hit['range']['start']['line'] + 1}-{hit['range']['end']['line'] + 1}"


def _lanes(hit: dict[str, Any]) -> str:
    parts: list[str] = []
    if hit.get("lexical"):
        parts.append(f"words #{hit['lexical']['rank']}")
    if hit.get("semantic"):
        parts.append(f"meaning #{hit['semantic']['rank']} (cosine {hit['semantic']['score']:.2f})")
    if hit.get("linked"):
        parts.append("linked")
    if weak(hit):
        parts.append("weak")
    return " · ".join(parts)


def _passage(hit: dict[str, Any]) -> Sequence[Text]:
    """Return a few lines of the passage, from the first highlight on, highlights in bold."""
    passage = Text(hit["text"], style="dim" if weak(hit) else "")
    units = hit["text"].encode("utf-16-le")
    for mark in hit["highlights"]:
        start, end = (_code_points(units, mark[edge]) for edge in ("start", "end"))
        passage.stylize("bold green", start, end)
    lines = [line for line in passage.split("\n") if _says_something(line.plain)]
    marked = [number for number, line in enumerate(lines) if line.spans]
    first = min(marked[0], max(0, len(lines) - _N_LINES)) if marked else 0
    shown = lines[first : first + _N_LINES]
    for line in shown:
        line.no_wrap, line.overflow = True, "ellipsis"
    return shown


def _says_something(line: str) -> bool:
    """Whether a line is worth one of the few that are shown."""
    return bool(line.strip()) and not line.startswith(_MARKS)


def _code_points(units: bytes, offset: int) -> int:
    return len(units[: 2 * offset].decode("utf-16-le"))


def path(hit: dict[str, Any]) -> str:
    """Return the hit's path relative to its vault."""
    vault: str = hit["folder"]
    note: str = hit["uri"]
    return unquote(note.removeprefix(vault)).lstrip("/")


def weak(hit: dict[str, Any]) -> bool:
    """Whether the hit is only a weak candidate."""
    return bool(hit.get("weak"))
