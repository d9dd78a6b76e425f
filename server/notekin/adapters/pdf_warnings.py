"""What is said of a PDF that was not read as a whole. Pure."""

from collections.abc import Iterable, Sequence

from notekin.adapters.pdf_values import PageDraft
from notekin.app.ports.pdf import PdfTrouble, Trouble

_LIMITS: tuple[tuple[Trouble, str], ...] = (
    ("timeLimit", "The PDF was given up: its pages take too long to read."),
    ("memoryLimit", "The PDF was given up: its pages need too much memory."),
)
_N_NAMED = 12  # pages; a longer list helps nobody


def without_text(drafts: Sequence[PageDraft], *, ocr: bool, tesseract: bool) -> PdfTrouble | None:
    """Return what is wrong with a document of which no page gave a text, None when one did."""
    if any(draft.fragments for draft in drafts):
        return None
    for kind, sentence in _LIMITS:
        if any(draft.trouble == kind for draft in drafts):
            return PdfTrouble(kind, sentence)
    if any(draft.trouble for draft in drafts):
        return PdfTrouble("damaged", "The PDF is damaged: no text of it can be read.")
    if not any(draft.pictures for draft in drafts):
        return PdfTrouble("empty", "The PDF is empty: its pages are blank.")
    if not ocr:
        hint = (
            "it is scanned, or its fonts name no characters. To have it read by OCR: the setting "
            "notekin.pdf.ocr, or ocr = true under [pdf] in your config.toml."
        )
    elif not tesseract:
        hint = "OCR needs Tesseract, which is not installed."
    else:
        hint = "OCR found no text either."
    return PdfTrouble("noTextLayer", f"The PDF has no text layer: {hint}")


def warnings_of(
    drafts: Sequence[PageDraft], n_pages: int, max_layouts: int, *, damaged: bool
) -> Iterable[str]:
    """Yield sentences that name what was not read, or not as it should be."""
    if damaged:
        yield "The PDF is damaged: what could be read is indexed."
    if n_pages > len(drafts):
        yield f"Only the first {len(drafts)} of {n_pages} pages are indexed."
    if len(drafts) > max_layouts:
        yield f"From page {max_layouts + 1} on, only the bare text is indexed, without layout."
    for trouble, why in (
        ("timeLimit", "took too long"),
        ("memoryLimit", "needed too much memory"),
        ("crashed", "broke the reader"),
        ("damaged", "is damaged"),
    ):
        bare = [each.number for each in drafts if each.trouble == trouble and each.fragments]
        lost = [each.number for each in drafts if each.trouble == trouble and not each.fragments]
        if bare:
            yield f"Only the bare text of {_named(bare)} is indexed: the layout {why}."
        if lost:
            yield f"{_named(lost).capitalize()} could not be read: the page {why}."
    yield from _without_layer(drafts)
    seen = [each.number for each in drafts if each.ocr and each.fragments]
    if seen:
        yield f"The text of {_named(seen)} was read by OCR and may be wrong."


def _without_layer(drafts: Sequence[PageDraft]) -> Iterable[str]:
    shown = [each for each in drafts if each.pictures and not each.fragments]
    for what, numbers in (
        ("no text layer (scanned).", [each.number for each in shown if not each.nameless]),
        (
            "no text layer (scanned), but for the margins.",
            [each.number for each in drafts if each.pictures and each.fragments and not each.ocr],
        ),
        (
            "no text (its fonts name no characters).",
            [each.number for each in shown if each.nameless],
        ),
    ):
        if numbers:
            yield f"{_named(numbers).capitalize()}: {what}"


def _named(numbers: Sequence[int]) -> str:
    if len(numbers) == 1:
        return f"page {numbers[0]}"
    named = ", ".join(map(str, numbers[:_N_NAMED]))
    more = len(numbers) - _N_NAMED
    return f"pages {named}" + (f" and {more} more" if more > 0 else "")
