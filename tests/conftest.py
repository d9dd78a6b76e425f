"""Rules that hold for every test, and the fixtures that several rooms share."""

import os
from collections.abc import Generator
from pathlib import Path

import pytest

from notekin.adapters.files import VaultFiles
from notekin.app.ports import FileText
from support.vault import Scratch, scratch


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turn a skip into a failure: a green CI run must have run everything."""
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"CI=true allows no skipped test. {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if os.environ.get("CI") == "true":
        _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if os.environ.get("CI") == "true":
        _refuse_skip(report)
    return report


@pytest.fixture
def vault(tmp_path: Path) -> Generator[Scratch]:
    """An empty vault with an engine, not yet open."""
    with scratch(tmp_path) as made:
        yield made


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The notes whose files were read, in order."""
    paths: list[str] = []
    read = VaultFiles.read

    def noting(files: VaultFiles, path: str) -> FileText:
        paths.append(path)
        return read(files, path)

    monkeypatch.setattr(VaultFiles, "read", noting)
    return paths
