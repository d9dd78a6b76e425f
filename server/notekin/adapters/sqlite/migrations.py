"""The tables of an index file. Migrations are only ever appended.

`user_version` says how many of them a file has seen.
"""

import os
import tempfile
from pathlib import Path

from notekin.adapters.sqlite.connect import Database, connect_writer

# "NKIN": tells an index from any other SQLite file.
APPLICATION_ID = 0x4E4B494E

# The terms come ready from `core.terms`, joined by spaces; every printable ASCII character is
# part of a token, so that FTS5 leaves them alone whatever characters a later version lets in.
_PUNCTUATION = "!\"\"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~"

TERMS_TABLE = f"""CREATE VIRTUAL TABLE terms USING fts5(
    title, headings, text,
    content = '', contentless_delete = 1,
    tokenize = "ascii tokenchars '{_PUNCTUATION}'"
)
"""

# Paths and tags are bytes (UTF-8, surrogates passed): a file name need not be valid Unicode,
# and a prefix is a plain range. Columns that hold a person's text have no type, because text
# that SQLite cannot hold (a lone surrogate) goes in as bytes too.
_TABLES = f"""
CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;

CREATE TABLE counters(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO counters(name, value) VALUES
    ('notes', 0), ('failed', 0), ('passages', 0), ('pending', 0), ('revision', 0);

CREATE TABLE notes(
    id INTEGER PRIMARY KEY,
    path BLOB NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    mtime_ns INTEGER NOT NULL,
    size INTEGER NOT NULL,
    inode BLOB NOT NULL,
    racy INTEGER NOT NULL,
    text_hash BLOB NOT NULL,
    title NOT NULL,
    tags NOT NULL,
    aliases NOT NULL,
    reason NOT NULL DEFAULT '',
    n_pending INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX notes_pending ON notes(mtime_ns DESC, id) WHERE n_pending > 0;
CREATE INDEX notes_failed ON notes(path) WHERE reason <> '';

CREATE TABLE tags(
    tag BLOB NOT NULL,
    note INTEGER NOT NULL REFERENCES notes(id) ON DELETE CASCADE,
    PRIMARY KEY (tag, note)
) WITHOUT ROWID;
CREATE INDEX tags_note ON tags(note);

CREATE TABLE links(
    note INTEGER NOT NULL REFERENCES notes(id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    target NOT NULL,
    PRIMARY KEY (note, ordinal)
) WITHOUT ROWID;

CREATE TABLE chunks(
    id INTEGER PRIMARY KEY,
    note INTEGER NOT NULL REFERENCES notes(id),
    ordinal INTEGER NOT NULL,
    start_offset INTEGER NOT NULL,
    end_offset INTEGER NOT NULL,
    start_line INTEGER NOT NULL,
    start_utf16 INTEGER NOT NULL,
    start_utf8 INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    end_utf16 INTEGER NOT NULL,
    end_utf8 INTEGER NOT NULL,
    headings NOT NULL,
    context NOT NULL,
    terms BLOB NOT NULL,
    hash BLOB NOT NULL,
    embedded INTEGER NOT NULL DEFAULT 0,
    text NOT NULL
);
CREATE INDEX chunks_note ON chunks(note, ordinal);
CREATE INDEX chunks_pending ON chunks(hash) WHERE embedded = 0;
CREATE INDEX chunks_pending_note ON chunks(note, ordinal) WHERE embedded = 0;

{TERMS_TABLE};
-- Not read any more; to drop it would shut out older versions for nothing.
CREATE VIRTUAL TABLE frequencies USING fts5vocab(terms, 'row');

CREATE TABLE models(
    id INTEGER PRIMARY KEY,
    served INTEGER NOT NULL UNIQUE CHECK (served IN (0, 1)),
    name TEXT NOT NULL,
    dim INTEGER NOT NULL,
    n_window INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    probe BLOB NOT NULL,
    vec_table TEXT NOT NULL,
    n_vectors INTEGER NOT NULL DEFAULT 0,
    n_free INTEGER NOT NULL DEFAULT 0,
    n_cached_bytes INTEGER NOT NULL DEFAULT 0,
    n_peak INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE vectors(
    model INTEGER NOT NULL REFERENCES models(id),
    slot INTEGER NOT NULL,
    chunk INTEGER NOT NULL REFERENCES chunks(id),
    part INTEGER NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (model, slot)
) WITHOUT ROWID;
CREATE UNIQUE INDEX vectors_chunk ON vectors(chunk, model, part);
CREATE INDEX vectors_hash ON vectors(hash, model);
CREATE TABLE free_slots(
    model INTEGER NOT NULL REFERENCES models(id),
    slot INTEGER NOT NULL,
    PRIMARY KEY (model, slot)
) WITHOUT ROWID;

CREATE TABLE vector_cache(
    model INTEGER NOT NULL REFERENCES models(id),
    hash BLOB NOT NULL,
    last_used INTEGER NOT NULL,
    vectors BLOB NOT NULL,
    PRIMARY KEY (model, hash)
);
CREATE INDEX vector_cache_age ON vector_cache(model, last_used);
"""


def _counted(table: str, counter: str) -> str:
    """Return triggers that keep `counter` at the number of a table's rows."""
    return f"""
CREATE TRIGGER {table}_{counter}_insert AFTER INSERT ON {table} BEGIN
    UPDATE counters SET value = value + 1 WHERE name = '{counter}'; END;
CREATE TRIGGER {table}_{counter}_delete AFTER DELETE ON {table} BEGIN
    UPDATE counters SET value = value - 1 WHERE name = '{counter}'; END;
"""


def _summed(table: str, column: str, amount: str = "1") -> str:
    """Return triggers that keep a column of `models` at the number (or sum) of its rows."""
    new, old = amount.replace("ROW", "NEW"), amount.replace("ROW", "OLD")
    return f"""
CREATE TRIGGER {table}_{column}_insert AFTER INSERT ON {table} BEGIN
    UPDATE models SET {column} = {column} + {new} WHERE id = NEW.model; END;
CREATE TRIGGER {table}_{column}_delete AFTER DELETE ON {table} BEGIN
    UPDATE models SET {column} = {column} - {old} WHERE id = OLD.model; END;
"""


# Status is asked four times a second and must not count 100,000 rows.
_COUNTERS = (
    _counted("notes", "notes")
    + _counted("chunks", "passages")
    + _summed("vectors", "n_vectors")
    + _summed("free_slots", "n_free")
    + _summed("vector_cache", "n_cached_bytes", "length(ROW.vectors)")
    + """
CREATE TRIGGER notes_failed_insert AFTER INSERT ON notes WHEN NEW.reason <> '' BEGIN
    UPDATE counters SET value = value + 1 WHERE name = 'failed'; END;
CREATE TRIGGER notes_failed_delete AFTER DELETE ON notes WHEN OLD.reason <> '' BEGIN
    UPDATE counters SET value = value - 1 WHERE name = 'failed'; END;
CREATE TRIGGER notes_failed_update AFTER UPDATE OF reason ON notes
WHEN (OLD.reason <> '') <> (NEW.reason <> '') BEGIN
    UPDATE counters SET value = value + (NEW.reason <> '') - (OLD.reason <> '')
    WHERE name = 'failed'; END;
CREATE TRIGGER chunks_pending_insert AFTER INSERT ON chunks WHEN NOT NEW.embedded BEGIN
    UPDATE counters SET value = value + 1 WHERE name = 'pending';
    UPDATE notes SET n_pending = n_pending + 1 WHERE id = NEW.note; END;
CREATE TRIGGER chunks_pending_delete AFTER DELETE ON chunks WHEN NOT OLD.embedded BEGIN
    UPDATE counters SET value = value - 1 WHERE name = 'pending';
    UPDATE notes SET n_pending = n_pending - 1 WHERE id = OLD.note; END;
CREATE TRIGGER chunks_pending_update AFTER UPDATE OF embedded ON chunks
WHEN OLD.embedded <> NEW.embedded BEGIN
    UPDATE counters SET value = value + OLD.embedded - NEW.embedded WHERE name = 'pending';
    UPDATE notes SET n_pending = n_pending + OLD.embedded - NEW.embedded
    WHERE id = NEW.note; END;
"""
)

# What processes that do not index pass on to the one that does. A row that was looked at must
# not take a later one for the same path with it: ids only grow, and rows go by their ids.
_DIRTY = """
CREATE TABLE dirty(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path BLOB NOT NULL,
    forced INTEGER NOT NULL
);
"""

# Slots that lie together and are read again together when one of them changes.
SLOTS_A_BLOCK = 512


def _stamped(event: str, *rows: str) -> str:
    """Return a trigger that gives the blocks of the slots of `rows` the next stamp."""
    stamps = "".join(
        f"""
    INSERT INTO vector_blocks VALUES({row}.model, {row}.slot / {SLOTS_A_BLOCK},
        (SELECT ifnull(max(stamp), 0) + 1 FROM vector_blocks))
    ON CONFLICT(model, block) DO UPDATE SET stamp = excluded.stamp;"""
        for row in rows
    )
    return f"""
CREATE TRIGGER vectors_stamp_{event} AFTER {event.upper()} ON vectors BEGIN{stamps} END;
"""


# Says which vectors changed since a stamp that a reader has seen. Rows stay when their model
# goes: stamps never fall, so that no reader takes old vectors for those of a later model.
_STAMPS = f"""
CREATE TABLE vector_blocks(
    model INTEGER NOT NULL,
    block INTEGER NOT NULL,
    stamp INTEGER NOT NULL,
    PRIMARY KEY (model, block)
) WITHOUT ROWID;
CREATE INDEX vector_blocks_stamp ON vector_blocks(stamp);
INSERT INTO vector_blocks SELECT DISTINCT model, slot / {SLOTS_A_BLOCK}, 1 FROM vectors;
""" + (_stamped("insert", "NEW") + _stamped("delete", "OLD") + _stamped("update", "OLD", "NEW"))

# A PDF's passages lie in its readable document, which is compressed. What is only `raw` is not
# embedded: its passages go as soon as the layout is there.
_PDFS = """
ALTER TABLE notes ADD COLUMN stage TEXT NOT NULL DEFAULT 'whole';
ALTER TABLE notes ADD COLUMN warnings NOT NULL DEFAULT '[]';
DROP INDEX notes_pending;
CREATE INDEX notes_pending ON notes(mtime_ns DESC, id) WHERE n_pending > 0 AND stage = 'whole';
CREATE INDEX notes_warned ON notes(path) WHERE warnings <> '[]';
CREATE INDEX notes_pdf ON notes(text_hash) WHERE kind = 'pdf' AND reason = '';
ALTER TABLE chunks ADD COLUMN page INTEGER;
ALTER TABLE chunks ADD COLUMN last_page INTEGER;
ALTER TABLE chunks ADD COLUMN boxes;
CREATE TABLE readables(
    note INTEGER PRIMARY KEY REFERENCES notes(id) ON DELETE CASCADE,
    text BLOB NOT NULL
);
"""

# Tags are filtered by without their case: notes that have some are read again for it.
# `places` tells the doctor which terms the text index holds of a passage.
_TAG_KEYS = """
CREATE VIRTUAL TABLE places USING fts5vocab(terms, 'instance');
DELETE FROM tags;
UPDATE notes SET mtime_ns = 0, size = -1, racy = 1, text_hash = x'', tags = '[]'
WHERE tags <> '[]';
"""

# Where in a passage its pages begin. PDFs with passages that need it are looked at again, and
# taken from the shelf; what is embedded stays.
_PAGE_STARTS = """
ALTER TABLE chunks ADD COLUMN page_starts;
UPDATE notes SET stage = 'raw'
WHERE stage = 'whole' AND id IN (SELECT note FROM chunks WHERE last_page > page);
"""

MIGRATIONS: tuple[str, ...] = (
    *(_TABLES + _COUNTERS, _DIRTY, _STAMPS, _PDFS),
    *(_TAG_KEYS, _PAGE_STARTS),
)
SCHEMA_VERSION = len(MIGRATIONS)


def schema_version(connection: Database) -> int:
    """Return how many migrations the file has seen."""
    return int(connection.value("PRAGMA user_version"))


def migrate(connection: Database) -> None:
    """Bring the file to `SCHEMA_VERSION`, each migration in its own transaction.

    Two processes may do so at once: who comes second finds the version moved.
    """
    while schema_version(connection) < SCHEMA_VERSION:
        connection.run("BEGIN IMMEDIATE")
        try:
            version = schema_version(connection)
            if version < SCHEMA_VERSION:
                connection.run(MIGRATIONS[version])
                connection.run(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.run(f"PRAGMA user_version = {version + 1}")
            connection.run("COMMIT")
        except BaseException:
            connection.run("ROLLBACK")
            raise


def make_new(path: Path) -> None:
    """Put an index without notes at `path`, unless another process was faster.

    It is made elsewhere: nobody ever opens a half-made one, and SQLite takes no two processes
    that turn a new file into a WAL database at once.
    """
    with tempfile.TemporaryDirectory(prefix=f"{path.name}.new-", dir=path.parent) as folder:
        made = Path(folder, path.name)
        # Notes are private, and SQLite would let everybody read the file.
        made.touch(mode=0o600)
        connection = connect_writer(made)
        try:
            migrate(connection)
        finally:
            connection.close()
        try:
            os.link(made, path)
        except FileExistsError:
            return
        except OSError:  # a file system without links
            if not path.exists():
                made.rename(path)
