"""`littlestone certify`: what can be proved of a model, alone or against a comparator on the rows it learned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from littlestone.cli.machine import print_json
from littlestone.cli.text import say, say_proof
from littlestone.report.linear import counts_mistakes
from littlestone.store import load
from littlestone.theory import Verdict, certify, certify_stream
from littlestone.theory.streaming import beyond_majority

if TYPE_CHECKING:
    from collections.abc import Sequence

    from littlestone.cli.reading import FileOptions


def certify_model(
    path: str, files: Sequence[str], reading: FileOptions, *, against: str | None, iid: bool, every: bool, as_json: bool
) -> int:
    """Prints the certificates of a model; returns 0, or 1 when one of them is violated."""
    learner = load(path)
    readers = [reading.reader(file, learner=learner) for file in files]
    certificates = [learner.ledger.risk_bound()] if iid and counts_mistakes(learner) else []
    certificates += beyond_majority(learner)
    certificates += certify_stream(learner, readers, against=against) if readers else certify(learner)
    if as_json:
        facts = {"file": path, "rule": learner.rule.name(), "ledger": learner.ledger.to_dict()}
        print_json(facts | {"certificates": [certificate.to_dict() for certificate in certificates]})
    else:
        say(f"{learner.rule!r}: {learner.ledger}")
        hint = "" if readers else "give the files it was learned from to compare it with something; "
        say_proof(certificates, most=None, every=every, hint=f"{hint}--all shows them")
    return 1 if any(certificate.verdict is Verdict.VIOLATED for certificate in certificates) else 0
