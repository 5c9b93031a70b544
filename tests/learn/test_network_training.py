"""Training of networks: Levenberg-Marquardt against scipy, gradient descent, stopping, determinism."""

import numpy as np
import pytest
from scipy.optimize import least_squares
from scipy.special import expit
from sklearn.metrics import log_loss

from vizml import data, learn
from vizml.learn.networks.network import LOSSES, Network, NetworkObjective, NetworkScaler, Sample
from vizml.learn.networks.training import (
    IDLE,
    UPDATES,
    WORK,
    GradientDescent,
    LevenbergMarquardt,
    NetworkTraining,
)

TIGHT = (3000, 1e-10)
SETS = ("sine", "step", "cubic", "hetero")
NORMAL = np.random.default_rng(0).normal(size=(8, 2))


def sampled(name, n=80, seed=0):
    points = data.generate(name, n=n, seed=seed)
    x, y = points.x[:, None], points.y[:, None]
    return Sample(NetworkScaler.of(x).inputs(x), NetworkScaler.of(y).inputs(y)[:-1])


def curved(name="sine", sizes=(1, 4, 1), activation="tanh", l2=0.5, unit=1.0, **more):
    return NetworkObjective(Network(sizes, activation), LOSSES["squared"], sampled(name, **more), l2, unit)


def march(objective, seed=0, held=None, limits=TIGHT, preface=""):
    theta = objective.network.initial(np.random.default_rng(seed))
    optimiser = LevenbergMarquardt(objective, theta, *limits)
    return list(NetworkTraining(objective, optimiser, held).steps(preface))


def descend(objective, **values):
    values = {"solver": "gd", "rate": 0.1, "batch": 50, "limit": 4, "dropout": 0.0} | values
    optimiser = GradientDescent(objective, rng=np.random.default_rng(0), **values)
    return list(NetworkTraining(objective, optimiser).steps())


def residuals(objective):
    """What least_squares is to make small, put together without the network's own code."""
    network, sample = objective.network, objective.sample
    squash = {"tanh": np.tanh, "sigmoid": expit}[network.activation]

    def apart(theta):
        signal = sample.inputs[:-1]
        first, last = network.matrices(theta)
        signal = last[:, :-1] @ squash(first[:, :-1] @ signal + first[:, -1:]) + last[:, -1:]
        penalty = np.sqrt(objective.l2) * np.concatenate([first[:, :-1].ravel(), last[:, :-1].ravel()])
        return np.concatenate([(signal - sample.targets)[0], penalty]) / np.sqrt(len(sample))

    return apart


# minima


def scipys(objective, theta):
    return least_squares(residuals(objective), theta, method="lm", ftol=1e-12, xtol=1e-12)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("activation", ["tanh", "sigmoid"])
def test_minima_are_scipys(name, activation):
    """From the same starts the least of them is no higher; what it ends in, scipy does not leave."""
    objective, ours, theirs = curved(name, (1, 3, 1), activation), [], []
    for seed in range(6):
        theta = objective.network.initial(np.random.default_rng(seed))
        run = march(objective, seed)
        assert run[0].J == pytest.approx((residuals(objective)(theta) ** 2).sum() / 2, rel=1e-12)
        assert scipys(objective, run[-1].theta).cost == pytest.approx(run[-1].J, rel=1e-6)
        ours.append(run[-1].J)
        theirs.append(scipys(objective, theta).cost)
    assert min(ours) <= min(theirs) * (1 + 1e-6)


@pytest.mark.parametrize("labels", [2, 3])
def test_at_the_end_the_gradient_of_the_penalised_log_loss_is_zero(labels):
    points = data.generate("blobs", n=60, classes=labels, noise=1.5, seed=0)
    model = learn.create("mlp", task="classify", hidden="3", solver="lm", l2=1.0, tol=1e-12, epochs=2000)
    state = learn.fit(model, points.points, points.labels)

    def J(theta):
        weights = np.concatenate([matrix[:, :-1].ravel() for matrix in state.network.matrices(theta)])
        moved = state.later(theta=theta)
        return log_loss(points.labels, moved.proba(points.points)) + (weights**2).sum() / (2 * 60)

    assert state.loss == pytest.approx(J(state.theta), rel=1e-9)
    for step in 1e-4 * np.eye(state.network.size):
        assert abs(J(state.theta + step) - J(state.theta - step)) / 2e-4 < 2e-5


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("loss", ["squared", "absolute"])
def test_the_default_optimiser_reaches_no_higher_loss_than_adam(name, loss):
    points = data.generate(name, n=120, seed=0)
    ends = [
        np.median([
            learn.fit(learn.create("mlp", task="regress", loss=loss, **values), points.x, points.y, seed).loss
            for seed in range(3)
        ])
        for values in ({}, {"solver": "adam"})
    ]  # fmt: skip
    assert ends[0] <= ends[1]


def test_spirals_are_classified_from_any_initial_weights():
    points = data.generate("spirals", n=300, seed=0)
    model = learn.create("mlp", task="classify", solver="lm")
    right = [
        (learn.fit(model, points.points, points.labels, seed=seed).predict(points.points) == points.labels)
        for seed in range(3)
    ]
    assert np.mean(right) > 0.99


# steps


def test_accepted_steps_reduce_the_loss_and_rejected_ones_stay():
    run = march(curved("cubic", (1, 8, 8, 1), l2=0.03))
    rejected = ["rejected" in record.note for record in run]
    assert 0 < sum(rejected) < len(run) / 2
    for before, now, stays in zip(run, run[1:], rejected[1:], strict=False):
        assert (now.J == before.J) if stays else (now.J < before.J)
        assert np.array_equal(now.theta, before.theta) == stays


def test_each_note_has_the_losses_the_damping_and_the_gradient():
    run = march(curved("cubic", (1, 8, 8, 1), l2=0.03), preface="so: ")
    first, second = run[:2]
    assert run[0].note.startswith("so: start: 97 random weights in layers 1-8-8-1, loss ")
    assert second.note.startswith(f"iteration 1: loss {first.J:.4g} → {second.J:.4g}, damping ")
    k = next(k for k, record in enumerate(run) if "rejected" in record.note)
    assert f"damping {run[k - 1].figures['damping']:.2g}" in run[k].note
    assert run[k].figures["damping"] > run[k - 1].figures["damping"]
    assert [record.figures["iterations"] for record in run] == list(range(len(run)))


def test_derivatives_of_many_points_are_computed_in_parts():
    objective = curved("sine", (1, 16, 16, 1), n=4000)
    part = WORK // objective.network.size**2
    run = march(objective, limits=(2, 1e-10), preface="so: ")
    partial = [record.note for record in run if "derivatives of" in record.note]
    assert partial[0] == f"iteration 1: derivatives of {part:,} of 4,000 points"
    assert len(partial) == 2 * (-(-4000 // part) - 1)
    assert [len(record.history) for record in run if "derivatives of" not in record.note] == [1, 2, 3]


def test_losses_and_gradients_are_in_the_unit_of_y():
    ones, nines = (march(curved("cubic", (1, 8, 8, 1), l2=0.03, unit=unit)) for unit in (1.0, 9.0))
    assert [9 * record.J for record in ones] == pytest.approx([record.J for record in nines])
    for name, factor in (("gradient norm", 9.0), ("damping", 1.0)):
        assert factor * ones[-1].figures[name] == pytest.approx(nines[-1].figures[name])
    k = next(k for k, record in enumerate(ones) if "rejected" in record.note)
    would = [float(run[k].note.split("would rise to ")[1].split(";")[0]) for run in (ones, nines)]
    assert 9 * would[0] == pytest.approx(would[1], rel=1e-3)


# the end


def test_it_ends_when_consecutive_steps_improve_little():
    run = march(curved(), limits=(300, 0.01))
    J = np.array([record.J for record in run if "rejected" not in record.note])
    gains = (J[:-1] - J[1:]) / J[:-1]
    assert (gains[-IDLE:] < 0.01).all()
    assert gains[-IDLE - 1] >= 0.01
    assert run[-1].note.endswith(f"{IDLE} iterations in a row improved J by less than 1 %")


def test_it_ends_after_the_maximum_number_of_iterations():
    run = march(curved(), limits=(4, 1e-10))
    assert len(run) == 5
    assert run[-1].note.endswith(": maximum number of iterations reached")
    assert [record.progress for record in run] == [0, 0.25, 0.5, 0.75, 1]


@pytest.mark.parametrize("y", [[2.0, 2.0, 2.0, 2.0], [1.0, -1.0, 0.5, 3.0]])
def test_it_ends_at_a_minimum(y):
    model = learn.create("mlp", task="regress", l2=0.0, tol=1e-12)
    state = learn.fit(model, np.arange(4.0), y)
    assert state.predict(np.arange(4.0)) == pytest.approx(y, abs=1e-9)
    assert state.note.endswith(": converged to a minimum")
    assert state.metrics()["iterations"] < 100


def test_it_ends_when_no_step_reduces_the_loss():
    run = march(curved(), limits=(5000, -1.0))
    assert run[-1].note.endswith(": no step reduces J")
    assert run[-1].figures["gradient norm"] < 1e-6


def test_validation_ends_it_and_the_best_weights_are_last():
    objective = curved("sine", (1, 16, 16, 1), l2=0.0, n=32, seed=3)
    held = sampled("sine", n=40, seed=4)
    *run, last = march(objective, held=held)
    judged = [record.validation_loss for record in run]
    best = int(np.argmin(judged))
    assert last.theta is run[best].theta
    assert judged[best] == pytest.approx(objective.mean_loss(last.theta, held))
    taken = [k for k, record in enumerate(run) if k > best and "rejected" not in record.note]
    assert len(taken) == LevenbergMarquardt.patience
    assert f"no lower validation loss for 6 iterations: back to iteration {best}, " in last.note
    assert last.progress == 1.0


# settings


@pytest.mark.parametrize("task", ["classify", "regress"])
def test_parameters_of_mini_batches_are_irrelevant_to_it(task):
    values = learn.create("mlp", task=task, solver="lm").values
    unused = {
        param.name
        for param in type(learn.create("mlp", task=task)).parameters()
        if not param.relevant(values)
    }
    assert unused == {"rate", "batch", "dropout", "schedule", "decay"}
    batches = values | {"solver": "adam"}
    kind = type(learn.create("mlp", task=task))
    assert {param.name for param in kind.parameters() if not param.relevant(batches)} == {"tol", "decay"}


@pytest.mark.parametrize("points", [
    np.zeros((5, 2)), np.full((6, 2), 1e12), 1e-12 * NORMAL, 1e12 * NORMAL,
    np.array([[0.0, 1.0]]), np.column_stack([np.arange(8.0), np.arange(8.0)]),
    np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1e17]]),
])  # fmt: skip
@pytest.mark.parametrize("l2", [0.0, 0.03])
def test_degenerate_data_have_finite_curves_and_classes(points, l2):
    state = learn.fit(learn.create("mlp", task="regress", l2=l2), points[:, 0], points[:, 1])
    assert np.isfinite(state.predict(points[:, 0])).all()
    assert np.isfinite(state.loss)
    labels = np.arange(len(points)) % 2
    told = learn.fit(learn.create("mlp", task="classify", solver="lm", l2=l2), points, labels)
    assert np.isfinite(told.scores(points)).all()


# gradient descent


def test_each_epoch_adds_a_row_of_history():
    objective = curved("cubic", (1, 4, 3, 1), l2=0.0)
    records = descend(objective, limit=5, batch=16)
    for count, record in enumerate(records):
        assert record.history[:, 0].tolist() == list(range(count + 1))
        assert record.J == objective.value(record.theta)
        assert record.progress == pytest.approx(count / 5)
        assert np.isnan(record.history[:, 2]).all()
    assert records[-1].note.endswith(": maximum number of epochs reached")


def test_a_long_epoch_is_recorded_in_parts():
    objective = curved("sine", (1, 2, 1), n=2 * UPDATES + 60)
    records = descend(objective, limit=2, batch=1, rate=1e-3)
    assert records[-1].history[:, 0] == pytest.approx([0, 0.4, 0.8, 1, 1.4, 1.8, 2])
