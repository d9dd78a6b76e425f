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

N_PASSAGES = 100
N_THREADS = 2
N_ROUNDS = 3
N_FIT = 254

# Two sessions in one process, turn by turn, would hinder each other: the threads of one still
# spin when the other starts. In blocks they meet the same machine and not each other.
N_IN_BLOCK = 20


def main(vault: Path) -> None:
    texts = [path.read_text("utf-8")[:970] for path in sorted(vault.rglob("*.md"))]
    texts = [text for text in texts if len(text) > 600]
    with heartbeat("load the tokenizer"):
        count = token_counter()
    law = "\n".join(texts) * (2_000_000 // len("\n".join(texts)) + 1)
    with heartbeat("count a text of 2 MB"):
        count([law[:2_000_000]])
    with heartbeat("import the libraries and load the model"):
        embedder = load_embedder(DEFAULT_MODEL, cache=vault)
    # Only what fits the window: the bare session would drop the rest, Notekin embeds it too.
    texts = [text for text, n in zip(texts, count(texts), strict=True) if n <= N_FIT][:N_PASSAGES]
    raw, ours = fastest(texts, raw_session(), lambda text: embedder.embed(text, "document"))
    print(f"{len(texts)} passages of {statistics.mean(map(len, texts)):.0f} characters")
    print(f"raw onnxruntime {rate(raw):6.1f} passages/s")
    print(f"Notekin         {rate(ours):6.1f} passages/s, ratio {rate(ours) / rate(raw):.3f}")
    queries = [timed(lambda text=text: embedder.embed(text[:40], "query")) for text in texts]
    print(f"a short query, median: {1000 * statistics.median(queries):.1f} ms")
    with heartbeat("embed 50 passages"):
        for text in texts[:50]:
            embedder.embed(text, "document")


def fastest(texts: Sequence[str], *calls: Callable[[str], object]) -> Sequence[Sequence[float]]:
    """Return for each call the shortest time of each text, in seconds."""
    times = [[float("inf")] * len(texts) for _ in calls]
    for _ in range(N_ROUNDS):
        for start in range(0, len(texts), N_IN_BLOCK):
            for call, best in zip(calls, times, strict=True):
                call(texts[start])  # the other session's threads fall asleep meanwhile
                for place in range(start, min(start + N_IN_BLOCK, len(texts))):
                    took = timed(lambda text=texts[place], call=call: call(text))
                    best[place] = min(best[place], took)
    return times


def rate(seconds: Sequence[float]) -> float:
    """Return passages a second."""
    return 1 / statistics.mean(seconds)


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
