"""Judged collections for benchmarks: documents, queries, judgements, cached vectors.

A collection is a folder with `corpus.jsonl`, `queries.jsonl` and `qrels.tsv`. Vectors are
computed once with the default model, as the server runs it, and kept as `.npy` under the cache
folder.
"""

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen

from notekin.adapters.embedding import load_embedder
from notekin.app.ports import Embedder
from notekin.app.settings import DEFAULT_MODEL


@frozen
class Collection:
    """One judged collection; `judged` is query id → document id → grade."""

    name: str
    documents: Mapping[str, tuple[str, str]]  # id → (title, text)
    queries: Mapping[str, str]
    judged: Mapping[str, Mapping[str, int]]


def load(folder: Path) -> Collection:
    """Return the collection in `folder`; only queries with a relevant document are kept."""
    documents: dict[str, tuple[str, str]] = {}
    for line in (folder / "corpus.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        documents[row["_id"]] = (row.get("title", ""), row["text"])
    judged: dict[str, dict[str, int]] = {}
    for line in (folder / "qrels.tsv").read_text("utf-8").splitlines()[1:]:
        query, document, grade = line.split("\t")
        if int(grade) > 0 and document in documents:
            judged.setdefault(query, {})[document] = int(grade)
    queries: dict[str, str] = {}
    for line in (folder / "queries.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["_id"] in judged:
            queries[row["_id"]] = row["text"]
    return Collection(folder.name, documents, queries, judged)


def vectors(name: str, texts: Sequence[str], folder: Path) -> Any:
    """Return a float32 array, a unit row a text (what exceeds the window is left out); read from
    the cache when it is of this model and its length fits.
    """
    model = _model()
    path = folder / f"{name}-{model.info.fingerprint[:12]}.npy"
    if path.exists():
        rows = np.load(path)
        if len(rows) == len(texts):
            return rows

    def embedded(text: str) -> bytes:
        return model.embed(text, "query")[0]

    with ThreadPoolExecutor(model.n_at_once) as pool:
        found = list(pool.map(embedded, texts))
    rows = np.frombuffer(b"".join(found), dtype="<f4").reshape(len(texts), model.info.dim)
    folder.mkdir(parents=True, exist_ok=True)
    np.save(path, rows)
    return rows


@cache
def _model() -> Embedder:
    """Load the default model as the server does. It puts nothing before queries and documents, so
    they are the same to it.
    """
    return load_embedder(DEFAULT_MODEL, cache=Path())
