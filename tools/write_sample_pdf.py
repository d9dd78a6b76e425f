"""Writes the one PDF of the sample vault, the manual of an inverter that nobody ever built.

The text below is this project's own, free for any use. The same text gives the same bytes.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pymupdf as _pymupdf

pymupdf: Any = _pymupdf  # its types are partial

FILE = Path(__file__).resolve().parents[1] / "sample-vault" / "home" / "Inverter manual.pdf"
MARGIN, WIDTH, HEIGHT = 64.0, 595.0, 842.0
# By the level of a heading; 0 is text.
SIZES = {0: 10.5, 1: 22.0, 2: 15.0}
PAGE_END = "\n\n----\n\n"

TEXT = """\
# Kestrel 600 microinverter: installation and care

## Before you begin

The Kestrel 600 turns the direct current of one or two balcony panels into mains current. It has
no battery and no fan, and it stops within a fifth of a second when the mains fails. Nothing in
it can be repaired: opening the housing ends the warranty and leaves the seal useless.

Register the device with the grid operator before you plug it in. Most operators want the serial
number, which is printed beside the connector, and the highest output, which is 600 watts.

## Where to mount it

Choose a place in the shade, with a hand's width of air on every side. In full sun the housing
reaches 70 degrees, and from 65 degrees on the inverter feeds in less to protect itself. Mount
it with the cables pointing down, so that rain runs off.

----

## Connecting the panels

Connect the panels first and the mains last. Push each plug until it clicks; a plug that is only
half in sparks under load and melts within weeks. Panels of different make may share one
inverter, as each of the two inputs finds its own best voltage.

## What the light says

Steady green: the inverter feeds in. Slow green, once every four seconds: it waits for more
daylight. Red, two flashes: the frequency of the mains is outside of 47.5 to 51.5 hertz, and the
inverter tries again after a minute. Red, five flashes: the insulation of a panel cable is
damaged. Unplug the mains and look for a cable that was pinched by the railing.

----

## Care through the year

Wipe pollen off the panels in May with plain water; in a dry spring it costs a tenth of the
yield. In autumn look whether leaves lie behind the panels, where they keep the railing wet.
Snow slides off by itself when the panels stand at 30 degrees or steeper.

## Taking it out of service

Pull the mains plug first and wait for a minute. Cover the panels with a blanket before you part
the plugs, because they carry current as long as there is light. Tell the grid operator that the
device is gone. The inverter is electronic waste; the panels go back to the dealer.
"""


def main() -> None:
    """Write the file."""
    document = pymupdf.open()
    outline: list[list[Any]] = []
    for number, text in enumerate(TEXT.split(PAGE_END), start=1):
        page = document.new_page(width=WIDTH, height=HEIGHT)
        top = MARGIN
        for level, paragraph in _paragraphs(text):
            top = _put(page, level, paragraph, top)
            if level:
                outline.append([level, paragraph, number])
        page.insert_text((WIDTH / 2 - 4, HEIGHT - 36), str(number), fontsize=9)
    document.set_metadata({"title": outline[0][1]})
    document.set_toc(outline)
    FILE.write_bytes(document.tobytes(garbage=4, deflate=True, no_new_id=True))
    document.close()


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    for paragraph in text.split("\n\n"):
        words = paragraph.lstrip("#")
        yield len(paragraph) - len(words), " ".join(words.split())


def _put(page: Any, level: int, text: str, top: float) -> float:
    """Put a paragraph on the page; return where the next one begins."""
    size = SIZES[level]
    font = "hebo" if level else "helv"
    box = pymupdf.Rect(MARGIN, top, WIDTH - MARGIN, HEIGHT - MARGIN)
    left = page.insert_textbox(box, text, fontsize=size, fontname=font, lineheight=1.3)
    return float(HEIGHT - MARGIN - left + size)


if __name__ == "__main__":
    main()
