"""Epochs on a Dask cluster (the extra `dask`): `ls.epochs(paths, rule, epochs=5, map=littlestone.dask.map(client))`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar, cast

from littlestone.epochs import OrderedMap

Task = TypeVar("Task")
Result = TypeVar("Result")


class Client(Protocol):
    """What is used of `distributed.Client`."""

    def map(self, function: Callable[[Task], Result], tasks: Sequence[Task], *, pure: bool) -> Sequence[object]:
        """Begins every task; returns what stands for the results."""
        ...

    def gather(self, futures: Sequence[object]) -> Sequence[object]:
        """Waits for the results, in order."""
        ...


def map(client: Client) -> OrderedMap:
    """The ordered map of a cluster, for `ls.epochs`: a task for every partition, which its worker opens itself.

    The task of a worker that dies is run anew, from the same weights, and results are mixed in the order of the
    partitions: the bits are those of a run in one process.

    Args:
        client: a `distributed.Client`.
    """

    def ordered(function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterable[Result]:
        futures = client.map(function, list(tasks), pure=False)
        return cast("Sequence[Result]", client.gather(futures))

    return ordered
