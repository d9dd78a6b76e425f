"""Names of files: how they are shown, and where a file system answers to several spellings."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from unicodedata import normalize


def ignores_case(folder: Path) -> bool:
    """Return whether the file system answers to `folder` in another spelling, too."""
    other = folder.name.swapcase()
    try:
        return other != folder.name and folder.with_name(other).samefile(folder)
    except (OSError, ValueError):
        return False


def as_listed(path: str, names_in: Callable[[str], Iterable[str]]) -> str:
    """Return a path as the folders spell it; `names_in` lists one and may raise `OSError`."""
    spelled = ""
    for name in path.split("/"):
        try:
            names = list(names_in(spelled))
        except OSError:
            names = []
        alike = (each for each in names if _folded(each) == _folded(name))
        same = name if name in names else next(alike, name)
        spelled = f"{spelled}/{same}" if spelled else same
    return spelled


def shown(path: str) -> str:
    """Return `path` as it can be shown and stored: bytes that are no Unicode escaped."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _folded(name: str) -> str:
    return normalize("NFC", normalize("NFC", name).casefold())
