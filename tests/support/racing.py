"""The moment in which an equal stat proves nothing, as long as a test wants it to be."""

import time

import pytest
from attrs import define

from notekin.app.session import Session

# Longer than any test runs.
_MOMENT_SECONDS = 3600


@define
class Racing:
    """A clock for those who judge whether a file may change unseen: to them every file that is
    written in the test was written just now, until `pass_by`.
    """

    _passed_seconds: float = 0.0

    @classmethod
    def begun(cls, monkeypatch: pytest.MonkeyPatch) -> "Racing":
        """Have the moment of files that are read from now on last."""
        racing = cls()
        for module in ("preparing", "intake"):
            monkeypatch.setattr(f"notekin.app.{module}.RACY_NS", _MOMENT_SECONDS * 1_000_000_000)
        for module in ("syncing", "intake"):
            monkeypatch.setattr(f"notekin.app.{module}.time", racing)
        return racing

    def pass_by(self, session: Session) -> None:
        """Have it be over for all that was written so far."""
        self._passed_seconds += _MOMENT_SECONDS
        session.opened([])  # It sleeps until then by another clock.

    def monotonic(self) -> float:
        return time.monotonic() + self._passed_seconds

    def time_ns(self) -> int:
        return time.time_ns() + int(self._passed_seconds * 1e9)
