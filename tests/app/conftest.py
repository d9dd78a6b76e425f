"""What the tests of the use cases share."""

from collections.abc import Iterator

import pytest

from support.gate import Gate


@pytest.fixture
def gate() -> Iterator[Gate]:
    """Yield a closed gate; it opens at the end, so that no thread is left standing."""
    made = Gate()
    yield made
    made.open()
