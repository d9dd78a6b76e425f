"""What the system knows of files besides their content: which one it is, and whose."""

from pathlib import Path

FileId = tuple[int, int]


def file_id(path: Path) -> FileId | None:
    """Return device and inode of the file at `path`, None when there is none."""
    try:
        stat = path.stat()
    except FileNotFoundError:
        return None
    return stat.st_dev, stat.st_ino


def make_private(folder: Path) -> None:
    """Make a folder, with those above it, that nobody but its owner may look into where the
    system knows such a thing; one that is there stays as it is. Raises `OSError`.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
