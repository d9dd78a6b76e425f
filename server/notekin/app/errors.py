"""What can go wrong, each with a sentence for the person.

NotekinError
├── BadRequest        the caller asked for something that cannot be: -32602, exit status 2
├── BadSetting        a setting is wrong; names key, value, where it stands and the remedy
├── Cancelled         the caller took the request back: -32800
├── NotIndexed        the folder was never indexed
├── Unreadable        one file cannot be read as a note; the rest goes on
├── ModelUnavailable  the embedding model cannot be loaded; words still work
└── IndexUnusable     the index cannot be opened or written (damaged, newer, disk full, read-only)
"""

from notekin.app.results import Reason


class NotekinError(Exception):
    """The base of all: `str(error)` is a sentence a person can act on."""


class BadRequest(NotekinError):
    """The caller asked for something that cannot be."""


class BadSetting(NotekinError):
    """A setting is wrong."""


class Cancelled(NotekinError):
    """The caller took the request back."""


class NotIndexed(NotekinError):
    """The folder was never indexed."""


class Unreadable(NotekinError):
    """One file cannot be read as a note."""


class ModelUnavailable(NotekinError):
    """The embedding model cannot be loaded."""


class IndexUnusable(NotekinError):
    """The index cannot be opened or written.

    `reason` is the word that a status shows: `readOnly`, `noSpace`, `damaged` or `busy`; or
    `otherProcess`, where a command needs the index for itself.
    """

    def __init__(self, sentence: str, reason: Reason = "damaged") -> None:
        super().__init__(sentence)
        self.reason: Reason = reason
