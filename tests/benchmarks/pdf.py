"""How well and how fast PDFs are read: the archive of 195 files that others made.

Run `make bench ARGS="pdf FOLDER [PART …]"`, where FOLDER holds `index.csv`; the parts are
`outcomes`, `words`, `headings`, `pages`, `order`, `speed` and `raw`, all by default. The book of
352 pages alone takes some minutes. Ends with 1 when a figure is below its floor.
"""

import argparse
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

from attrs import evolve
from pdf_floors import (
    HEADING_PRECISION,
    HEADING_RECALL,
    PAGES,
    SPEED,
    WORDS,
    WORDS_MEDIAN,
    Report,
)
from pdf_pages import PageIndex, PageScore
from pdf_truth import (
    COLUMNS,
    RIGHT_TO_LEFT,
    VERTICAL,
    Archive,
    Finder,
    HeadingScore,
    headings,
    sentences,
    share_in_order,
    word_recall,
)

from notekin.adapters.pdf import PdfProcesses
from notekin.app.cancel import CancelToken
from notekin.app.errors import Unreadable
from notekin.app.ports.pdf import PdfOptions, PdfTrouble
from notekin.core.pdf import PdfContent, readable

N_SENTENCES = 500
N_SPEED_PAGES = 60
# How files end, by what the index says of them; others are printed to be looked at.
EXPECTED = {
    "ENCRYPTED": ("needsPassword",),
    "SCANNED": ("noTextLayer", "warned"),
    "DAMAGED": ("damaged", "warned", "read"),
    "other": ("read", "warned"),
}


class Bench:
    """Measures one archive; a file is read once for each way of reading it."""

    def __init__(self, folder: Path) -> None:
        self.archive = Archive(folder)
        self.pdfs = PdfProcesses(nice=10)
        self.report = Report()
        self.content = cache(self._content)
        self.finder = cache(self._find_in)

    def outcomes(self) -> None:
        """Print how each kind of file ends."""
        ends: Counter[tuple[str, str]] = Counter()
        seconds: list[float] = []
        for name, row in self.archive.rows.items():
            started = time.perf_counter()
            result = self.content(name)
            seconds.append(time.perf_counter() - started)
            warned = isinstance(result, PdfContent) and result.warnings
            end = result.kind if isinstance(result, PdfTrouble) else "warned" if warned else "read"
            kind = row["special"].split()[0] if row["special"][:1].isupper() else "other"
            ends[kind if kind in ("ENCRYPTED", "SCANNED", "DAMAGED") else "other", end] += 1
            if end not in EXPECTED.get(kind, EXPECTED["other"]):
                print(f"    {end}: {name} ({row['special']})")
        for (kind, end), n in sorted(ends.items()):
            print(f"  {kind:<10} {end:<14} {n}")
        print(f"  {len(seconds)} files end; the longest after {max(seconds):.0f} s")

    def words(self) -> None:
        """Print how many expected words are in the readable documents."""
        for source in ("expected text", "docling regression"):
            shares: dict[str, float] = {}
            n_found = n_all = 0
            for name, expected in self.archive.texts(source):
                result = self.content(name)
                text = readable(result).text if isinstance(result, PdfContent) else ""
                found, wanted = word_recall(expected, text)
                n_found, n_all = n_found + found, n_all + wanted
                shares[name] = found / max(wanted, 1)
            median = statistics.median(shares.values())
            print(
                f"  {source}: {n_found / n_all:.4f} of {n_all} words in {len(shares)} files;"
                f" median {median:.4f}, mean {statistics.mean(shares.values()):.4f}"
            )
            for name, share in sorted(shares.items(), key=lambda each: each[1]):
                if share < WORDS.least:
                    print(f"    {share:.3f} {name}")
            # The other truth is what another reader made of the files.
            if source == "expected text":
                self.report.check(WORDS, n_found / n_all)
                self.report.check(WORDS_MEDIAN, median)

    def headings(self) -> None:
        """Print headings without and with the outlines that the truth is made of."""
        for use_outline in (False, True):
            score = HeadingScore()
            for name, entries in self.archive.outlines():
                result = self.content(name, use_outline=use_outline)
                if isinstance(result, PdfContent):
                    score.add(headings(result), entries)
            name = "outlines used" if use_outline else "outlines withheld"
            print(
                f"  {name}: recall {score.recall:.3f},"
                f" precision {score.precision:.3f} ({score.fair_precision:.3f} without those that"
                f" the outline words otherwise), levels in order {score.order:.3f}"
                f" ({score.n_expected} headings)"
            )
            # The truth is made of the outlines: with them it is no proof.
            if not use_outline:
                self.report.check(HEADING_RECALL, score.recall)
                self.report.check(HEADING_PRECISION, score.precision)

    def pages(self) -> None:
        """Print whether random sentences are found with the page they stand on."""
        drawn = random.Random(7)  # noqa: S311
        contents = {
            name: content
            for name in self.archive.rows
            if isinstance(content := self.content(name), PdfContent)
        }
        pool = [
            (name, page, sentence)
            for name in contents
            for page, text in enumerate(self._raw(name).pages, start=1)
            for sentence in sentences(text)
        ]
        score = PageScore()
        n_passed_over = 0
        with PageIndex(contents) as index:
            for name, page, sentence in drawn.sample(pool, len(pool)):
                if score.n_sentences == N_SENTENCES:
                    break
                span = self.finder(name).span(sentence)
                if span is None:
                    n_passed_over += 1
                else:
                    score.add(name, page, index.look_up(name, span, sentence))
        print(
            f"  {score.n_in_range} of {score.n_sentences} random sentences stand on a page of their"
            f" passage, {score.n_right} have it named by its hit; {score.n_on_several} are in"
            f" passages on several pages, {n_passed_over} were passed over: they are not, or more"
            " than once, in the readable document"
        )
        for line in score.wrong:
            print(f"    {line}")
        self.report.check(PAGES, score.n_right / max(score.n_sentences, 1))

    def order(self) -> None:
        """Print how much of the text of columns, right-to-left and vertical pages is in order."""
        truth = {**dict(self.archive.texts("docling")), **dict(self.archive.texts("expected"))}
        for name in COLUMNS:
            right_order = truth.get(name) or " ".join(self._raw(name).pages)
            pieces = sentences(" ".join(right_order.split()), 25)
            share, n = share_in_order(pieces, self.finder(name).place)
            print(f"  columns        {share:.3f} of {n} sentences in order: {name}")
        for name in RIGHT_TO_LEFT:
            found, wanted = word_recall(truth[name], self._text(name))
            print(f"  right to left  {found / wanted:.3f} of {wanted} words: {name}")
        name, lines = VERTICAL
        share, n = share_in_order(lines, self.finder(name).place)
        print(f"  vertical       {share:.3f} of {n} lines in order ({len(lines)} asked): {name}")

    def speed(self) -> None:
        """Print processor time beside bare pymupdf4llm, in one warm process, file by file."""
        import pymupdf4llm

        from notekin.adapters.pdf_compose import blocks_of
        from notekin.adapters.pdf_document import opened, read_draft
        from notekin.adapters.pdf_mupdf import load_layout, pymupdf

        bare: Any = pymupdf4llm
        load_layout()
        ours = theirs = 0.0
        n_pages = 0
        for name, n_here in self._short_files():
            path = str(self.archive.folder / name)
            for turn in (0, 1) if n_pages % 2 else (1, 0):
                started = time.process_time()
                if turn:
                    with opened(path, ()) as pdf:
                        pages = range(1, pdf.n_pages + 1)
                        drafts = [read_draft(pdf, page, 0, None, "") for page in pages]
                        blocks_of(drafts, pdf.outline())
                    ours += time.process_time() - started
                else:
                    with redirect_stdout(StringIO()), pymupdf.open(path) as document:
                        bare.to_markdown(document, use_ocr=False, header=False, footer=False)
                    theirs += time.process_time() - started
            n_pages += n_here
            if n_pages >= N_SPEED_PAGES:
                break
        print(
            f"  {n_pages} pages: {n_pages / ours:.2f} pages a second, bare pymupdf4llm"
            f" {n_pages / theirs:.2f}: {theirs / ours:.2f} x"
        )
        self.report.check(SPEED, theirs / ours)

    def _short_files(self) -> Iterator[tuple[str, int]]:
        names = [name for name, row in self.archive.rows.items() if row["mupdf_chars"] > "0"]
        random.Random(3).shuffle(names)  # noqa: S311
        for name in names:
            with suppress(Unreadable):
                n_pages = self._raw(name).n_pages
                if n_pages <= N_SPEED_PAGES // 3:
                    yield name, n_pages

    def raw(self) -> None:
        """Print how long it takes until the bare text of the longest book is there."""
        name = "pdfjs/freeculture.pdf"
        self._raw("pdfbox/yaddatest.pdf")
        started = time.perf_counter()
        n_pages = self._raw(name).n_pages
        seconds = time.perf_counter() - started
        print(f"  {n_pages} pages in {seconds:.1f} s: {1000 * seconds / n_pages:.1f} ms a page")

    def _content(self, name: str, *, use_outline: bool = True) -> PdfContent | Unreadable:
        options = evolve(self._options(name), use_outline=use_outline)
        try:
            return self.pdfs.extract(
                self.archive.folder / name, options, CancelToken(), lambda _done, _all: None
            )
        except Unreadable as trouble:
            return trouble

    def _options(self, name: str) -> PdfOptions:
        password = "1234" if name in COLUMNS else ""  # the one file there that has a password
        return PdfOptions(passwords=(password,))

    def _raw(self, name: str) -> Any:
        return self.pdfs.read_text(self.archive.folder / name, self._options(name), CancelToken())

    def _text(self, name: str) -> str:
        result = self.content(name)
        return readable(result).text if isinstance(result, PdfContent) else ""

    def _find_in(self, name: str) -> Finder:
        result = self.content(name)
        return Finder(result if isinstance(result, PdfContent) else PdfContent("", 0, ()))


PARTS = ("outcomes", "words", "headings", "pages", "order", "speed", "raw")


def main() -> int:
    """Run the parts; return 1 when a figure is below its floor."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("parts", nargs="*", default=PARTS)
    given = parser.parse_args()
    bench = Bench(given.folder)
    try:
        for part in given.parts:
            print(part, flush=True)
            getattr(bench, part)()
            sys.stdout.flush()
    finally:
        bench.pdfs.close()
    for row in bench.report.missed:
        print(f"MISSED {row}")
    return 1 if bench.report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
