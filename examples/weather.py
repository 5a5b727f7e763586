"""How good are weather forecasts, and how good is a mixture of them?

Four forecasts of a day's high and the reading of the day before are five experts; one that is missing sleeps. Bernstein
Online Aggregation mixes them, a run a city. Without the file of the US National Weather Service, the weather is made up.

Usage: python examples/weather.py [nws_temp_forecasts.csv.gz]        (needs pandas)
"""

import sys

import numpy as np
import pandas as pd

import littlestone as ls

FORECASTS = [f"forecast_hi_{lead}" for lead in ("2_prev_PM", "prev_AM", "prev_PM", "current_AM")]


def made_up(days: int = 730) -> pd.DataFrame:
    """Two years in one city, with forecasts that get better as the day comes closer; one in ten is missing."""
    rng = np.random.default_rng(0)
    truth = 60 - 20 * np.cos(np.arange(days) / 58) + 4 * np.convolve(rng.normal(size=days), [1, 0.6, 0.3], "same")
    table = pd.DataFrame({"city": "NOWHERE", "date": pd.date_range("2024-01-01", periods=days), "actual_hi_next_AM": truth})
    for k, column in enumerate(FORECASTS):
        table[column] = np.where(rng.random(days) < 0.1, np.nan, truth + rng.normal(scale=5 - k, size=days))
    return table


def mixed(days: pd.DataFrame) -> ls.ExpertRun:
    """One city: every day with a reading is a round, in order."""
    days = days.set_index("date").sort_index()
    advice = days[FORECASTS].assign(day_before=days["actual_hi_next_AM"].shift())
    known = days["actual_hi_next_AM"].notna() & advice.notna().any(axis=1)
    return ls.aggregate(ls.BOA(), advice[known], days["actual_hi_next_AM"][known], loss="absolute")


table = pd.read_csv(sys.argv[1], parse_dates=["date"]) if len(sys.argv) > 1 else made_up()
runs = [mixed(days) for _, days in table.groupby([name for name in ("city", "state") if name in table])]
rounds, loss, regret = (sum(part) for part in zip(*((r.ledger.rounds, r.ledger.loss, r.regret) for r in runs), strict=True))
print(f"{len(runs)} cities, {rounds:,} days; mixture off by {loss / rounds:.3f} °F, the best by {(loss - regret) / rounds:.3f}")
