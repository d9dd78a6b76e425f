"""What is asked: the words of a search and the filters that hold inside both lanes."""

from typing import Literal

from attrs import frozen

from notekin.core.note import Kind

Mode = Literal["hybrid", "lexical", "semantic"]


@frozen
class Filters:
    """Limits on what may be a hit; an empty one lets everything through.

    `folders` are prefixes of paths relative to the vault (`""` is the vault itself, `a/b`
    matches `a/b/c.md` and not `a/bc.md`). A note passes when it lies under one of the folders,
    is of one of the kinds, and carries one of the tags or a tag below it (`a` matches `a/b`).
    `without` are paths that are never returned.
    """

    folders: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()
    tags: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
