"""`littlestone inspect`: what a model file holds."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from littlestone.store import load


def print_model(path: str, top: int, *, as_json: bool) -> None:
    """Prints rule, parameters, ledger and the largest weights of a model."""
    learner = load(path)
    w = learner.state.w
    names = learner.features
    largest = [int(k) for k in np.argsort(-np.abs(w))[:top] if w[k] != 0.0]
    known = {
        "file": path,
        "bytes": Path(path).stat().st_size,
        "rule": learner.rule.name(),
        "parameters": {name: _plain(value) for name, value in learner.rule.parameters().items()},
        "labels": [str(label) for label in learner.labels],
        "features": len(names),
        "nonzero weights": int(np.count_nonzero(w)),
        "ledger": learner.ledger.to_dict(),
        "top": {str(names[k]): float(w[k]) for k in largest},
    }
    if as_json:
        print(json.dumps(known))
        return
    table = Table(show_header=False, title=path)
    for key, value in known.items():
        if key not in ("file", "ledger", "top"):
            table.add_row(key, str(value))
    table.add_row("ledger", str(learner.ledger))
    for k in largest:
        table.add_row(f"  {names[k]}", f"{w[k]:+.6g}")
    Console().print(table)


def _plain(value: object) -> object:
    return value.tolist() if isinstance(value, np.ndarray) else value
