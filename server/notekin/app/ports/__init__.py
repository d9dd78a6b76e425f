"""What the use cases need of the world; each port has one adapter and, where useful, a fake.

Threads: an `IndexWriter` belongs to the one thread that opened it. `Index.read` leases a
connection to the caller's thread. `Embedder` is called by the embedding threads, several at once.
`Files` may be called from any thread.
"""

from notekin.app.ports.files import (
    Files,
    FileStat,
    FileText,
    FoundFile,
    HashedFile,
    RawNote,
)
from notekin.app.ports.index import (
    Index,
    IndexFollower,
    IndexReader,
    IndexWriter,
    VectorShelf,
)
from notekin.app.ports.model import (
    CountTokens,
    Embedder,
    ModelInfo,
    Role,
)
from notekin.app.ports.pdf import (
    PdfExtractor,
    PdfOptions,
    PdfShelf,
    PdfTrouble,
)
from notekin.app.ports.stored import (
    Counts,
    Dirty,
    Finding,
    Holders,
    MovedNote,
    NewNote,
    NewPassage,
    PassageTerms,
    PendingPassage,
    PlanCounts,
    Scored,
    Stage,
    StoredNote,
    StoredPassage,
    Touched,
)
from notekin.app.ports.surroundings import (
    Lock,
    Power,
    Watcher,
    Workshop,
)

__all__ = [
    "CountTokens",
    "Counts",
    "Dirty",
    "Embedder",
    "FileStat",
    "FileText",
    "Files",
    "Finding",
    "FoundFile",
    "HashedFile",
    "Holders",
    "Index",
    "IndexFollower",
    "IndexReader",
    "IndexWriter",
    "Lock",
    "ModelInfo",
    "MovedNote",
    "NewNote",
    "NewPassage",
    "PassageTerms",
    "PdfExtractor",
    "PdfOptions",
    "PdfShelf",
    "PdfTrouble",
    "PendingPassage",
    "PlanCounts",
    "Power",
    "RawNote",
    "Role",
    "Scored",
    "Stage",
    "StoredNote",
    "StoredPassage",
    "Touched",
    "VectorShelf",
    "Watcher",
    "Workshop",
]
