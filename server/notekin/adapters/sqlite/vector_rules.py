"""What must hold between the slots, the vec0 table and the cache."""

from notekin.adapters.sqlite.connect import Database
from notekin.adapters.sqlite.model import StoredModel, load_model
from notekin.adapters.sqlite.slots import PARKED_LENGTH, Slots
from notekin.core.vectors import pack

# Rounding to float32 leaves the length of a unit vector well inside of this.
_TOLERANCE = 0.01


def vector_findings(db: Database) -> list[str]:
    """Return a sentence for each rule that is broken."""
    model = load_model(db)
    if model is None:
        n_vectors = db.value("SELECT count(*) FROM vectors")
        return [f"{n_vectors} vectors are of an unknown model."] if n_vectors else []
    if not _has_table(db, model):
        return ["The table of the vectors is missing."]
    rules = _rules(model)
    found = [(sentence, db.value(sql, parameters)) for sentence, sql, parameters in rules]
    return [sentence.format(n=n) for sentence, n in found if n]


def mend_vectors(db: Database, slots: Slots) -> None:
    """Drop the vectors in doubt and lay the rest out anew; their passages wait for new ones."""
    model = slots.model
    if model is None:
        db.run("DELETE FROM vectors; DELETE FROM free_slots; DELETE FROM vector_cache")
        return
    if not _has_table(db, model):
        slots.start_model(model.info)
        return
    if not vector_findings(db):
        return
    db.run(
        f"""DELETE FROM vectors WHERE chunk IN (SELECT chunk FROM vectors WHERE slot NOT IN
            (SELECT rowid FROM {model.table} e WHERE {_IS_UNIT}))""",
        (_zero(model), 1.0),
    )
    db.run("DELETE FROM vector_cache WHERE length(vectors) % ? <> 0", (model.vector_size,))
    slots.rebuild()


_IS_UNIT = f"abs(vec_distance_l2(e.embedding, ?) - ?) <= {_TOLERANCE}"


def _rules(model: StoredModel) -> tuple[tuple[str, str, tuple[object, ...]], ...]:
    table, zero = model.table, _zero(model)
    return (
        (
            "{n} vectors have no row in the vector table.",
            f"SELECT count(*) FROM vectors WHERE slot NOT IN (SELECT rowid FROM {table})",
            (),
        ),
        (
            "{n} free slots have no row in the vector table.",
            f"SELECT count(*) FROM free_slots WHERE slot NOT IN (SELECT rowid FROM {table})",
            (),
        ),
        (
            "{n} slots are free and in use at once.",
            "SELECT count(*) FROM free_slots JOIN vectors USING (slot)",
            (),
        ),
        (
            "{n} rows of the vector table are neither free nor in use.",
            f"""SELECT count(*) FROM {table} WHERE rowid NOT IN
                (SELECT slot FROM vectors UNION ALL SELECT slot FROM free_slots)""",
            (),
        ),
        (
            "{n} vectors are not of unit length.",
            f"""SELECT count(*) FROM vectors v JOIN {table} e ON e.rowid = v.slot
                WHERE NOT {_IS_UNIT}""",
            (zero, 1.0),
        ),
        (
            "{n} free slots are in the way of a query.",
            f"""SELECT count(*) FROM free_slots f JOIN {table} e ON e.rowid = f.slot
                WHERE NOT {_IS_UNIT}""",
            (zero, PARKED_LENGTH),
        ),
        (
            "{n} cached vectors have the wrong length.",
            "SELECT count(*) FROM vector_cache WHERE length(vectors) % ? <> 0",
            (model.vector_size,),
        ),
    )


def _has_table(db: Database, model: StoredModel) -> bool:
    return bool(db.rows("SELECT 1 FROM sqlite_schema WHERE name = ?", (model.table,)))


def _zero(model: StoredModel) -> bytes:
    return pack([0.0] * model.info.dim)
