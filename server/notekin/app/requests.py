"""What the use cases are asked."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from attrs import frozen

from notekin.core.note import Kind

if TYPE_CHECKING:
    # For the checker only: it brings the tokenizer of terms, and `initialize` is not to wait.
    from notekin.core.query import Mode

Priority = Literal["query", "hover"]


@frozen
class SearchRequest:
    """A search. Empty `folders` are all vaults; a folder may be a vault or one inside."""

    query: str
    limit: int = 10
    mode: "Mode" = "hybrid"
    folders: tuple[Path, ...] = ()
    kinds: tuple[Kind, ...] = ()
    tags: tuple[str, ...] = ()


@frozen
class RelatedRequest:
    """A note, or the paragraph around `offset`: a code point in the buffer if the note is
    open, in the file's text otherwise.
    """

    path: Path
    offset: int | None = None
    limit: int = 5
    include_self: bool = False
    priority: Priority = "query"
