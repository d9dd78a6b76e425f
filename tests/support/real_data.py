"""The data made by others that lies beside the project, unpacked once into an ignored folder."""

import os
import tarfile
from functools import cache
from pathlib import Path

import pytest

_PROJECT = Path(__file__).resolve().parents[2]
_ARCHIVES = _PROJECT.parent / "shared" / "data"
_UNPACKED = _PROJECT / ".scratch" / "data"


@cache
def real_data(name: str) -> Path:
    """Return the folder that holds what `NAME.tar.xz` contains; skips the test without it."""
    archive = _ARCHIVES / f"{name}.tar.xz"
    if not archive.is_file():
        pytest.skip(f"needs {archive.name} in the folder shared/data beside the project")
    done = _UNPACKED / f".{name}"
    if not done.exists():
        _UNPACKED.mkdir(parents=True, exist_ok=True)
        with tarfile.open(archive) as packed:
            packed.extractall(_UNPACKED, filter="data")
        # The mark is made last and in one step: an unpacking that broke off is done again.
        mark = done.with_suffix(f".{os.getpid()}")
        mark.touch()
        mark.replace(done)
    return _UNPACKED
