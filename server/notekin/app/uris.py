"""File URIs and paths (RFC 8089).

A document's URI has no query and no fragment: a `#`, `?` or space that a client forgot to
escape belongs to the file's name.
"""

import os
import re
from pathlib import Path, PurePosixPath, PureWindowsPath

READABLE_SCHEME = "notekin-pdf"
"""The scheme of the readable documents of PDFs: the PDF's own address, and `.md`."""
_READABLE_SUFFIX = ".md"
_PDF_SUFFIX = ".pdf"

_FILE_URI = re.compile(
    r"file:(?://(?P<authority>[^/]*)|(?!//))(?P<path>/.*)", re.IGNORECASE | re.DOTALL
)
_ESCAPE = re.compile(rb"%([0-9A-Fa-f]{2})")
_DRIVE = re.compile(r"/([A-Za-z])[:|](?=/|$)")


def uri_of(path: Path) -> str:
    """Return the file URI of an absolute path, every byte of a name kept.

    Raises `ValueError` for a relative path.
    """
    return path.as_uri()


def readable_uri(path: Path) -> str:
    """Return the URI of the readable document of the PDF at an absolute path."""
    return f"{READABLE_SCHEME}{uri_of(path).removeprefix('file')}{_READABLE_SUFFIX}"


def pdf_from_uri(uri: str) -> Path | None:
    """Return the PDF whose readable document a URI names, None where it names none."""
    scheme, colon, rest = uri.partition(":")
    if scheme != READABLE_SCHEME or not colon or not rest.endswith(_READABLE_SUFFIX):
        return None
    path = path_from_uri(f"file:{rest.removesuffix(_READABLE_SUFFIX)}")
    return path if path is not None and path.suffix.lower() == _PDF_SUFFIX else None


def document_path(uri: str) -> Path | None:
    """Return the file that a document belongs to: itself, or the PDF that it makes readable."""
    return pdf_from_uri(uri) or path_from_uri(uri)


def path_from_uri(uri: str) -> Path | None:
    """Return the path that a file URI names; None where it cannot name a file of this machine."""
    pure = windows_path(uri) if os.name == "nt" else posix_path(uri)
    return None if pure is None else Path(pure)


def posix_path(uri: str) -> PurePosixPath | None:
    """Return the path of a file URI on a POSIX system; another host has no path there."""
    parts = _parts(uri)
    if parts is None or parts[0]:
        return None
    return PurePosixPath(parts[1])


def windows_path(uri: str) -> PureWindowsPath | None:
    """Return the path of a file URI on Windows: on a drive, or on a host as a UNC path."""
    parts = _parts(uri)
    if parts is None:
        return None
    authority, path = parts
    if authority:
        share = PureWindowsPath(f"//{authority}{path}")
        # "//?/" and "//./" are no hosts, but ways past the rules of paths.
        return share if authority not in {"?", "."} and share.is_absolute() else None
    drive = _DRIVE.match(path)
    if drive is None:
        return None
    return PureWindowsPath(f"{drive[1].upper()}:{path[drive.end() :] or '/'}")


def _parts(uri: str) -> tuple[str, str] | None:
    """Return host ("" for this one) and path of a file URI, unescaped."""
    match = _FILE_URI.fullmatch(uri)
    if match is None:
        return None
    authority, path = match["authority"] or "", _unescaped(match["path"])
    if not path or "\0" in path:
        return None
    return ("" if authority.lower() == "localhost" else authority), path


def _unescaped(text: str) -> str:
    """Return `text` without percent escapes, a lone `%` standing for itself; "" if no name.

    The bytes become a name as the operating system's own do, so that on POSIX a name which is
    no valid UTF-8 comes back as the file system spells it. Windows has no such names.
    """
    raw = text.encode("utf-8", "surrogatepass")
    try:
        return os.fsdecode(_ESCAPE.sub(lambda match: bytes.fromhex(match[1].decode()), raw))
    except UnicodeDecodeError:
        return ""
