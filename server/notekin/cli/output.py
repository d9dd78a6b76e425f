"""Results for a person: like grep's, a place and what stands there."""

import re
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.text import Text

from notekin.app.results import Hit, SearchResult, VaultStatus
from notekin.core.note import Span

_MAX_LINES = 5
_MAX_CHARACTERS = 400
_LONG_WORD = 40  # characters; what is longer, or written without spaces, is cut anywhere
_LINE = re.compile(r"[^\n]*\S[^\n]*")
_INDENT = "    "
_SEPARATOR = " \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} "
# A note's text must not drive the terminal it is shown on: its control characters go.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to the caller, where Rich would end the program with a status of its own."""
        raise BrokenPipeError


def console() -> Console:
    """Return the console of stdout: plain text unless it is a terminal, and under NO_COLOR."""
    return _Console(soft_wrap=True, markup=False, highlight=False, emoji=False)


def clean(text: str) -> str:
    """Return `text` of the same length without what a terminal would obey."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def place(path: Path) -> str:
    """Return a path as one would type it here: relative below the working folder."""
    try:
        return clean(str(path.relative_to(Path.cwd())))
    except (ValueError, OSError):
        return clean(str(path))


def show_hits(result: SearchResult) -> None:
    """Print the hits, best first; weak ones only where there is nothing better."""
    out = console()
    strong = [hit for hit in result.hits if not hit.weak]
    for number, hit in enumerate(strong or result.hits):
        if number:
            out.print()
        out.print(heading(hit))
        out.print(excerpt(hit.text, hit.highlights))


def heading(hit: Hit) -> Text:
    """Return `path:line: title > headings  score`; of a PDF `path p. page > headings  score`."""
    line = Text()
    line.append(place(hit.folder / hit.path), style="magenta")
    if hit.kind == "pdf":
        names = list(hit.headings)
        line.append("" if hit.page is None else f" p. {hit.page}", style="cyan")
        line.append(_SEPARATOR if names else "")
    else:
        names = [hit.title, *hit.headings]
        if len(names) > 1 and names[0] == names[1]:
            del names[0]
        line.append(f":{hit.start.line + 1}: ", style="cyan")
    line.append(clean(_SEPARATOR.join(names)).replace("\n", " "), style="bold")
    line.append(f"  {hit.score:.2f}", style="green")
    if hit.linked:
        line.append("  linked", style="dim")
    if hit.weak:
        line.append("  weak", style="yellow")
    return line


def excerpt(text: str, highlights: Sequence[Span]) -> Text:
    """Return the lines of a passage that hold the most different highlights, indented, all of it
    where it is short; highlights marked.
    """
    begin, end = _window(text, highlights)
    shown = Text(clean(text[begin:end].replace("\r\n", " \n").replace("\r", "\n")))
    for span in highlights:
        shown.stylize("bold red", max(span.start - begin, 0), max(min(span.end, end) - begin, 0))
    shown.rstrip()
    lines = [Text(_INDENT).append_text(line) for line in shown.split("\n") if line.plain.strip()]
    if text[:begin].strip():
        lines[:0] = [Text(f"{_INDENT}…", style="dim")]
    if text[end:].strip():
        lines.append(Text(f"{_INDENT}…", style="dim"))
    return Text("\n").join(lines)


def _window(text: str, highlights: Sequence[Span]) -> tuple[int, int]:
    """Return where what is shown of a passage begins and ends: near the first highlight unless
    further on there are more.
    """
    if _end(text, 0) >= len(text.rstrip()):
        return 0, len(text)
    begins = dict.fromkeys(_begin(text, span.start) for span in highlights) or [0]
    windows = [(begin, _end(text, begin)) for begin in begins]
    return max(windows, key=lambda window: _n_held(text, highlights, window))


def _n_held(text: str, highlights: Sequence[Span], window: tuple[int, int]) -> int:
    begin, end = window
    held = (span for span in highlights if begin <= span.start and span.end <= end)
    return len({text[span.start : span.end].casefold() for span in held})


def _begin(text: str, first: int) -> int:
    """Return where to begin so that the highlight at `first` is seen: with the line above it, or
    in the midst of a long line with a word.
    """
    begin = text.rfind("\n", 0, max(text.rfind("\n", 0, first), 0)) + 1
    if first - begin <= _MAX_CHARACTERS // 2:
        return begin
    begin = first - _MAX_CHARACTERS // 4
    return text.find(" ", begin, min(begin + _LONG_WORD, first)) + 1 or begin


def _end(text: str, begin: int) -> int:
    """Return where as many lines end as are shown from `begin` on, blank ones not counted, or the
    last word that still fits.
    """
    most = begin + _MAX_CHARACTERS
    lines = list(islice(_LINE.finditer(text, begin, most), _MAX_LINES))
    end = lines[-1].end() if lines else begin
    if end < most or not text[end : end + 1].strip():
        return end
    space = text.rfind(" ", end - _LONG_WORD, end)
    return end if space < 0 else space


def show_status(status: VaultStatus) -> None:
    """Print what one vault's index holds; what the files hold beyond it is not known here."""
    out = console()
    notes, chunks = status.notes, status.chunks
    state = f"{status.phase} ({status.reason})" if status.reason else status.phase
    out.print(Text(clean(str(status.folder)), style="bold"))
    out.print(f"  state     {state}")
    unread = f", {notes.n_pending:,} unread" if notes.n_pending else ""
    out.print(f"  notes     {notes.n_indexed:,} indexed, {notes.n_failed:,} failed{unread}")
    out.print(f"  passages  {chunks.n_embedded:,} of {chunks.n_total:,} findable by meaning")
    if status.model_name:
        out.print(f"  model     {clean(status.model_name)}")
    for failure in status.failures:
        out.print(f"  failed    {place(failure.path)}: {clean(failure.reason)}")
    for warning in status.warnings:
        out.print(f"  in part   {place(warning.path)}: {clean(warning.reason)}")


def tell(sentence: str) -> None:
    """Print a sentence for the person on stderr."""
    sys.stderr.write(f"notekin: {clean(sentence)}\n")
