"""Linear models for whoever scores without this library: plain JSON, or ONNX."""

from __future__ import annotations

import json
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from littlestone.errors import InvalidParameter, NotApplicable
from littlestone.learner import Learner
from littlestone.linear import RULES as LINEAR
from littlestone.multiclass import RULES as MULTICLASS
from littlestone.outputs import path_of, write

if TYPE_CHECKING:
    import os

    from littlestone.arrays import FloatArray
    from littlestone.labels import Label
    from littlestone.streams.batches import Feature

    Plain: TypeAlias = "str | int | float | bool | list[Plain] | dict[str, Plain] | None"

_OPSET, _IR_VERSION = 17, 9
"""Of ONNX: old enough for every runtime of the last years."""


def export(learner: Learner, path: str | os.PathLike[str]) -> None:
    """Writes a linear model as plain JSON (`.json`) or as an ONNX graph (`.onnx`, with `pip install "littlestone[onnx]"`).

    JSON: `weights` maps a feature to its weight, or a label to such a map where there are several classes; the score of a row
    is the sum of weight times value. `predicts` says what follows: "target" is the score itself; "label" is `labels[1]` for a
    score of at least 0, and otherwise `labels[0]`; "class" is the label with the largest score, the first of several. A
    category of a table is the feature "column=value" with the value 1.

    ONNX: the input `rows` has a column (float64) per feature, in the order of the metadata `features`; the outputs are
    `scores`, and, where there are labels, `number`, which counts in the metadata `labels`. Both are lists in JSON.

    Raises:
        NotApplicable: if the scores of the model are not linear in the row: kernels, balls, pools.
        InvalidParameter: if the path ends in neither.

    Example:
        >>> import json, tempfile, pathlib, littlestone as ls
        >>> learner = ls.Learner(ls.Perceptron(), labels=("ham", "spam"))
        >>> learner.learn_one({"offer": 1.0}, "spam")
        'spam'
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "spam.json"
        >>> ls.export(learner, path)
        >>> model = json.loads(path.read_text())
        >>> model["predicts"], model["labels"], model["weights"]
        ('label', ['ham', 'spam'], {'offer': 1.0})
    """
    kind = path_of(path).suffix
    if kind == ".json":
        write(path, [json.dumps(as_plain(learner), ensure_ascii=False, indent=1).encode(), b"\n"])
    elif kind == ".onnx":
        write(path, [_as_onnx(learner)])
    else:
        raise InvalidParameter(f"the path ends in {kind or 'nothing'}; expected .json or .onnx")


def as_plain(learner: Learner) -> dict[str, Plain]:
    """The model as values that JSON has.

    Raises:
        NotApplicable: if its scores are not linear in the row.
    """
    if not isinstance(learner, Learner):
        raise NotApplicable(f"a {type(learner).__name__} is no learner; a linear model can be exported")
    if not isinstance(learner.rule, (*LINEAR, *MULTICLASS)):
        name = type(learner.rule).__name__
        raise NotApplicable(f"the scores of {name} are not sums of weights times values; a linear model can be exported")
    if learner.view is not None:
        raise NotApplicable(f"the weights are of rows behind {learner.view!r}; a model without a view can be exported")
    predicts = _predicts(learner)
    weights: dict[str, Plain] = (
        {str(label): _named(learner.weights_of(label)) for label in learner.labels}
        if predicts == "class"
        else _named(learner.weights)
    )
    return {
        "rule": learner.rule.name(),
        "predicts": predicts,
        "labels": [_plain(label) for label in learner.labels] if predicts != "target" else [],
        "weights": weights,
    }


def _predicts(learner: Learner) -> str:
    if isinstance(learner.rule, MULTICLASS):
        return "class"
    return "label" if learner.snapshot().kind == "labels" else "target"


def _named(weights: dict[Feature, float]) -> dict[str, Plain]:
    return {str(feature): weight for feature, weight in weights.items()}


def _plain(label: Label) -> Plain:
    value: object = label.item() if isinstance(label, np.generic) else label
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)


def _table(model: dict[str, Plain]) -> tuple[list[str], FloatArray]:
    """The features, and the weights: a row per feature, a column per score."""
    given = model["weights"]
    assert isinstance(given, dict)
    columns = [of for of in given.values() if isinstance(of, dict)] if model["predicts"] == "class" else [given]
    features = list(dict.fromkeys(name for column in columns for name in column))
    return features, np.array([[column.get(name, 0.0) for column in columns] for name in features], dtype=np.float64)


def _as_onnx(learner: Learner) -> bytes:
    try:
        onnx = import_module("onnx")  # it comes without types
    except ModuleNotFoundError:
        raise NotApplicable('ONNX needs an extra: pip install "littlestone[onnx]"; or export to .json') from None
    model = as_plain(learner)
    features, weights = _table(model)
    make, kinds = onnx.helper, onnx.TensorProto
    nodes = [make.make_node("MatMul", ["rows", "weights"], ["scores"])]
    outputs = [make.make_tensor_value_info("scores", kinds.DOUBLE, [None, weights.shape[1]])]
    constants = [onnx.numpy_helper.from_array(weights.reshape(len(features), -1), "weights")]
    if model["predicts"] == "label":
        constants.append(onnx.numpy_helper.from_array(np.zeros(1), "zero"))
        nodes += [
            make.make_node("GreaterOrEqual", ["scores", "zero"], ["above"]),
            make.make_node("Cast", ["above"], ["numbers"], to=kinds.INT64),
            make.make_node("ReduceMax", ["numbers"], ["number"], axes=[1], keepdims=0),
        ]
    elif model["predicts"] == "class":
        nodes.append(make.make_node("ArgMax", ["scores"], ["number"], axis=1, keepdims=0))
    if model["predicts"] != "target":
        outputs.append(make.make_tensor_value_info("number", kinds.INT64, [None]))
    rows = make.make_tensor_value_info("rows", kinds.DOUBLE, [None, len(features)])
    graph = make.make_graph(nodes, "littlestone", [rows], outputs, constants)
    made = make.make_model(graph, opset_imports=[make.make_opsetid("", _OPSET)], ir_version=_IR_VERSION)
    made.producer_name = "littlestone"
    make.set_model_props(made, {"features": json.dumps(features), "labels": json.dumps(model["labels"])})
    onnx.checker.check_model(made)
    return bytes(made.SerializeToString())
