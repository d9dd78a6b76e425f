"""Every case of tests/cases/lsp: a client's messages, and what it must get back."""

from pathlib import Path
from typing import Any

import pytest

from support.lsp_cases import load, run


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in load()])
async def test_case(case: Any, tmp_path: Path) -> None:
    await run(case, tmp_path)
