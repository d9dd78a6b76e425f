"""Files that cannot serve as an index are set aside under another name; nothing deletes them
but a person who wants the index forgotten.
"""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import apsw

from notekin.adapters.inodes import FileId, file_id
from notekin.adapters.sqlite.connect import Database, as_unusable, connect_inspector, is_damage
from notekin.adapters.sqlite.migrations import APPLICATION_ID, SCHEMA_VERSION, schema_version

Trouble = Literal["damaged", "foreign", "newer"]

_HEADER_BYTES = 100
_COMPANIONS = ("-wal", "-shm", "-journal")

_NOTICES: dict[Trouble, str] = {
    "damaged": "The index was damaged; it is kept as {name} and a new one is being built.",
    "foreign": "The file {old} was no index of Notekin; it is kept as {name}.",
    "newer": (
        "The index was made by a newer version of Notekin; it is kept as {name} and a new one "
        "is being built."
    ),
}


def inspect(path: Path) -> Trouble | None:
    """Return why the file cannot serve, None when it can, is empty or not there.

    Raises `IndexUnusable` for what is there and no file that can be read.
    """
    try:
        if not path.exists() or not path.stat().st_size:
            return None
        if is_truncated(path):
            return "damaged"
        connection = connect_inspector(path)
        try:
            return _trouble_of(connection)
        finally:
            connection.close()
    except apsw.Error as error:
        if is_damage(error):
            return "damaged"
        raise
    except OSError as error:
        raise as_unusable(error, path) or error from error


def _trouble_of(connection: Database) -> Trouble | None:
    n_tables = connection.value("SELECT count(*) FROM sqlite_schema")
    if not n_tables:
        return None
    if connection.value("PRAGMA application_id") != APPLICATION_ID:
        return "foreign"
    if schema_version(connection) > SCHEMA_VERSION:
        return "newer"
    n_counters = connection.value("SELECT count(*) FROM counters")
    return None if n_counters else "damaged"


def is_truncated(path: Path) -> bool:
    """Whether the file is shorter than its header says, with no WAL to hold the rest.

    The header's layout is in https://sqlite.org/fileformat2.html#the_database_header.
    """
    with path.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    if len(header) < _HEADER_BYTES:
        return bool(header)
    wal = path.with_name(path.name + "-wal")
    if wal.exists() and wal.stat().st_size:
        return False
    (page_size,) = struct.unpack(">H", header[16:18])
    changed, n_pages = struct.unpack(">II", header[24:32])
    (valid_for,) = struct.unpack(">I", header[92:96])
    n_bytes = n_pages * (65536 if page_size == 1 else page_size)
    return changed == valid_for and path.stat().st_size < n_bytes


def set_aside(path: Path, trouble: Trouble, seen: FileId) -> str:
    """Rename the file and its companions; return a sentence that says so, "" when it is not the
    file that was `seen` any more: another process set that aside.
    """
    number = 1
    while (aside := path.with_name(f"{path.name}.{trouble}-{number}")).exists():
        number += 1
    if file_id(path) != seen:
        return ""
    # The file goes last: a new one must never meet the WAL of the old.
    for suffix in _COMPANIONS:
        companion = path.with_name(path.name + suffix)
        if companion.exists():
            companion.rename(aside.with_name(aside.name + suffix))
    path.rename(aside)
    return _NOTICES[trouble].format(old=path.name, name=aside.name)


def files_of(index: Path) -> Iterator[Path]:
    """Yield the files of an index that are there: itself and SQLite's companions."""
    names = (index.name, *(index.name + suffix for suffix in _COMPANIONS))
    return (path for path in map(index.with_name, names) if path.exists())


def remains_of(index: Path) -> Iterator[Path]:
    """Yield what was set aside of an index. They hold notes, too; what was foreign is not ours."""
    for trouble in ("damaged", "newer"):
        yield from index.parent.glob(f"{index.name}.{trouble}-*")
