"""Which files are notes, and which reader turns one's text into a document."""

from collections.abc import Collection, Mapping

from notekin.core.note import Document, Kind

KINDS: Mapping[str, Kind] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdx": "markdown",
    ".txt": "text",
    ".text": "text",
    ".org": "text",
    ".rst": "text",
    ".pdf": "pdf",
}


_BESIDE = frozenset({".git", "node_modules"})


def is_beside_notes(path: str) -> bool:
    """Return whether a path of a vault ("/" or the system's separators) lies in a folder that
    programs write to in storms and that holds no notes, whatever the rules say.
    """
    if ".git" not in path and "node_modules" not in path:
        return False
    return not _BESIDE.isdisjoint(path.replace("\\", "/").split("/")[:-1])


def kind_of(path: str, extra_suffixes: Collection[str] = ()) -> Kind | None:
    """Return what kind of note a file is by its suffix, None when it is no note.

    `extra_suffixes` (with or without their dot, in any case) are read as plain text. A name
    that is nothing but a suffix (`.md`) is no note.
    """
    stem, dot, ending = path.rpartition("/")[2].rpartition(".")
    if not stem or not dot:
        return None
    suffix = f".{ending.lower()}"
    extra = {f".{name.lower().removeprefix('.')}" for name in extra_suffixes}
    return KINDS.get(suffix) or ("text" if suffix in extra else None)


def read(path: str, kind: Kind, text: str) -> Document:
    """Return what stands in the note at `path` with this text; it never fails. PDFs have no text
    of their own: see `core.pdf`.
    """
    # Both readers are imported late: listing files needs neither.
    if kind == "markdown":
        from notekin.core.markdown import read_markdown

        return read_markdown(text)
    from notekin.core.plaintext import read_text

    return read_text(text, path.rpartition(".")[2].lower())
