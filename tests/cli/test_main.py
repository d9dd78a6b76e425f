"""The program's first lines: which Python runs it, and how cheaply."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import notekin
from notekin.__main__ import refusal

PACKAGE = Path(notekin.__file__).parent


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 12), (3, 14, 9)])
def test_a_fit_python_is_accepted(version: tuple[int, ...]) -> None:
    assert refusal(version) == ""


@pytest.mark.parametrize("version", [(3, 6), (3, 10, 12), (3, 15), (4, 0)])
def test_another_python_is_refused_with_a_sentence(version: tuple[int, ...]) -> None:
    found = f"{version[0]}.{version[1]}"
    assert f"Notekin needs Python 3.11 to 3.14; this is {found}." in refusal(version)


@pytest.mark.parametrize("name", ["__init__.py", "__main__.py"])
def test_an_old_python_can_read_the_guard(name: str) -> None:
    source = (PACKAGE / name).read_text("utf-8")
    ast.parse(source, feature_version=(3, 7))


@pytest.mark.parametrize(
    ("module", "absent"),
    [
        ("notekin.__main__", ["cyclopts", "rich", "numpy", "pygls"]),
        ("notekin.cli.app", ["numpy", "pygls", "apsw", "fastembed", "onnxruntime"]),
    ],
)
def test_libraries_are_loaded_when_they_are_needed(module: str, absent: list[str]) -> None:
    code = f"import {module}, sys; print([n for n in {absent!r} if n in sys.modules])"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "[]"
