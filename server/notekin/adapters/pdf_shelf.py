"""What was read of PDFs, kept as files: by the hash of a PDF's bytes, whatever its name."""

import errno
import json
import shutil
import tempfile
import threading
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from notekin.adapters.pdf_json import NO_CONTENT, block_to_json, content_from_json
from notekin.app.errors import IndexUnusable
from notekin.core.pdf import PdfContent, RawPdf, readable

# Raised when PDFs are read in another way: what an older version made is read again.
VERSION = 1

_TEXT = "fulltext.txt"
_MARKDOWN = "document.md"
_LIST = "content_list.json"
_BEING_MADE = ".making-"
_PAGE_BREAK = "\f"


class PdfFolder:
    """Implements `app.ports.PdfShelf`: a folder a PDF, made or replaced in one step."""

    def __init__(self, folder: Path) -> None:
        """`folder` is made by the first PDF, for its owner alone: it holds what PDFs say."""
        self._folder = folder
        self._lock = threading.Lock()

    def content(self, key: bytes, *, ocr: bool) -> PdfContent | None:
        """Return what was found, None when it has to be read again."""
        with suppress(OSError, *NO_CONTENT):
            value: Mapping[str, Any] = json.loads((self._place(key) / _LIST).read_bytes())
            if value["version"] == VERSION and (ocr or not value["ocr"]):
                return content_from_json(value)
        return None

    def markdown(self, key: bytes) -> str | None:
        """Return the readable document where the layout was lost."""
        place = self._place(key)
        with suppress(OSError, ValueError):
            if not (place / _LIST).exists():
                return (place / _MARKDOWN).read_bytes().decode("utf-8")
        return None

    def put(self, key: bytes, content: PdfContent, raw: RawPdf | None) -> None:
        """Keep what was read, all files or none."""
        pages = raw.pages if raw is not None else (block.text for block in content.blocks)
        texts = {
            _TEXT: (_PAGE_BREAK if raw is not None else "\n\n").join(pages),
            _MARKDOWN: readable(content).text,
            _LIST: _as_list(content),
        }
        try:
            with self._lock:
                self._write(key, texts)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise IndexUnusable(
                    "There is no space left for what was read of a PDF: free some.",
                    "noSpace",
                ) from error

    def keep_only(self, keys: Collection[bytes]) -> int:
        """Remove all others; return how many there were."""
        kept = {key.hex() for key in keys}
        n_removed = 0
        with self._lock, suppress(OSError):
            for place in list(self._folder.iterdir()):
                if place.name not in kept:
                    shutil.rmtree(place, ignore_errors=True)
                    n_removed += not place.name.startswith(_BEING_MADE)
        return n_removed

    def _write(self, key: bytes, texts: Mapping[str, str]) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=_BEING_MADE, dir=self._folder))
        try:
            for name, text in texts.items():
                # A lone surrogate, that a broken font may give, is no text.
                (made / name).write_bytes(text.encode("utf-8", "replace"))
            place = self._place(key)
            if place.exists():
                place.rename(made / "before")
            made.rename(place)
            shutil.rmtree(place / "before", ignore_errors=True)
        except OSError:
            shutil.rmtree(made, ignore_errors=True)
            raise

    def _place(self, key: bytes) -> Path:
        return self._folder / key.hex()


def _as_list(content: PdfContent) -> str:
    """Return the content as JSON, a block a line."""
    head = {
        "version": VERSION,
        "title": content.title,
        "n_pages": content.n_pages,
        "warnings": list(content.warnings),
        "ocr": content.ocr,
    }
    blocks = ",\n".join(json.dumps(block_to_json(block)) for block in content.blocks)
    return f'{json.dumps(head)[:-1]}, "blocks": [\n{blocks}\n]}}\n'
