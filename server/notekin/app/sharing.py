"""A status as the text that processes on one index hand each other."""

import json
from pathlib import Path
from typing import Any

from attrs import asdict, evolve

from notekin.app.results import ChunkCounts, Failure, NoteCounts, VaultStatus

# What each process knows for itself.
_OWN = frozenset({"folder", "notices", "following"})
_LISTS = ("failures", "warnings")


def to_shared(status: VaultStatus) -> str:
    """Return what other processes may know of a status; paths are relative to the vault."""
    told: dict[str, Any] = asdict(status, filter=lambda each, _: each.name not in _OWN)
    for name in _LISTS:
        told[name] = [
            (each.path.relative_to(status.folder).as_posix(), each.reason, each.locked)
            for each in getattr(status, name)
        ]
    return json.dumps(told)


def from_shared(text: str, folder: Path) -> VaultStatus | None:
    """Undo `to_shared` for the vault at `folder`; None for what another version wrote."""
    try:
        told: dict[str, Any] = json.loads(text)
        told["notes"] = NoteCounts(**told["notes"])
        told["chunks"] = ChunkCounts(**told["chunks"])
        for name in _LISTS:
            told[name] = tuple(Failure(folder / path, *rest) for path, *rest in told[name])
        return VaultStatus(folder, **told)
    except (ValueError, TypeError, KeyError):
        return None


def followed(status: VaultStatus) -> VaultStatus:
    """Return the indexer's status as one who follows it tells it: what holds it up is told as
    it is, anything else is another process's work.
    """
    held_up = status.phase in ("paused", "failed")
    return evolve(status, reason=status.reason if held_up else "otherProcess", following=True)
