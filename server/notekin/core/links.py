"""Whether a note already links to another one, as Obsidian, Dendron and Markdown write it.

Names are compared without case and in NFC, since file systems and keyboards differ in both.
"""

from collections.abc import Collection, Iterator, Sequence
from unicodedata import normalize

_SUFFIXES = frozenset({"md", "markdown", "mdx", "txt", "text", "org", "rst", "pdf"})


def normalise(target: str, from_path: str) -> tuple[str, ...]:
    """Return the vault paths without suffix that `target`, written in `from_path`, can mean.

    The first is `target` seen from the folder of the asking note, the second from the root of
    the vault; they are the same there. A target that leaves the vault has no path.
    """
    folded = _folded(target)
    folder = _folded(from_path).rpartition("/")[0]
    starts = ("",) if folded.startswith("/") else (folder, "")
    paths = (_resolved(f"{start}/{folded}") for start in starts)
    return tuple(dict.fromkeys(_without_suffix(path) for path in paths if path))


def links_to(
    targets: Sequence[str], from_path: str, path: str, title: str, aliases: Collection[str]
) -> bool:
    """Return whether one of `targets`, written in the note `from_path`, means the note `path`.

    A target means a note by its path from here or from the root, by the end of its path (the
    file name alone is the shortest), by its title or by an alias. All paths are relative to the
    vault, "/" separated; targets are those of `Document.links`.
    """
    own = _without_suffix(_folded(path))
    names = {_folded(name) for name in (title, *aliases) if name.strip()}
    return any(_means(target, from_path, own, names) for target in targets)


def _means(target: str, from_path: str, own: str, names: Collection[str]) -> bool:
    written = _folded(target)
    if written in names or own in normalise(target, from_path):
        return True
    if _climbs(written):
        return False
    return any(f"/{own}".endswith(f"/{end}") for end in _endings(written))


def _endings(written: str) -> Iterator[str]:
    """Yield what a path may end with to be meant, as written and without a note's suffix."""
    end = written.strip("/")
    if end:
        yield end
        yield _without_suffix(end)


def _climbs(written: str) -> bool:
    """Return whether a target is relative to its note's folder or to the root by its form."""
    return written.startswith(("./", "../", "/")) or "/../" in written


def _resolved(path: str) -> str:
    """Return `path` without `.` and `..`, "" where it leaves the vault."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return ""
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts)


def _without_suffix(path: str) -> str:
    """Cut off a note's suffix only: in Dendron's `a.b.c` the dots are a hierarchy."""
    stem, dot, suffix = path.rpartition(".")
    return stem if dot and stem and suffix in _SUFFIXES else path


def _folded(text: str) -> str:
    return normalize("NFC", normalize("NFC", text.strip()).casefold())
