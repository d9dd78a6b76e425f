"""How the session that runs a model is made, in the place of onnxruntime's class.

Each function takes that class and what it would be called with by fastembed, and returns a session.
"""

from functools import partial
from pathlib import Path
from typing import Any

from notekin.adapters.fused_graph import fused

# It makes one operation of an addition and the norm that follows, which takes longer than the two.
_SLOWER = "SkipLayerNormFusion"

# How many tokens, and how far apart in the vocabulary, show what a session makes of a text.
_N_TOKENS, _STRIDE = 128, 199

# The first numbers, in hundredths, of the mean of what the default model's file makes of them, and
# the cosine to these above which a graph means the same. The fused one has 0.994.
_MEANT = (2, 3, 3, 3, -14, 10, -4, -15, -9, 1, -2, -20, -8, -6, -8, 6)
_SAME_MEANING = 0.95


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
    processors, both ways are tried. Where even the slower one is wrong, by a fault of the processor
    or of onnxruntime, the file is run as it is; the model's probe keeps its vectors apart.
    """
    import numpy as np

    graph = fused(Path(model).read_bytes())
    make = partial(plain, graph, providers=providers, disabled_optimizers=[_SLOWER])
    quick = make(sess_options=sess_options)
    sess_options.add_session_config_entry("session.x64quantprecision", "1")
    exact = make(sess_options=sess_options)
    right = _answer(exact)
    if not _is_meant(right):
        return plain(model, sess_options=sess_options, providers=providers)
    session = quick if np.array_equal(_answer(quick), right) else exact
    # onnxruntime keeps the graph's 22 MB to make the session again for another provider, should
    # this one fail. There is no other.
    session._model_bytes = None  # noqa: SLF001
    return session


def _answer(session: Any) -> Any:
    """Return the vectors of some tokens, always the same: a row each."""
    import numpy as np

    ids = np.arange(0, _N_TOKENS * _STRIDE, _STRIDE, dtype=np.int64).reshape(1, -1)
    feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": ids * 0}
    return session.run(None, feed)[0][0]


def _is_meant(answer: Any) -> bool:
    import numpy as np

    mean = answer.mean(axis=0)[: len(_MEANT)]
    return bool(mean @ _MEANT > _SAME_MEANING * np.linalg.norm(mean) * np.linalg.norm(_MEANT))
