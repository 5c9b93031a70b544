"""Parameters that several ensembles have."""

from __future__ import annotations

from typing import Any

from vizml.learn.params import choice, flag, integer, real
from vizml.learn.trees.tree import CRITERION_LABELS, LOSS_LABELS


def rounds(default: int = 100) -> Any:
    """How many trees follow each other."""
    return integer(default, 1, 1000, log=True, help="how many trees follow each other", symbol="M")


def trees(help: str) -> Any:
    """How many trees are grown apart."""
    return integer(100, 1, 1000, log=True, help=help, symbol="B")


def members() -> Any:
    """How many samples there are."""
    return integer(25, 1, 200, log=True, help="how many samples, and so members", symbol="B")


def share() -> Any:
    """The size of a sample."""
    return real(1.0, 0.1, 1.0, title="sample", help="the size of a sample as a share of all points")


def rate(default: float) -> Any:
    """What each tree counts."""
    return real(
        default,
        1e-3,
        1.0,
        log=True,
        symbol="η",
        title="learning rate",
        help="what each tree counts: shrinkage",
    )


def depth(default: int, least: int = 1, most: int = 10) -> Any:
    """How deep trees may be."""
    free = "; 0 is no limit" if least == 0 else ""
    return integer(default, least, most, help=f"the most splits on the way to a leaf{free}")


def leaf(points: str = "points") -> Any:
    """How few points make a leaf."""
    return integer(1, 1, 1000, log=True, help=f"the fewest {points} that a leaf may hold")


def axes() -> Any:
    """How many axes a split chooses among."""
    return integer(1, 1, 4, help="the axes, drawn for each split, that it may choose among", symbol="m")


def diagonals() -> Any:
    """Whether sums and differences of the axes are split."""
    told = "lets trees split x + y and x − y as well, so that m may be up to 4"
    return flag(False, title="diagonals", help=told)


def impurity() -> Any:
    """What trees for classes go by."""
    return choice(
        "gini", tuple(CRITERION_LABELS), labels=CRITERION_LABELS, help="what splits are to lower", symbol="I"
    )


def levels() -> Any:
    """What trees for curves go by."""
    return choice("squared", tuple(LOSS_LABELS), labels=LOSS_LABELS, help="what the levels of leaves lower")


def subsample() -> Any:
    """How many points each round sees."""
    return real(1.0, 0.1, 1.0, help="the share of the points, drawn for each round, that it sees")


def penalty() -> Any:
    """What pulls leaves towards 0."""
    return real(1.0, 0.0, 100.0, symbol="λ", title="lambda", help="pulls the values of leaves towards 0")


def weight(help: str) -> Any:
    """How little a leaf may weigh."""
    return real(1.0, 0.0, 100.0, title="least weight", symbol="H", help=help)


def hold() -> Any:
    """How many points are kept apart."""
    return real(
        0.0, 0.0, 0.5, title="hold out", help="the share of the points that do not teach but watch the loss"
    )


def patience() -> Any:
    """When to stop."""
    return integer(0, 0, 100, help="stops after so many rounds without a lower held-out loss; 0 is never")
