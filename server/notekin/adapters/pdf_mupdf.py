"""PyMuPDF, which types its interface in parts only. Imported in the child only."""

from typing import Any

import pymupdf as _pymupdf

pymupdf: Any = _pymupdf

Page = Any
Document = Any
TextPage = Any


def load_layout() -> None:
    """Load the layout model, which takes half a second and 100 MB: bare text needs none."""
    from pymupdf import layout

    load: Any = layout
    load.activate()
