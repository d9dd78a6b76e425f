"""Between the values of the ports and what SQLite holds."""

import json
import zlib
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any

import apsw

from notekin.app.ports import FileStat, NewPassage, PassageTerms, StoredNote, StoredPassage
from notekin.core.pages import PageRange
from notekin.core.text import Anchor

Row = tuple[Any, ...]

_encode = json.JSONEncoder(separators=(",", ":")).encode

_SIGNED_64 = 1 << 63


def to_key(text: str) -> bytes:
    """Return a path or a tag as the bytes it is stored as; any string, one to one."""
    return text.encode("utf-8", "surrogatepass")


def from_key(key: bytes) -> str:
    """Undo `to_key`."""
    return key.decode("utf-8", "surrogatepass")


def below(key: bytes) -> tuple[bytes, bytes]:
    """Return the half-open range of all keys under `key` as a folder (`key/…`)."""
    return key + b"/", key + b"0"  # "0" follows "/" in ASCII


def in_folder(key: bytes) -> tuple[bytes, bytes]:
    """As `below`, where an empty key is the vault."""
    return below(key) if key else (b"", b"\xff")  # no key begins with such a byte


def to_text(text: str) -> str | bytes:
    """Return `text` as SQLite can hold it: itself, or bytes when it has lone surrogates."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return to_key(text)
    return text


def from_text(value: str | bytes) -> str:
    """Undo `to_text`."""
    return value if isinstance(value, str) else from_key(value)


def to_list(texts: Sequence[str]) -> str:
    """Return a few strings as one value; JSON in ASCII holds any string."""
    return _encode(texts) if texts else "[]"  # as most are


@lru_cache(maxsize=1 << 10)
def from_list(value: str) -> tuple[str, ...]:
    """Undo `to_list`; the passages of a note have most of theirs in common."""
    try:
        return tuple(json.loads(value))
    except ValueError as error:
        raise apsw.CorruptError(f"a list is not valid JSON: {error}") from error


def to_inode(inode: int) -> int | str:
    """Return an inode as stored: some file systems' exceed SQLite's 64 signed bits."""
    return inode if -_SIGNED_64 <= inode < _SIGNED_64 else str(inode)


def terms_hash(terms: PassageTerms) -> bytes:
    """Return 8 bytes that tell whether a passage's row in the text index must change."""
    joined = f"{terms.title}\0{terms.headings}\0{terms.text}"
    return blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def to_terms(text: str) -> str:
    """Return terms as FTS5 can hold them."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


NOTE_COLUMNS = (
    "path, kind, mtime_ns, size, inode, racy, text_hash, title, tags, aliases, reason, stage"
)


def stored_note(row: Row) -> StoredNote:
    """Return a note from a row of `NOTE_COLUMNS`."""
    path, kind, mtime_ns, size, inode, racy, text_hash, title, tags, aliases, reason, stage = row
    return StoredNote(
        path=from_key(path),
        kind=kind,
        stat=FileStat(mtime_ns, size, int(inode)),
        text_hash=text_hash,
        title=from_text(title),
        tags=from_list(tags),
        aliases=from_list(aliases),
        reason=from_text(reason),
        racy=bool(racy),
        stage=stage,
    )


# What a passage's row holds beside its id, its note, its hash, its text and its vector.
PLACE_COLUMNS = (
    "ordinal",
    "start_offset",
    "end_offset",
    "start_line",
    "start_utf16",
    "start_utf8",
    "end_line",
    "end_utf16",
    "end_utf8",
    "headings",
    "context",
    "terms",
    "page",
    "last_page",
    "boxes",
    "page_starts",
)


def place(new: NewPassage) -> Row:
    """Return the values of `PLACE_COLUMNS`."""
    passage, start, end = new.passage, new.start, new.end
    return (
        passage.ordinal,
        passage.span.start,
        passage.span.end,
        start.line,
        start.utf16,
        start.utf8,
        end.line,
        end.utf16,
        end.utf8,
        to_list(passage.headings),
        to_text(passage.context),
        terms_hash(new.terms),
        *_to_pages(new.pages),
    )


PASSAGE_COLUMNS = (
    "c.id, n.path, n.kind, c.ordinal, c.start_offset, c.end_offset, c.start_line, c.start_utf16, "
    "c.start_utf8, c.end_line, c.end_utf16, c.end_utf8, n.title, c.headings, c.text, c.hash, "
    "c.page, c.last_page, c.boxes, c.page_starts"
)


def stored_passage(row: Row) -> StoredPassage:
    """Return a passage from a row of `PASSAGE_COLUMNS`."""
    return StoredPassage(
        id=row[0],
        path=from_key(row[1]),
        kind=row[2],
        ordinal=row[3],
        start_offset=row[4],
        end_offset=row[5],
        start=Anchor(row[6], row[7], row[8]),
        end=Anchor(row[9], row[10], row[11]),
        title=from_text(row[12]),
        headings=from_list(row[13]),
        text=from_text(row[14]),
        hash=row[15],
        pages=_from_pages(*row[16:20]),
    )


def to_readable(text: str) -> bytes:
    """Return a readable document as it is stored."""
    # A seventh more room than usual for a quarter of the time: a save may wait for it.
    return zlib.compress(to_key(text), 1)


def from_readable(stored: bytes) -> str:
    """Undo `to_readable`."""
    try:
        return from_key(zlib.decompress(stored))
    except (ValueError, zlib.error) as error:
        raise apsw.CorruptError(f"a readable document is damaged: {error}") from error


def _to_pages(pages: PageRange | None) -> Row:
    if pages is None:
        return (None, None, None, None)
    boxes = [(page, *box) for page, box in pages.boxes]
    return (
        pages.first,
        pages.last,
        *(_encode(each) if each else None for each in (boxes, pages.starts)),
    )


def _from_pages(
    first: int | None, last: int | None, boxes: str | None, starts: str | None
) -> PageRange | None:
    if first is None or last is None:
        return None
    try:
        return PageRange(
            first,
            last,
            tuple((page, (x0, y0, x1, y1)) for page, x0, y0, x1, y1 in json.loads(boxes or "[]")),
            tuple((place, page) for place, page in json.loads(starts or "[]")),
        )
    except (ValueError, TypeError) as error:
        raise apsw.CorruptError(f"the pages of a passage are damaged: {error}") from error


def n_marks(values: Sequence[object]) -> str:
    """Return as many `?` as there are values, with commas between."""
    return ",".join("?" * len(values))
