"""Gradient descent: optimisers against their papers, batches, and the reasons why a run ends."""

import math
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression as Reference

from tests.learn.datasets import blobs, moons
from vizml import learn
from vizml.learn.gradient_descent import Iterate, Optimiser, descend, reported
from vizml.learn.linear_models.linear_regression import SquaredError
from vizml.learn.linear_models.logistic import LogisticRegression
from vizml.learn.linear_models.logistic_solver import LogLoss, LossPoint, descent_path, newton_path
from vizml.learn.training_data import TrainingData

X, Y = moons(60)
SOLVERS = ("gd", "sgd", "minibatch", "momentum", "rmsprop", "adam")
GRADIENTS = [np.array([1.0, -2.0]), np.array([0.5, 4.0]), np.array([-3.0, 0.0])]


def steps(solver, gradients, rate=0.1):
    optimiser = Optimiser(solver, rate, np.shape(gradients[0]))
    return [optimiser.step(np.asarray(gradient)) for gradient in gradients]


def test_gradient_descent_and_momentum_follow_their_formulas():
    assert np.allclose(steps("gd", GRADIENTS), 0.1 * np.array(GRADIENTS))
    expected = [sum(0.9 ** (t - s) * GRADIENTS[s] for s in range(t + 1)) for t in range(3)]
    assert np.allclose(steps("momentum", GRADIENTS), 0.1 * np.array(expected))


def test_rmsprop_divides_by_the_running_root_mean_square():
    means = [sum(0.1 * 0.9 ** (t - s) * GRADIENTS[s] ** 2 for s in range(t + 1)) for t in range(3)]
    expected = [0.1 * g / (np.sqrt(m) + 1e-8) for g, m in zip(GRADIENTS, means)]
    assert np.allclose(steps("rmsprop", GRADIENTS), expected)


def test_adam_is_that_of_kingma_and_ba():
    for t, ours in enumerate(steps("adam", GRADIENTS), start=1):
        m = sum(0.1 * 0.9 ** (t - 1 - s) * GRADIENTS[s] for s in range(t)) / (1 - 0.9**t)
        v = sum(0.001 * 0.999 ** (t - 1 - s) * GRADIENTS[s] ** 2 for s in range(t)) / (1 - 0.999**t)
        assert np.allclose(ours, 0.1 * m / (np.sqrt(v) + 1e-8))


@given(st.floats(1e-4, 1e4), st.sampled_from(["rmsprop", "adam"]))
def test_adaptive_steps_do_not_depend_on_the_unit_of_the_loss(factor, solver):
    ours = steps(solver, [factor * g for g in GRADIENTS])
    assert np.allclose(ours, steps(solver, GRADIENTS), rtol=1e-3, atol=1e-6)


@dataclass
class Recorder:
    """A loss that records the samples of each batch."""

    samples: np.ndarray
    batches: list = field(default_factory=list)

    def __len__(self):
        return len(self.samples)

    def shuffled(self, order):
        return Recorder(self.samples[order], self.batches)

    def batch_gradient(self, weights, batch):
        self.batches.append(self.samples[batch].tolist())
        return np.zeros_like(weights)


def test_an_epoch_uses_every_sample_once_in_a_new_order():
    loss = Recorder(np.arange(60))
    optimiser = Optimiser("gd", 1.0, (1,))
    path = descend(loss, np.zeros(1), optimiser, 7, np.random.default_rng(0), updates=3)
    epochs = [epoch for epoch, _ in islice(path, 7)]
    assert epochs == pytest.approx([0, 21 / 60, 42 / 60, 1, 81 / 60, 102 / 60, 2])
    first, second = (list(chain(*loss.batches[k : k + 9])) for k in (0, 9))
    assert sorted(first) == sorted(second) == list(range(60))
    assert first != second
    assert [len(batch) for batch in loss.batches[:9]] == [7] * 8 + [4]


def problem(l2=0.0, l1=0.0):
    design = np.column_stack([np.ones(60), X])
    return LogLoss.of(design, Y, np.array([0, 1]), np.eye(3), l2, l1)


def down(loss, solver, count, rate=0.1, batch=16):
    return list(islice(descent_path(loss, solver, rate, batch, np.random.default_rng(0)), count))


@pytest.mark.parametrize("solver", SOLVERS)
def test_iterates_have_the_loss_and_gradient_of_their_weights(solver):
    loss = problem(0.5)
    path = down(loss, solver, 4, rate=0.3)
    for count, here in enumerate(path):
        point = LossPoint(loss, here.weights)
        assert (here.epoch, here.loss) == (count, point.value)
        assert here.gradient_norm == pytest.approx(np.linalg.norm(point.gradient))
    if solver == "gd":
        step = path[1].weights - path[0].weights
        assert np.allclose(step, -0.3 * LossPoint(loss, path[0].weights).gradient / 60, rtol=1e-12)


@pytest.mark.parametrize("one, other, batch", [("minibatch", "gd", 60), ("minibatch", "sgd", 1)])
def test_batches_of_all_samples_or_one_are_the_other_solvers(one, other, batch):
    ours, theirs = (down(problem(), solver, 5, batch=batch)[-1] for solver in (one, other))
    assert np.array_equal(ours.weights, theirs.weights)


@pytest.mark.parametrize("l1", [0.0, 2.0])
def test_newton_arrives_where_descent_does(l1):
    loss = problem(0.5, l1)
    *_, newton = islice(newton_path(loss), 30)
    *_, slow = down(loss, "gd", 2000, rate=1.0)
    assert newton.gradient_norm < 1e-8
    assert np.allclose(newton.weights, slow.weights, atol=1e-5)


def test_a_strong_l1_penalty_sets_weights_to_exactly_zero():
    *_, last = down(problem(l1=1e3), "gd", 50)
    assert last.weights[0, 1:].tolist() == [0.0, 0.0]
    assert abs(last.weights[0, 0]) < 1e-6  # as many points of either class


def test_newtons_first_step_is_least_squares_on_the_working_response():
    """IRLS: at zero weights each point has the weight 1/4 and the response (y - 1/2) / (1/4)."""
    loss = problem()
    _, second = islice(newton_path(loss), 2)
    expected = np.linalg.lstsq(loss.design, 4 * (Y - 0.5), rcond=None)[0]
    assert np.allclose(second.weights[0], expected, rtol=1e-6)


@pytest.mark.parametrize("l1", [0.0, 0.3])
def test_three_classes_have_intercepts_that_sum_to_zero(l1):
    design = np.column_stack([np.ones(60), X])
    loss = LogLoss.of(design, np.arange(60) % 3, np.arange(3), np.eye(3), 0.0, l1)
    *_, last = islice(newton_path(loss), 15)
    assert abs(last.weights[:, 0].sum()) < 1e-9
    if not l1:
        assert np.abs(last.weights.sum(axis=0)).max() < 1e-9


def test_a_step_of_linear_regression_follows_the_mean_gradient():
    design = np.column_stack([np.ones(60), X])
    loss = SquaredError(design, Y.astype(float))
    first, second = islice(loss.path(0.01, 60, np.random.default_rng(0)), 2)
    assert np.allclose(second.weights, 0.01 * design.T @ Y / 60)
    assert first.loss == pytest.approx(Y @ Y)
    assert first.gradient_norm == pytest.approx(np.linalg.norm(design.T @ Y / 60))


@pytest.mark.parametrize("share, falls", [(0.98, True), (1.02, False)])
def test_gradient_descent_diverges_above_the_highest_rate(share, falls):
    loss = SquaredError(np.column_stack([np.ones(60), X]), Y.astype(float))
    path = loss.path(share * loss.highest_rate, 60, np.random.default_rng(0))
    *_, last = islice(path, 2000)
    assert (last.loss < Y @ Y) == falls


# notes and the end of a run


def iterate(epoch, value, gradient_norm=1.0, weight=None):
    weights = np.array([[float(epoch) if weight is None else weight, 0.0]])
    return Iterate(epoch, weights, value, gradient_norm)


def report(*iterates, epochs=10, l2=1.0, separable=False):
    design = np.column_stack([np.ones(10), np.arange(10) % 2 - 0.5 if separable else np.ones(10)])
    loss = LogLoss.of(design, np.arange(10) % 2, np.array([0, 1]), np.eye(2), l2, 0.0)
    reason = partial(LogisticRegression(epochs=epochs, tol=1e-3).reason, loss)
    return list(reported(iter(iterates), epochs, reason, unit=1.0))


def test_notes_have_the_change_of_the_loss_and_the_gradient_norm():
    found = report(iterate(0, 7.0, 2.5), iterate(1, 6.0, 1.5), iterate(2, 5.0))
    assert found[0][1:] == ("start: all weights 0, loss 7, gradient norm 2.5", 0.0)
    assert found[1][1:] == ("epoch 1: loss 7 → 6, gradient norm 1.5", 0.1)
    assert "loss 6 → 5" in found[2][1]


def test_training_converges_where_the_gradient_per_sample_is_below_the_tolerance():
    """Of 10 samples with a tolerance of 0.001: at 0.01."""
    found = report(iterate(0, 7.0), iterate(1, 6.0, 0.0101), iterate(2, 5.0, 0.0099), iterate(3, 4.0))
    assert found[-1][1].endswith(": converged")
    assert [progress for *_, progress in found] == [0.0, 0.1, 1.0]


@pytest.mark.parametrize(
    "losses, ending",
    [
        ((7.0, 6.0, 5.0), ": maximum number of epochs"),
        ((7.0, 8.0, 9.0), "higher than at the start, a lower learning rate helps"),
        ((7.0, 5.0, 5.6), "the loss still jumps up, a lower learning rate helps"),
        ((7.0, 5.0, 5.4), ": maximum number of epochs"),
    ],
)
def test_the_last_epoch_ends_training_with_a_reason(losses, ending):
    assert report(*map(iterate, range(3), losses), epochs=2)[-1][1].endswith(ending)


def test_training_ends_when_the_weights_stop_changing():
    still = iterate(1, 6.0)
    *_, last = report(iterate(0, 7.0), still, still._replace(epoch=2), iterate(3, 5.0))
    assert last[0].epoch == 2
    assert last[1].endswith("; stopped: rounding hides any further decrease")


@pytest.mark.parametrize("value", [1e3 * 7.0 + 1, math.inf, math.nan])
def test_divergence_ends_training_with_the_last_finite_weights(value):
    *_, before, last = report(iterate(0, 7.0), iterate(1, 6.0), iterate(1.5, value), iterate(2, 5.0))
    assert last[0] is before[0]
    assert last[1].startswith("diverged in epoch 2: loss 7 → ")
    assert last[2] == 1.0
    assert len(report(iterate(0, 7.0), iterate(1, 7e3), iterate(2, 5.0))) == 3


@pytest.mark.parametrize("weight, gradient_norm", [(11.0, 1.0), (0.1, 0.001)])
def test_separable_classes_without_a_penalty_stop_early(weight, gradient_norm):
    path = [iterate(0, 7.0), *(iterate(k, 1.0 / k, gradient_norm) for k in (1, 2))]
    path = [here._replace(weights=np.array([[0.0, 2 * weight]])) for here in path]
    found = report(*path, l2=0.0, separable=True)
    assert len(found) == 2
    assert "without a penalty the weights grow without bound" in found[-1][1]
    *_, last = report(path[0], path[1]._replace(weights=np.array([[0.0, 0.2]])), l2=0.0, epochs=1,
                      separable=True)  # fmt: skip
    assert last[1].endswith("bound" if gradient_norm < 1 else "the weights keep growing")
    assert len(report(*path, l2=1.0, separable=True)) == (3 if gradient_norm == 1 else 2)


# invariants of trained logistic regressions


def states(X=X, Y=Y, **values):
    return list(learn.steps(learn.create("logistic", **values), X, Y))


@pytest.mark.parametrize("solver", ["newton", "gd", "adam"])
def test_notes_of_a_run_have_the_losses_of_its_states(solver):
    run = states(solver=solver, epochs=8)
    for before, after in pairwise(run):
        assert f"loss {before.loss:.4g} → {after.loss:.4g}" in after.note
        assert before.progress <= after.progress
    assert run[-1].progress == 1.0


@pytest.mark.parametrize("degree", [1, 3])
def test_swapped_labels_swap_the_probabilities(degree):
    one, other = states(degree=degree)[-1], states(Y=1 - Y, degree=degree)[-1]
    assert np.allclose(one.proba(X)[:, ::-1], other.proba(X), atol=1e-6)


def test_neither_order_nor_repetition_of_the_samples_matters():
    points, labels = blobs(60)
    mixed = np.random.default_rng(0).permutation(60)
    one, other = states(points, labels)[-1], states(points[mixed], labels[mixed])[-1]
    assert np.allclose(one.proba(points), other.proba(points), atol=1e-8)
    single, double = states()[-1], states(np.tile(X, (2, 1)), np.tile(Y, 2), l2=2.0)[-1]
    assert double.loss == pytest.approx(2 * single.loss)
    for name in ("intercept", "x", "y", "loss per point"):
        assert double.metrics()[name] == pytest.approx(single.metrics()[name], rel=1e-6)


@pytest.mark.parametrize("l1", [0.0, 1.0])
def test_penalties_depend_on_the_unit_but_not_on_the_origin(l1):
    """Of data ten times as large the weights are a tenth, and their squares a hundredth."""
    move = np.array([50.0, -20.0])
    one, moved = states(l1=l1)[-1], states(X + move, l1=l1)[-1]
    scaled = states(10 * X, l2=100.0, l1=10 * l1)[-1]
    assert np.allclose(one.proba(X), moved.proba(X + move), atol=1e-6)
    assert np.allclose(one.proba(X), scaled.proba(10 * X), atol=1e-6)


def test_logistic_regression_of_three_inputs_is_scikit_learns():
    rng = np.random.default_rng(0)
    inputs = rng.normal(size=(80, 3)) * [1.0, 5.0, 0.2]
    labels = (inputs @ [1.0, -0.3, 4.0] + rng.normal(size=80) > 0).astype(int)
    data = TrainingData(inputs, labels=labels, columns=("a", "b", "c"))
    *_, state = learn.run(learn.create("logistic"), data)
    theirs = Reference(C=1.0, tol=1e-10).fit(inputs, labels)
    assert np.allclose(state.coefficients, theirs.coef_, rtol=1e-4)
    assert np.allclose(state.proba(inputs), theirs.predict_proba(inputs), atol=1e-6)
