"""How well passages answer, how few an edit changes, and how fast they are cut.

Run `python tests/benchmarks/chunking.py {retrieval,edits,speed} FOLDER`, where FOLDER holds
the data sets (`chunking_eval`, `vaults`). `retrieval` embeds two to four thousand passages a
variant; vectors are kept in FOLDER/.vectors by the hash of what was embedded.
"""

import argparse
import csv
import hashlib
import json
import random
import re
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve, frozen

from notekin.adapters.embedding import load_embedder
from notekin.adapters.tokens import token_counter
from notekin.app.settings import DEFAULT_MODEL
from notekin.core.chunks import LIMITS, CountTokens, Limits, cut
from notekin.core.note import Document, Passage, Span
from notekin.core.reading import read

DEPTH = 5
Cut = Callable[[Document], Sequence[Passage]]


@frozen
class Question:
    """A question and the spans of one corpus that answer it."""

    text: str
    corpus: str
    answers: tuple[Span, ...]


@frozen
class Quality:
    """Means over the questions, of characters (Smith and Troynikov 2024, `chunking_eval`)."""

    recall: float
    precision: float
    iou: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["retrieval", "edits", "speed"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", default=[], help="names of variants")
    given = parser.parse_args()
    {"retrieval": print_retrieval, "edits": print_edits, "speed": print_speed}[given.what](
        given.folder, given.only
    )


def variants() -> dict[str, Cut]:
    """Return the ways of cutting that are compared."""
    count = token_counter()

    def ours(limits: Limits) -> Cut:
        return lambda document: cut(document, count, limits)

    chosen = ours(LIMITS)
    return {
        "chosen": chosen,
        "800 characters": ours(evolve(LIMITS, n_characters=800)),
        "400 characters": ours(evolve(LIMITS, n_characters=400)),
        "sentence overlap": lambda document: with_overlap(document, chosen(document)),
        "greedy 1200": lambda document: greedy(document, count),
    }


def with_overlap(document: Document, passages: Sequence[Passage]) -> Sequence[Passage]:
    """Begin each passage with the last sentence (at most 200 characters) of the one before."""
    wider: list[Passage] = []
    for passage in passages:
        start = passage.span.start
        before = document.text[max(0, start - 200) : start].rstrip()
        sentence = max(before.rfind(". ") + 2, before.rfind("\n") + 1)
        begin = max(0, start - 200) + sentence if sentence > 1 else start
        text = document.text[begin : passage.span.end]
        wider.append(evolve(passage, span=Span(begin, passage.span.end), text=text))
    return wider


def greedy(document: Document, count: CountTokens) -> Sequence[Passage]:
    """Fill passages one after the other with small ones (the way that cascades)."""
    pieces = cut(document, count, Limits(300, 80))
    sizes = count([piece.text for piece in pieces])
    packed: list[Passage] = []
    n_tokens = 0
    for piece, size in zip(pieces, sizes, strict=True):
        last = packed[-1] if packed else None
        if last and last.headings == piece.headings:
            span = Span(last.span.start, piece.span.end)
            if span.end - span.start <= 1200 and n_tokens + size <= 250:
                text = document.text[span.start : span.end]
                packed[-1] = evolve(last, span=span, text=text)
                n_tokens += size
                continue
        packed.append(piece)
        n_tokens = size
    return packed


# --- retrieval ---------------------------------------------------------------------------


def print_retrieval(folder: Path, only: Sequence[str]) -> None:
    corpora = {
        path.stem: read(path.name, "markdown", path.read_text("utf-8"))
        for path in sorted((folder / "chunking_eval" / "corpora").glob("*.md"))
    }
    questions = load_questions(folder / "chunking_eval" / "questions_df.csv")
    embed = cached_embedder(folder / ".vectors")
    asked = embed([question.text for question in questions], "query")
    print("| variant | passages | mean characters | recall@5 | precision@5 | IoU@5 |")
    print("|---|---|---|---|---|---|")
    for name, way in variants().items():
        if only and name not in only:
            continue
        passages = [(corpus, p) for corpus, document in corpora.items() for p in way(document)]
        vectors = embed([passage.embedded for _, passage in passages], "document")
        found = quality(questions, passages, asked @ vectors.T)
        size = statistics.mean(len(passage.text) for _, passage in passages)
        print(
            f"| {name} | {len(passages)} | {size:.0f} | {found.recall:.3f} "
            f"| {found.precision:.3f} | {found.iou:.3f} |",
            flush=True,
        )


def load_questions(path: Path) -> list[Question]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [
        Question(
            row["question"],
            row["corpus_id"],
            tuple(Span(r["start_index"], r["end_index"]) for r in json.loads(row["references"])),
        )
        for row in rows
    ]


def quality(
    questions: Sequence[Question], passages: Sequence[tuple[str, Passage]], scores: Any
) -> Quality:
    """Return how well the best five passages cover the characters of the answers."""
    rows: list[tuple[float, float, float]] = []
    for question, row in zip(questions, scores, strict=True):
        best = [passages[index] for index in map(int, np.argsort(-row)[:DEPTH])]
        wanted = characters(question.answers)
        spans = [passage.span for corpus, passage in best if corpus == question.corpus]
        hit = len(wanted & characters(spans))
        shown = sum(passage.span.end - passage.span.start for _, passage in best)
        missed = len(wanted) - hit
        rows.append((hit / len(wanted), hit / shown, hit / (shown + missed)))
    return Quality(*(statistics.mean(column) for column in zip(*rows, strict=True)))


def characters(spans: Sequence[Span]) -> set[int]:
    return {place for span in spans for place in range(span.start, span.end)}


def cached_embedder(folder: Path) -> Callable[[Sequence[str], Any], Any]:
    """Return a function from texts to a matrix of unit vectors, kept on disk by text."""
    folder.mkdir(exist_ok=True)
    embedder = load_embedder(DEFAULT_MODEL, cache=folder, n_threads=2)
    store = folder / "chunking.npz"
    known: dict[str, Any] = dict(np.load(store)) if store.exists() else {}

    def embed(texts: Sequence[str], role: Any) -> Any:
        keys = [hashlib.sha256(f"{role} {text}".encode()).hexdigest() for text in texts]
        for key, text in zip(keys, texts, strict=True):
            if key not in known:
                known[key] = np.frombuffer(embedder.embed(text, role)[0], dtype="<f4")
        np.savez(store, **known)
        return np.stack([known[key] for key in keys])

    return embed


# --- edits -------------------------------------------------------------------------------

SENTENCE = "One more sentence, number {n}, was written here after everything else."
SENTENCE_END = re.compile(r"(?<=\w)\.(?=\s)")
N_TRIES = 334  # a set
LONGEST = 60_000  # of a text, so that a thousand tries take minutes; passages stay the same


def print_edits(folder: Path, only: Sequence[str]) -> None:
    sets = {
        "chunking_eval": folder / "chunking_eval" / "corpora",
        "gesetze-de": folder / "vaults" / "gesetze-de",
        "dendron-site": folder / "vaults" / "dendron-site",
    }
    print("| set | variant | sentence: p50 | p90 | max | 50 lines above: below again |")
    print("|---|---|---|---|---|---|")
    for name, root in sets.items():
        texts = [path.read_text("utf-8")[:LONGEST] for path in sorted(root.rglob("*.md"))]
        for variant, way in variants().items():
            if variant not in (only or ["chosen", "greedy 1200"]):
                continue
            again = sorted(embedded_again(texts, way, random.Random(7)))  # noqa: S311 - no secret
            above = max(embedded_below(text, way) for text in texts[:100])
            print(
                f"| {name} | {variant} | {again[len(again) // 2]} | {again[len(again) * 9 // 10]}"
                f" | {again[-1]} | {above} |",
                flush=True,
            )


def embedded_again(texts: Sequence[str], way: Cut, numbers: random.Random) -> Iterator[int]:
    """Yield how many passages are new after one sentence was added, for each try."""
    weights = [len(text) for text in texts]
    before: dict[str, set[str]] = {}
    for n in range(N_TRIES):
        (text,) = numbers.choices(texts, weights)
        if text not in before:
            before[text] = embedded(way, text)
        place = sentence_end(text, numbers.randrange(len(text)))
        longer = f"{text[:place]} {SENTENCE.format(n=n)}{text[place:]}"
        yield len(embedded(way, longer) - before[text])


def sentence_end(text: str, place: int) -> int:
    """Return the end of the first sentence at or after `place`, not that of a heading.

    A heading made longer is another heading: all that lies under it is embedded again.
    """
    for match in SENTENCE_END.finditer(text, place):
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        if not line.startswith("#"):
            return match.start() + 1
    return len(text)


def embedded_below(text: str, way: Cut) -> int:
    """Return how many passages below are new after 50 lines were put above a section.

    They go above the first section that has a text above it: between a heading and one right
    below it, the passage that held both would change.
    """
    blocks = read("note.md", "markdown", text).blocks
    pairs = pairwise(blocks)
    first = next((b for a, b in pairs if b.kind == "heading" and a.kind != "heading"), None)
    if first is None:
        return 0
    start = first.span.start
    lines = "".join(f"Line {n} of what was put above.\n\n" for n in range(50))
    passages = way(read("note.md", "markdown", f"{text[:start]}{lines}{text[start:]}"))
    below = {one.embedded for one in passages if one.span.start >= start + len(lines)}
    return len(below - embedded(way, text))


def embedded(way: Cut, text: str) -> set[str]:
    return {passage.embedded for passage in way(read("note.md", "markdown", text))}


# --- speed -------------------------------------------------------------------------------


def print_speed(folder: Path, _only: Sequence[str]) -> None:
    paths = sorted((folder / "vaults" / "til-jbranchaud").rglob("*.md"))
    texts = [path.read_text("utf-8", "replace") for path in paths]
    count = token_counter()
    start = time.perf_counter()
    documents = [read("note.md", "markdown", text) for text in texts]
    parsed = time.perf_counter()
    n_passages = sum(len(cut(document, count)) for document in documents)
    done = time.perf_counter()
    print(f"{len(texts)} notes: {len(texts) / (parsed - start):.0f} parsed a second,")
    print(f"{len(texts) / (done - start):.0f} parsed and cut, {n_passages} passages")


if __name__ == "__main__":
    main()
