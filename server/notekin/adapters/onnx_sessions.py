"""How the session that runs a model is made, in the place of onnxruntime's class.

Each function takes that class and what it would be called with by fastembed, and returns a session.
"""

from pathlib import Path
from typing import Any

from notekin.adapters.fused_graph import fused

# How many tokens, and how far apart in the vocabulary, show whether two sessions compute the same.
_N_COMPARED, _STRIDE = 128, 199


def sleeping_session(plain: Any, model: str, *, sess_options: Any, providers: Any) -> Any:
    """Return a session whose threads sleep while they wait for each other.

    They would spin, which keeps a processor from whatever else the machine does: from another
    passage, from the words of the same search, and from the thread that they wait for
    (docs/decisions/0016).
    """
    sess_options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return plain(model, sess_options=sess_options, providers=providers)


def fused_session(plain: Any, model: str, *, sess_options: Any, providers: Any) -> Any:
    """Return a session of the default model's fused graph, which multiplies integers.

    Processors without the instructions for that (VNNI) add them up in 16 bits, where some sums
    have no place, unless onnxruntime is asked to take a slower way. Rather than to know all
    processors, both ways are tried.
    """
    graph = fused(Path(model).read_bytes())
    quick = plain(graph, sess_options=sess_options, providers=providers)
    sess_options.add_session_config_entry("session.x64quantprecision", "1")
    exact = plain(graph, sess_options=sess_options, providers=providers)
    session = quick if _compute_the_same(quick, exact) else exact
    # onnxruntime keeps the graph's 22 MB to make the session again for another provider, should
    # this one fail. There is no other.
    session._model_bytes = None  # noqa: SLF001
    return session


def _compute_the_same(one: Any, other: Any) -> bool:
    import numpy as np

    ids = np.arange(0, _N_COMPARED * _STRIDE, _STRIDE, dtype=np.int64).reshape(1, -1)
    feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": ids * 0}
    return np.array_equal(one.run(None, feed)[0], other.run(None, feed)[0])
