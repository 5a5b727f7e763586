"""Tensors of the Open Inference Protocol, version 2, in JSON or behind it in binary, as rows; predictions as tensors.

A request has one tensor [rows, columns] for a model that knows columns, or one tensor [rows] (or [rows, 1]) a feature, named
for it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, TypeAlias, final

import msgspec
import numpy as np
import numpy.typing as npt

from littlestone.serve.entries import Prediction, Row
from littlestone.serve.errors import malformed
from littlestone.serve.requests import Caps, read_as

_DTYPES = {
    "BOOL": "?", "UINT8": "u1", "UINT16": "<u2", "UINT32": "<u4", "UINT64": "<u8", "INT8": "i1", "INT16": "<i2",
    "INT32": "<i4", "INT64": "<i8", "FP16": "<f2", "FP32": "<f4", "FP64": "<f8",
}  # fmt: skip

Parameters: TypeAlias = dict[str, str | float | bool]
Data: TypeAlias = list[float | bool | list[float | bool]]


@final
class Input(msgspec.Struct, frozen=True):
    """A tensor of a request."""

    name: str
    shape: Annotated[list[Annotated[int, msgspec.Meta(ge=0)]], msgspec.Meta(min_length=1, max_length=2)]
    datatype: str
    data: Data | None = None
    parameters: Parameters = {}


@final
class Wanted(msgspec.Struct, frozen=True):
    """A tensor that is asked for."""

    name: str
    parameters: Parameters = {}


@final
class Inference(msgspec.Struct, frozen=True):
    """The head of a request."""

    inputs: Annotated[list[Input], msgspec.Meta(min_length=1)]
    id: str | None = None
    outputs: list[Wanted] = []
    parameters: Parameters = {}


@final
class TensorRequest(msgspec.Struct, frozen=True):
    """A request that was read."""

    rows: list[Row]
    id: str | None
    binary: bool
    """Whether the answer is wanted in binary."""


def asked(body: bytes, head: int | None, caps: Caps) -> TensorRequest:
    """The rows of a request; `head` is the length of its JSON where tensors follow in binary.

    Raises:
        RefusalError: if it cannot be read.
    """
    if head is not None and not 0 <= head <= len(body):
        raise malformed(f"Inference-Header-Content-Length is {head}; the body has {len(body)} bytes")
    request = read_as(Inference, body if head is None else body[:head])
    raw = memoryview(b"" if head is None else body[head:])
    tensors: dict[str, npt.NDArray[np.float64]] = {}
    for tensor in request.inputs:
        size = tensor.parameters.get("binary_data_size", 0)
        if not isinstance(size, int | float) or not 0 <= size <= len(raw) or size != int(size):
            raise malformed(f"the tensor {tensor.name!r} says {size!r} bytes; {len(raw)} are left")
        if tensor.name in tensors:
            raise malformed(f"the tensor {tensor.name!r} is there twice")
        tensors[tensor.name] = _values(tensor, raw[: int(size)] if "binary_data_size" in tensor.parameters else None, caps)
        raw = raw[int(size) :]
    if len(raw):
        raise malformed(f"{len(raw)} bytes are left behind the last tensor")
    unknown = [wanted.name for wanted in request.outputs if wanted.name != "prediction"]
    if unknown:
        raise malformed(f'there is no output {unknown[0]!r}; there is "prediction"')
    binary = [wanted.parameters.get("binary_data", False) for wanted in request.outputs]
    return TensorRequest(
        _rows(tensors, caps), request.id, bool(any(binary) or request.parameters.get("binary_data_output", False))
    )


def _values(tensor: Input, raw: memoryview | None, caps: Caps) -> npt.NDArray[np.float64]:
    if tensor.datatype not in _DTYPES:
        raise malformed(f"the tensor {tensor.name!r} has the datatype {tensor.datatype!r}; known are {', '.join(_DTYPES)}")
    if tensor.shape[0] > caps.rows or tensor.shape[-1] > max(caps.features, caps.rows):
        raise malformed(f"the tensor {tensor.name!r} has shape {tensor.shape}; a request has at most {caps.rows} rows")
    dtype, count = np.dtype(_DTYPES[tensor.datatype]), math.prod(tensor.shape)
    if raw is not None:
        if len(raw) != count * dtype.itemsize:
            raise malformed(f"the tensor {tensor.name!r} of shape {tensor.shape} has {len(raw)} bytes in binary")
        return np.frombuffer(raw, dtype=dtype).astype(np.float64).reshape(tensor.shape)
    try:
        flat = np.asarray(tensor.data if tensor.data is not None else [], dtype=np.float64).ravel()
    except ValueError:
        flat = np.zeros(0)
    if len(flat) != count:
        raise malformed(f"the tensor {tensor.name!r} of shape {tensor.shape} has {len(flat)} values")
    return flat.reshape(tensor.shape)


def _rows(tensors: dict[str, npt.NDArray[np.float64]], caps: Caps) -> list[Row]:
    shapes = {name: values.shape for name, values in tensors.items()}
    first = next(iter(tensors.values()))
    if len(tensors) == 1 and first.ndim == 2 and first.shape[1] != 1:
        rows: list[Row] = [*first.tolist()]
        return rows
    if any(len(values) != len(first) or values.size != len(first) for values in tensors.values()):
        raise malformed(f"the tensors have shapes {shapes}; expected one [rows, columns], or one [rows] a feature")
    if len(tensors) > caps.features:
        raise malformed(f"there are {len(tensors)} tensors; a row has at most {caps.features} features")
    columns = [values.ravel().tolist() for values in tensors.values()]
    return [dict(zip(tensors, values, strict=True)) for values in zip(*columns, strict=True)]


def answered(asked_for: TensorRequest, model: str, version: int, predictions: Sequence[Prediction]) -> tuple[bytes, int | None]:
    """The answer, and the length of its JSON where a tensor follows in binary."""
    datatype = _datatype(predictions)
    output: dict[str, object] = {"name": "prediction", "shape": [len(predictions)], "datatype": datatype}
    answer: dict[str, object] = {"model_name": model, "model_version": str(version), "outputs": [output]}
    if asked_for.id is not None:
        answer["id"] = asked_for.id
    if not asked_for.binary:
        output["data"] = [str(p) for p in predictions] if datatype == "BYTES" else list(predictions)
        return msgspec.json.encode(answer), None
    raw = _binary(predictions, datatype)
    output["parameters"] = {"binary_data_size": len(raw)}
    head = msgspec.json.encode(answer)
    return head + raw, len(head)


def _datatype(predictions: Sequence[Prediction]) -> str:
    kinds = {type(prediction) for prediction in predictions}
    if kinds <= {bool}:
        return "BOOL"
    if kinds <= {int}:
        return "INT64"
    return "FP64" if kinds <= {int, float} else "BYTES"


def _binary(predictions: Sequence[Prediction], datatype: str) -> bytes:
    if datatype != "BYTES":
        return np.array(predictions, dtype=_DTYPES[datatype]).tobytes()
    texts = [str(prediction).encode() for prediction in predictions]
    return b"".join(len(text).to_bytes(4, "little") + text for text in texts)


def metadata(name: str, versions: Sequence[int], features: Sequence[str], *, named: bool) -> dict[str, object]:
    """What `GET /v2/models/NAME` says of tensors."""
    names = [feature.encode("utf-8", "backslashreplace").decode("utf-8") for feature in features]  # as JSON can say them
    inputs: list[dict[str, object]] = [{"name": each, "datatype": "FP64", "shape": [-1]} for each in names]
    if not named:
        inputs = [{"name": "rows", "datatype": "FP64", "shape": [-1, len(features) or -1]}]
    return {
        "name": name,
        "versions": [str(version) for version in versions],
        "platform": "littlestone",
        "inputs": inputs,
        "outputs": [{"name": "prediction", "datatype": "BYTES", "shape": [-1]}],
    }
