# apsw leaves a part of its types open.
# pyright: reportUnknownMemberType=false
"""Measure terms, fusion and verdicts on judged collections.

    python tests/benchmarks/ranking.py DATA CACHE COLLECTION… [--verdict COLLECTION]

DATA holds the collections, CACHE keeps the vectors (computed where they are missing, some
20 ms a document). Prints nDCG@10 of the text lane, the vector lane and what `core.ranking`
makes of them, as docs/decisions/0004-ranking.md has it.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import apsw
import ir
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from notekin.adapters.sqlite.search import COLUMN_WEIGHTS
from notekin.core.query import Mode, Question, coverage, narrowed, read_query, term_weights
from notekin.core.ranking import Candidate, Ranked, feedback_keys, fuse, lens_for
from notekin.core.terms import TOKEN_CHARACTERS, index_terms
from support.grading import ndcg

MODEL = "all-MiniLM-L6-v2"
N_TOP = 10
N_LANE = 50
N_MOVED = 20
N_TERMS = 64
TITLE_WEIGHT = COLUMN_WEIGHTS[0]
SEED = 1
ENGLISH = ("xquad-en", "cranfield", "medline", "cisi", "cacm", "time", "scifact")


Asked = tuple[str, Any]
"""A query with its vector."""


class Vault:
    """Documents as passages, one each, in a text index and a matrix of vectors."""

    def __init__(self, documents: Sequence[tuple[str, str]], vectors: Any) -> None:
        self.vectors = vectors
        self._sets = [set(index_terms(f"{title} {text}")) for title, text in documents]
        self._n_holding = Counter(term for held in self._sets for term in held)
        self._db = apsw.Connection(":memory:")
        self._db.execute(
            "CREATE VIRTUAL TABLE passages USING fts5(title, text, content='', "
            f"tokenize=\"ascii tokenchars '{TOKEN_CHARACTERS}'\")"
        )
        with self._db:
            self._db.executemany(
                "INSERT INTO passages(rowid, title, text) VALUES (?, ?, ?)",
                (
                    (row, " ".join(index_terms(title)), " ".join(index_terms(text)))
                    for row, (title, text) in enumerate(documents)
                ),
            )

    def search(self, text: str, query: Any, mode: Mode) -> list[Ranked[int]]:
        """Search as app/searching is to do it."""
        question = read_query(text)
        lens = lens_for(question, mode, MODEL)
        asked = narrowed(question, self._n_holding, len(self._sets), N_TERMS)
        words = {} if mode == "semantic" else self._lexical(asked)
        cosines = self.vectors @ query
        pool = self._pool(question, words, cosines)
        ranked = fuse(pool, lens)
        first = feedback_keys(ranked, lens)
        if not first:
            return ranked
        moved = query + lens.weights.feedback * self.vectors[first].mean(axis=0)
        again = self.vectors @ (moved / np.linalg.norm(moved))
        best = {each.key for each in ranked[:N_MOVED]}
        pool = [
            each._replace(moved=float(again[each.key])) if each.key in best else each
            for each in pool
        ]
        return fuse(pool, lens)

    def _lexical(self, asked: Question) -> dict[int, float]:
        if not asked.weighted:
            return {}
        match = " OR ".join(f'"{term}"' for term in asked.weighted)
        rows = self._db.execute(
            "SELECT rowid, -bm25(passages, ?, 1) FROM passages WHERE passages MATCH ? "
            "ORDER BY 2 DESC, 1 LIMIT ?",
            (TITLE_WEIGHT, match, N_LANE),
        )
        return {int(row): float(score) for row, score in rows}  # type: ignore[arg-type]

    def _pool(
        self, question: Question, words: dict[int, float], cosines: Any
    ) -> list[Candidate[int]]:
        nearest = np.argsort(-cosines, kind="stable")[:N_LANE]
        weights = term_weights(question.terms, self._n_holding, len(self._sets))
        return [
            Candidate(
                row,
                row,
                bm25=words.get(row),
                cosine=float(cosines[row]),
                coverage=coverage(frozenset(self._sets[row] & weights.keys()), weights),
            )
            for row in sorted({*words, *map(int, nearest)})
        ]


def measure(collection: ir.Collection, cache: Path, n_queries: int) -> dict[str, float]:
    """Return nDCG@10 in percent, a mode each."""
    vault = Vault(list(collection.documents.values()), _documents(collection, cache))
    queries = _queries(collection, cache)
    ids = list(collection.documents)
    modes: tuple[Mode, ...] = ("lexical", "semantic", "hybrid")
    sums = dict.fromkeys(modes, 0.0)
    asked = list(collection.queries.items())[: min(n_queries, len(queries))]
    for (query_id, text), query in zip(asked, queries, strict=False):
        for mode in modes:
            hits = [ids[each.key] for each in vault.search(text, query, mode)[:N_TOP]]
            sums[mode] += ndcg(hits, collection.judged[query_id])
    return {mode: 100 * total / len(asked) for mode, total in sums.items()}


def verdict(data: Path, cache: Path, name: str) -> dict[str, tuple[float, float]]:
    """Return, a mode each, the share of on-topic queries found and of off-topic ones not."""
    vault, on, off = _trial(data, cache, name)
    if name in ENGLISH:
        for other in ENGLISH:
            if other != name:
                off += _asked(ir.load(data / other), cache)[:100]
    chance = random.Random(SEED)  # noqa: S311 -- no secret
    on, off = (chance.sample(each, min(400, len(each))) for each in (on, off))
    modes: tuple[Mode, ...] = ("lexical", "semantic", "hybrid")
    return {
        mode: (
            sum(_is_found(vault.search(text, query, mode)) for text, query in on) / len(on),
            sum(not _is_found(vault.search(text, query, mode)) for text, query in off) / len(off),
        )
        for mode in modes
    }


def _trial(data: Path, cache: Path, name: str) -> tuple[Vault, list[Asked], list[Asked]]:
    """Return a vault, what is asked about it and what is not.

    Of XQuAD the vault holds the paragraphs of every second article, and the questions about the
    others are off topic.
    """
    collection = ir.load(data / name)
    documents, rows = list(collection.documents.values()), _documents(collection, cache)
    asked = _asked(collection, cache)
    if not name.startswith("xquad"):
        return Vault(documents, rows), asked, []
    kept = [row for row in range(len(rows)) if row // 5 % 2 == 0]
    known = {key for row, key in enumerate(collection.documents) if row in set(kept)}
    vault = Vault([documents[row] for row in kept], rows[kept])
    about = [next(iter(collection.judged[query])) in known for query in collection.queries]
    pairs = list(zip(asked, about, strict=False))
    return vault, [each for each, on in pairs if on], [each for each, on in pairs if not on]


def _asked(collection: ir.Collection, cache: Path) -> list[Asked]:
    return list(zip(collection.queries.values(), _queries(collection, cache), strict=False))


def _documents(collection: ir.Collection, cache: Path) -> Any:
    texts = [
        f"{title}\n\n{text}" if title else text for title, text in collection.documents.values()
    ]
    return ir.vectors(f"{collection.name}-documents", texts, cache)


def _queries(collection: ir.Collection, cache: Path) -> Any:
    return ir.vectors(f"{collection.name}-queries", list(collection.queries.values()), cache)


def _is_found(ranked: Sequence[Ranked[int]]) -> bool:
    return any(not each.weak for each in ranked)


def main() -> None:
    """Read the command line and print a row a collection."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("cache", type=Path)
    parser.add_argument("collections", nargs="*")
    parser.add_argument("--verdict", action="append", default=[])
    parser.add_argument("--queries", type=int, default=300)
    options = parser.parse_args()
    for name in options.collections:
        found = measure(ir.load(options.data / name), options.cache, options.queries)
        print(name.ljust(12), *(f"{mode} {score:5.1f}" for mode, score in found.items()))
    for name in options.verdict:
        for mode, (found, missed) in verdict(options.data, options.cache, name).items():
            print(
                f"{name.ljust(12)} {mode.ljust(9)} found {found:.3f} of on-topic,"
                f" not found {missed:.3f} of off-topic, balanced {(found + missed) / 2:.3f}"
            )


if __name__ == "__main__":
    main()
