"""Embedding against raw onnxruntime on the same passages, memory, and the loop's stand-stills.

Run with the folder of a vault: `python tests/benchmarks/embedding.py PATH/til-jbranchaud`.
Every number is printed; ratios count, times depend on the machine.
"""

import statistics
import sys
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from notekin.adapters import models
from notekin.adapters.embedding import load_embedder
from notekin.adapters.tokens import token_counter
from notekin.app.settings import DEFAULT_MODEL

N_PASSAGES = 150
N_THREADS = 2


def main(vault: Path) -> None:
    texts = [path.read_text("utf-8")[:970] for path in sorted(vault.rglob("*.md"))]
    texts = [text for text in texts if len(text) > 600][:N_PASSAGES]
    with heartbeat("load the tokenizer"):
        count = token_counter()
    law = "\n".join(texts) * (2_000_000 // len("\n".join(texts)) + 1)
    with heartbeat("count a text of 2 MB"):
        count([law[:2_000_000]])
    with heartbeat("import the libraries and load the model"):
        embedder = load_embedder(DEFAULT_MODEL, cache=vault, n_threads=N_THREADS)
    embed = raw_session()
    ours: list[float] = []
    raw: list[float] = []
    for text in texts:  # turn by turn, so that both meet the same machine
        raw.append(timed(lambda text=text: embed(text)))
        ours.append(timed(lambda text=text: embedder.embed(text, "document")))
    print(f"{len(texts)} passages of {statistics.mean(map(len, texts)):.0f} characters")
    print(f"raw onnxruntime {rate(raw):6.1f} passages/s")
    print(f"Notekin         {rate(ours):6.1f} passages/s, ratio {rate(ours) / rate(raw):.3f}")
    queries = [timed(lambda text=text: embedder.embed(text[:40], "query")) for text in texts]
    print(f"a short query, median: {1000 * statistics.median(queries):.1f} ms")
    with heartbeat("embed 50 passages"):
        for text in texts[:50]:
            embedder.embed(text, "document")


def rate(seconds: Sequence[float]) -> float:
    """Return passages a second by the median, which one interruption does not move."""
    return 1 / statistics.median(seconds)


def timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def raw_session() -> Callable[[str], object]:
    """Return the same model run by onnxruntime and tokenizers alone."""
    import numpy as np
    import onnxruntime
    from tokenizers import Tokenizer

    files = models.default_model()
    tokenizer: Any = Tokenizer.from_file(str(files.tokenizer / "tokenizer.json"))
    tokenizer.enable_truncation(256)
    tokenizer.no_padding()
    library: Any = onnxruntime
    options = library.SessionOptions()
    options.intra_op_num_threads = N_THREADS
    session = library.InferenceSession(
        str(files.model), options, providers=["CPUExecutionProvider"]
    )

    def embed(text: str) -> object:
        ids = np.array([tokenizer.encode(text).ids], dtype=np.int64)
        ones = np.ones_like(ids)
        feed = {"input_ids": ids, "attention_mask": ones, "token_type_ids": ones * 0}
        vector = session.run(None, feed)[0][0].mean(axis=0)
        return vector / np.linalg.norm(vector)

    return embed


@contextmanager
def heartbeat(name: str) -> Generator[None]:
    """Print how long a piece of work took, and the longest time another thread stood still."""
    longest, done = 0.0, threading.Event()

    def beat() -> None:
        nonlocal longest
        last = time.perf_counter()
        while not done.wait(0.001):
            now = time.perf_counter()
            longest, last = max(longest, now - last), now

    thread = threading.Thread(target=beat)
    thread.start()
    start = time.perf_counter()
    yield
    took = time.perf_counter() - start
    done.set()
    thread.join()
    memory = psutil.Process().memory_info().rss / 2**20
    print(f"{name}: {1000 * took:.0f} ms, longest stand-still {1000 * longest:.0f} ms")
    print(f"    memory afterwards {memory:.0f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
