"""The shapes of the fixtures that tests of PDFs share."""

from collections.abc import Callable

from notekin.core.pdf import PdfContent, RawPdf

Extract = Callable[..., PdfContent]
ReadText = Callable[..., RawPdf]
