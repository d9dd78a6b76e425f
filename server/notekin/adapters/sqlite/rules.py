"""What must hold between the tables of an index, as queries for what breaks it."""

from attrs import frozen

from notekin.adapters.sqlite.model import HAS_VECTOR, MARK_EMBEDDED


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


_OF_MODELS = {
    "vectors": "vectors",
    "free slots": "free_slots",
    "cached vectors": "vector_cache",
}

_INCOMPLETE = """SELECT chunk, model FROM vectors GROUP BY chunk, model
                 HAVING count(*) <> max(part) + 1 OR min(part) <> 0"""

ORPHANS = (
    *(
        RowRule(
            f"{{n}} {name} are of an unknown model.",
            f"SELECT count(*) FROM {table} WHERE model NOT IN (SELECT id FROM models)",
            f"DELETE FROM {table} WHERE model NOT IN (SELECT id FROM models)",
        )
        for name, table in _OF_MODELS.items()
    ),
    RowRule(
        "A model is being built, and none is served meanwhile.",
        "SELECT count(*) FROM models WHERE NOT EXISTS (SELECT 1 FROM models WHERE served)",
        """UPDATE models SET served = 1
           WHERE NOT EXISTS (SELECT 1 FROM models WHERE served)""",
    ),
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
        "{n} readable documents belong to no note.",
        "SELECT count(*) FROM readables WHERE note NOT IN (SELECT id FROM notes)",
        "DELETE FROM readables WHERE note NOT IN (SELECT id FROM notes)",
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
        f"SELECT count(*) FROM ({_INCOMPLETE})",
        f"DELETE FROM vectors WHERE (chunk, model) IN ({_INCOMPLETE})",
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
        "{n} PDFs have passages but no readable document.",
        """SELECT DISTINCT note, 1 FROM chunks
           WHERE note IN (SELECT id FROM notes WHERE kind = 'pdf')
           AND note NOT IN (SELECT note FROM readables)""",
    ),
)

# Last, because every mend above moves what these count.
_TRUE_COUNTS = {
    "notes": "SELECT count(*) FROM notes",
    "failed": "SELECT count(*) FROM notes WHERE reason <> ''",
    "passages": "SELECT count(*) FROM chunks",
    "pending": "SELECT count(*) FROM chunks WHERE embedded = 0",
}

_TRUE_COUNTS_OF_MODELS = {
    "n_vectors": "SELECT count(*) FROM vectors WHERE model = models.id",
    "n_free": "SELECT count(*) FROM free_slots WHERE model = models.id",
    "n_cached_bytes": (
        "SELECT ifnull(sum(length(vectors)), 0) FROM vector_cache WHERE model = models.id"
    ),
}

_N_PENDING = "(SELECT count(*) FROM chunks WHERE note = notes.id AND embedded = 0)"

COUNTERS = (
    RowRule(
        "{n} passages are wrong about whether they have a vector.",
        f"SELECT count(*) FROM chunks WHERE embedded <> {HAS_VECTOR}",
        MARK_EMBEDDED,
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
    *(
        RowRule(
            f"The {column} of {{n}} models is recorded wrongly.",
            f"SELECT count(*) FROM models WHERE {column} <> ({count})",
            f"UPDATE models SET {column} = ({count})",
        )
        for column, count in _TRUE_COUNTS_OF_MODELS.items()
    ),
)
