"""Embedding against raw onnxruntime on the same passages, memory, and the loop's stand-stills.

Run with the folder of a vault: `python tests/benchmarks/embedding.py PATH/til-jbranchaud`.
Every number is printed; ratios count, times depend on the machine.
"""

import statistics
import sys
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

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
    print(f"{len(texts)} passages of {statistics.mean(map(len, texts)):.0f} characters")
    both, one, asleep = raw_session(), raw_session(1), raw_session(spins="0")
    rates = fastest(
        texts,
        {
            "raw onnxruntime, one at a time, two threads": (both, 1),
            "one at a time, two threads that do not spin": (asleep, 1),
            "two at a time, two threads": (both, 2),
            "two at a time, two threads that do not spin": (asleep, 2),
            "two at a time, one thread each": (one, 2),
            f"Notekin, {embedder.n_at_once} at a time": (
                lambda text: embedder.embed(text, "document"),
                embedder.n_at_once,
            ),
        },
    )
    baseline = next(iter(rates.values()))
    for name, took in rates.items():
        print(
            f"{name:50} {1 / took.wall:6.1f} passages/s, ratio {baseline.wall / took.wall:.2f}, "
            f"{1000 * took.cpu:.0f} ms of processors each"
        )
    queries = [timed(lambda text=text: embedder.embed(text[:40], "query")) for text in texts]
    print(f"a short query, median: {1000 * statistics.median(queries):.1f} ms")
    with heartbeat("embed 50 passages"):
        for text in texts[:50]:
            embedder.embed(text, "document")


class Seconds(NamedTuple):
    """What a passage took: by the clock, and of the processors."""

    wall: float
    cpu: float


def fastest(
    texts: Sequence[str], ways: Mapping[str, tuple[Callable[[str], object], int]]
) -> Mapping[str, Seconds]:
    """Return for each way (a call, and how many threads make it at once) the mean of a passage by
    its quickest blocks.
    """
    blocks = [texts[start : start + N_IN_BLOCK] for start in range(0, len(texts), N_IN_BLOCK)]
    best: dict[str, list[Seconds]] = {name: [] for name in ways}
    for block in blocks:
        rounds: dict[str, list[Seconds]] = {name: [] for name in ways}
        for _ in range(N_ROUNDS):
            for name, (call, n_at_once) in ways.items():
                call(block[0])  # the other sessions' threads fall asleep meanwhile
                with ThreadPoolExecutor(n_at_once) as pool:
                    wall, cpu = time.perf_counter(), time.process_time()
                    list(pool.map(call, block))
                    took = Seconds(time.perf_counter() - wall, time.process_time() - cpu)
                rounds[name].append(took)
        for name, each in rounds.items():
            best[name].append(min(each))
    return {
        name: Seconds(*(sum(column) / len(texts) for column in zip(*each, strict=True)))
        for name, each in best.items()
    }


def timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def raw_session(n_threads: int = N_THREADS, spins: str = "1") -> Callable[[str], object]:
    """Return the same model run by onnxruntime and tokenizers alone, `n_threads` to a text; `spins`
    is "0" for threads that sleep while they wait for each other.
    """
    import numpy as np
    import onnxruntime
    from tokenizers import Tokenizer

    files = models.default_model()
    tokenizer: Any = Tokenizer.from_file(str(files.tokenizer / "tokenizer.json"))
    tokenizer.enable_truncation(256)
    tokenizer.no_padding()
    library: Any = onnxruntime
    options = library.SessionOptions()
    options.intra_op_num_threads = n_threads
    options.add_session_config_entry("session.intra_op.allow_spinning", spins)
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
