"""The embedding model through fastembed.

fastembed and onnxruntime are imported when a model is loaded, on an embedding thread. No
network is touched unless the person named a model that has to be downloaded first.
"""

import ctypes
import gc
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import psutil
from attrs import evolve, frozen

from notekin.adapters import models
from notekin.adapters.onnx_sessions import fused_session, sleeping_session
from notekin.adapters.telemetry import send_nothing
from notekin.adapters.tokens import Cutter, readable, whole_tokenizer
from notekin.app.errors import ModelUnavailable
from notekin.app.ports import Embedder, ModelInfo, Role
from notekin.app.settings import DEFAULT_MODEL
from notekin.core.vectors import Vector

if TYPE_CHECKING:
    from fastembed import TextEmbedding

_PROBE = "The quick brown fox keeps notes about everything it finds."

# No token of a word model is longer than this, so a query is cut to a length that fills any
# window before it is tokenised.
_CHARACTERS_PER_TOKEN = 64

# More at once would leave too little of the machine to the person who works on it (and take 5 MB a
# passage with the default model, more with others); their own setting goes beyond.
_MOST_AT_ONCE = 4

# The window of most models, for one that does not say its own.
_USUAL_WINDOW = 512


@frozen
class _Way:
    """How the session of a model is made: by `make`, which is called like onnxruntime's class,
    with that class before its arguments, and reads a text with `n_threads`. Where the vectors are
    others than by the plain class, `version` says so.
    """

    make: Callable[..., Any]
    n_threads: int
    version: str = ""


def load_embedder(name: str, *, cache: Path, n_threads: int | None = None) -> Embedder:
    """Load the model `name`: the default's name, a fastembed model's, or a folder's full path.

    A fastembed model that is not yet in `cache` is downloaded into it; naming it in the settings
    was the person's choice to do so. As many texts are read at once as `n_threads` says, by default
    as there are physical cores, four at most; by models other than the default each text with as
    many threads. Raises `ModelUnavailable`. Takes about a second; call it on an embedding thread.
    """
    send_nothing()
    n_at_once = n_threads or min(_n_cores(), _MOST_AT_ONCE)
    try:
        _import_libraries()
        model = _load(name, cache, n_at_once)
    except ModelUnavailable:
        raise
    except Exception as error:
        # The libraries raise whatever they like for a damaged file or a wrong processor.
        reason = " ".join(str(error).split()) or type(error).__name__
        raise ModelUnavailable(
            f"The model {name} cannot be loaded ({reason}): {_remedy(name)}"
        ) from error
    _give_memory_back()
    return evolve(model, n_at_once=n_at_once)


def _remedy(name: str) -> str:
    if name == DEFAULT_MODEL:
        return "install Notekin again, or name another model in the setting notekin.model."
    return (
        "name another one in the setting notekin.model, or remove the setting to use the default."
    )


def _load(name: str, cache: Path, n_threads: int) -> "_FastEmbedder":
    if name == DEFAULT_MODEL:
        # A second thread would save a text less time than it takes from the texts beside it.
        way = _Way(fused_session, n_threads=1, version=" fused=3")
        return _from_folder(name, models.default_model(), way)
    way = _Way(sleeping_session, n_threads)
    if models.is_folder(name):
        return _from_folder(name, models.folder_model(name), way)
    return _from_fastembed(name, cache, way)


def _from_folder(name: str, folder: models.ModelFolder, way: _Way) -> "_FastEmbedder":
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    by_cls = models.pools_by_cls(folder.tokenizer)
    registered = (
        f"notekin/{models.digest([], str(folder.model), str(folder.tokenizer), str(by_cls))}"
    )
    known = {model["model"] for model in TextEmbedding.list_supported_models()}
    if registered not in known:
        TextEmbedding.add_custom_model(
            model=registered,
            pooling=PoolingType.CLS if by_cls else PoolingType.MEAN,
            normalization=True,
            sources=ModelSource(hf=registered),
            dim=0,  # read from the probe instead
            # An absolute path stands where fastembed joins it to the tokenizer's folder, so the
            # two need not lie together and nothing has to be copied or linked.
            model_file=str(folder.model),
        )
    model = _text_embedding(registered, folder.tokenizer, way)
    pooling = f"cls={by_cls}{way.version}"
    return _embedder(name, model, folder.tokenizer, [folder.model], pooling)


def _from_fastembed(name: str, cache: Path, way: _Way) -> "_FastEmbedder":
    from fastembed import TextEmbedding
    from loguru import logger

    logger.disable("fastembed")  # what it has to say reaches the person as our error
    listed = {str(model["model"]).lower(): model for model in TextEmbedding.list_supported_models()}
    found = listed.get(name.lower())
    if found is None:
        raise ModelUnavailable(_unknown(name, [str(model["model"]) for model in listed.values()]))
    folder = _fetch(found, cache)
    model = _text_embedding(str(found["model"]), folder, way)
    files = [folder / str(found["model_file"]), *(folder / f for f in found["additional_files"])]
    return _embedder(str(found["model"]), model, folder, files, type(model.model).__name__)


def _fetch(listed: dict[str, Any], cache: Path) -> Path:
    """Return the folder of a model of fastembed's list, downloaded if it is not in `cache` yet."""
    from fastembed import TextEmbedding
    from fastembed.common.model_description import DenseModelDescription, ModelSource

    fields: dict[str, Any] = {**listed, "sources": ModelSource(**listed["sources"])}
    description = DenseModelDescription(**fields)
    try:
        return TextEmbedding.download_model(description, str(cache), retries=1)
    except Exception as error:
        raise ModelUnavailable(
            f"The model {description.model} is not on this machine and could not be downloaded: "
            "connect to the internet and reload, or remove the setting notekin.model to use "
            f"{DEFAULT_MODEL}, which needs no download. Search by words works meanwhile."
        ) from error


def _unknown(name: str, names: Sequence[str]) -> str:
    near = get_close_matches(name, [DEFAULT_MODEL, *names], n=1, cutoff=0.4)
    hint = f"did you mean {near[0]}?" if near else f"the default is {DEFAULT_MODEL}."
    return (
        f"There is no model {name}: {hint} A model of your own is named by the full path of "
        "its folder."
    )


def _text_embedding(name: str, folder: Path, way: _Way) -> "TextEmbedding":
    from fastembed import TextEmbedding

    with _sessions_made_by(way.make):
        return TextEmbedding(
            name,
            specific_model_path=str(folder),
            cache_dir=str(folder),  # Nothing is cached; without it one in the system's is made.
            threads=way.n_threads,
            providers=["CPUExecutionProvider"],
        )


@contextmanager
def _sessions_made_by(make: Callable[..., Any]) -> Generator[None]:
    """Have fastembed make its session by `make`: it hands on a few of onnxruntime's options only,
    and no graph. It looks the class up where it makes the session, on this thread. Only one model
    may be loaded at a time.
    """
    import onnxruntime

    library: Any = onnxruntime
    plain = library.InferenceSession
    library.InferenceSession = partial(make, plain)
    try:
        yield
    finally:
        library.InferenceSession = plain


def _embedder(
    name: str, model: "TextEmbedding", folder: Path, files: Sequence[Path], pooling: str
) -> "_FastEmbedder":
    prefixes = models.prefixes_of(name)
    window = _window(model)
    cutter = Cutter(whole_tokenizer(folder), window, prefixes.document)
    words = (name, pooling, prefixes.document, prefixes.query, str(window))
    probe = _vector(model, _PROBE, "document")
    info = ModelInfo(
        name=name,
        dim=len(probe) // 4,
        window=window,
        fingerprint=models.digest([path for path in files if path.is_file()], *words),
        probe=probe,
    )
    return _FastEmbedder(model, info, prefixes, cutter)


def _window(model: "TextEmbedding") -> int:
    """Return at how many tokens, special ones included, the model cuts what it is given."""
    tokenizer: Any = getattr(model.model, "tokenizer", None)
    truncation = cast("dict[str, Any] | None", tokenizer.truncation) if tokenizer else None
    return int(truncation["max_length"]) if truncation else _USUAL_WINDOW


def _vector(model: "TextEmbedding", text: str, role: Role) -> Vector:
    """Return the unit vector of one text, the prefix included, cut at the window."""
    import numpy as np

    embed = model.query_embed if role == "query" else model.passage_embed
    values = np.asarray(next(iter(embed([text]))), dtype=np.float32)
    length = float(np.linalg.norm(values))
    return (values / length if length else values).astype("<f4").tobytes()


@frozen
class _FastEmbedder:
    """A loaded model. Any number of threads may call it at the same time."""

    _model: "TextEmbedding"
    info: ModelInfo
    _prefixes: models.Prefixes
    _cutter: Cutter
    n_at_once: int = 1

    def embed(self, text: str, role: Role) -> Sequence[Vector]:
        if role == "query":
            head = readable(text)[: self.info.window * _CHARACTERS_PER_TOKEN]
            return [_vector(self._model, self._prefixes.query + head, role)]
        return [
            _vector(self._model, self._prefixes.document + readable(part), role)
            for part in self._cutter.parts(text)
        ]


def _n_cores() -> int:
    return psutil.cpu_count(logical=False) or psutil.cpu_count() or 1


def _import_libraries() -> None:
    """Import what runs a model, once, so that no other thread stands still for long.

    Importing makes so many objects that Python searches the whole heap for garbage, under its
    lock: 60 ms in a small server, more in one that has read a vault. What is frozen is left out
    of every later search; it is still freed when nothing refers to it. A later model is loaded
    without freezing, so that the one before it cannot be caught in a cycle for good.
    """
    if "fastembed" in sys.modules:
        return
    _read_ahead("onnxruntime", "onnxruntime_pybind11_state")
    gc.freeze()
    import fastembed  # noqa: F401  # pyright: ignore[reportUnusedImport]

    gc.freeze()  # the libraries' own objects live as long as the process


def _read_ahead(package: str, stem: str) -> None:
    """Bring a package's big library into the file cache, without holding the interpreter's lock.

    Python loads a library under its lock; from a cold disk that alone would stop the loop for
    longer than a keystroke may take.
    """
    spec = find_spec(package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for path in Path(folder).rglob(f"{stem}*"):
            with path.open("rb", buffering=0) as file:
                while file.read(1 << 20):
                    pass


def _give_memory_back() -> None:
    """Return to the system what loading took for a moment: some 40 MB that glibc would keep."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # musl has none
        if trim is not None:
            trim(0)
