"""Passwords of PDFs that a person gave to this process, beside those in their `config.toml`."""

from collections.abc import Sequence

from attrs import evolve

from notekin.app.ports import PdfOptions


class Keyring:
    """Kept in memory until the process ends, and nowhere else. Any thread may call."""

    def __init__(self) -> None:
        self._passwords: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not self._passwords

    def take(self, passwords: Sequence[str]) -> bool:
        """Have these in the place of those before; return whether any of them is new."""
        before, self._passwords = self._passwords, tuple(passwords)
        return not set(passwords) <= set(before)

    def added_to(self, options: PdfOptions) -> PdfOptions:
        """Return how to read PDFs, with these passwords, too."""
        return evolve(options, passwords=(*options.passwords, *self._passwords))
