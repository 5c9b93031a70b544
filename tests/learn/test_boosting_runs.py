"""Boosting on one feature against the same boosting on any number of features."""

import numpy as np
import pytest

from vizml.learn.ensembles.boosting_solver import Boosting, BoostingRun, NewtonBoosting, UnivariateBoostingRun
from vizml.learn.ensembles.losses import AbsoluteLoss, SquaredLoss
from vizml.learn.trees.grower import GrowthLimits

RNG = np.random.default_rng(0)
X = RNG.integers(0, 60, size=90) / 7
Y = np.sin(X) + RNG.normal(scale=0.3, size=90)
KINDS = (UnivariateBoostingRun, BoostingRun)
DEEP = GrowthLimits(max_depth=3)
WAYS = {
    "plain": Boosting(rounds=25, rate=0.3, limits=DEEP),
    "few in a leaf": Boosting(rounds=10, rate=0.3, limits=GrowthLimits(max_depth=4, min_leaf=6)),
    "subsampled": Boosting(rounds=25, rate=0.3, limits=DEEP, subsample=0.4),
    "held out": Boosting(rounds=25, rate=0.3, limits=DEEP, hold=0.3),
    "both": Boosting(rounds=25, rate=0.3, limits=DEEP, hold=0.3, subsample=0.5),
    "patient": Boosting(rounds=200, rate=0.8, limits=DEEP, hold=0.3, patience=4),
    "second order": NewtonBoosting(rounds=25, rate=0.3, limits=DEEP, min_child_weight=4.0),
    "with a price": NewtonBoosting(rounds=25, rate=0.3, limits=DEEP, gamma=0.4),
}
every_way = pytest.mark.parametrize("how", WAYS.values(), ids=WAYS)
every_loss = pytest.mark.parametrize("loss", [SquaredLoss, AbsoluteLoss])


def run_of(kind, how, loss=SquaredLoss, seed=1):
    groups = np.zeros(len(X), dtype=np.int64)
    return kind(how, X[:, None], loss(Y), groups, np.random.default_rng(seed))


def rounds_of(run):
    return [each for _, rounds in run.blocks() for each in rounds]


def trees_of(run):
    *_, (batches, _) = run.blocks()
    return [(batch, place) for batch in batches for place in range(len(batch))]


@every_way
@every_loss
def test_the_univariate_run_has_the_losses_and_residuals_of_the_multivariate_one(how, loss):
    ours, theirs = (rounds_of(run_of(kind, how, loss)) for kind in KINDS)
    assert len(ours) == len(theirs)
    for mine, their in zip(ours, theirs, strict=True):
        assert mine.round == their.round
        assert mine.train == pytest.approx(their.train, rel=1e-9)
        assert mine.held == pytest.approx(their.held, rel=1e-9, nan_ok=True)
        assert mine.residuals == pytest.approx(their.residuals, abs=1e-6)


@every_way
def test_the_univariate_run_has_the_trees_of_the_multivariate_one(how):
    ours, theirs = (trees_of(run_of(kind, how)) for kind in KINDS)
    assert len(ours) == len(theirs)
    x = np.linspace(X.min() - 1, X.max() + 1, 300)[:, None]
    for (batch, place), (other, there) in zip(ours, theirs, strict=True):
        assert batch.summary(place) == pytest.approx(other.summary(there), rel=1e-5, nan_ok=True)
        assert np.allclose(batch.sums(x, place, place + 1), other.sums(x, there, there + 1))
        assert np.allclose(batch.training_values[place], other.training_values[there])


@every_way
def test_the_trees_add_up_to_the_losses(how):
    run = run_of(UnivariateBoostingRun, how)
    *_, (batches, last) = run.blocks()
    F = run.initial + np.sum([batch.sums(X[:, None], 0, len(batch)) for batch in batches], axis=0)
    residuals = (Y - F[:, 0]) ** 2
    assert last[-1].train == pytest.approx(residuals[~run.held].mean())
