"""A note as the core sees it: what was read from one document, without any IO."""

from typing import Literal

from attrs import frozen

Kind = Literal["markdown", "text", "pdf"]

BlockKind = Literal[
    "paragraph", "heading", "code", "table", "list", "quote", "math", "html", "front_matter"
]


@frozen
class Span:
    """A half-open range of code points in a document's text."""

    start: int
    end: int


@frozen
class Block:
    """One top-level block of a document; blocks do not overlap and stand in document order.

    `headings` is the path of headings the block lies under, outermost first; a heading
    block's own text is the last of them.
    """

    kind: BlockKind
    span: Span
    headings: tuple[str, ...] = ()


@frozen
class Document:
    """What the parser found in one note.

    `title` is the front matter's or the first heading's, never the file name's; it is empty
    when the note has neither. `links` are targets as written, cleaned of anchors and aliases.
    """

    text: str
    kind: Kind
    title: str = ""
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    blocks: tuple[Block, ...] = ()


@frozen
class Passage:
    """A piece of a note that can be found, opened and embedded.

    `text` is exactly the document's text in `span`. `context` is `title › headings`, what
    stands in front of the text when it is embedded. `hash` (16 bytes) is that of exactly what
    is embedded: two passages with the same hash share a vector.
    """

    ordinal: int
    span: Span
    headings: tuple[str, ...]
    text: str
    context: str
    hash: bytes

    @property
    def embedded(self) -> str:
        """What the model reads."""
        return embedded(self.context, self.text)


def embedded(context: str, text: str) -> str:
    """Return what the model reads of a passage."""
    return f"{context}\n\n{text}" if context else text
