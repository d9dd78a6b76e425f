"""The default model's graph, made to run faster: what it is made of, and that it means the same."""

from collections import Counter
from typing import Any

import numpy as np
import onnxruntime
import pytest
from tokenizers import Tokenizer

from notekin.adapters import models
from notekin.adapters.fused_graph import (
    _message_class,  # pyright: ignore[reportPrivateUsage]
    fused,
)
from notekin.adapters.onnx_sessions import fused_session

LIBRARY: Any = onnxruntime
PATH = models.default_model().model
TEXTS = (
    "",
    "a",
    ".",
    "much",
    "bindweed",
    "\u8fb9\u542c\u8fb9\u9ed8\u9ed8\u91cd\u590d",
    "what did I write about slugs in a wet spring?",
    "\u8bed\u8a00 \u0915\u093e \u00e9t\u00e9 \U0001f331 0123456789 snake_case_name",
    "The compost heap was turned on Sunday, and steamed. " * 4,
    "def water(beds: list[Bed]) -> None:\n    for bed in beds:\n        bed.soak(minutes=20)\n" * 6,
    "| bed | crop | sown |\n|---|---|---|\n" + "| 4 | leeks \U0001f9c5 | 2024-03-01 |\n" * 12,
    "buffalo " * 300,
)


@pytest.fixture(scope="module")
def plain() -> bytes:
    return PATH.read_bytes()


@pytest.fixture(scope="module")
def graph(plain: bytes) -> Any:
    return _message_class().FromString(fused(plain)).graph


def test_every_product_and_every_attention_is_found(graph: Any) -> None:
    operators = Counter(node.op_type for node in graph.node)
    assert operators["DynamicQuantizeMatMul"] == 24  # of 6 layers: query, key, value as one, and 3
    assert operators["Split"] == 6
    assert operators["ReduceMax"] == 12  # the products whose rows are made alike
    assert operators["MultiHeadAttention"] == 6
    assert operators["Gelu"] == 6
    assert not operators.keys() & {"MatMul", "Softmax", "Erf", "Where"}


def test_nothing_is_kept_that_nobody_reads(graph: Any) -> None:
    read = {name for node in graph.node for name in node.input}
    assert {tensor.name for tensor in graph.initializer} <= read
    assert {node.output[0] for node in graph.node} <= read | {each.name for each in graph.output}


def test_texts_mean_the_same() -> None:
    make, path, providers = LIBRARY.InferenceSession, str(PATH), ["CPUExecutionProvider"]
    options = LIBRARY.SessionOptions()
    # As the product makes it: without VNNI the quick sums of the graph by itself are wrong.
    chosen = fused_session(make, path, sess_options=options, providers=providers)
    sessions = make(path, providers=providers), chosen
    tokenizer: Any = Tokenizer.from_file(str(models.bundled_tokenizer() / "tokenizer.json"))
    tokenizer.enable_truncation(256)
    tokenizer.no_padding()
    for text in TEXTS:
        ids = np.array([tokenizer.encode(text).ids])
        ones = np.ones_like(ids)
        feed = {"input_ids": ids, "attention_mask": ones, "token_type_ids": ones * 0}
        one, other = (session.run(None, feed)[0][0].mean(axis=0) for session in sessions)
        cosine = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
        assert cosine > 0.985, text


PRODUCT_OF_FLOATS = """
    Mul x half > halved
    MatMul halved matrix > product
    Add product bias > sum
    Reshape sum shape > y
    Gather y index > z
"""
ATTENTION_WITHOUT_HEADS = """
    MatMul queries keys > products
    Add products mask > scores
    Softmax scores > shares
    Where empty zeros shares > guarded
    MatMul guarded values > attended
    Transpose attended > side
    Reshape side shape > z
"""


@pytest.mark.parametrize("lines", [PRODUCT_OF_FLOATS, ATTENTION_WITHOUT_HEADS])
def test_what_is_not_recognised_stays(lines: str) -> None:
    nodes = [
        {"op_type": operator, "input": inputs, "output": [output]}
        for line in lines.strip().splitlines()
        for operator, *inputs, _, output in [line.split()]
    ]
    made = {node["output"][0] for node in nodes}
    read = sorted({name for node in nodes for name in node["input"]} - made)
    tensors = [{"name": name} for name in read]
    graph = {"node": nodes, "initializer": tensors, "output": [{"name": "z"}]}
    model = _message_class()(graph=graph)
    assert _message_class().FromString(fused(model.SerializeToString())).graph == model.graph
