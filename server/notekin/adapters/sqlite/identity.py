"""Whose index a file is, so that a vault that was moved is found again by its index."""

import uuid
from pathlib import Path

import apsw
from attrs import frozen

from notekin.adapters.sqlite.aside import inspect
from notekin.adapters.sqlite.connect import (
    Database,
    connect_inspector,
    connect_writer,
    translated,
)
from notekin.adapters.sqlite.values import from_key


@frozen
class Identity:
    """`vault` is drawn when the file is made and stays; `root` is where the vault lay when it
    was last written, `root_id` the device and inode of that folder, which a move on the same
    disk keeps.
    """

    vault: str
    root: str
    root_id: str


def root_id(root: Path) -> str:
    """Return what stays when a folder is moved on its disk, "" when it cannot be asked."""
    try:
        stat = root.stat()
    except OSError:
        return ""
    return f"{stat.st_dev}:{stat.st_ino}"


def sign(connection: Database, root: Path) -> None:
    """Record whose index the file is."""
    connection.run("INSERT OR IGNORE INTO meta VALUES('vault', ?)", (uuid.uuid4().hex,))
    place = {"root": str(root).encode("utf-8", "surrogateescape"), "root_id": root_id(root)}
    connection.many("INSERT OR REPLACE INTO meta VALUES(?, ?)", place.items())


def identity(path: Path) -> Identity | None:
    """Return whose index the file at `path` is, None when it is no index of this version.

    Raises `IndexUnusable` when it cannot be read.
    """
    if not path.exists() or inspect(path) is not None:
        return None
    with translated(path):
        connection = connect_inspector(path)
        try:
            sql = "SELECT key, value FROM meta WHERE key IN ('vault', 'root', 'root_id')"
            meta = dict(connection.rows(sql))
        except apsw.SQLError:
            return None  # An empty file has no tables yet.
        finally:
            connection.close()
    if not meta:
        return None
    return Identity(meta["vault"], meta["root"].decode("utf-8", "surrogateescape"), meta["root_id"])


@frozen
class NoteSample:
    """What tells whether a file is the note it was."""

    path: str
    size: int
    text_hash: bytes


def sample(path: Path, n_notes: int) -> list[NoteSample]:
    """Return up to `n_notes` of the readable notes of an index, spread over all of them.

    Raises `IndexUnusable`.
    """
    with translated(path):
        connection = connect_inspector(path)
        try:
            n_all = connection.value("SELECT count(*) FROM notes WHERE reason = ''")
            sql = """SELECT path, size, text_hash FROM
                     (SELECT *, row_number() OVER (ORDER BY path) AS nth FROM notes
                      WHERE reason = '')
                     WHERE nth % ? = 0 ORDER BY nth LIMIT ?"""
            rows = connection.rows(sql, (max(1, n_all // n_notes), n_notes))
        finally:
            connection.close()
    return [NoteSample(from_key(key), size, hash_) for key, size, hash_ in rows]


def settle(path: Path) -> None:
    """Bring what was written lately from the WAL into the file; raises `IndexUnusable`."""
    with translated(path):
        connection = connect_writer(path)
        try:
            connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            connection.close()
