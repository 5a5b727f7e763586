"""VC and Littlestone dimension, and Halving: the chain of mohri.8.2 on classes small enough to search."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.errors import InvalidData, InvalidParameter
from littlestone.theory.dimension import (
    MistakeChain,
    cube,
    halving_mistakes,
    littlestone_dimension,
    mistake_chain,
    singletons,
    thresholds,
    vc_dimension,
)

Class = npt.NDArray[np.uint8]


@st.composite
def classes(draw: st.DrawFn, *, hypotheses: int = 14, points: int = 5) -> Class:
    shape = (draw(st.integers(1, hypotheses)), draw(st.integers(0, points)))
    return np.random.default_rng(draw(st.integers(0, 2**32))).integers(0, 2, size=shape, dtype=np.uint8)


def chain(hypotheses: Class) -> tuple[int, int, int, float]:
    known = mistake_chain(hypotheses)
    assert known.halving == known.halving_always
    return known.vc, known.littlestone, known.halving, known.log2


@pytest.mark.parametrize(
    ("hypotheses", "numbers"),
    [
        (thresholds(7), (1, 3, 3, 3.0)),
        (singletons(8), (1, 1, 1, 3.0)),
        (cube(3), (3, 3, 3, 3.0)),
        (cube(4), (4, 4, 4, 4.0)),
        (thresholds(1), (1, 1, 1, 1.0)),
        (np.zeros((1, 5)), (0, 0, 0, 0.0)),
        (np.zeros((1, 0)), (0, 0, 0, 0.0)),
        (singletons(2), (1, 1, 1, 1.0)),
    ],
)
def test_the_chain_of_known_classes(hypotheses: Class, numbers: tuple[int, int, int, float]) -> None:
    assert chain(hypotheses) == numbers


@pytest.mark.parametrize("points", range(1, 40, 3))
def test_thresholds_have_the_dimension_of_binary_search(points: int) -> None:
    assert littlestone_dimension(thresholds(points)) == int(math.log2(points + 1))
    assert vc_dimension(thresholds(points)) == 1


def test_the_first_class_of_the_specification() -> None:
    """mohri.8.1: thresholds at 0..3 on three points, target 3, points 1 and 2: two mistakes, which is log2 4."""
    assert thresholds(3).tolist() == [[1, 1, 1], [0, 1, 1], [0, 0, 1], [0, 0, 0]]
    assert halving_mistakes(thresholds(3)) == 2


@given(hypotheses=classes())
def test_the_chain_holds(hypotheses: Class) -> None:
    assert mistake_chain(hypotheses).holds


def test_the_chain_holds_on_many_random_classes() -> None:
    rng = np.random.default_rng(82)
    for _ in range(400):
        known = mistake_chain(rng.integers(0, 2, size=(rng.integers(1, 15), rng.integers(1, 6))))
        assert known.holds


def test_the_chain_has_teeth() -> None:
    good = MistakeChain(vc=1, littlestone=2, halving=3, halving_always=3, log2=3.5)
    assert good.holds
    assert not replace(good, vc=3).holds
    assert not replace(good, littlestone=4).holds
    assert not replace(good, halving=1).holds
    assert not replace(good, halving_always=4).holds
    assert not replace(good, log2=2.9).holds


def shattered(hypotheses: Class, points: tuple[int, ...]) -> bool:
    return len({tuple(row[list(points)].tolist()) for row in hypotheses}) == 1 << len(points)


@given(hypotheses=classes())
def test_the_vc_dimension_by_definition(hypotheses: Class) -> None:
    sizes = range(hypotheses.shape[1] + 1)
    sets = (points for size in sizes for points in itertools.combinations(range(hypotheses.shape[1]), size))
    assert vc_dimension(hypotheses) == max(len(points) for points in sets if shattered(hypotheses, points))


def tree(hypotheses: Class, depth: int) -> bool:
    """Whether some tree of this depth is shattered: the definition, searched top down without bounds or memory."""
    if depth == 0:
        return len(hypotheses) > 0
    return any(
        tree(hypotheses[hypotheses[:, x] == 0], depth - 1) and tree(hypotheses[hypotheses[:, x] == 1], depth - 1)
        for x in range(hypotheses.shape[1])
    )


@given(hypotheses=classes(hypotheses=9, points=4))
def test_the_littlestone_dimension_by_definition(hypotheses: Class) -> None:
    dimension = littlestone_dimension(hypotheses)
    assert tree(hypotheses, dimension)
    assert not tree(hypotheses, dimension + 1)


@given(hypotheses=classes(hypotheses=8, points=4), seed=st.integers(0, 1000))
def test_the_standard_optimal_algorithm_makes_no_more_mistakes_than_the_dimension(hypotheses: Class, seed: int) -> None:
    rng = np.random.default_rng(seed)
    target, version, mistakes = hypotheses[rng.integers(len(hypotheses))], hypotheses, 0
    for x in rng.integers(0, max(hypotheses.shape[1], 1), size=12 if hypotheses.shape[1] else 0):
        parts = [version[version[:, x] == label] for label in (0, 1)]
        sizes = [littlestone_dimension(part) if len(part) else -1 for part in parts]
        mistakes += int(sizes[1] >= sizes[0]) != int(target[x])
        version = parts[int(target[x])]
    assert mistakes <= littlestone_dimension(hypotheses)


def halving_run(hypotheses: Class, sequence: tuple[int, ...], target: npt.NDArray[np.uint8], *, always: bool) -> int:
    active, mistakes = hypotheses, 0
    for x in sequence:
        said = int(2 * np.count_nonzero(active[:, x]) >= len(active))
        mistakes += said != target[x]
        if always or said != target[x]:
            active = active[active[:, x] == target[x]]
    return mistakes


@pytest.mark.parametrize("prune", ["mistake", "always"])
@given(hypotheses=classes(hypotheses=6, points=4))
def test_halving_played_on_every_sequence(prune: str, hypotheses: Class) -> None:
    hypotheses = np.unique(hypotheses, axis=0)
    points = hypotheses.shape[1]
    played = [
        halving_run(hypotheses, sequence, target, always=prune == "always")
        for sequence in itertools.permutations(range(points))
        for target in hypotheses
    ]
    assert halving_mistakes(hypotheses, prune=prune) == max(played)


def test_a_tie_is_for_1() -> None:
    # {0}, {1} on one point: the tie says 1, so only the target that says 0 costs a mistake; a tie for 0 is as costly.
    # Three hypotheses on two points tell the two apart: with ties to 1 the order of labels matters.
    hypotheses = np.array([[0, 0], [1, 0], [1, 1]], dtype=np.uint8)
    assert halving_mistakes(hypotheses) == 1
    assert halving_run(hypotheses[:2], (0,), hypotheses[0], always=False) == 1
    assert halving_run(hypotheses[:2], (0,), hypotheses[1], always=False) == 0


@given(hypotheses=classes())
def test_copies_points_and_the_order_of_hypotheses_do_not_matter(hypotheses: Class) -> None:
    copied = np.vstack([hypotheses, hypotheses])[::-1]
    again = np.hstack([copied, copied[:, ::-1]])
    assert mistake_chain(again) == mistake_chain(hypotheses)


def test_a_class_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidData, match=r"the class has shape \(0, 3\)"):
        vc_dimension(np.zeros((0, 3)))
    with pytest.raises(InvalidData, match=r"the class has shape \(2,\)"):
        littlestone_dimension([0, 1])
    with pytest.raises(InvalidData, match="hypothesis 1, point 0: the label is 2"):
        halving_mistakes([[0, 1], [2, 0]])
    with pytest.raises(InvalidParameter, match="prune is 'never'"):
        halving_mistakes([[0, 1]], prune="never")


def test_the_words_of_a_chain() -> None:
    assert str(mistake_chain(thresholds(7))) == "VCdim 1 ≤ opt 3 ≤ Halving 3 ≤ log2|H| 3"
