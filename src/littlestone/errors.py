"""One exception family; every message is one sentence: what, where, got, expected."""


class LittlestoneError(Exception):
    """The root of the family: `except ls.LittlestoneError` catches whatever the library refuses."""


class InvalidParameter(LittlestoneError, ValueError):
    """A parameter is outside its domain."""


class InvalidData(LittlestoneError, ValueError):
    """Rows or outcomes are malformed; state and ledger are as they were before the call."""


class NotApplicable(LittlestoneError, TypeError):
    """What was asked for has no meaning here, such as targets for a rule that learns labels."""


class UnknownName(LittlestoneError, KeyError):
    """There is nothing of this name; the message lists what there is."""

    def __str__(self) -> str:
        """Without the quotes that KeyError puts around its message."""
        return str(self.args[0])


class LemmaViolated(LittlestoneError, AssertionError):
    """A round broke a lemma of a theorem that speaks of the rule: a bug, here or in the paper."""

    def __init__(self, at: int, guarantee: str, lemma: str, left: float, right: float) -> None:
        super().__init__(at, guarantee, lemma, left, right)
        self.round = at
        self.guarantee = guarantee
        self.lemma = lemma
        self.left = left
        self.right = right

    def __str__(self) -> str:
        """One sentence: where, which, and both sides."""
        sides = f"{self.left!r} is not at most {self.right!r}"
        return f"round {self.round}: {self.guarantee}: the lemma {self.lemma} is broken: {sides}"
