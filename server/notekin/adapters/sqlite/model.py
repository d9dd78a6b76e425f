"""Which model's vectors a file holds, and in which vec0 table they lie."""

import json
from base64 import b64decode, b64encode

from attrs import frozen

from notekin.adapters.sqlite.connect import Database
from notekin.app.ports import ModelInfo
from notekin.core.vectors import cosine

# The same model on another machine differs in its last bits only (cosine 0.9999999).
SAME_PROBE = 0.999

_KEY = "model"


@frozen
class StoredModel:
    """A model and the vec0 table of its vectors; a rebuilt table gets the next name."""

    info: ModelInfo
    table: str

    @property
    def vector_size(self) -> int:
        """How many bytes one vector takes."""
        return 4 * self.info.dim


def load_model(connection: Database) -> StoredModel | None:
    """Return the model whose vectors the file holds."""
    rows = connection.rows("SELECT value FROM meta WHERE key = ?", (_KEY,))
    if not rows:
        return None
    stored = json.loads(rows[0][0])
    table = stored.pop("table")
    stored["probe"] = b64decode(stored["probe"])
    return StoredModel(ModelInfo(**stored), table)


def save_model(connection: Database, model: StoredModel) -> None:
    """Record the model."""
    info = model.info
    value = json.dumps(
        {
            "name": info.name,
            "dim": info.dim,
            "window": info.window,
            "fingerprint": info.fingerprint,
            "probe": b64encode(info.probe).decode("ascii"),
            "table": model.table,
        }
    )
    connection.run("INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)", (_KEY, value))


def is_same(one: ModelInfo, other: ModelInfo) -> bool:
    """Whether vectors of one may stand beside those of the other."""
    return (
        one.name == other.name
        and one.dim == other.dim
        and one.fingerprint == other.fingerprint
        and cosine(one.probe, other.probe) >= SAME_PROBE
    )


def vector_tables(connection: Database) -> list[str]:
    """Return the names of all vec0 tables, oldest first; a sound file has one at most."""
    sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%USING vec0(%'"
    return sorted((name for (name,) in connection.rows(sql)), key=_number)


def create_table(connection: Database, model: ModelInfo) -> StoredModel:
    """Create an empty vec0 table under the next free name.

    The distance is Euclidean: of unit vectors it orders as the cosine does, and a freed slot
    can be parked where no query ever comes (see `slots`).
    """
    number = max(map(_number, vector_tables(connection)), default=0) + 1
    table = f"vec_{number}"
    connection.run(f"CREATE VIRTUAL TABLE {table} USING vec0(embedding float[{model.dim}])")
    return StoredModel(model, table)


def _number(table: str) -> int:
    return int(table.rpartition("_")[2])
