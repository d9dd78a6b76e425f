"""What the tests of the use cases share."""

from collections.abc import Iterator

import pytest

from support.gate import Gate
from support.racing import Racing
from support.vault import PATIENCE_SECONDS


@pytest.fixture
def gate() -> Iterator[Gate]:
    """Yield a closed gate; it opens at the end, so that no thread is left standing."""
    made = Gate()
    yield made
    made.open()


@pytest.fixture
def racing(monkeypatch: pytest.MonkeyPatch) -> Racing:
    """Any file may have changed a moment ago, until the test says that the moment is over."""
    return Racing.begun(monkeypatch)


@pytest.fixture(autouse=True)
def patient_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search waits for what was saved before it, however busy the machine is."""
    monkeypatch.setattr("notekin.app.vault._READ_YOUR_WRITES_SECONDS", PATIENCE_SECONDS)
