"""The phases of indexing in words and numbers."""

from notekin.app.results import VaultStatus

_WORDS = {
    "starting": "Starting",
    "scanning": "Looking at the files",
    "indexing": "Reading notes",
    "embedding": "Embedding passages",
}


def is_working(status: VaultStatus) -> bool:
    """Return whether this is a phase that goes on to another by itself."""
    return status.phase in _WORDS


def phase_in_words(status: VaultStatus) -> str:
    """Return what is being done, for a person."""
    if is_reading_layouts(status):
        return f"Reading {status.current}"
    return _WORDS.get(status.phase, status.phase)


def is_reading_layouts(status: VaultStatus) -> bool:
    """Return whether nothing but layouts of PDFs is left to be read, one of them now."""
    return status.phase == "indexing" and not status.notes.n_unread and bool(status.current)


def amount(status: VaultStatus) -> tuple[int, int]:
    """Return how many notes or passages are done, and of how many."""
    if status.phase == "indexing":
        return status.notes.n_total - status.notes.n_pending, status.notes.n_total
    if status.phase == "embedding":
        return status.chunks.n_embedded, status.chunks.n_total
    return 0, 0
