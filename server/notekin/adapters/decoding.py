"""Turns the bytes of a note into text, whatever encoding it was saved in."""

import codecs
import re

from notekin.app.errors import Unreadable

# Longest first: the mark of UTF-16 begins that of UTF-32.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# Files of these kinds may pass for text in a short sample. None of these begins a text.
_SIGNATURES = (
    b"\x89PNG", b"\xff\xd8\xff", b"%PDF-", b"PK\x03\x04", b"\x7fELF", b"\x1f\x8b",
    b"SQLite format 3\0", b"MZ\x90",
)  # fmt: skip

# Seven-bit encodings look like UTF-8; only their escapes give them away.
_ESCAPES = (
    (b"\x1b$)C", "iso2022_kr"),
    (b"\x1b$B", "iso2022_jp"),
    (b"\x1b$@", "iso2022_jp"),
    (b"\x1b(J", "iso2022_jp"),
)

# What no text is made of: C0 controls but for tab, line ends, form feed, backspace and escape.
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\b\x1b")) + b"\x7f"

# The share of such controls up to which bytes are text: Unicode proves itself, so a few
# stray NULs are let through; random bytes hold a tenth.
_MOST_CONTROLS_IN_UNICODE = 0.1
_MOST_CONTROLS_ELSE = 0.01

# Broken UTF-8 is still UTF-8 when this many times more characters are whole than broken.
_WHOLE_TO_BROKEN = 4

_WIDE = (("utf-32-le", 4), ("utf-32-be", 4), ("utf-16-le", 2), ("utf-16-be", 2))
_UNLIKELY = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f\ue000-\uf8ff\ufffd-\uffff]")

# Where a superset is in use under the older name, it reads what the older one cannot.
_SUPERSETS = {
    "ascii": "cp1252",
    "big5": "big5hkscs",
    "euc_jp": "euc_jis_2004",
    "euc_kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "latin_1": "cp1252",
    "iso8859_9": "cp1254",
    "shift_jis": "cp932",
}

# Guessing an old encoding looks at this many bytes; more makes it slower, hardly surer.
_N_GUESSED_FROM = 8192

# How much more disorder than the best guess Windows-1252 is forgiven, and how many bytes beyond
# ASCII it takes before a guess without any sign of a language is believed. Both were chosen on
# 385 files of known encoding and on short notes in Western European languages.
_CHAOS_FORGIVEN = 0.1
_FEW_HIGH_BYTES = 16
_LAST_ASCII = 127

# What may be a character cut in two at the end: no encoding has bytes as low inside one.
_CUT_OFF = re.compile(rb"(?<=[\x00-\x2f])[^\x00-\x2f]+\Z")

_BINARY = "it holds binary data, not text: give it another suffix, or exclude it in .notekinignore"


def decode(data: bytes) -> str:
    """Return the text of a file, without its byte order mark; raises `Unreadable` for binary data.

    Bytes that no character fits become U+FFFD. Line ends and NULs stay as they are, as an editor
    keeps them.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            text = data[len(mark) :].decode(encoding, "replace")
            if len(_UNLIKELY.findall(text)) > _MOST_CONTROLS_IN_UNICODE * len(text):
                raise Unreadable(_BINARY)
            return text
    if data.startswith(_SIGNATURES):
        raise Unreadable(_BINARY)
    text = _as_utf8(data)
    if text is None:
        text = _as_wide(data)
    if text is None and _share_of_controls(data) <= _MOST_CONTROLS_ELSE:
        text = _as_broken_utf8(data) or _as_legacy(data)
    if text is None:
        raise Unreadable(_BINARY)
    return text


def _as_utf8(data: bytes) -> str | None:
    for escape, encoding in _ESCAPES:
        if escape in data and data.isascii():
            return data.decode(encoding, "replace")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return text if _share_of_controls(data) <= _MOST_CONTROLS_IN_UNICODE else None


def _share_of_controls(data: bytes) -> float:
    n_kept = len(data.translate(None, _CONTROLS))
    return 1 - n_kept / len(data) if data else 0.0


def _as_wide(data: bytes) -> str | None:
    """Return the text when it is UTF-16 or UTF-32 without a mark; every text has some ASCII,
    which shows as NULs on one side.
    """
    if b"\0" not in data:
        return None
    for encoding, width in _WIDE:
        if len(data) % width:
            continue
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if len(_UNLIKELY.findall(text)) <= _MOST_CONTROLS_ELSE * len(text) and _has_ascii(text):
            return text
    return None


def _has_ascii(text: str) -> bool:
    """Tell whether ASCII stands in `text` as often as spaces and line ends do in any script.

    Read from the wrong end, an ASCII character becomes a rare one, not another of ASCII.
    """
    n_ascii = len(text.encode("ascii", "ignore"))
    return n_ascii * 50 >= len(text)


def _as_broken_utf8(data: bytes) -> str | None:
    text = data.decode("utf-8", "replace")
    n_broken = text.count("\ufffd")
    n_whole = len(text) - len(text.encode("ascii", "ignore")) - n_broken
    return text if n_whole >= n_broken * _WHOLE_TO_BROKEN else None


def _as_legacy(data: bytes) -> str:
    """Return text in an encoding older than Unicode, as well as it can be guessed.

    Windows-1252 is by far the commonest, so it wins where the guess has nothing over it.
    """
    from charset_normalizer import from_bytes

    sample = _telling(data)
    guesses = from_bytes(sample, preemptive_behaviour=False)
    best = guesses.best()
    encoding = "cp1252"
    if best is not None and (best.coherence > 0 or _n_high(sample) >= _FEW_HIGH_BYTES):
        western = next((g for g in guesses if "cp1252" in g.could_be_from_charset), None)
        if (
            western is None
            or western.coherence < best.coherence
            or western.chaos > best.chaos + _CHAOS_FORGIVEN
        ):
            encoding = _SUPERSETS.get(best.encoding, best.encoding)
    return data.decode(encoding, "replace")


def _n_high(data: bytes) -> int:
    return sum(byte > _LAST_ASCII for byte in data)


def _telling(data: bytes) -> bytes:
    """Return lines that are not ASCII, enough to guess from: the others say nothing."""
    sample = bytearray()
    for line in data.splitlines(keepends=True):
        if not line.isascii():
            sample += line
        if len(sample) > _N_GUESSED_FROM:
            return _CUT_OFF.sub(b"", bytes(sample[:_N_GUESSED_FROM]))
    return bytes(sample)
