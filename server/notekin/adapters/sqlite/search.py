"""The two lanes of a search, and what ranking asks of their hits."""

import json
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from notekin.adapters.sqlite.connect import Database
from notekin.adapters.sqlite.filters import Allowed, allowed, excluded, within
from notekin.adapters.sqlite.matrices import Matrices
from notekin.adapters.sqlite.model import Models, StoredModel, load_models
from notekin.adapters.sqlite.recent_terms import RecentTerms
from notekin.adapters.sqlite.snapshot import Snapshot
from notekin.adapters.sqlite.values import Row, to_terms
from notekin.app.cancel import CancelToken
from notekin.app.ports import Holders, Scored
from notekin.core.query import Filters
from notekin.core.vectors import Vector

if TYPE_CHECKING:
    from notekin.adapters.sqlite.matrix import Floats, Matrix
    from notekin.adapters.sqlite.postings import Postings
    from notekin.adapters.sqlite.sieve import Sieve

# Weights of title, headings and text in bm25(): a word in a title says more about a passage
# than the same word in its text.
COLUMN_WEIGHTS = (4.0, 2.0, 1.0)

# vec0 refuses a larger k; beyond, all distances are computed and sorted.
_MOST_NEIGHBOURS = 4096

# Where a filter leaves less than this fraction of all vectors, their distances one by one are
# quicker than a scan of the table that skips all others (7 µs a vector against 0.6).
FEW_SHARE = 50

# Rows of `vectors v` of a list of passages, of one model.
_OF_PASSAGES = """json_each(?) j CROSS JOIN vectors v ON v.chunk = j.value AND v.model = ?"""


class Lanes:
    """The text lane and the vector lane, on one connection inside a read transaction."""

    def __init__(
        self,
        connection: Database,
        token: CancelToken | None,
        snapshot: Snapshot,
        matrices: Matrices,
        terms: RecentTerms,
    ) -> None:
        self._db = connection
        self._token = token
        self._snapshot = snapshot
        self._matrices = matrices
        self._terms = terms
        self._scanned: dict[Vector, Floats] = {}
        self._postings: dict[str, Postings] = {}
        self._sieves: dict[Filters, Sieve | None] = {}

    @cached_property
    def models(self) -> Models:
        """The models of the snapshot; a request asks for them many times."""
        self._check()
        return load_models(self._db)

    @cached_property
    def matrix(self) -> "Matrix | None":
        """The vectors of the snapshot in memory, where they are at hand."""
        model = self.models.served
        return self._matrices.current(self._db, self._snapshot, model) if model else None

    def fill_matrix(self) -> None:
        """Bring the vectors of the snapshot into memory."""
        if model := self.models.served:
            self._matrices.fill(self._db, self._snapshot, model)

    def lexical(self, terms: Sequence[str], filters: Filters, limit: int) -> list[Scored]:
        if not terms or limit <= 0:
            return []
        # Late: numpy comes with the first search.
        from notekin.adapters.sqlite.postings import best

        postings = self._postings_of(terms)
        return best([postings[term] for term in terms], limit, self._sieve(filters))

    def semantic(self, vector: Vector, filters: Filters, limit: int) -> list[Scored]:
        model = self.models.served
        if model is None or len(vector) != model.vector_size or limit <= 0:
            return []
        if self.matrix is not None:
            return self._nearest_in(self.matrix, vector, filters, limit)
        if self._few_pass(filters):
            return self._scan(model, vector, filters, limit)
        n_left_out = self._n_vectors_of(model, excluded(filters))
        n_wanted = limit
        while n_wanted + n_left_out <= _MOST_NEIGHBOURS:
            rows = self._nearest(model, vector, filters, n_wanted + n_left_out)
            found = _best_of_each(rows)
            # A passage of several vectors may have taken several places.
            if len(found) >= limit or len(rows) < n_wanted:
                return found[:limit]
            n_wanted *= 2
        return self._scan(model, vector, filters, limit)

    def holding(self, ids: Collection[int], terms: Sequence[str]) -> Mapping[str, Holders]:
        return {
            term: Holders(len(each.chunks), each.among(ids))
            for term, each in self._postings_of(terms).items()
        }

    def frequencies(self, terms: Sequence[str]) -> Mapping[str, int]:
        sql = """SELECT (SELECT count(*) FROM terms WHERE terms MATCH j.value)
                 FROM json_each(?) j ORDER BY j.key"""
        rows = self._rows(sql, (json.dumps([quoted(term) for term in terms]),))
        return {term: n_passages for term, (n_passages,) in zip(terms, rows, strict=True)}

    def vectors(self, ids: Collection[int]) -> Mapping[int, Sequence[Vector]]:
        model = self.models.served
        if model is None:
            return {}
        sql = f"""SELECT v.chunk, e.embedding FROM {_OF_PASSAGES}
                  CROSS JOIN {model.table} e ON e.rowid = v.slot ORDER BY v.chunk, v.part"""
        found: dict[int, list[Vector]] = {}
        for chunk, vector in self._rows(sql, (listed(ids), model.id)):
            found.setdefault(chunk, []).append(vector)
        return found

    def cosines(self, vector: Vector, ids: Collection[int]) -> Mapping[int, float]:
        model = self.models.served
        if model is None or len(vector) != model.vector_size:
            return {}
        if self.matrix is not None:
            scanned = self._scanned.get(vector)
            if scanned is None:
                return self.matrix.cosines_of(vector, ids)
            return self.matrix.among(scanned, ids)
        sql = f"""SELECT v.chunk, min(vec_distance_l2(e.embedding, ?)) FROM {_OF_PASSAGES}
                  CROSS JOIN {model.table} e ON e.rowid = v.slot GROUP BY v.chunk"""
        rows = self._rows(sql, (vector, listed(ids), model.id))
        return {chunk: _cosine(distance) for chunk, distance in rows}

    def _postings_of(self, terms: Sequence[str]) -> "Mapping[str, Postings]":
        """Return who holds each of the terms, as remembered or as the text index has it."""
        unseen = [term for term in dict.fromkeys(terms) if term not in self._postings]
        if unseen:
            self._postings.update(self._terms.recall(self._snapshot, unseen))
            read = {term: self._read(term) for term in unseen if term not in self._postings}
            self._terms.keep(self._snapshot, read)
            self._postings.update(read)
        return {term: self._postings[term] for term in terms}

    def _read(self, term: str) -> "Postings":
        from notekin.adapters.sqlite.postings import postings_of

        # In one row: between two rows Python's lock is let go, and each time another thread that
        # wants it keeps it a while. SQLite writes a number so that reading it gives the same.
        # What a damaged file has beyond all passages is nobody's, and might take any room to add
        # up. The limit has bm25() asked before the rows are gathered, where it has an answer.
        sql = """SELECT json_group_array(id), json_group_array(score) FROM (
                     SELECT rowid AS id, -bm25(terms, ?, ?, ?) AS score FROM terms
                     WHERE terms MATCH ? AND rowid BETWEEN 1 AND (SELECT max(id) FROM chunks)
                     ORDER BY rowid LIMIT -1)"""
        ((chunks, scores),) = self._rows(sql, (*COLUMN_WEIGHTS, quoted(term)))
        return postings_of(json.loads(chunks), json.loads(scores))

    def _sieve(self, filters: Filters) -> "Sieve | None":
        """Return what the filters let through, None where that is everything."""
        if filters not in self._sieves:
            self._sieves[filters] = self._read_sieve(filters)
        return self._sieves[filters]

    def _read_sieve(self, filters: Filters) -> "Sieve | None":
        passing, failing = allowed(filters), excluded(filters)
        among = passing or failing
        if among is None:
            return None
        from notekin.adapters.sqlite.sieve import sieve_of

        # In one row, as in `_read`.
        sql = f"SELECT json_group_array(id) FROM ({among.chunks})"
        ((chunks,),) = self._rows(sql, among.parameters)
        return sieve_of(json.loads(chunks), lets_in=passing is not None)

    def _nearest_in(
        self, matrix: "Matrix", vector: Vector, filters: Filters, limit: int
    ) -> list[Scored]:
        cosines = self._scanned[vector] = matrix.cosines(vector)
        if sieve := self._sieve(filters):
            cosines = matrix.passing(cosines, sieve)
        return matrix.nearest(cosines, limit)

    def _few_pass(self, filters: Filters) -> bool:
        """Whether so few passages pass that their distances are best taken one by one."""
        passing = allowed(filters)
        if passing is None:
            return False
        few = self._rows("SELECT n_vectors FROM models WHERE served")[0][0] // FEW_SHARE
        sql = f"SELECT count(*) FROM ({passing.chunks} LIMIT {few + 1})"
        return self._rows(sql, passing.parameters)[0][0] <= few

    def _n_vectors_of(self, model: StoredModel, notes: Allowed | None) -> int:
        if notes is None:
            return 0
        sql = f"SELECT count(*) FROM vectors WHERE model = ? AND chunk IN ({notes.chunks})"
        return self._rows(sql, (model.id, *notes.parameters))[0][0]

    def _nearest(
        self, model: StoredModel, vector: Vector, filters: Filters, n_neighbours: int
    ) -> list[Row]:
        """Return (chunk, distance) of the nearest vectors that pass, nearest first."""
        passing, (outside, parameters) = allowed(filters), within(filters, "v.chunk")
        inside = ""
        if passing:
            inside = f"""AND rowid IN (SELECT slot FROM vectors
                         WHERE model = {model.id} AND chunk IN ({passing.chunks}))"""
            outside = ""
        # A free slot has no row in `vectors` and is parked behind all others.
        sql = f"""SELECT v.chunk, e.distance FROM
                  (SELECT rowid AS slot, distance FROM {model.table}
                   WHERE embedding MATCH ? AND k = ? {inside}) e
                  JOIN vectors v ON v.slot = e.slot
                  WHERE v.model = {model.id} {outside} ORDER BY e.distance, v.chunk"""
        return self._rows(sql, (vector, n_neighbours, *parameters))

    def _scan(
        self, model: StoredModel, vector: Vector, filters: Filters, limit: int
    ) -> list[Scored]:
        """Return the nearest passages by all distances, for a large limit or a narrow filter."""
        inside, parameters = within(filters, "v.chunk")
        sql = f"""SELECT v.chunk, min(vec_distance_l2(e.embedding, ?)) AS distance
                  FROM vectors v CROSS JOIN {model.table} e ON e.rowid = v.slot
                  WHERE v.model = {model.id} {inside}
                  GROUP BY v.chunk ORDER BY distance, v.chunk LIMIT ?"""
        return _best_of_each(self._rows(sql, (vector, *parameters, limit)))

    def _rows(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        self._check()
        return self._db.rows(sql, parameters)

    def _check(self) -> None:
        if self._token is not None:
            self._token.check()


def quoted(term: str) -> str:
    """Return a term as a string of FTS5's query language, whatever it holds.

    FTS5 reads a query as a C string, so a NUL would end it; no term has one.
    """
    return '"' + to_terms(term).replace('"', '""').replace("\0", " ") + '"'


def listed(ids: Collection[int]) -> str:
    """Return distinct ids as the JSON that `json_each` takes: one statement for them all."""
    return json.dumps(list(dict.fromkeys(ids)))


def _best_of_each(rows: Sequence[Row]) -> list[Scored]:
    """Return passages with the cosine of their nearest vector."""
    best: dict[int, float] = {}
    for chunk, distance in rows:
        best.setdefault(chunk, _cosine(distance))
    return [Scored(chunk, score) for chunk, score in best.items()]


def _cosine(distance: float) -> float:
    """Return the cosine of two unit vectors at this Euclidean distance."""
    return 1.0 - distance * distance / 2.0
