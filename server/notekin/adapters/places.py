"""Where the index of a vault lies, and how a vault that was moved gets its own back.

An index is named after its vault's real path. Where there is none of that name, the others are
asked whose they are: one whose folder became this one (the same folder on the disk, or as good as
the same notes while the old folder is gone) is given the new name, and nothing is embedded again.
A copy, whose original is still there, gets an index of its own.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from notekin.adapters.locking import IndexerLock, exclusively
from notekin.adapters.sqlite.aside import files_of, remains_of
from notekin.adapters.sqlite.identity import Identity, NoteSample, identity, root_id, sample, settle
from notekin.app.errors import IndexUnusable, Unreadable
from notekin.app.hashing import content_hash
from notekin.app.ports import VectorShelf

if TYPE_CHECKING:
    from notekin.adapters.files import VaultFiles

SUFFIX = ".sqlite3"

# So many notes are compared with what an index says of them, and so many of them read.
_N_COMPARED = 200
_N_READ = 8
# How many of them agree if a vault is the same: its folder says so already …
_SHARE_OF_SAME_FOLDER = 0.5
# … or its notes alone.
_SHARE_OF_SAME_NOTES = 0.9
# To move an index takes milliseconds; another process that does so is waited for this long.
_MOVING_SECONDS = 10.0


@frozen
class IndexFiles:
    """The indexes in the data folder; `only` replaces the place there by one file."""

    folder: Path
    only: Path | None = None

    def of(self, vault: Path) -> Path:
        """Return the index file that is named after a vault, there or not."""
        if self.only is not None:
            return self.only
        real = vault.resolve()
        key = blake2b(str(real).encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()
        return self._indexes / f"{key}{SUFFIX}"

    def claim(self, vault: Path) -> Path:
        """Return the index file of a vault, there or not. If the vault was moved, the file is
        moved to its new name.
        """
        own = self.of(vault)
        if self.only is not None or own.exists():
            return own
        # Whatever is wrong with the data folder is said by who opens the index.
        with suppress(IndexUnusable):
            return self._moved_to(vault) or own
        return own

    def vault_among(self, folders: Sequence[Path]) -> Path | None:
        """Return the first of `folders` that has an index, also one that was moved there."""
        if self.only is not None:
            known = identity(self.only)
            return next((each for each in folders if known and self._is_of(known, each)), None)
        there = (each for each in folders if self.of(each).exists())
        return next(there, None) or next((e for e in folders if self.claim(e).exists()), None)

    def closed(self, own: Path) -> Sequence[VectorShelf]:
        """Return the other indexes in the data folder, as far as they may have vectors to lend."""
        if self.only is not None:
            return ()
        from notekin.adapters.sqlite.lending import ClosedIndex

        return [each for each in ClosedIndex.all_in(self._indexes, SUFFIX) if each.path != own]

    @property
    def _indexes(self) -> Path:
        return self.folder / "indexes"

    def _is_of(self, known: Identity, vault: Path) -> bool:
        assert self.only is not None  # noqa: S101 - who asks has seen to it
        return Path(known.root) == vault or was_moved(self.only, known, vault)

    def _moved_to(self, vault: Path) -> Path | None:
        """Return the index of a vault under another name, now under its own; None without."""
        if not vault.is_dir() or not any(self._indexes.glob(f"*{SUFFIX}")):
            return None
        with exclusively(self._indexes / "moving.lock", _MOVING_SECONDS):
            own = self.of(vault)
            if own.exists():
                return own  # Another process was faster.
            own_id = root_id(vault)
            for file, known in sorted(self._others(), key=lambda each: each[1].root_id != own_id):
                if _is_same(Path(known.root), vault):
                    return file  # Spelled in another way; who opened it so may have it open.
                if was_moved(file, known, vault):
                    return own if _move(file, own) else None
        return None

    def _others(self) -> Iterator[tuple[Path, Identity]]:
        for file in sorted(self._indexes.glob(f"*{SUFFIX}")):
            with suppress(IndexUnusable):
                if (known := identity(file)) is not None:
                    yield file, known


def shelf_of(index: Path) -> Path:
    """Return the folder beside an index that holds what was read of its PDFs."""
    return index.with_suffix(".pdfs")


def was_moved(index: Path, known: Identity, vault: Path) -> bool:
    """Return whether the vault of an index lies at `vault` now."""
    if known.root_id and known.root_id == root_id(vault):
        return _share(index, vault, n_read=0) >= _SHARE_OF_SAME_FOLDER
    if Path(known.root).exists():
        return False
    return _share(index, vault, n_read=_N_READ) >= _SHARE_OF_SAME_NOTES


def _share(index: Path, vault: Path, n_read: int) -> float:
    """Return how many of the notes of an index stand in a vault as they were; 0 of none."""
    from notekin.adapters.files import VaultFiles

    notes = sample(index, _N_COMPARED)
    files = VaultFiles(vault)
    step = max(1, len(notes) // n_read) if n_read else 0
    agreeing = [
        _agrees(files, note, read=bool(step) and number % step == 0)
        for number, note in enumerate(notes)
    ]
    return sum(agreeing) / len(agreeing) if agreeing else 0.0


def _agrees(files: "VaultFiles", note: NoteSample, *, read: bool) -> bool:
    found = files.find(note.path)
    if found is None or found.problem or found.stat.size != note.size:
        return False
    try:
        return not read or content_hash(files, found).hash == note.text_hash
    except Unreadable:
        return False


def _move(old: Path, new: Path) -> bool:
    """Give an index with all that belongs to it another name; False when it is in use."""
    lock = IndexerLock(old.with_suffix(".lock"))
    try:
        if not lock.acquire():
            return False
        settle(old)
        # The index first: what was written lately is in it, and not in its companions.
        for path in (*files_of(old), *remains_of(old)):
            path.rename(new.with_name(path.name.replace(old.name, new.name, 1)))
        if shelf_of(old).is_dir():
            shelf_of(old).rename(shelf_of(new))
    except (OSError, IndexUnusable):
        return new.exists()
    finally:
        lock.release()
    old.with_suffix(".lock").unlink(missing_ok=True)
    return True


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False
