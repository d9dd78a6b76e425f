"""PDFs that are read again because settings now let more of them be read.

The index keeps with which settings its PDFs were read, so that a change made while nothing ran is
noticed at the next start. It is kept only once all that it lets be read was read: a process that
ends before leaves the difference to the next one.
"""

import hashlib
import json
import secrets
import threading
from collections.abc import Collection, Sequence

from attrs import asdict, frozen

from notekin.app.inbox import Inbox
from notekin.app.pdf_parts import PdfParts
from notekin.app.ports import Index, IndexWriter, PdfOptions

# As many PDFs that were read in part are tried again when a setting may help.
_N_RETRIED = 10_000

# Trying a password by the digest costs this many hashes; a digest is some tens of milliseconds.
_N_ROUNDS = 100_000
# What it can tell at all is one password of 65,536 from another: thousands of any dictionary fit.
# A change that it misses is as rare.
_DIGEST_BYTES = 2


@frozen
class PdfSettings:
    """With which settings PDFs are read, in a form that may stand in an index: of passwords there
    is only a salted digest, "" for none.
    """

    ocr: bool = False
    max_pages: int = 0
    page_seconds: float = 0
    memory_mb: int = 0
    passwords: str = ""
    salt: str = ""

    @classmethod
    def of(cls, options: PdfOptions, salt: str) -> "PdfSettings":
        """Return what is kept of options; takes a moment where there are passwords."""
        return cls(
            ocr=options.ocr,
            max_pages=options.max_pages,
            page_seconds=options.page_seconds,
            memory_mb=options.memory_mb,
            passwords=_digest(options.passwords, salt),
            salt=salt,
        )

    @classmethod
    def kept_as(cls, text: str) -> "PdfSettings":
        """Return what `text` stands for; what cannot be understood is as if nothing was kept."""
        try:
            return cls(**json.loads(text))
        except (TypeError, ValueError):
            return cls(salt=secrets.token_hex(16))

    @property
    def text(self) -> str:
        """What an index keeps."""
        return json.dumps(asdict(self))

    def may_help(self, before: "PdfSettings") -> bool:
        """Return whether something may be read that could not be read with those of before.

        Less does not count: a command line that knows nothing of an editor's settings would have
        what was read by OCR removed, and the editor would read it once more.
        """
        return (
            (self.ocr and not before.ocr)
            or self.max_pages > before.max_pages
            or self.page_seconds > before.page_seconds
            or self.memory_mb > before.memory_mb
            or self.passwords not in ("", before.passwords)
        )


class PdfRetries:
    """Has PDFs of one vault read again. Any thread may call `ask` and `unlock`, the indexer's
    alone the rest.
    """

    def __init__(self, index: Index, inbox: Inbox, parts: PdfParts) -> None:
        self._index = index
        self._inbox = inbox
        self._options = parts.options
        self._keys = parts.keys
        self._kept = PdfSettings()
        self._now = self._kept
        self._is_asked = False
        # Settings are never kept before what they let be read waits.
        self._changing = threading.Lock()

    def ask(self) -> None:
        """Settings changed: read again what could not be read, or in part only."""
        due, now = self._incomplete(), PdfSettings.of(self._options(), self._kept.salt)
        with self._changing:
            self._inbox.look(due, forced=True)
            self._now = now

    def unlock(self) -> None:
        """Passwords were given: try them."""
        self._inbox.look(self._locked(), forced=True)

    def begin(self) -> None:
        """The index was opened: look what it keeps."""
        with self._index.read() as reader:
            kept = reader.pdf_settings()
        self._kept = PdfSettings.kept_as(kept)
        self._now = PdfSettings.of(self._options(), self._kept.salt)
        self._is_asked = False

    def forget(self) -> None:
        """What was asked for came to nothing: ask once more after the next comparison."""
        self._is_asked = False

    def compared(self) -> bool:
        """All files were compared with the index: where settings changed while nothing ran, ask;
        return whether there was anything to ask for.
        """
        if self._is_asked:
            return False
        self._is_asked = True
        due: set[str] = set()
        if self._now.may_help(self._kept):
            # What is raw may have been on its way when the last process ended.
            due.update(self._incomplete(), self._raw())
        if not self._keys.is_empty:
            # The process that indexed until now was not given them.
            due.update(self._locked())
        self._inbox.look(due, forced=True)
        return bool(due)

    def keep(self, writer: IndexWriter) -> None:
        """No PDF waits any more: keep the settings, unless some are still to be asked for."""
        with self._changing:
            now = self._now
            is_due = self._inbox.has_orders or self._inbox.scan_due or not self._is_asked
        if now != self._kept and not is_due:
            writer.keep_pdf_settings(now.text)
            self._kept = now

    def _incomplete(self) -> Sequence[str]:
        with self._index.read() as reader:
            failed = [p for p, note in reader.notes().items() if note.kind == "pdf" and note.reason]
            return [*failed, *(path for path, _ in reader.warnings(_N_RETRIED))]

    def _locked(self) -> Collection[str]:
        with self._index.read() as reader:
            return reader.locked()

    def _raw(self) -> Sequence[str]:
        with self._index.read() as reader:
            return [path for path, note in reader.notes().items() if note.stage == "raw"]


def _digest(passwords: Sequence[str], salt: str) -> str:
    """Return what changes with the passwords and tells none.

    PBKDF2, as every Python has it, also one whose OpenSSL allows approved algorithms only.
    """
    if not passwords:
        return ""
    secret = json.dumps(passwords).encode()
    digest = hashlib.pbkdf2_hmac("sha256", secret, bytes.fromhex(salt), _N_ROUNDS)
    return digest[:_DIGEST_BYTES].hex()
