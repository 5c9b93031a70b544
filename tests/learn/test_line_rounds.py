"""Boosting on a line against the same boosting on any axes."""

import numpy as np
import pytest

from vizml.learn.ensembles.boosting import Boosting, First, Run
from vizml.learn.ensembles.line_rounds import LineRounds
from vizml.learn.ensembles.losses import Absolute, Squared
from vizml.learn.ensembles.second_order import SecondOrder
from vizml.learn.trees.grower import GrowthLimits

RNG = np.random.default_rng(0)
X = RNG.integers(0, 60, size=90) / 7
Y = np.sin(X) + RNG.normal(scale=0.3, size=90)
ORDER = np.argsort(X, kind="stable")
DEEP = GrowthLimits(max_depth=3)
WAYS = {
    "plain": Boosting(rounds=25, rate=0.3, limits=DEEP),
    "few in a leaf": Boosting(rounds=10, rate=0.3, limits=GrowthLimits(max_depth=4, min_leaf=6)),
    "subsampled": Boosting(rounds=25, rate=0.3, limits=DEEP, subsample=0.4),
    "held out": Boosting(rounds=25, rate=0.3, limits=DEEP, hold=0.3),
    "both": Boosting(rounds=25, rate=0.3, limits=DEEP, hold=0.3, subsample=0.5),
    "patient": Boosting(rounds=200, rate=0.8, limits=DEEP, hold=0.3, patience=4),
    "second order": SecondOrder(rounds=25, rate=0.3, limits=DEEP, min_child_weight=4.0),
    "with a price": SecondOrder(rounds=25, rate=0.3, limits=DEEP, gamma=0.4),
}
every_way = pytest.mark.parametrize("how", WAYS.values(), ids=WAYS)
every_loss = pytest.mark.parametrize("loss", [Squared, Absolute])


def on_line(how, loss, seed=1):
    return LineRounds(how, X[ORDER], ORDER, loss(Y[ORDER]), np.random.default_rng(seed))


def on_any_axes(how, loss, seed=1):
    groups = np.zeros(len(X), dtype=np.int64)
    return Run(how, X[:, None], loss(Y), groups, np.random.default_rng(seed))


def moments(run):
    return [moment for _, moments in run.blocks() for moment in moments]


@every_way
@every_loss
def test_losses_round_by_round_are_those_on_any_axes(how, loss):
    ours, theirs = moments(on_line(how, loss)), moments(on_any_axes(how, loss))
    assert len(ours) == len(theirs)
    for mine, their in zip(ours, theirs, strict=True):
        assert mine.round == their.round
        assert mine.train == pytest.approx(their.train, rel=1e-9)
        assert mine.held == pytest.approx(their.held, rel=1e-9, nan_ok=True)


@every_way
def test_what_is_told_of_a_tree_is_the_same(how):
    *_, (stands, _) = on_any_axes(how, Squared).blocks()
    theirs = [First.of(stand, place) for stand in stands for place in range(len(stand))]
    for mine, first in zip(moments(on_line(how, Squared))[1:], theirs, strict=True):
        assert mine.first.leaves == first.leaves
        assert mine.first.feature == first.feature
        assert mine.first.threshold == pytest.approx(first.threshold, nan_ok=True)
        assert mine.first.gain == pytest.approx(first.gain, rel=1e-5)


@every_way
def test_the_trees_add_up_to_what_the_losses_say(how):
    run = on_line(how, Squared)
    *_, (stairs, last) = run.blocks()
    F = run.start[0] + np.sum([each.said(X[ORDER]).sum(axis=0) for each in stairs], axis=0)
    apart = (Y[ORDER] - F) ** 2
    assert last[-1].train == pytest.approx(apart[~run.held[ORDER]].mean())


def test_few_points_make_long_blocks_and_many_short_ones():
    _, (few, _), *_ = on_line(WAYS["plain"], Squared).blocks()
    assert len(few[0]) > 10
    x = np.arange(200_000.0)
    many = LineRounds(WAYS["plain"], x, np.arange(len(x)), Squared(x), np.random.default_rng(0))
    assert many._at_once() == 1
