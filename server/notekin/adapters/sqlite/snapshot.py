"""Which state of which index a reader sees."""

from attrs import frozen

from notekin.adapters.inodes import FileId
from notekin.adapters.sqlite.connect import Database


@frozen
class Snapshot:
    """A state of an index: of which file, born as which index, after how many changes."""

    file: FileId
    born: str
    revision: int

    def is_before(self, other: "Snapshot | None") -> bool:
        """Return whether it is an older state of the same index."""
        if other is None:
            return False
        same = (self.file, self.born) == (other.file, other.born)
        return same and self.revision < other.revision


def begin_snapshot(db: Database, file: FileId) -> Snapshot:
    """Begin to read from the newest state of the file that `db` has open, and return it."""
    db.run("BEGIN")
    # A snapshot begins with the first read, not with BEGIN.
    ((born, revision),) = db.rows("""SELECT
        ifnull((SELECT value FROM meta WHERE key = 'vault'), ''),
        ifnull((SELECT value FROM counters WHERE name = 'revision'), 0)""")
    return Snapshot(file, born, revision)


def count_changes(db: Database, n_changes: int) -> None:
    """Give the index its next revision, if anything changed: what is remembered of it ends."""
    db.run("UPDATE counters SET value = value + ? WHERE name = 'revision'", (n_changes,))
