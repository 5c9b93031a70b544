"""Ways down the log-loss whose steps can be counted, and where they arrive."""

import itertools

import numpy as np
import pytest

from tests.learn.datasets import moons
from vizml.learn.linear_models import path
from vizml.learn.linear_models.newton import newton_path
from vizml.learn.linear_models.objective import LogLoss
from vizml.learn.linear_models.path import descent_path

X, Y = moons(60)
SOLVERS = ("gd", "sgd", "minibatch", "momentum", "rmsprop", "adam")


def problem(l2=0.0, l1=0.0, n=60):
    design = np.column_stack([np.ones(n), X[:n]])
    return LogLoss.of(design, Y[:n], np.array([0, 1]), np.eye(3), l2, l1)


def down(loss, solver, count, rate=0.1, batch=16, seed=0):
    return list(itertools.islice(descent_path(loss, solver, rate, batch, np.random.default_rng(seed)), count))


@pytest.mark.parametrize("l2", [0.0, 3.0])
def test_gradient_descent_goes_down_the_mean_slope(l2):
    loss = problem(l2)
    first, second = down(loss, "gd", 2, rate=0.3)
    slope = loss.gradient(first.weights, loss.chances(loss.logits(first.weights)))
    assert np.allclose(second.weights, first.weights - 0.3 * slope / 60, rtol=1e-12)


@pytest.mark.parametrize("solver", SOLVERS)
def test_places_say_where_they_are(solver):
    loss = problem(0.5)
    for count, place in enumerate(down(loss, solver, 4)):
        logits = loss.logits(place.weights)
        gradient = loss.gradient(place.weights, loss.chances(logits))
        assert place.epoch == count
        assert place.loss == loss.value(place.weights)
        assert place.slope == pytest.approx(np.linalg.norm(gradient))
        assert place.margin == loss.margin(logits)


@pytest.mark.parametrize("solver", ["sgd", "minibatch", "adam"])
def test_an_epoch_meets_every_point_once(solver, monkeypatch):
    met = []
    monkeypatch.setattr(path, "_updated", lambda *given: met.extend(given[2]) or given[1])
    down(problem(), solver, 3, batch=7)
    assert len(met) == 120
    assert sorted(met[:60]) == sorted(met[60:]) == list(range(60))
    assert met[:60] != met[60:]  # shuffled anew


@pytest.mark.parametrize("batch", [60, 1024])
def test_a_batch_of_all_points_is_gradient_descent(batch):
    ours, theirs = (down(problem(), solver, 5, batch=batch) for solver in ("minibatch", "gd"))
    assert np.array_equal(ours[-1].weights, theirs[-1].weights)


def test_single_points_are_batches_of_one():
    ours = down(problem(), "minibatch", 3, batch=1)[-1]
    assert np.array_equal(ours.weights, down(problem(), "sgd", 3)[-1].weights)


def test_a_long_epoch_is_seen_in_slices_that_sum_to_it(monkeypatch):
    whole = down(problem(), "sgd", 3)
    monkeypatch.setattr(path, "WORK", 25)
    sliced = down(problem(), "sgd", 7)
    assert [place.epoch for place in sliced] == pytest.approx([0, 25 / 60, 50 / 60, 1, 85 / 60, 110 / 60, 2])
    assert np.array_equal(sliced[-1].weights, whole[-1].weights)


@pytest.mark.parametrize("l1", [0.0, 2.0])
def test_newton_arrives_where_descent_does(l1):
    loss = problem(0.5, l1)
    *_, newton = itertools.islice(newton_path(loss), 30)
    *_, slow = down(loss, "gd", 2000, rate=1.0)
    assert newton.slope < 1e-8
    assert np.allclose(newton.weights, slow.weights, atol=1e-5)


def test_the_price_of_sizes_pulls_to_exactly_zero():
    *_, place = down(problem(l1=1e3), "gd", 50)
    assert place.weights[0, 1:].tolist() == [0.0, 0.0]
    assert abs(place.weights[0, 0]) < 1e-6  # as many points of either class


def test_newtons_first_step_is_least_squares_on_the_working_response():
    """IRLS: at zero weights each point has the weight 1/4 and the response (y - 1/2) / (1/4)."""
    loss = problem()
    _, second = itertools.islice(newton_path(loss), 2)
    expected = np.linalg.lstsq(loss.design, 4 * (Y - 0.5), rcond=None)[0]
    assert np.allclose(second.weights[0], expected, rtol=1e-6)


def test_newton_stands_still_at_the_bottom():
    *_, before, last = itertools.islice(newton_path(problem(1.0)), 40)
    assert np.allclose(before.weights, last.weights, atol=1e-12)
    assert last.loss <= before.loss


@pytest.mark.parametrize("l1", [0.0, 0.3])
def test_with_three_classes_scores_stay_around_zero(l1):
    """What may be added to all of them is taken off."""
    design = np.column_stack([np.ones(60), X])
    loss = LogLoss.of(design, np.arange(60) % 3, np.arange(3), np.eye(3), 0.0, l1)
    *_, last = itertools.islice(newton_path(loss), 15)
    assert abs(last.weights[:, 0].sum()) < 1e-9
    if not l1:
        assert np.abs(last.weights.sum(axis=0)).max() < 1e-9
