"""What a day's models embedded, and what they were spared."""

import os
from collections import defaultdict
from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from attrs import define

from notekin.adapters.sqlite.store import SqliteWriter
from notekin.app.ports import MovedNote, NewNote, PlanCounts
from notekin.core.text import text_hash
from notekin.core.vectors import Vector


@define
class Ledger:
    """What was embedded, in whatever process, and what was not because it had been before: a
    file, to which a process that is killed has written all that it did.
    """

    file: Path

    def embedded(self, model: str, text: str) -> None:
        """Record that a model ran on a passage."""
        self._add(f"e {model} {text_hash(text).hex()}")

    def written(self, model: str, hashes: Collection[bytes], index: Path) -> None:
        """Record that the vectors of passages are in an index."""
        for hash_ in hashes:
            self._add(f"w {model} {hash_.hex()} {index.name}")

    def avoided(self, n_passages: int) -> None:
        """Record that so many passages were stored again whose vectors were there."""
        if n_passages:
            self._add(f"a {n_passages}")

    @property
    def n_avoided(self) -> int:
        return sum(int(line[1]) for line in self._lines() if line[0] == "a")

    @property
    def n_embedded(self) -> int:
        return sum(line[0] == "e" for line in self._lines())

    @property
    def n_lost(self) -> int:
        """How many passages were embedded again because their vectors had not been written."""
        embedded = [tuple(line[1:]) for line in self._lines() if line[0] == "e"]
        return len(embedded) - len(set(embedded))

    def in_vain(self, *, across: bool) -> Sequence[str]:
        """What was embedded although the index that it was for had the vectors, or had them
        once; or with `across`, although another vault's had.
        """
        holders: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        embedded: set[tuple[str, str]] = set()
        in_vain: list[str] = []
        for what, *rest in self._lines():
            if what == "a":
                continue
            passage = (rest[0], rest[1])
            if what == "e" and holders[passage]:
                embedded.add(passage)
            elif what == "w":
                if passage in embedded and (rest[2] not in holders[passage]) == across:
                    in_vain.append(" ".join(rest))
                embedded.discard(passage)
                holders[passage].add(rest[2])
        return in_vain

    @contextmanager
    def watching(self) -> Generator[None]:
        """Record what writers in this process avoid."""
        put, move, put_vectors = SqliteWriter.put, SqliteWriter.move, SqliteWriter.put_vectors

        def is_ours(writer: SqliteWriter) -> bool:
            return path_of(writer).is_relative_to(self.file.parent / "data")

        def path_of(writer: SqliteWriter) -> Path:
            return writer._path  # pyright: ignore[reportPrivateUsage]

        def counted_put(writer: SqliteWriter, notes: Sequence[NewNote]) -> Sequence[PlanCounts]:
            plans = put(writer, notes)
            if is_ours(writer):
                self.avoided(sum(plan.n_kept + plan.n_reused for plan in plans))
            return plans

        def counted_move(writer: SqliteWriter, notes: Sequence[MovedNote]) -> int:
            if is_ours(writer):
                self.avoided(sum(len(note.terms) for note in notes))
            return move(writer, notes)

        def noted_vectors(writer: SqliteWriter, vectors: Mapping[bytes, Sequence[Vector]]) -> int:
            n_given = put_vectors(writer, vectors)
            model = writer._vectors.asked_of  # pyright: ignore[reportPrivateUsage]
            if is_ours(writer) and model is not None:
                self.written(model.name, vectors.keys(), path_of(writer))
            return n_given

        with (
            patch.object(SqliteWriter, "put", counted_put),
            patch.object(SqliteWriter, "move", counted_move),
            patch.object(SqliteWriter, "put_vectors", noted_vectors),
        ):
            yield

    def _lines(self) -> list[list[str]]:
        text = self.file.read_text("utf-8") if self.file.exists() else ""
        return [line.split() for line in text.splitlines()]

    def _add(self, line: str) -> None:
        descriptor = os.open(self.file, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        try:
            os.write(descriptor, f"{line}\n".encode())
        finally:
            os.close(descriptor)
