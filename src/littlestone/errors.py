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
