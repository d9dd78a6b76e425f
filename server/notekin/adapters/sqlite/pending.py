"""The backlog: passages without a vector, in the order in which they are to get one."""

from collections.abc import Sequence

from notekin.adapters.sqlite.connect import Database
from notekin.adapters.sqlite.values import Row, from_key, from_text, to_key
from notekin.app.ports import PendingPassage
from notekin.core.note import Passage, Span

_COLUMNS = "c.id, n.path, c.hash, c.context, c.text"

_OF_NOTE = f"""
SELECT {_COLUMNS} FROM notes n JOIN chunks c ON c.note = n.id
WHERE n.path = ? AND n.stage = 'whole' AND c.embedded = 0 ORDER BY c.ordinal LIMIT ?
"""

# The index on `notes` holds only those with something pending, newest first, so the first rows
# come without a look at the rest of the vault. What is `raw` is about to be replaced.
_NEWEST = f"""
SELECT {_COLUMNS} FROM notes n INDEXED BY notes_pending
CROSS JOIN chunks c ON c.note = n.id
WHERE n.n_pending > 0 AND n.stage = 'whole' AND c.embedded = 0
ORDER BY n.mtime_ns DESC, n.id, c.ordinal LIMIT ?
"""


def pending_passages(
    connection: Database, first: Sequence[str], limit: int
) -> list[PendingPassage]:
    """Return up to `limit` passages: those of the notes `first`, then of the newest notes."""
    found: dict[int, PendingPassage] = {}
    for path in first:
        if len(found) < limit:
            rows = connection.rows(_OF_NOTE, (to_key(path), limit - len(found)))
            found |= {row[0]: _pending(row) for row in rows}
    if len(found) < limit:
        # Those found already may come again, so as many more are asked for.
        rows = connection.rows(_NEWEST, (limit + len(found),))
        found |= {row[0]: _pending(row) for row in rows if row[0] not in found}
    return list(found.values())[:limit]


def _pending(row: Row) -> PendingPassage:
    id_, path, hash_, context, text = row
    passage = Passage(0, Span(0, 0), (), from_text(text), from_text(context), hash_)
    return PendingPassage(id_, from_key(path), hash_, passage.embedded)
