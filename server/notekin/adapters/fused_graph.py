"""The default model's graph, written anew in the operators that onnxruntime runs fastest.

The file keeps its weights as int8, each times a scale, and has onnxruntime make floats of them when
it loads: four times as big, and all of them are read for every text, however short. Its attention
is spelled out in some twenty operations a layer. In the graph that `fused` returns

- int8 matrices are multiplied as they are, by an operator that rounds the other side to uint8;
  where its rows differ much in size, they are made alike before and differ again after;
- of the tables of words and places only the rows that a text asks for become floats;
- attention and GELU are one operation each, and so are the three products before an attention.

docs/decisions/0017-the-model-in-integers.md says what that brings and what it costs. Only what is
touched of the ONNX format is declared here; protobuf keeps the rest of a file as it is.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, Self

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format

Node = Any
"""One operation of a graph, with the names of what it reads and makes."""

# The numbers are those of onnx.proto.
_FORMAT = """
name: "onnx-in-part" package: "onnx"
message_type { name: "Model"
  field { number: 7 name: "graph" label: LABEL_OPTIONAL type_name: "Graph" }
  field { number: 8 name: "opset_import" label: LABEL_REPEATED type_name: "Opset" } }
message_type { name: "Opset"
  field { number: 1 name: "domain" label: LABEL_OPTIONAL type: TYPE_STRING }
  field { number: 2 name: "version" label: LABEL_OPTIONAL type: TYPE_INT64 } }
message_type { name: "Graph"
  field { number: 1 name: "node" label: LABEL_REPEATED type_name: "Node" }
  field { number: 5 name: "initializer" label: LABEL_REPEATED type_name: "Tensor" }
  field { number: 12 name: "output" label: LABEL_REPEATED type_name: "Named" } }
message_type { name: "Node"
  field { number: 1 name: "input" label: LABEL_REPEATED type: TYPE_STRING }
  field { number: 2 name: "output" label: LABEL_REPEATED type: TYPE_STRING }
  field { number: 4 name: "op_type" label: LABEL_OPTIONAL type: TYPE_STRING }
  field { number: 5 name: "attribute" label: LABEL_REPEATED type_name: "Attribute" }
  field { number: 7 name: "domain" label: LABEL_OPTIONAL type: TYPE_STRING } }
message_type { name: "Attribute"
  field { number: 1 name: "name" label: LABEL_OPTIONAL type: TYPE_STRING }
  field { number: 3 name: "i" label: LABEL_OPTIONAL type: TYPE_INT64 }
  field { number: 8 name: "ints" label: LABEL_REPEATED type: TYPE_INT64 }
  field { number: 20 name: "type" label: LABEL_OPTIONAL type: TYPE_INT32 } }
message_type { name: "Tensor"
  field { number: 1 name: "dims" label: LABEL_REPEATED type: TYPE_INT64 }
  field { number: 2 name: "data_type" label: LABEL_OPTIONAL type: TYPE_INT32 }
  field { number: 8 name: "name" label: LABEL_OPTIONAL type: TYPE_STRING }
  field { number: 9 name: "raw_data" label: LABEL_OPTIONAL type: TYPE_BYTES } }
message_type { name: "Named"
  field { number: 1 name: "name" label: LABEL_OPTIONAL type: TYPE_STRING } }
"""

_FLOAT, _INT8 = 1, 3  # among ONNX's types of numbers
_INT, _INTS = 2, 7  # among its types of attributes
_ONNXRUNTIME = "com.microsoft"  # the domain of the operators that ONNX does not have

_PRODUCT, _ATTENTION = "DynamicQuantizeMatMul", "MultiHeadAttention"

_N_HEADS = 12  # of all-MiniLM-L6-v2


def fused(model: bytes) -> bytes:
    """Return all-MiniLM-L6-v2 as the default's package has it, made to run faster.

    It computes the same but for the rounding, of one text at a time: there is no padding that
    attention would have to leave out. What it does not recognise stays as it was.
    """
    message = _message_class().FromString(model)
    message.opset_import.add(domain=_ONNXRUNTIME, version=1)
    graph = message.graph
    tensors = {tensor.name: tensor for tensor in graph.initializer}
    makers = _Makers.of(graph.node)
    nodes = [new for node in graph.node for new in _rewritten(node, makers) or [node]]
    for node in nodes:
        if node.op_type == _PRODUCT:
            del tensors[node.input[2]].dims[:-1]  # the file's scales are matrices of one row
    nodes = [new for node in nodes for new in _by_rows(node, tensors) or [node]]
    makers = _Makers.of(nodes)
    nodes = [new for node in nodes for new in _in_one(node, makers, tensors) or [node]]
    needed = _needed(nodes, [output.name for output in graph.output])
    _replace(graph.node, [node for node in nodes if node.output[0] in needed])
    del graph.initializer[:]
    weights = (tensor for name, tensor in tensors.items() if name in needed)
    # Messages one after the other are one message. In one piece it would hold Python's lock, and
    # with it the server's loop, for as long as 45 ms.
    return b"".join(part.SerializeToString() for part in [message, *map(_with_tensor, weights)])


class _Weights(NamedTuple):
    """The names of the integers and the scale whose product the weights are."""

    integers: str
    scale: str


class _Makers(NamedTuple):
    """The operations of a graph, each by the name of what it makes."""

    nodes: Mapping[str, Node]

    @classmethod
    def of(cls, nodes: Iterable[Node]) -> Self:
        return cls({name: node for node in nodes for name in node.output})

    def node(self, name: str, operator: str) -> Node | None:
        """Return what makes `name`, if that is such an operator."""
        node = self.nodes.get(name)
        return node if node is not None and node.op_type == operator else None

    def back(self, name: str, *operators: str) -> str:
        """Return what comes to `name` through these operators, the last one first, each time by
        its first input; "" where others stand.
        """
        for operator in operators:
            node = self.node(name, operator)
            if node is None:
                return ""
            name = node.input[0]
        return name

    def weights(self, name: str) -> _Weights | None:
        """Return of which integers `name` is made, if it is."""
        product = self.node(name, "Mul")
        integers = self.back(name, "Mul", "Cast")
        return _Weights(integers, product.input[1]) if product and integers else None


def _rewritten(node: Node, makers: _Makers) -> list[Node]:
    """Return what stands for `node` in the new graph, nothing where that is the node itself."""
    match node.op_type:
        case "Gather":
            return _rows(node, makers)
        case "Add":
            return _product(node, makers)
        case "Reshape":
            return _attention(node, makers)
        case "Mul":
            return _gelu(node, makers)
        case _:
            return []


def _rows(gather: Node, makers: _Makers) -> list[Node]:
    """Rows of a table: taken first, and made floats then."""
    weights = makers.weights(gather.input[0])
    if weights is None:
        return []
    rows, index = gather.output[0], gather.input[1]
    return [
        _node("Gather", [weights.integers, index], f"{rows}_integers"),
        _node("Cast", [f"{rows}_integers"], f"{rows}_floats", to=_FLOAT),
        _node("Gather", [weights.scale, index], f"{rows}_scales"),
        _node("Mul", [f"{rows}_floats", f"{rows}_scales"], rows),
    ]


def _product(add: Node, makers: _Makers) -> list[Node]:
    """A product with a matrix of weights, and what is added to it."""
    product = makers.node(add.input[0], "MatMul")
    weights = makers.weights(product.input[1]) if product else None
    if product is None or weights is None:
        return []
    inputs = [product.input[0], weights.integers, weights.scale, "", add.input[1]]
    return [_own(_PRODUCT, inputs, add.output[0])]


def _by_rows(product: Node, tensors: Mapping[str, Any]) -> list[Node]:
    """A product whose other side has first been divided, each row by the largest number in it.

    The operator rounds by one range for all rows. Of the two products that follow an attention,
    whose matrices are the ones that are not square, some rows reach much farther than others. None
    is zero: they come from a norm and from a GELU.
    """
    if product.op_type != _PRODUCT or len(set(tensors[product.input[1]].dims)) == 1:
        return []
    x, integers, scale, _, bias = product.input
    y = product.output[0]
    return [
        _node("Abs", [x], f"{y}_sizes"),
        _node("ReduceMax", [f"{y}_sizes"], f"{y}_largest", axes=[-1], keepdims=1),
        _node("Div", [x, f"{y}_largest"], f"{y}_divided"),
        _own(_PRODUCT, [f"{y}_divided", integers, scale], f"{y}_product"),
        _node("Mul", [f"{y}_product", f"{y}_largest"], f"{y}_multiplied"),
        _node("Add", [f"{y}_multiplied", bias], y),
    ]


def _in_one(attention: Node, makers: _Makers, tensors: dict[str, Any]) -> list[Node]:
    """Queries, keys and values by one product, which rounds its other side only once, and the
    attention that reads them.
    """
    if attention.op_type != _ATTENTION:
        return []
    products = [node for name in attention.input if (node := makers.node(name, _PRODUCT))]
    read = {product.input[0] for product in products}
    if len(products) < len(attention.input) or len(read) != 1:
        return []
    y = attention.output[0]
    inputs = [*read, f"{y}_integers", f"{y}_scales", "", f"{y}_biases"]
    for place in (1, 2, 4):
        parts = [tensors[product.input[place]] for product in products]
        tensors[inputs[place]] = _side_by_side(inputs[place], parts)
    names = [f"{y}_queries", f"{y}_keys", f"{y}_values"]
    return [
        _own(_PRODUCT, inputs, f"{y}_all"),
        _node("Split", [f"{y}_all"], *names, axis=-1),
        _own(_ATTENTION, names, y, num_heads=_N_HEADS),
    ]


def _side_by_side(name: str, parts: Sequence[Any]) -> Any:
    """Return a tensor that holds the columns of all parts; they have as many rows, or none."""
    import numpy as np

    kind = {_FLOAT: "<f4", _INT8: "i1"}[parts[0].data_type]
    arrays = [np.frombuffer(part.raw_data, kind).reshape(part.dims) for part in parts]
    joined = np.concatenate(arrays, axis=-1)
    return _message_class("Tensor")(
        name=name, dims=joined.shape, data_type=parts[0].data_type, raw_data=joined.tobytes()
    )


def _attention(reshape: Node, makers: _Makers) -> list[Node]:
    """All that lies between queries, keys and values and what attention makes of them."""
    attended = makers.node(makers.back(reshape.input[0], "Transpose"), "MatMul")
    # Of a text that stands alone no row of scores is masked as a whole, so none is "not a number".
    guarded = makers.node(attended.input[0], "Where") if attended else None
    scores = makers.back(guarded.input[2], "Softmax", "Add") if guarded else ""
    product = makers.node(scores, "MatMul")
    if attended is None or product is None:
        return []
    heads = ("Transpose", "Reshape")
    inputs = [
        makers.back(product.input[0], "Mul", *heads),
        makers.back(product.input[1], "Mul", "Reshape", "Transpose", "Reshape", *heads),
        makers.back(attended.input[1], *heads),
    ]
    if not all(inputs):
        return []
    return [_own(_ATTENTION, inputs, reshape.output[0], num_heads=_N_HEADS)]


def _gelu(mul: Node, makers: _Makers) -> list[Node]:
    """`x / 2 * (1 + erf(x / √2))`."""
    half = makers.node(mul.input[1], "Mul")
    x = makers.back(half.input[1], "Add", "Erf", "Div") if half else ""
    return [_own("Gelu", [x], mul.output[0])] if x and x == mul.input[0] else []


def _own(operator: str, inputs: Sequence[str], output: str, **attributes: int) -> Node:
    """Return an operation that only onnxruntime has."""
    node = _node(operator, inputs, output, **attributes)
    node.domain = _ONNXRUNTIME
    return node


def _node(
    operator: str, inputs: Sequence[str], *outputs: str, **attributes: int | Sequence[int]
) -> Node:
    node = _message_class("Node")(op_type=operator, input=inputs, output=outputs)
    for name, value in attributes.items():
        if isinstance(value, int):
            node.attribute.add(name=name, i=value, type=_INT)
        else:
            node.attribute.add(name=name, ints=value, type=_INTS)
    return node


def _needed(nodes: Sequence[Node], outputs: Sequence[str]) -> set[str]:
    """Return all names that the outputs depend on; `nodes` come after what they read."""
    needed = set(outputs)
    for node in reversed(nodes):
        if needed.intersection(node.output):
            needed.update(node.input)
    return needed


def _replace(field: Any, messages: Sequence[Any]) -> None:
    del field[:]
    field.extend(messages)


def _with_tensor(tensor: Any) -> Any:
    """Return a model that holds nothing else."""
    return _message_class()(graph={"initializer": [tensor]})


def _message_class(name: str = "Model") -> Any:
    return message_factory.GetMessageClass(_format().FindMessageTypeByName(f"onnx.{name}"))


@cache
def _format() -> descriptor_pool.DescriptorPool:
    described = text_format.Parse(_FORMAT, descriptor_pb2.FileDescriptorProto())
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(described.SerializeToString())
    return pool
