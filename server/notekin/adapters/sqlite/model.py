"""Which models' vectors a file holds, and in which vec0 table each one's lie.

One model is served: its vectors answer. Beside it there may be one that is being built, which
takes its place when every passage has its vectors.
"""

from attrs import frozen

from notekin.adapters.sqlite.connect import Database
from notekin.app.ports import ModelInfo
from notekin.core.vectors import cosine

# A model of floats differs on another machine in its last bits only (cosine 0.9999999). One of
# integers rounds a few numbers to the next one: 0.993 and more for single texts, of the default's
# probe 0.9999 and more among x86 processors and onnxruntime's versions.
SAME_PROBE = 0.999

# The model that passages without a vector wait for: the one being built, else the one served.
TARGET = "(SELECT id FROM models ORDER BY served LIMIT 1)"

HAS_VECTOR = f"EXISTS (SELECT 1 FROM vectors v WHERE v.chunk = chunks.id AND v.model = {TARGET})"

# Makes the passages say again which of them wait.
MARK_EMBEDDED = f"UPDATE chunks SET embedded = {HAS_VECTOR} WHERE embedded <> {HAS_VECTOR}"

_INFO_COLUMNS = "name, dim, n_window, fingerprint, probe"


@frozen
class StoredModel:
    """A model and the vec0 table of its vectors; a rebuilt table gets the next name."""

    id: int
    info: ModelInfo
    table: str

    @property
    def vector_size(self) -> int:
        """How many bytes one vector takes."""
        return 4 * self.info.dim


@frozen
class Models:
    """The models of a file. Without one that is served there is none being built."""

    served: StoredModel | None = None
    building: StoredModel | None = None


def load_models(connection: Database) -> Models:
    """Return the models whose vectors the file holds."""
    rows = connection.rows(f"SELECT served, id, vec_table, {_INFO_COLUMNS} FROM models")
    found = {
        served: StoredModel(id_, ModelInfo(*info), table) for served, id_, table, *info in rows
    }
    return Models(found.get(1), found.get(0))


def is_same(one: ModelInfo, other: ModelInfo) -> bool:
    """Whether vectors of one may stand beside those of the other."""
    return (
        one.name == other.name
        and one.dim == other.dim
        and one.fingerprint == other.fingerprint
        and cosine(one.probe, other.probe) >= SAME_PROBE
    )


def insert_model(connection: Database, info: ModelInfo, *, served: bool) -> None:
    """Record a model that has no vectors yet, with an empty table for them."""
    connection.run(
        f"INSERT INTO models(served, vec_table, {_INFO_COLUMNS}) VALUES(?, ?, ?, ?, ?, ?, ?)",
        (served, create_table(connection, info.dim), *_values(info)),
    )


def describe_model(connection: Database, model: StoredModel) -> None:
    """Record what is new about a model or where its vectors lie."""
    connection.run(
        f"UPDATE models SET (vec_table, {_INFO_COLUMNS}) = (?, ?, ?, ?, ?, ?) WHERE id = ?",
        (model.table, *_values(model.info), model.id),
    )


def drop_model(connection: Database, model: StoredModel) -> None:
    """Drop a model with its vectors, also those of the cache."""
    for table in ("vectors", "free_slots", "vector_cache"):
        connection.run(f"DELETE FROM {table} WHERE model = ?", (model.id,))
    connection.run("DELETE FROM models WHERE id = ?", (model.id,))
    connection.run(f"DROP TABLE {model.table}")


def vector_tables(connection: Database) -> list[str]:
    """Return the names of all vec0 tables; a sound file has one a model."""
    sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%USING vec0(%'"
    return [name for (name,) in connection.rows(sql)]


def create_table(connection: Database, dim: int) -> str:
    """Create an empty vec0 table under the next free name, and return that.

    The distance is Euclidean: of unit vectors it orders as the cosine does, and a freed slot
    can be parked where no query ever comes (see `slots`).
    """
    number = max(map(_number, vector_tables(connection)), default=0) + 1
    table = f"vec_{number}"
    connection.run(f"CREATE VIRTUAL TABLE {table} USING vec0(embedding float[{dim}])")
    return table


def _number(table: str) -> int:
    return int(table.rpartition("_")[2])


def _values(info: ModelInfo) -> tuple[object, ...]:
    return info.name, info.dim, info.window, info.fingerprint, info.probe
