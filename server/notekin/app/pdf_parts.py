"""What an indexer needs to read the PDFs of its vault."""

from collections.abc import Callable

from attrs import frozen

from notekin.app.inbox import Inbox
from notekin.app.keyring import Keyring
from notekin.app.pdf_desk import PdfDesk
from notekin.app.pdf_reading import PdfReader
from notekin.app.pdfs import Pdfs
from notekin.app.ports import Files, Index, PdfOptions, PdfShelf
from notekin.app.preparing import Preparer


@frozen
class PdfParts:
    """The desk of all vaults, the shelf of this one, how the settings of the moment say to read,
    and the passwords that were given beside them.
    """

    desk: PdfDesk
    shelf: PdfShelf
    options: Callable[[], PdfOptions]
    keys: Keyring

    def of(self, files: Files, index: Index, prepare: Preparer, inbox: Inbox) -> Pdfs:
        """Return what reads the PDFs of a vault."""

        def options() -> PdfOptions:
            return self.keys.added_to(self.options())

        reader = PdfReader(files, index, self.shelf, self.desk.extractor, options, prepare)
        return Pdfs(index, reader, self.shelf, self.desk, inbox)
