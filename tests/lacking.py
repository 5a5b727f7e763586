"""Learns until the process has no memory left, and then compares with a learner that never met the call that failed.

Run by tests in a process of its own: `python lacking.py RULE VERB MEGABYTES`; prints how many rows were learned.
"""

import resource
import sys
from collections.abc import Iterator
from pathlib import Path

import littlestone as ls
from laws import same

RULES: dict[str, ls.LinearRule] = {
    "perceptron": ls.Perceptron(),
    "multiclass": ls.MulticlassPerceptron(),
    "one versus rest": ls.OneVersusRest(rule=ls.Perceptron()),
    "kernel": ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.5)),
    "kernel with a budget": ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.5), budget=100_000),
}


def rounds(rule: ls.LinearRule) -> Iterator[tuple[dict[str, float], int]]:
    """Features that are new all the time, and classes that are where there can be more than two."""
    classes = 40 if "classes" in rule.abilities.learns else 2
    for t in range(1_000_000):
        yield {f"name {t} {k}": 1.0 + k for k in range(60)}, min(t // 50, classes - 1) if t % 3 else t % 2


def learned(learner: ls.Learner, rows: list[dict[str, float]], labels: list[int], *, many: bool) -> None:
    if many:
        learner.learn_many(rows, labels)
    else:
        learner.learn_one(rows[0], labels[0])


def main(name: str, verb: str, megabytes: str) -> None:
    """Lifts the limit again before it compares."""
    rule, many = RULES[name], verb == "many"
    learner, stream = ls.Learner(rule), rounds(RULES[name])
    size = 50 if many else 1
    calls: list[tuple[list[dict[str, float]], list[int]]] = []
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    limits = resource.getrlimit(resource.RLIMIT_AS)
    ahead = [next(stream) for _ in range(int(megabytes) * 250)]  # made while there is memory
    resource.setrlimit(resource.RLIMIT_AS, (used + (int(megabytes) << 20) + len(ahead) * 9000, limits[1]))
    failed = total = 0
    for start in range(0, len(ahead), size):
        rows, labels = [x for x, _ in ahead[start : start + size]], [y for _, y in ahead[start : start + size]]
        try:
            learned(learner, rows, labels, many=many)
        except MemoryError:
            failed += 1
            assert many or learner.ledger.rounds == total
        done = learner.ledger.rounds - total
        if done:  # all, or of a call that failed those before the round without memory
            calls.append((rows[:done], labels[:done]))
            total += done
        if failed == 3:
            break
    resource.setrlimit(resource.RLIMIT_AS, limits)
    twin = ls.Learner(rule)
    for rows, labels in calls:
        learned(twin, rows, labels, many=many)
    same(learner, twin)
    for each in (learner, twin):
        learned(each, *calls[0], many=many)
    same(learner, twin)
    print(failed, learner.ledger.rounds)


if __name__ == "__main__":
    main(*sys.argv[1:])
