"""Proves that all tables of an index agree, and mends what does not.

The index is derived from the notes, so a mend may always drop what is in doubt: a note whose
passages are wrong loses them and is read again, a passage whose vector is wrong waits for a new
one. What was mended is what a second examination no longer finds.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import apsw

from notekin.adapters.sqlite.aside import inspect
from notekin.adapters.sqlite.connect import (
    Database,
    connect_reader,
    is_damage,
    translated,
)
from notekin.adapters.sqlite.migrations import SCHEMA_VERSION, TERMS_TABLE, schema_version
from notekin.adapters.sqlite.notes import NoteWriter
from notekin.adapters.sqlite.rules import COUNTERS, NOTE_RULES, ORPHANS
from notekin.adapters.sqlite.snapshot import count_changes
from notekin.adapters.sqlite.text_rules import text_findings
from notekin.adapters.sqlite.vector_rules import mend_vectors, vector_findings
from notekin.adapters.sqlite.vectors import Vectors
from notekin.app.ports import Finding

_TROUBLES = {
    "damaged": "The index file is damaged as a whole.",
    "foreign": "The file is no index of Notekin.",
    "newer": "The index was made by a newer version of Notekin.",
}


def examine(
    path: Path,
    prepare: Callable[[], Database],
    on_damage: Callable[[], None],
    *,
    repair: bool,
) -> Sequence[Finding]:
    """Return what is wrong with the file at `path`.

    `prepare` opens the file for writing and sets it aside where it cannot serve, also once
    `on_damage` was called. Without `repair` nothing is written.
    """
    with translated(path):
        trouble = inspect(path)
        if trouble is None and not path.exists():
            return []
        if trouble is None:
            try:
                return _repaired(prepare) if repair else _read(path)
            except apsw.Error as error:
                if not is_damage(error):
                    raise
                trouble = "damaged"
                if repair:
                    on_damage()
    if repair:
        prepare().close()
    return [Finding(_TROUBLES[trouble], repair)]


def _read(path: Path) -> Sequence[Finding]:
    db = connect_reader(path)
    try:
        db.run("BEGIN")
        if schema_version(db) < SCHEMA_VERSION:
            return []  # It is brought up to date, and looked at then, when it is next opened.
        return [Finding(sentence) for sentence in _sentences(db)]
    finally:
        db.close()


def _repaired(prepare: Callable[[], Database]) -> Sequence[Finding]:
    """Mend what is found; raises an error of apsw when the file cannot be mended."""
    db = prepare()
    try:
        before = _sentences(db)
        if not before:
            return []
        _mend_file(db)
        db.run("BEGIN IMMEDIATE")
        _mend_tables(db)
        count_changes(db, 1)
        db.run("COMMIT")
        after = set(_sentences(db))
        if after:
            raise apsw.CorruptError("; ".join(after))
        return [Finding(sentence, repaired=True) for sentence in before]
    finally:
        db.close()


def _sentences(db: Database) -> list[str]:
    found = [f"SQLite finds the file wrong: {message}." for message in _integrity(db)]
    rows = [(rule.sentence, db.value(rule.broken)) for rule in (*ORPHANS, *COUNTERS)]
    rows += [(rule.sentence, sum(n for _, n in db.rows(rule.broken))) for rule in NOTE_RULES]
    rows += [(sentence, len(notes)) for sentence, notes in text_findings(db)]
    found += [sentence.format(n=n) for sentence, n in rows if n]
    return found + vector_findings(db)


def _integrity(db: Database) -> list[str]:
    messages = [message for (message,) in db.rows("PRAGMA integrity_check")]
    return [message for message in messages if message != "ok"]


def _mend_file(db: Database) -> None:
    """Mend what SQLite itself finds: an index, or the text index, which the notes fill again."""
    messages = _integrity(db)
    if any("fts5" in message.lower() for message in messages):
        db.run(f"BEGIN IMMEDIATE; DROP TABLE terms; {TERMS_TABLE}")
        count_changes(db, 1)
        db.run("COMMIT")
    if messages:
        db.run("REINDEX")


def _mend_tables(db: Database) -> None:
    for rule in ORPHANS:
        db.run(rule.mend)
    vectors = Vectors(db, time.time)
    vectors.begin()
    mend_vectors(db, vectors)
    notes = NoteWriter(db, vectors)
    broken = {note for rule in NOTE_RULES for note, _ in db.rows(rule.broken)}
    for note in broken.union(*(notes for _, notes in text_findings(db))):
        notes.forget(note)
    for rule in COUNTERS:
        db.run(rule.mend)
    vectors.settle()
