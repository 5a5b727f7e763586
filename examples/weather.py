"""How good are weather forecasts, and how good is a mixture of them?

For every city the four forecasts of a day's high temperature, made up to two days ahead, and what the thermometer showed
the day before are five experts; those that are missing sleep. Bernstein Online Aggregation mixes them, one run a city, and
the figure shows the weights in one city and the regret to the best expert in all of them.

Needs pandas, and matplotlib for the figure (`pip install littlestone[plot]`). The data are the forecasts of the US
National Weather Service with what happened (nws_temp_forecasts.csv.gz).

Usage: python examples/weather.py nws_temp_forecasts.csv.gz [weather.png [CITY]]
"""

from __future__ import annotations

import sys

import pandas as pd

import littlestone as ls

LEADS = {"2_prev_PM": "36 h", "prev_AM": "24 h", "prev_PM": "12 h", "current_AM": "same day"}


def mixed(days: pd.DataFrame) -> ls.ExpertRun:
    """One city: every day with a reading is a round, in order."""
    days = days.set_index("date").sort_index()
    advice = days[[f"forecast_hi_{lead}" for lead in LEADS]].set_axis(list(LEADS.values()), axis=1)
    advice["day before"] = days["actual_hi_next_AM"].shift()
    known = days["actual_hi_next_AM"].notna() & advice.notna().any(axis=1)
    return ls.aggregate(ls.BOA(), advice[known], days["actual_hi_next_AM"][known], loss="absolute", keep=("weights",))


def frame(result: object) -> pd.DataFrame:
    """What came as a pandas frame comes back as one."""
    assert isinstance(result, pd.DataFrame)
    return result


def draw(runs: dict[str, ls.ExpertRun], city: str, path: str) -> None:
    """The weights in one city as a stack, and the regret of every city."""
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4.5), layout="constrained")
    weights = frame(runs[city].weights).rolling(7, min_periods=1).mean()
    left.stackplot(weights.index, weights.T, labels=weights.columns)
    left.set(title=f"Weights in {city}, mean of 7 days", ylim=(0, 1), xlim=(weights.index[0], weights.index[-1]))
    left.legend(loc="center right")
    curves = pd.DataFrame({name: frame(run.regrets())[run.ledger.best] for name, run in runs.items()}).ffill()
    right.plot(curves.index, curves, color="0.7", linewidth=0.4)
    right.plot(curves.index, curves.mean(axis=1), color="C3", linewidth=2, label=f"mean of {len(runs)} cities")
    right.axhline(0, color="black", linewidth=0.8)
    right.set(title="Regret to the best expert of each city (°F)", xlim=(curves.index[0], curves.index[-1]), ylim=(-60, 60))
    right.legend(loc="lower left")
    figure.autofmt_xdate()
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    table = pd.read_csv(sys.argv[1], parse_dates=["date"])
    runs = {f"{name[0]}, {name[1]}": mixed(days) for name, days in table.groupby(["city", "state"])}
    rounds = sum(run.ledger.rounds for run in runs.values())
    error = sum(run.ledger.loss for run in runs.values()) / rounds
    regret = sum(run.regret for run in runs.values()) / rounds
    print(f"{rounds:,} days in {len(runs)} cities: mixture off by {error:.3f} °F, the best expert by {error - regret:.3f} °F")
    if len(sys.argv) > 2:
        draw(runs, sys.argv[3] if len(sys.argv) > 3 else "DENVER, CO", sys.argv[2])
