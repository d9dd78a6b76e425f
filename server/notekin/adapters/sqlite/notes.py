"""Notes and what hangs on them: passages, their terms, links, tags, inside a transaction."""

from collections.abc import Iterable, Mapping, Sequence

from notekin.adapters.sqlite.connect import Database
from notekin.adapters.sqlite.values import (
    PLACE_COLUMNS,
    Row,
    in_folder,
    place,
    terms_hash,
    to_inode,
    to_key,
    to_list,
    to_readable,
    to_terms,
    to_text,
)
from notekin.adapters.sqlite.vectors import Vectors
from notekin.app.ports import (
    FileStat,
    MovedNote,
    NewNote,
    NewPassage,
    PassageTerms,
    PlanCounts,
    Stage,
    Touched,
)
from notekin.core.note import Kind
from notekin.core.plan import plan
from notekin.core.query import tag_key

_PUT_NOTE = """
INSERT INTO notes(path, kind, mtime_ns, size, inode, racy, text_hash, title, tags, aliases, reason,
    stage, warnings)
VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT(path) DO UPDATE SET kind = excluded.kind, mtime_ns = excluded.mtime_ns,
    size = excluded.size, inode = excluded.inode, racy = excluded.racy,
    text_hash = excluded.text_hash, title = excluded.title, tags = excluded.tags,
    aliases = excluded.aliases, reason = excluded.reason, stage = excluded.stage,
    warnings = excluded.warnings
RETURNING id
"""

_STORED = f"SELECT id, hash, {', '.join(PLACE_COLUMNS)} FROM chunks WHERE note = ? ORDER BY ordinal"

_INSERT = (
    f"INSERT INTO chunks(id, note, hash, embedded, text, {', '.join(PLACE_COLUMNS)}) "
    f"VALUES(?, ?, ?, ?, ?{', ?' * len(PLACE_COLUMNS)})"
)

_UPDATE = (
    f"UPDATE chunks SET text = ?, {', '.join(f'{name} = ?' for name in PLACE_COLUMNS)} WHERE id = ?"
)

_PUT_TERMS = "INSERT OR REPLACE INTO terms(rowid, title, headings, text) VALUES(?, ?, ?, ?)"

_ID = "SELECT id FROM notes WHERE path = ?"

_MOVE = "UPDATE notes SET path = ?, mtime_ns = ?, size = ?, inode = ?, racy = ? WHERE id = ?"

_TERMS = PLACE_COLUMNS.index("terms")


class NoteWriter:
    """Stores and removes notes. All calls belong into the writer's transaction."""

    def __init__(self, connection: Database, vectors: Vectors) -> None:
        self._db = connection
        self._vectors = vectors
        self._next_chunk = self._last_note = 0

    def begin(self) -> None:
        """Start a transaction."""
        self._next_chunk = 0
        self._last_note = self._db.value("SELECT ifnull(max(id), 0) FROM notes")

    def adopt(self, versions: Mapping[str, str]) -> None:
        """Record the versions of what made the passages; where one changed, forget all stats
        and hashes of texts, so that every note is read, cut and compared again.
        """
        stored = dict(self._db.rows("SELECT key, value FROM meta"))
        if all(stored.get(name) == version for name, version in versions.items()):
            return
        self._db.run("UPDATE notes SET mtime_ns = 0, size = -1, racy = 1, text_hash = x''")
        self._db.many("INSERT OR REPLACE INTO meta VALUES(?, ?)", versions.items())

    def put(self, note: NewNote) -> PlanCounts:
        """Store a note: keep passages by hash, insert and delete the others."""
        id_, is_new = self._put_note(note)
        rows = [] if is_new else self._db.rows(_STORED, (id_,))
        stored = {row[0]: row[1:] for row in rows}
        planned = plan(
            [(chunk, row[0]) for chunk, row in stored.items()],
            [new.passage for new in note.passages],
        )
        by_ordinal = {new.passage.ordinal: new for new in note.passages}
        self._remove_chunks(planned.deleted)
        for chunk, passage in planned.kept:
            self._keep(chunk, stored[chunk][1:], by_ordinal[passage.ordinal])
        inserted = [by_ordinal[passage.ordinal] for passage in planned.inserted]
        n_reused = self._insert(id_, inserted)
        return PlanCounts(
            n_kept=len(planned.kept),
            n_reused=n_reused,
            n_new=len(inserted) - n_reused,
            n_deleted=len(planned.deleted),
        )

    def fail(self, path: str, kind: Kind, stat: FileStat, reason: str, stage: Stage) -> None:
        """Store a note that cannot be read."""
        note = NewNote(path, kind, stat, b"", "", (), (), (), (), stage=stage)
        id_, _ = self._put_note(note, reason)
        self._remove_chunks(self._chunks_of(id_))

    def keep_raw(self, path: str, warnings: Sequence[str]) -> None:
        """Take the passages of a PDF's bare text for good."""
        sql = "UPDATE notes SET stage = 'whole', warnings = ? WHERE path = ?"
        self._db.run(sql, (to_list(warnings), to_key(path)))

    def touch(self, notes: Sequence[Touched]) -> None:
        """Record new stats."""
        self._db.many(
            "UPDATE notes SET mtime_ns = ?, size = ?, inode = ?, racy = ? WHERE path = ?",
            ((*_stat_values(note.stat), note.racy, to_key(note.path)) for note in notes),
        )

    def move(self, notes: Sequence[MovedNote]) -> int:
        """Store notes under new paths. They step aside first, as one may take another's place."""
        aside: list[tuple[int, MovedNote]] = []
        for note in notes:
            for (id_,) in self._db.rows(_ID, (to_key(note.old),)):
                self._db.run("UPDATE notes SET path = ? WHERE id = ?", (b"\0%d" % id_, id_))
                aside.append((id_, note))
        for _, note in aside:
            self.delete(note.new)
        for id_, note in aside:
            values = (to_key(note.new), *_stat_values(note.stat), note.racy, id_)
            self._db.run(_MOVE, values)
            self._rename_terms(id_, note.terms)
        return len(aside)

    def delete(self, path: str) -> int:
        """Remove a note and all below it as a folder ("" is the vault); return how many."""
        key = to_key(path)
        low, high = in_folder(key)
        sql = "SELECT id FROM notes WHERE path = ? OR (path >= ? AND path < ?)"
        ids = [id_ for (id_,) in self._db.rows(sql, (key, low, high))]
        for id_ in ids:
            self._remove_chunks(self._chunks_of(id_))
            self._db.run("DELETE FROM notes WHERE id = ?", (id_,))
        return len(ids)

    def forget(self, note: int) -> None:
        """Remove a note's passages and what says that it was read, so that it is read again."""
        self._remove_chunks(self._chunks_of(note))
        self._put_links(note, [])
        self._put_tags(note, [])
        self._put_readable(note, None)
        self._db.run(
            """UPDATE notes SET mtime_ns = 0, size = -1, racy = 1, text_hash = x'', tags = '[]',
                   warnings = '[]'
               WHERE id = ?""",
            (note,),
        )

    def _put_note(self, note: NewNote, reason: str = "") -> tuple[int, bool]:
        """Store what is no passage of a note; return its id, and whether it is a new one, of which
        nothing need be looked up.
        """
        stat = note.stat
        values = (
            to_key(note.path),
            note.kind,
            stat.mtime_ns,
            stat.size,
            to_inode(stat.inode),
            note.racy,
            note.text_hash,
            to_text(note.title),
            to_list(note.tags),
            to_list(note.aliases),
            to_text(reason),
            note.stage,
            to_list(note.warnings),
        )
        id_: int = self._db.value(_PUT_NOTE, values)
        # Ids only grow: one as high as any before is of a note that was there.
        is_new = id_ > self._last_note
        self._last_note = max(id_, self._last_note)
        self._put_links(id_, [to_text(link) for link in note.links], is_new=is_new)
        tags = sorted({to_key(tag_key(tag)) for tag in note.tags})
        self._put_tags(id_, tags, is_new=is_new)
        self._put_readable(id_, note.readable, is_new=is_new)
        return id_, is_new

    def _put_readable(self, note: int, text: str | None, *, is_new: bool = False) -> None:
        if text is not None:
            sql = "INSERT OR REPLACE INTO readables VALUES(?, ?)"
            self._db.run(sql, (note, to_readable(text)))
        elif not is_new:
            self._db.run("DELETE FROM readables WHERE note = ?", (note,))

    def _put_links(self, note: int, links: Sequence[str | bytes], *, is_new: bool = False) -> None:
        sql = "SELECT target FROM links WHERE note = ? ORDER BY ordinal"
        stored = [] if is_new else [link for (link,) in self._db.rows(sql, (note,))]
        if stored != links:
            if stored:
                self._db.run("DELETE FROM links WHERE note = ?", (note,))
            rows = ((note, ordinal, link) for ordinal, link in enumerate(links))
            self._db.many("INSERT INTO links VALUES(?, ?, ?)", rows)

    def _put_tags(self, note: int, tags: Sequence[bytes], *, is_new: bool = False) -> None:
        sql = "SELECT tag FROM tags WHERE note = ? ORDER BY tag"
        stored = [] if is_new else [tag for (tag,) in self._db.rows(sql, (note,))]
        if stored != tags:
            if stored:
                self._db.run("DELETE FROM tags WHERE note = ?", (note,))
            self._db.many("INSERT INTO tags VALUES(?, ?)", ((tag, note) for tag in tags))

    def _chunks_of(self, note: int) -> list[int]:
        rows = self._db.rows("SELECT id FROM chunks WHERE note = ?", (note,))
        return [chunk for (chunk,) in rows]

    def _remove_chunks(self, chunks: Sequence[int]) -> None:
        if not chunks:
            return
        self._vectors.release(chunks)
        ids = [(chunk,) for chunk in chunks]
        self._db.many("DELETE FROM terms WHERE rowid = ?", ids)
        self._db.many("DELETE FROM chunks WHERE id = ?", ids)

    def _keep(self, chunk: int, stored: Row, new: NewPassage) -> None:
        """Refresh a passage whose embedded text did not change, where anything else did."""
        fresh = place(new)
        if fresh == stored:
            return
        self._db.run(_UPDATE, (to_text(new.passage.text), *fresh, chunk))
        if fresh[_TERMS] != stored[_TERMS]:
            self._put_terms([(chunk, new.terms)])

    def _insert(self, note: int, inserted: Sequence[NewPassage]) -> int:
        """Store new passages; return for how many vectors were there.

        All of a table at once: a book has thousands, and a save may wait for the transaction.
        """
        chunks = {self._new_id(): new for new in inserted}
        hashes = dict.fromkeys(new.passage.hash for new in inserted)
        # What is found may be taken out of the cache: twice the same passage asks for it once.
        vectors = {hash_: self._vectors.find(hash_) for hash_ in hashes}
        rows = (
            (
                chunk,
                note,
                new.passage.hash,
                bool(vectors[new.passage.hash]),
                to_text(new.passage.text),
                *place(new),
            )
            for chunk, new in chunks.items()
        )
        self._db.many(_INSERT, rows)
        self._put_terms((chunk, new.terms) for chunk, new in chunks.items())
        ready = {
            chunk: new.passage.hash for chunk, new in chunks.items() if vectors[new.passage.hash]
        }
        for chunk, hash_ in ready.items():
            self._vectors.give(chunk, hash_, vectors[hash_])
        return len(ready)

    def _rename_terms(self, note: int, terms: Mapping[int, PassageTerms]) -> None:
        sql = "SELECT id, terms FROM chunks WHERE note = ?"
        for chunk, stored in self._db.rows(sql, (note,)):
            fresh = terms_hash(terms[chunk])
            if fresh != stored:
                self._db.run("UPDATE chunks SET terms = ? WHERE id = ?", (fresh, chunk))
                self._put_terms([(chunk, terms[chunk])])

    def _put_terms(self, terms: Iterable[tuple[int, PassageTerms]]) -> None:
        rows = (
            (chunk, to_terms(each.title), to_terms(each.headings), to_terms(each.text))
            for chunk, each in terms
        )
        self._db.many(_PUT_TERMS, rows)

    def _new_id(self) -> int:
        if not self._next_chunk:
            self._next_chunk = self._db.value("SELECT ifnull(max(id), 0) + 1 FROM chunks")
        self._next_chunk += 1
        return self._next_chunk - 1


def _stat_values(stat: FileStat) -> Row:
    return stat.mtime_ns, stat.size, to_inode(stat.inode)
