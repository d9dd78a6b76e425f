"""All PDFs of a folder through the real server: each ends as it should, and the server with them.

`make bench ARGS="pdf_server FOLDER"`. FOLDER holds PDFs, in folders too, and `index.csv`, which
says what is special about each (`file`, `mupdf_pages`, `mupdf_text_pages`, `mupdf_img_pages`,
`mupdf_needs_pass`, `mupdf_error`, `mupdf_repaired`). Prints what came of them, what came out
otherwise than the table lets expect, and the memory of the server's own process (on Linux). Ends
with 1 when one file ends otherwise, or the server holds more than it should.
"""

import csv
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import frozen

from notekin.adapters.places import IndexFiles
from notekin.adapters.sqlite.database import SqliteIndex
from support.stdio import StdioClient, client_of

_LONGEST_SECONDS = 3600.0
_LOOK_SECONDS = 0.5
# What vectors of so many passages and the search in them take, with room to spare.
_MOST_MB_MORE = 32.0


@frozen
class Outcome:
    """What became of a PDF: `state` is indexed, warned or failed."""

    state: str
    sentence: str = ""


# Files that the table does not tell enough of, and what they hold.
LOOKED_AT = {
    # Five bytes, "oops.", and none at all.
    "qpdf/bad1.pdf": Outcome("failed", "something else"),
    "pdfplumber/empty.pdf": Outcome("failed", "holds nothing"),
    # MuPDF alone finds no page of it; its objects hold thirty.
    "qpdf/append-xref-loop.pdf": Outcome("warned", "damaged"),
    # The first of its two pages can be read.
    "pdfjs/Pages-tree-refs.pdf": Outcome("warned", "Page 2 could not be read"),
    # The packed content of its page holds no bytes.
    "ocrmypdf/docinfo_latin1_key.pdf": Outcome("failed", "damaged"),
    # Letters that are drawn as shapes.
    "gesetze/bgbl1_2017_j2858_0040.pdf": Outcome("failed", "no text layer"),
    # Fonts that name no characters: all of the text, or all but the first page.
    "ocrmypdf/type3_font_nomapping.pdf": Outcome("failed", "no text layer"),
    "pdfjs/ThuluthFeatures.pdf": Outcome("failed", "no text layer"),
    "pdfjs/TAMReview.pdf": Outcome("warned", "fonts name no characters"),
    # A cover that is a picture; one of six pages with a text.
    "pdfjs/freeculture.pdf": Outcome("warned", "Page 1: no text layer"),
    "ocrmypdf/multipage.pdf": Outcome("warned", "no text layer"),
}


def main() -> int:
    """Run the benchmark."""
    folder = Path(sys.argv[1]).resolve()
    with (folder / "index.csv").open(encoding="utf-8") as table:
        rows = {row["file"]: row for row in csv.DictReader(table)}
    with tempfile.TemporaryDirectory() as home:
        outcomes, mb_more = _indexed(folder, Path(home))
    wrong = list(_wrong(rows, outcomes))
    states = Counter(outcome.state for outcome in outcomes.values())
    print(f"{len(rows)} files: " + ", ".join(f"{n} {state}" for state, n in states.items()))
    for sentence, n in Counter(o.sentence for o in outcomes.values() if o.sentence).most_common(12):
        print(f"  {n:4} {sentence[:110]}")
    for line in wrong:
        print(f"  otherwise: {line}")
    missing = rows.keys() - outcomes.keys()
    print(f"{len(wrong)} otherwise than expected, {len(missing)} not accounted for")
    print(
        f"the server held {mb_more:.0f} MB more than before, at most ({_MOST_MB_MORE:.0f} allowed)"
    )
    return 1 if missing or wrong or mb_more > _MOST_MB_MORE else 0


def _indexed(folder: Path, home: Path) -> tuple[Mapping[str, Outcome], float]:
    """Return what became of the PDFs, and how many MB the server held more than ever before."""
    data = home / "data"
    env = {"NOTEKIN_DATA_DIR": str(data), "NOTEKIN_CONFIG_DIR": str(home / "config")}
    # The model is loaded first: what it takes is not the PDFs'.
    warm = home / "warm"
    warm.mkdir()
    (warm / "note.md").write_text("\n\n".join(_paragraphs()), "utf-8")
    with client_of("-m", "notekin", "lsp", env=env) as client:
        client.patience = _LONGEST_SECONDS
        client.initialize(warm)
        client.idle()
        client.request("notekin/search", {"query": "the model"})
        # The most so far: the model's own memory comes and goes, and stays below that.
        before = _held(client, "VmHWM")
        begun = time.monotonic()
        added = [{"uri": folder.as_uri(), "name": folder.name}]
        event = {"event": {"added": added, "removed": []}}
        client.notify("workspace/didChangeWorkspaceFolders", event)
        _until_read(client, begun)
        seconds = time.monotonic() - begun
        most, last = _held(client, "VmHWM"), _held(client, "VmRSS")
        code = client.leave()
    print(f"{seconds:.0f} s; the server ended with {code}")
    print(f"memory of the server: {before:.0f} MB before, {most:.0f} at most, {last:.0f} at last")
    return _outcomes(SqliteIndex(IndexFiles(data).of(folder), folder)), most - before


def _held(client: StdioClient, name: str) -> float:
    """Return what the system counts of the server's memory, in MB."""
    lines = Path(f"/proc/{client.process.pid}/status").read_text("ascii").splitlines()
    return int(next(line for line in lines if line.startswith(name)).split()[1]) / 1024


def _paragraphs() -> Iterator[str]:
    """Yield so much text that the model has taken what it takes for a full window."""
    for number in range(60):
        yield " ".join(f"Rain fell on {word} of {number} days by the lake." for word in range(25))


def _until_read(client: StdioClient, begun: float) -> None:
    """Wait until all is read and embedded; say what is being read."""
    told = ""
    while time.monotonic() - begun < _LONGEST_SECONDS:
        statuses = client.request("notekin/status", {})
        if len(statuses) > 1 and all(each["phase"] in ("idle", "failed") for each in statuses):
            return
        status = statuses[-1]
        notes, current = status["notes"], status.get("current", "")
        now = f"{notes['indexed']} read, {notes['failed']} failed of {notes['total']}"
        if now != told:
            told = now
            print(f"{time.monotonic() - begun:6.0f} s  {now}  {current}", flush=True)
        client.received.clear()
        time.sleep(_LOOK_SECONDS)


def _outcomes(index: SqliteIndex) -> Mapping[str, Outcome]:
    try:
        with index.read() as reader:
            warned = dict(reader.warnings(1_000_000))
            return {
                path: _outcome(note.reason, warned.get(path, ""))
                for path, note in reader.notes().items()
                if path.endswith(".pdf")
            }
    finally:
        index.close()


def _outcome(reason: str, warning: str) -> Outcome:
    if reason:
        return Outcome("failed", reason)
    return Outcome("warned", warning) if warning else Outcome("indexed")


def _wrong(rows: Mapping[str, Mapping[str, str]], outcomes: Mapping[str, Outcome]) -> Iterator[str]:
    """Yield the files of which something else came than the table says."""
    for file, row in sorted(rows.items()):
        outcome, expected = outcomes.get(file), _expected(row)
        if outcome is None or _is_like(outcome, expected):
            continue
        yield f"{file} ({row['special']}): {outcome.state} {outcome.sentence!r}, not {expected}"


def _is_like(outcome: Outcome, expected: Outcome) -> bool:
    return outcome.state == expected.state and expected.sentence in outcome.sentence


def _expected(row: Mapping[str, str]) -> Outcome:
    """Return the state, and a part of its sentence, that the table lets expect."""
    if row["file"] in LOOKED_AT:
        return LOOKED_AT[row["file"]]
    if row["mupdf_needs_pass"] == "True":  # noqa: S105 - a column
        return Outcome("failed", "needs a password")
    repaired = row["mupdf_repaired"] == "True"
    if row["mupdf_error"] or row["mupdf_pages"] in ("", "0"):
        return Outcome("failed", "damaged")
    if row["mupdf_text_pages"] == "0":
        return Outcome("failed", _without_text(row, repaired=repaired))
    return Outcome("warned", "damaged") if repaired else Outcome("indexed")


def _without_text(row: Mapping[str, str], *, repaired: bool) -> str:
    if row["mupdf_img_pages"] != "0":
        return "no text layer"
    return "damaged" if repaired or row["special"].startswith("DAMAGED") else "pages are blank"


if __name__ == "__main__":
    sys.exit(main())
