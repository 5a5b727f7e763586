"""All expert rules that need no tuning on the data at hand, each beside the best expert in hindsight.

While that expert sleeps, the mean of the others takes its place.

Usage: python bench/aggregation.py [folder of the data]
"""

from __future__ import annotations

import csv
import gzip
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import littlestone as ls
from littlestone.arrays import FloatArray
from littlestone.experts.losses import Loss
from littlestone.experts.rule import ExpertRule

RULES: dict[str, ExpertRule] = {
    "ExponentialWeights": ls.ExponentialWeights(),
    "AdaHedge": ls.AdaHedge(),
    "MLpol": ls.MLpol(),
    "MLprod": ls.MLprod(),
    "MLewa": ls.MLewa(),
    "BOA": ls.BOA(),
    "CalibratedExponentialWeights": ls.CalibratedExponentialWeights(),
    "CalibratedFixedShare": ls.CalibratedFixedShare(),
    "OnlineGradientDescent": ls.OnlineGradientDescent(),
    "FollowTheRegularizedLeader": ls.FollowTheRegularizedLeader(),
}
FORECASTS = ("forecast_hi_2_prev_PM", "forecast_hi_prev_AM", "forecast_hi_prev_PM", "forecast_hi_current_AM")
REAL: tuple[Loss, ...] = (ls.losses.Square(), ls.losses.Absolute(), ls.losses.Pinball(quantile=0.9))


def weather(path: Path, cities: int) -> Iterator[tuple[str, FloatArray, FloatArray]]:
    """The forecasts of the day's highest temperature, a city at a time; nan where there was none."""
    days: dict[str, list[list[float]]] = {}
    with gzip.open(path, "rt") as lines:
        for row in csv.DictReader(lines):
            days.setdefault(row["city"], []).append(
                [float(row[name] or "nan") for name in (*FORECASTS, "actual_hi_current_PM")]
            )
    for city in sorted(days)[:: max(len(days) // cities, 1)][:cities]:
        table = np.array(days[city])
        known = ~np.isnan(table[:, -1]) & ~np.isnan(table[:, :-1]).all(axis=1)
        yield city.lower(), table[known, :-1], table[known, -1]


def tasks(data: Path) -> Iterator[tuple[str, FloatArray, FloatArray, Loss]]:
    """Name, advice, outcomes and loss."""
    load = np.loadtxt(data / "electric_load" / "experts.csv", delimiter=",", skiprows=1)
    for loss in (*REAL, ls.losses.Percentage()):
        yield f"load {loss.name}", load[:, 1:], load[:, 0], loss
    for city, advice, outcomes in weather(data / "nws_temp_forecasts.csv.gz", 12):
        for loss in REAL:
            yield f"weather {city} {loss.name}", advice, outcomes, loss
    with gzip.open(data / "tennis_brier.txt.gz") as lines:
        wins = np.loadtxt(lines)[:, [3, 5, 7, 9]]
    first = np.random.default_rng(0).random(len(wins)) < 0.5  # which of the two players is asked about
    for loss in (ls.losses.Brier(), ls.losses.Log()):
        yield f"tennis {loss.name}", np.where(first[:, None], wins, 1.0 - wins), first.astype(float), loss


def main() -> None:
    """Prints the table."""
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2] / "shared" / "data" / "experts"
    ratios: dict[str, dict[str, list[float]]] = {}
    for name, advice, outcomes, loss in tasks(data):
        best = ls.oracles.best_expert(advice, outcomes, loss).mean
        line = {"uniform mean": ls.oracles.uniform(advice, outcomes, loss).mean / best}
        for rule, value in RULES.items():
            for gradient in (False, True):
                run = ls.aggregate(value, advice, outcomes, loss=loss, gradient=gradient)
                line[f"{rule}{', gradient' if gradient else ''}"] = run.ledger.mean_loss / best
        for key, ratio in line.items():
            ratios.setdefault(key, {}).setdefault(name.split()[0], []).append(ratio)
    table = {key: [float(np.mean(family)) for family in families.values()] for key, families in ratios.items()}
    worst = {key: max(max(family) for family in families.values()) for key, families in ratios.items()}
    print("| rule | load | weather | tennis | mean of the three | worst of all |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    for key in sorted(table, key=lambda key: float(np.mean(table[key]))):
        cells = " | ".join(f"{value:.4f}" for value in (*table[key], float(np.mean(table[key])), worst[key]))
        print(f"| {key} | {cells} |")


if __name__ == "__main__":
    main()
