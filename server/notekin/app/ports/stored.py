"""What goes into an index, and what comes out of it."""

from collections.abc import Mapping
from typing import Literal

from attrs import frozen

from notekin.app.ports.files import FileStat
from notekin.core.note import Kind, Passage
from notekin.core.pages import PageRange
from notekin.core.text import Anchor

Stage = Literal["raw", "whole", "locked"]
"""How far a note was read: a PDF's bare text is `raw` while its layout is still to come."""


@frozen
class PassageTerms:
    """What the text index holds of one passage: terms joined by spaces, a column each."""

    title: str
    headings: str
    text: str


@frozen
class NewPassage:
    """A passage to store, with its place in both encodings, its terms and, in a PDF, its pages;
    the place is then one in the readable document.
    """

    passage: Passage
    start: Anchor
    end: Anchor
    terms: PassageTerms
    pages: PageRange | None = None


@frozen
class NewNote:
    """A note as parsed, ready to be stored.

    Of a PDF, `text_hash` is that of the file's bytes, `readable` its readable document, and
    `warnings` are sentences for the person about what could not be read of it.
    """

    path: str
    kind: Kind
    stat: FileStat
    text_hash: bytes
    title: str
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    links: tuple[str, ...]
    passages: tuple[NewPassage, ...]
    racy: bool = False  # modified so shortly before that an equal stat proves nothing
    stage: Stage = "whole"
    warnings: tuple[str, ...] = ()
    readable: str | None = None


@frozen
class StoredNote:
    """What the index knows of a note without its passages. `reason` is set when it failed."""

    path: str
    kind: Kind
    stat: FileStat
    text_hash: bytes
    title: str
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    reason: str = ""
    racy: bool = False
    stage: Stage = "whole"


@frozen
class Touched:
    """A new stat for a note whose text did not change."""

    path: str
    stat: FileStat
    racy: bool = False


@frozen
class MovedNote:
    """A note whose text stands under another path now. `terms` are what the text index is to
    hold of each of its passages there, by the passage's id.
    """

    old: str
    new: str
    stat: FileStat
    racy: bool
    terms: Mapping[int, PassageTerms]


@frozen
class StoredPassage:
    """A passage as stored. `title` is the note's own title, "" where it has none. In a PDF, the
    place is one in its readable document; `pages` is None where that is all that is left of it.
    """

    id: int
    path: str
    kind: Kind
    ordinal: int
    start_offset: int
    end_offset: int
    start: Anchor
    end: Anchor
    title: str
    headings: tuple[str, ...]
    text: str
    hash: bytes
    pages: PageRange | None = None


@frozen
class PendingPassage:
    """A passage without a vector, and what the model is to read of it."""

    id: int
    path: str
    hash: bytes
    embedded: str


@frozen
class PlanCounts:
    """What storing one note did to its passages.

    `n_kept` stayed as they are, `n_reused` took their vector from elsewhere (moved, cached),
    `n_new` wait for a vector, `n_deleted` are gone.
    """

    n_kept: int = 0
    n_reused: int = 0
    n_new: int = 0
    n_deleted: int = 0


@frozen
class Counts:
    """How far the index is. `n_passages_pending` have no vector yet; while another model is
    being built, of that model.
    """

    n_notes: int = 0
    n_failed: int = 0
    n_passages: int = 0
    n_passages_pending: int = 0


@frozen
class Scored:
    """One row of a lane: the better, the higher. `score` is -bm25() or the cosine."""

    id: int
    score: float


@frozen
class Holders:
    """Who holds a term: so many passages (its document frequency), and these `among` some."""

    n_passages: int
    among: frozenset[int]


@frozen
class Finding:
    """One thing `doctor` found wrong, in a sentence, and whether a repair mended it; what is not
    `mendable` says itself what to do.
    """

    sentence: str
    repaired: bool = False
    mendable: bool = True


@frozen
class Dirty:
    """A file or folder ("" is the vault) that another process asks the indexer to look at;
    `forced` as in a re-index: it is read again even if it did not change.
    """

    id: int
    path: str
    forced: bool = False
