"""The hash by which the index tells the content of a file from another."""

from notekin.app.cancel import CancelToken
from notekin.app.ports import Files, FoundFile, HashedFile
from notekin.core.text import text_hash


def content_hash(files: Files, found: FoundFile) -> HashedFile:
    """Return the hash of a note's text, of a PDF's bytes; raises `Unreadable`."""
    if found.kind == "pdf":
        return files.hash(found.path, CancelToken())
    read = files.read(found.path)
    return HashedFile(text_hash(read.text), read.stat)
