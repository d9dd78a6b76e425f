"""Asks for the password of PDFs that need one, where a person sits at the terminal."""

import sys
from collections.abc import Sequence
from getpass import getpass
from pathlib import Path

from notekin.app.cancel import CancelToken
from notekin.cli.engine import Session
from notekin.cli.output import place, tell
from notekin.cli.progress import for_ever, wait

_N_NAMED = 3


def ask_for_password(session: Session, token: CancelToken) -> None:
    """Ask once, for all PDFs that need one, and wait until they are read. What is given is kept
    until this command ends.
    """
    locked = _locked(session)
    password = _asked(locked) if locked and _is_a_person_there() else ""
    if not password:
        return
    session.unlock([password], None, token)
    wait(session, "idle", for_ever, token)
    if _locked(session) == locked:
        tell("That password opens none of them.")


def _is_a_person_there() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _locked(session: Session) -> Sequence[Path]:
    """Return the PDFs that a password opens; none where another process would have to read them."""
    return [
        failure.path
        for status in session.status()
        if not status.following
        for failure in status.failures
        if failure.locked
    ]


def _asked(locked: Sequence[Path]) -> str:
    names = ", ".join(map(place, locked[:_N_NAMED]))
    more = " and more" if len(locked) > _N_NAMED else ""
    tell(f"A password is needed for {names}{more}.")
    try:
        return getpass("Password (Return goes on without): ")
    except EOFError:
        return ""
