"""What must hold between the slots, the vec0 tables and the caches of the models."""

from notekin.adapters.sqlite.connect import Database
from notekin.adapters.sqlite.model import StoredModel, load_models, vector_tables
from notekin.adapters.sqlite.slots import PARKED_LENGTH, Slots
from notekin.adapters.sqlite.vectors import Vectors
from notekin.core.vectors import pack

# Rounding to float32 leaves the length of a unit vector well inside of this.
_TOLERANCE = 0.01


def vector_findings(db: Database) -> list[str]:
    """Return a sentence for each rule that is broken."""
    stored = load_models(db)
    models = [model for model in (stored.served, stored.building) if model]
    n_left = len({*vector_tables(db)} - {model.table for model in models})
    left = [f"{n_left} tables of vectors belong to no model."] if n_left else []
    return left + [sentence for model in models for sentence in _findings_of(db, model)]


def mend_vectors(db: Database, vectors: Vectors) -> None:
    """Drop the vectors in doubt and lay the rest out anew; their passages wait for new ones."""
    for slots in vectors.models:
        _mend(db, slots)
    for table in {*vector_tables(db)} - {slots.model.table for slots in vectors.models}:
        db.run(f"DROP TABLE {table}")


def _findings_of(db: Database, model: StoredModel) -> list[str]:
    if model.table not in vector_tables(db):
        return ["The table of the vectors is missing."]
    rules = _rules(model)
    found = [(sentence, db.value(sql, parameters)) for sentence, sql, parameters in rules]
    return [sentence.format(n=n) for sentence, n in found if n]


def _mend(db: Database, slots: Slots) -> None:
    model = slots.model
    if model.table not in vector_tables(db):
        slots.restart()
    elif _findings_of(db, model):
        db.run(
            f"""DELETE FROM vectors WHERE model = {model.id} AND chunk IN
                (SELECT chunk FROM vectors WHERE model = {model.id} AND slot NOT IN
                 (SELECT rowid FROM {model.table} e WHERE {_IS_UNIT}))""",
            (_zero(model), 1.0),
        )
        db.run(
            "DELETE FROM vector_cache WHERE model = ? AND length(vectors) % ? <> 0",
            (model.id, model.vector_size),
        )
        slots.rebuild()


_IS_UNIT = f"abs(vec_distance_l2(e.embedding, ?) - ?) <= {_TOLERANCE}"


def _rules(model: StoredModel) -> tuple[tuple[str, str, tuple[object, ...]], ...]:
    table, zero = model.table, _zero(model)
    vectors = f"(SELECT * FROM vectors WHERE model = {model.id})"
    free = f"(SELECT * FROM free_slots WHERE model = {model.id})"
    return (
        (
            "{n} vectors have no row in the vector table.",
            f"SELECT count(*) FROM {vectors} WHERE slot NOT IN (SELECT rowid FROM {table})",
            (),
        ),
        (
            "{n} free slots have no row in the vector table.",
            f"SELECT count(*) FROM {free} WHERE slot NOT IN (SELECT rowid FROM {table})",
            (),
        ),
        (
            "{n} slots are free and in use at once.",
            "SELECT count(*) FROM free_slots JOIN vectors USING (model, slot) WHERE model = ?",
            (model.id,),
        ),
        (
            "{n} rows of the vector table are neither free nor in use.",
            f"""SELECT count(*) FROM {table} WHERE rowid NOT IN
                (SELECT slot FROM {vectors} UNION ALL SELECT slot FROM {free})""",
            (),
        ),
        (
            "{n} vectors are not of unit length.",
            f"""SELECT count(*) FROM {vectors} v JOIN {table} e ON e.rowid = v.slot
                WHERE NOT {_IS_UNIT}""",
            (zero, 1.0),
        ),
        (
            "{n} free slots are in the way of a query.",
            f"""SELECT count(*) FROM {free} f JOIN {table} e ON e.rowid = f.slot
                WHERE NOT {_IS_UNIT}""",
            (zero, PARKED_LENGTH),
        ),
        (
            "{n} cached vectors have the wrong length.",
            "SELECT count(*) FROM vector_cache WHERE model = ? AND length(vectors) % ? <> 0",
            (model.id, model.vector_size),
        ),
    )


def _zero(model: StoredModel) -> bytes:
    return pack([0.0] * model.info.dim)
