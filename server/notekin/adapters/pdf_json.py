"""PDF content as JSON, on its way between processes and on disk."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast, get_args

from notekin.core.pages import Box
from notekin.core.pdf import Block, BlockKind, PdfContent, RawPdf

NO_CONTENT = (KeyError, TypeError, ValueError, OverflowError, RecursionError)
"""What reading JSON raises that is none of ours: anybody may have written it."""

_MOST_PAGES = 1 << 31
_KINDS = get_args(BlockKind)


def block_to_json(block: Block) -> dict[str, Any]:
    """Return a block as an entry of `content_list.json`."""
    entry: dict[str, Any] = {
        "type": block.kind,
        "text": block.text,
        "page": block.page,
        "bbox": [each if math.isfinite(each) else 0.0 for each in block.box],
    }
    return entry | ({"level": block.level} if block.kind == "heading" else {})


def block_from_json(entry: Mapping[str, Any]) -> Block:
    """Return the block; raises one of `NO_CONTENT` for what is none."""
    kind = entry["type"]
    if kind not in _KINDS or not isinstance(entry["text"], str):
        raise ValueError("This is no block.")
    left, top, right, bottom = map(float, entry["bbox"])
    if not all(map(math.isfinite, (left, top, right, bottom))):
        raise ValueError("This is no box.")
    box: Box = (left, top, right, bottom)
    level = int(entry.get("level", 0))
    return Block(cast("BlockKind", kind), entry["text"], int(entry["page"]), box, level)


def content_to_json(content: PdfContent) -> dict[str, Any]:
    """Return the content as JSON."""
    return {
        "title": content.title,
        "n_pages": content.n_pages,
        "warnings": list(content.warnings),
        "ocr": content.ocr,
        "blocks": [block_to_json(block) for block in content.blocks],
    }


def content_from_json(value: Mapping[str, Any]) -> PdfContent:
    """Return the content; raises one of `NO_CONTENT` for what is none."""
    n_pages = int(value["n_pages"])
    blocks = tuple(block_from_json(entry) for entry in value["blocks"])
    if not all(0 < block.page <= n_pages <= _MOST_PAGES for block in blocks):
        raise ValueError("There is no such page.")
    return PdfContent(
        title=str(value["title"]),
        n_pages=n_pages,
        blocks=blocks,
        warnings=_strings(value["warnings"]),
        ocr=bool(value["ocr"]),
    )


def raw_to_json(raw: RawPdf) -> dict[str, Any]:
    """Return the bare text as JSON."""
    return {
        "title": raw.title,
        "n_pages": raw.n_pages,
        "pages": list(raw.pages),
        "warnings": list(raw.warnings),
    }


def raw_from_json(value: Mapping[str, Any]) -> RawPdf:
    """Return the bare text; raises one of `NO_CONTENT` for what is none."""
    return RawPdf(
        n_pages=int(value["n_pages"]),
        pages=_strings(value["pages"]),
        title=str(value["title"]),
        warnings=_strings(value["warnings"]),
    )


def _strings(values: Sequence[Any]) -> tuple[str, ...]:
    return tuple(str(value) for value in values)
