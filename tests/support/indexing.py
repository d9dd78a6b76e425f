"""Notes, vectors and an index for tests of the store, without parser and model."""

import math
import random
from collections.abc import Callable, Sequence

from notekin.app.ports import (
    FileStat,
    Index,
    IndexWriter,
    ModelInfo,
    NewNote,
    NewPassage,
    PassageTerms,
)
from notekin.core.note import Passage, Span
from notekin.core.text import LineIndex, text_hash
from notekin.core.vectors import Vector, pack

DIM = 8

MODEL = ModelInfo("toy", DIM, 256, "f1", pack([1.0, *[0.0] * (DIM - 1)]))


def stat(mtime_ns: int = 1) -> FileStat:
    return FileStat(mtime_ns, 10, 7)


def note(
    path: str,
    *texts: str,
    title: str = "",
    tags: Sequence[str] = (),
    links: Sequence[str] = (),
    mtime_ns: int = 1,
) -> NewNote:
    """Return a note whose passages are `texts`, one below the other; its terms are its words."""
    whole = "\n\n".join(texts)
    lines = LineIndex(whole)
    passages: list[NewPassage] = []
    offset = 0
    for ordinal, text in enumerate(texts):
        span = Span(offset, offset + len(text))
        passage = Passage(ordinal, span, (title,) if title else (), text, title, b"")
        hashed = Passage(ordinal, span, passage.headings, text, title, text_hash(passage.embedded))
        terms = PassageTerms(f"{path} {title}".lower(), title.lower(), text.lower())
        passages.append(NewPassage(hashed, lines.anchor(span.start), lines.anchor(span.end), terms))
        offset += len(text) + 2
    return NewNote(
        path=path,
        kind="markdown",
        stat=stat(mtime_ns),
        text_hash=text_hash(whole),
        title=title,
        tags=tuple(tags),
        aliases=(),
        links=tuple(links),
        passages=tuple(passages),
    )


def unit(*values: float) -> Vector:
    """Return a vector of `DIM` numbers brought to unit length; the rest are zero."""
    length = math.sqrt(sum(value * value for value in values))
    return pack([*(value / length for value in values), *[0.0] * (DIM - len(values))])


def vector_of(seed: object, dim: int = DIM) -> Vector:
    """Return a unit vector that only `seed` decides."""
    numbers = random.Random(repr(seed))  # noqa: S311 -- no secret
    values = [numbers.gauss(0, 1) for _ in range(dim)]
    length = math.sqrt(sum(value * value for value in values))
    return pack(value / length for value in values)


def ids_of(index: Index, path: str) -> list[int]:
    with index.read() as reader:
        return [passage.id for passage in reader.passages_of(path)]


def embed_all(writer: IndexWriter) -> None:
    """Give every passage that waits the vector that its text decides."""
    while waiting := writer.pending([], 500):
        writer.put_vectors({each.hash: [vector_of(each.embedded)] for each in waiting})


def vector_by(model: ModelInfo) -> Callable[[str], Vector]:
    """Return what `model` makes of a text; another model makes something else."""
    return lambda text: vector_of((model.name, model.fingerprint, text), model.dim)


def embed_by(writer: IndexWriter, model: ModelInfo, limit: int = 100) -> int:
    """Embed up to `limit` waiting passages with `model`; return how many texts it read."""
    vector = vector_by(model)
    texts = {each.hash: each.embedded for each in writer.pending([], limit)}
    for hash_, text in texts.items():
        writer.put_vectors({hash_: [vector(text)]})
    return len(texts)
