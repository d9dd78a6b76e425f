"""What the sources of settings make together, and what becomes of one that is taken back."""

from pathlib import Path
from typing import Any

import pytest
from attrs import define

from notekin.app.configuring import Configuration, EditorSettings
from notekin.app.overlays import Overlay, Source, parse

STARTING = Source("initializationOptions")
RUNNING = Source("your editor's settings", prefix="notekin.")
ALL = {"model": "another", "exclude": ["drafts/"], "indexing": {"threads": 2}}


@define
class NoFiles:
    """Nobody wrote a file."""

    def person(self) -> Overlay:
        return Overlay()

    def vault(self, root: Path) -> Overlay:  # noqa: ARG002
        return Overlay()


def _configuration(options: Any) -> Configuration:
    return Configuration(NoFiles(), parse(options, STARTING))


def _hear(configuration: Configuration, said: Any) -> None:
    configuration.heard(EditorSettings(parse(said, RUNNING)))


@pytest.mark.parametrize("left", [{}, {"exclude": ["drafts/"]}, {"model": "another"}])
def test_what_an_editor_repeats_when_it_is_asked_it_can_take_back(left: Any) -> None:
    configuration = _configuration(ALL)
    _hear(configuration, ALL)
    assert configuration.now.common.model == "another"
    assert configuration.now.common.exclude == ("drafts/",)
    _hear(configuration, left)
    assert configuration.now == _configuration(left).now


def test_a_wrong_setting_that_is_repeated_and_put_right_is_told_no_more() -> None:
    wrong = {"model": "another", "hover": "yes"}
    configuration = _configuration(wrong)
    assert configuration.now.notices
    _hear(configuration, wrong)
    _hear(configuration, {"model": "another", "hover": True})
    assert configuration.now.notices == ()


@pytest.mark.parametrize("answer", [None, {}, {"hover": True}, {"model": "a third"}])
def test_what_an_editor_says_only_when_it_starts_holds_until_it_ends(answer: Any) -> None:
    configuration = _configuration({"model": "another", "exclude": ["drafts/"]})
    _hear(configuration, answer)
    _hear(configuration, {})
    assert configuration.now.common.model == "another"
    assert configuration.now.common.exclude == ("drafts/",)
