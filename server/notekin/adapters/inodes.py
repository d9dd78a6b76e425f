"""Whether a file is still the same: another may lie in its place."""

from pathlib import Path

FileId = tuple[int, int]


def file_id(path: Path) -> FileId | None:
    """Return device and inode of the file at `path`, None when there is none."""
    try:
        stat = path.stat()
    except FileNotFoundError:
        return None
    return stat.st_dev, stat.st_ino
