"""Which session runs the default model: the quickest of those that compute what its file means."""

from functools import cache
from typing import Any

import numpy as np
import onnxruntime
import pytest

from notekin.adapters import models
from notekin.adapters.onnx_sessions import fused_session

LIBRARY: Any = onnxruntime
PATH = str(models.default_model().model)


@cache
def file_session() -> Any:
    return LIBRARY.InferenceSession(PATH, providers=["CPUExecutionProvider"])


class Options(dict[str, str]):
    def add_session_config_entry(self, key: str, value: str) -> None:
        self[key] = value


class Session:
    """Answers as the default model's file does, plus an error."""

    def __init__(self, name: str, error: float) -> None:
        self.name = name
        self.error = error

    def run(self, names: None, feed: dict[str, Any]) -> list[Any]:
        return [file_session().run(names, feed)[0] + self.error]


class Processor:
    """Stands for onnxruntime's class. Its quick sums and its exact ones have these errors; the
    model's file needs neither.
    """

    def __init__(self, quick: float, exact: float) -> None:
        self.quick, self.exact = Session("quick", quick), Session("exact", exact)

    def __call__(self, model: str | bytes, *, sess_options: Options, **others: object) -> Session:
        del others
        if model == PATH:
            return Session("file", 0.0)
        return self.exact if "session.x64quantprecision" in sess_options else self.quick


@pytest.mark.parametrize(
    ("quick", "exact", "taken"),
    [
        (0.0, 0.0, "quick"),
        (0.001, 0.001, "quick"),
        (0.001, 0.0, "exact"),
        (9.0, 0.0, "exact"),
        (9.0, 9.0, "file"),
        (0.0, 9.0, "file"),
        (np.nan, np.nan, "file"),
    ],
)
def test_the_quickest_right_session_is_taken(quick: float, exact: float, taken: str) -> None:
    made = fused_session(Processor(quick, exact), PATH, sess_options=Options(), providers=[])
    assert made.name == taken


def test_here_the_fused_graph_is_run_and_not_kept() -> None:
    options, providers = LIBRARY.SessionOptions(), ["CPUExecutionProvider"]
    made = fused_session(LIBRARY.InferenceSession, PATH, sess_options=options, providers=providers)
    held: dict[str, object] = made.__dict__
    assert PATH not in held.values()
    assert [name for name, value in held.items() if isinstance(value, bytes)] == []


def test_an_addition_and_a_norm_stay_two_operations() -> None:
    asked: list[object] = []

    def make(model: str | bytes, *, disabled_optimizers: object = None, **others: Any) -> Any:
        asked.append(disabled_optimizers)
        return LIBRARY.InferenceSession(model, disabled_optimizers=disabled_optimizers, **others)

    fused_session(
        make, PATH, sess_options=LIBRARY.SessionOptions(), providers=["CPUExecutionProvider"]
    )
    assert asked == [["SkipLayerNormFusion"]] * 2
