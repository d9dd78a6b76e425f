"""What must hold between notes, their passages, the text index and the tags: what SQL alone
cannot tell, because it is computed from the stored text.
"""

from collections.abc import Iterator, Sequence

from notekin.adapters.sqlite.connect import Database
from notekin.adapters.sqlite.values import (
    NOTE_COLUMNS,
    from_list,
    from_text,
    stored_note,
    terms_hash,
    to_key,
    to_terms,
)
from notekin.app.ports import PassageTerms, StoredNote
from notekin.app.preparing import SharedTerms
from notekin.core.note import Passage, Span
from notekin.core.query import tag_key
from notekin.core.terms import TERMS_VERSION
from notekin.core.text import text_hash

_COLUMNS = ("title", "headings", "text")

# The terms of each row of the text index, in their order. A term is kept under all that hold it,
# so all rows are put together at once.
_INDEXED = """SELECT doc, col, group_concat(term, ' ' ORDER BY "offset") FROM places
              GROUP BY doc, col"""

_PASSAGES = """SELECT id, headings, text, terms FROM chunks
               WHERE note = ? AND id IN (SELECT rowid FROM terms)"""


def text_findings(db: Database) -> list[tuple[str, Sequence[int]]]:
    """Return for each rule its sentence and the notes that break it, once a violation."""
    return [
        ("{n} passages hold another text than the one embedded.", _altered(db)),
        ("{n} notes have other tags than those they can be filtered by.", _mistagged(db)),
        ("{n} passages are found by other words than their own.", list(_misindexed(db))),
    ]


def _altered(db: Database) -> list[int]:
    """Return the notes of passages whose hash or range is not that of their text."""
    sql = "SELECT note, context, text, hash, end_offset - start_offset FROM chunks"
    return [
        note
        for note, context, text, hash_, length in db.rows(sql)
        if length != len(from_text(text)) or hash_ != _hash(from_text(context), from_text(text))
    ]


def _hash(context: str, text: str) -> bytes:
    return text_hash(Passage(0, Span(0, 0), (), text, context, b"").embedded)


def _mistagged(db: Database) -> list[int]:
    keys: dict[int, set[bytes]] = {}
    for note, key in db.rows("SELECT note, tag FROM tags"):
        keys.setdefault(note, set()).add(key)
    return [
        note
        for note, tags in db.rows("SELECT id, tags FROM notes")
        if {to_key(tag_key(tag)) for tag in from_list(tags)} != keys.get(note, set())
    ]


def _misindexed(db: Database) -> Iterator[int]:
    """Yield the notes of passages whose row in the text index is not made of their text and names.

    Terms of another version are no error: the notes wait to be read again.
    """
    if db.rows("SELECT value FROM meta WHERE key = 'terms'") != [(str(TERMS_VERSION),)]:
        return
    indexed = {(doc, col): terms for doc, col, terms in db.rows(_INDEXED)}
    for id_, *columns in db.rows(f"SELECT id, {NOTE_COLUMNS} FROM notes WHERE text_hash <> x''"):
        note = stored_note(tuple(columns))
        shared = SharedTerms.of(note.path, note)
        for chunk, headings, text, hash_ in db.rows(_PASSAGES, (id_,)):
            expected = shared.with_passage(from_list(headings), from_text(text))
            held = [indexed.get((chunk, column), "") for column in _COLUMNS]
            if not _agree(note, expected, held, hash_):
                yield id_


def _agree(note: StoredNote, expected: PassageTerms, held: Sequence[str], hash_: bytes) -> bool:
    title, headings, text = map(to_terms, (expected.title, expected.headings, expected.text))
    if note.kind == "pdf":
        # What a PDF's names give is made of its readable document, which is not read here.
        return held[2] == text
    return [title, headings, text] == held and terms_hash(expected) == hash_
