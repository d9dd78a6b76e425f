"""What must hold between the tables of an index, as queries for what breaks it."""

from attrs import frozen


@frozen
class NoteRule:
    """`broken` yields (note id, number of violations). The mend: the note's passages go, its
    vectors into the cache, and it is read again.
    """

    sentence: str
    broken: str


@frozen
class RowRule:
    """`broken` yields one number, that of violations; `mend` puts them right."""

    sentence: str
    broken: str
    mend: str


ORPHANS = (
    RowRule(
        "{n} links belong to no note.",
        "SELECT count(*) FROM links WHERE note NOT IN (SELECT id FROM notes)",
        "DELETE FROM links WHERE note NOT IN (SELECT id FROM notes)",
    ),
    RowRule(
        "{n} tags belong to no note.",
        "SELECT count(*) FROM tags WHERE note NOT IN (SELECT id FROM notes)",
        "DELETE FROM tags WHERE note NOT IN (SELECT id FROM notes)",
    ),
    RowRule(
        "{n} vectors belong to no passage.",
        "SELECT count(*) FROM vectors WHERE chunk NOT IN (SELECT id FROM chunks)",
        "DELETE FROM vectors WHERE chunk NOT IN (SELECT id FROM chunks)",
    ),
    RowRule(
        "{n} passages belong to no note.",
        "SELECT count(*) FROM chunks WHERE note NOT IN (SELECT id FROM notes)",
        """DELETE FROM vectors WHERE chunk IN
               (SELECT id FROM chunks WHERE note NOT IN (SELECT id FROM notes));
           DELETE FROM chunks WHERE note NOT IN (SELECT id FROM notes)""",
    ),
    RowRule(
        "{n} rows of the text index belong to no passage.",
        "SELECT count(*) FROM terms WHERE rowid NOT IN (SELECT id FROM chunks)",
        "DELETE FROM terms WHERE rowid NOT IN (SELECT id FROM chunks)",
    ),
    RowRule(
        "{n} vectors are those of another text than their passage's.",
        "SELECT count(*) FROM vectors v JOIN chunks c ON c.id = v.chunk WHERE v.hash <> c.hash",
        """DELETE FROM vectors WHERE chunk IN (SELECT c.id FROM vectors v
               JOIN chunks c ON c.id = v.chunk WHERE v.hash <> c.hash)""",
    ),
    RowRule(
        "{n} passages lack some of their vectors.",
        """SELECT count(*) FROM (SELECT chunk FROM vectors GROUP BY chunk
               HAVING count(*) <> max(part) + 1 OR min(part) <> 0)""",
        """DELETE FROM vectors WHERE chunk IN (SELECT chunk FROM vectors GROUP BY chunk
               HAVING count(*) <> max(part) + 1 OR min(part) <> 0)""",
    ),
)

NOTE_RULES = (
    NoteRule(
        "{n} passages are missing in the text index.",
        """SELECT note, count(*) FROM chunks
           WHERE id NOT IN (SELECT rowid FROM terms) GROUP BY note""",
    ),
    NoteRule(
        "{n} notes have passages that do not follow one another.",
        """SELECT note, 1 FROM chunks GROUP BY note HAVING min(ordinal) <> 0
           OR max(ordinal) + 1 <> count(*) OR count(DISTINCT ordinal) <> count(*)""",
    ),
    NoteRule(
        "{n} passages do not end after they begin.",
        """SELECT note, count(*) FROM chunks WHERE end_offset < start_offset OR start_offset < 0
           OR end_line < start_line GROUP BY note""",
    ),
    NoteRule(
        "{n} passages belong to a note that could not be read.",
        """SELECT note, count(*) FROM chunks
           WHERE note IN (SELECT id FROM notes WHERE reason <> '') GROUP BY note""",
    ),
    NoteRule(
        "{n} notes have other tags than those they can be filtered by.",
        """SELECT id, 1 FROM notes n WHERE
           (SELECT count(DISTINCT value) FROM json_each(n.tags)) <>
               (SELECT count(*) FROM tags WHERE note = n.id)
           OR EXISTS (SELECT 1 FROM json_each(n.tags) WHERE NOT EXISTS
               (SELECT 1 FROM tags t WHERE t.note = n.id AND t.tag = CAST(value AS BLOB)))""",
    ),
)

# Last, because every mend above moves what these count.
_TRUE_COUNTS = {
    "notes": "SELECT count(*) FROM notes",
    "failed": "SELECT count(*) FROM notes WHERE reason <> ''",
    "passages": "SELECT count(*) FROM chunks",
    "pending": "SELECT count(*) FROM chunks WHERE embedded = 0",
    "vectors": "SELECT count(*) FROM vectors",
    "free": "SELECT count(*) FROM free_slots",
    "cached_bytes": "SELECT ifnull(sum(length(vectors)), 0) FROM vector_cache",
}

_N_PENDING = "(SELECT count(*) FROM chunks WHERE note = notes.id AND embedded = 0)"

COUNTERS = (
    RowRule(
        "{n} passages are wrong about whether they have a vector.",
        """SELECT count(*) FROM chunks
           WHERE embedded <> EXISTS (SELECT 1 FROM vectors WHERE chunk = chunks.id)""",
        """UPDATE chunks SET embedded = EXISTS (SELECT 1 FROM vectors WHERE chunk = chunks.id)
           WHERE embedded <> EXISTS (SELECT 1 FROM vectors WHERE chunk = chunks.id)""",
    ),
    RowRule(
        "{n} notes are wrong about how many of their passages wait for a vector.",
        f"SELECT count(*) FROM notes WHERE n_pending <> {_N_PENDING}",
        f"UPDATE notes SET n_pending = {_N_PENDING}",
    ),
    *(
        RowRule(
            f"The number of {name.replace('_', ' ')} is recorded wrongly.",
            f"SELECT count(*) FROM (SELECT 1) WHERE ({count}) IS NOT "
            f"(SELECT value FROM counters WHERE name = '{name}')",
            f"INSERT OR REPLACE INTO counters VALUES('{name}', ({count}))",
        )
        for name, count in _TRUE_COUNTS.items()
    ),
)
