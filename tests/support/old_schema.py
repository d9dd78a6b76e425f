"""Makes of an index one of an older schema, as an older version would have left it."""

from pathlib import Path

from notekin.adapters.sqlite.connect import connect_writer

# What undoes each migration, by the schema version that it leads to.
_UNDO = {
    6: "ALTER TABLE chunks DROP COLUMN page_starts",
    5: "DROP TABLE places",
    4: """
DROP TABLE readables;
DROP INDEX notes_pending;
DROP INDEX notes_warned;
DROP INDEX notes_pdf;
ALTER TABLE notes DROP COLUMN stage;
ALTER TABLE notes DROP COLUMN warnings;
ALTER TABLE chunks DROP COLUMN page;
ALTER TABLE chunks DROP COLUMN last_page;
ALTER TABLE chunks DROP COLUMN boxes;
CREATE INDEX notes_pending ON notes(mtime_ns DESC, id) WHERE n_pending > 0;
""",
    3: """
DROP TRIGGER vectors_stamp_insert;
DROP TRIGGER vectors_stamp_delete;
DROP TRIGGER vectors_stamp_update;
DROP TABLE vector_blocks;
""",
}


def age(path: Path, version: int) -> None:
    """Bring the index at `path`, which nobody has open, back to a schema version."""
    connection = connect_writer(path)
    try:
        for newer in sorted(_UNDO, reverse=True):
            if newer > version:
                connection.run(_UNDO[newer])
        connection.run(f"PRAGMA user_version = {version}")
    finally:
        connection.close()
