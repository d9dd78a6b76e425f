"""Filters as SQL, to stand inside both lanes."""

from attrs import field, frozen

from notekin.adapters.sqlite.values import below, n_marks, to_key
from notekin.core.query import Filters, tag_key


@frozen
class Allowed:
    """A condition on `notes n`; `parameters` fill its marks."""

    condition: str
    parameters: tuple[bytes | str, ...] = field(default=())

    @property
    def chunks(self) -> str:
        """A query for the ids of the passages that pass."""
        return f"SELECT c.id FROM notes n JOIN chunks c ON c.note = n.id WHERE {self.condition}"


def allowed(filters: Filters) -> Allowed | None:
    """Return the condition for notes that pass, None when all do but those of `excluded`."""
    wanted = [part for part in (_folders(filters), _kinds(filters), _tags(filters)) if part]
    if not wanted:
        return None
    parts = [*wanted, *([_without(filters)] if filters.without else [])]
    parameters = tuple(value for part in parts for value in part.parameters)
    return Allowed(" AND ".join(f"({part.condition})" for part in parts), parameters)


def excluded(filters: Filters) -> Allowed | None:
    """Return the condition for notes that do not pass where all others do, else None.

    A few paths left out are found quicker than all the rest let in.
    """
    if not filters.without or allowed(filters):
        return None
    paths = tuple(to_key(path) for path in filters.without)
    return Allowed(f"n.path IN ({n_marks(paths)})", paths)


def within(filters: Filters, column: str) -> tuple[str, tuple[bytes | str, ...]]:
    """Return the end of a WHERE clause by which `column`, the id of a passage, passes."""
    passing, failing = allowed(filters), excluded(filters)
    if passing:
        return f"AND {column} IN ({passing.chunks})", passing.parameters
    if failing:
        return f"AND {column} NOT IN ({failing.chunks})", failing.parameters
    return "", ()


def _folders(filters: Filters) -> Allowed | None:
    folders = [folder.strip("/") for folder in filters.folders]
    if not folders or "" in folders:
        return None
    ranges = [below(to_key(folder)) for folder in folders]
    condition = " OR ".join(["n.path >= ? AND n.path < ?"] * len(ranges))
    return Allowed(condition, tuple(bound for each in ranges for bound in each))


def _kinds(filters: Filters) -> Allowed | None:
    if not filters.kinds:
        return None
    return Allowed(f"n.kind IN ({n_marks(filters.kinds)})", filters.kinds)


def _tags(filters: Filters) -> Allowed | None:
    if not filters.tags:
        return None
    keys = [to_key(tag_key(tag)) for tag in filters.tags]
    match = " OR ".join(["tag = ? OR (tag >= ? AND tag < ?)"] * len(keys))
    return Allowed(
        f"n.id IN (SELECT note FROM tags WHERE {match})",
        tuple(value for key in keys for value in (key, *below(key))),
    )


def _without(filters: Filters) -> Allowed:
    paths = tuple(to_key(path) for path in filters.without)
    return Allowed(f"n.path NOT IN ({n_marks(paths)})", paths)
