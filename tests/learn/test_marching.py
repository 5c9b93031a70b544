"""A run of Levenberg and Marquardt: scipy's minima, what each step tells, how it ends, what it is set by."""

import numpy as np
import pytest
from scipy.optimize import least_squares
from scipy.special import expit
from sklearn.metrics import log_loss

from vizml import data, learn
from vizml.learn.networks import marching, marquardt
from vizml.learn.networks.inputs import Inputs
from vizml.learn.networks.marching import IDLE, PATIENCE, Limits, marched
from vizml.learn.networks.objective import LOSSES, Objective, Sample
from vizml.learn.networks.plan import ACTIVATIONS, Plan
from vizml.learn.params import Choice

TIGHT = Limits(3000, 1e-10)
SETS = ("sine", "step", "cubic", "hetero")
NORMAL = np.random.default_rng(0).normal(size=(8, 2))


def sampled(name, n=80, seed=0):
    points = data.generate(name, n=n, seed=seed)
    x, y = points.x[:, None], points.y[:, None]
    return Sample(Inputs.over(x).inside(x), Inputs.over(y).inside(y)[:-1])


def curved(name="sine", sizes=(1, 4, 1), activation="tanh", l2=0.5, unit=1.0, **more):
    return Objective(Plan(sizes, activation), LOSSES["squared"], sampled(name, **more), l2, unit)


def march(objective, seed=0, held=None, limits=TIGHT, preface=""):
    return list(marched(objective, held, limits, np.random.default_rng(seed), preface))


def residuals(objective):
    """What least_squares is to make small, put together without the network's own code."""
    plan, sample = objective.plan, objective.sample
    squash = {"tanh": np.tanh, "sigmoid": expit}[plan.activation]

    def apart(theta):
        signal = sample.inputs[:-1]
        first, last = plan.matrices(theta)
        signal = last[:, :-1] @ squash(first[:, :-1] @ signal + first[:, -1:]) + last[:, -1:]
        penalty = np.sqrt(objective.l2) * np.concatenate([first[:, :-1].ravel(), last[:, :-1].ravel()])
        return np.concatenate([(signal - sample.targets)[0], penalty]) / np.sqrt(len(sample))

    return apart


# minima


def scipys(objective, theta):
    return least_squares(residuals(objective), theta, method="lm", ftol=1e-12, xtol=1e-12)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("activation", ["tanh", "sigmoid"])
def test_it_ends_in_minima_of_scipys(name, activation):
    """From the same starts the least of them is no higher; what it ends in, scipy does not leave."""
    objective, ours, theirs = curved(name, (1, 3, 1), activation), [], []
    for seed in range(6):
        theta = objective.plan.start(np.random.default_rng(seed))
        run = march(objective, seed)
        assert run[0].loss == pytest.approx((residuals(objective)(theta) ** 2).sum() / 2, rel=1e-12)
        assert scipys(objective, run[-1].theta).cost == pytest.approx(run[-1].loss, rel=1e-6)
        ours.append(run[-1].loss)
        theirs.append(scipys(objective, theta).cost)
    assert min(ours) <= min(theirs) * (1 + 1e-6)


@pytest.mark.parametrize("labels", [2, 3])
def test_classes_end_where_the_penalised_log_loss_is_level(labels):
    points = data.generate("blobs", n=60, classes=labels, noise=1.5, seed=0)
    model = learn.create("mlp", task="classify", hidden="3", solver="lm", l2=1.0, tol=1e-12, epochs=2000)
    state = learn.fit(model, points.points, points.labels)

    def J(theta):
        weights = np.concatenate([matrix[:, :-1].ravel() for matrix in state.plan.matrices(theta)])
        moved = state.later(theta=theta)
        return log_loss(points.labels, moved.proba(points.points)) + (weights**2).sum() / (2 * 60)

    assert state.loss == pytest.approx(J(state.theta), rel=1e-9)
    for step in 1e-4 * np.eye(state.plan.size):
        assert abs(J(state.theta + step) - J(state.theta - step)) / 2e-4 < 2e-5


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("loss", ["squared", "absolute"])
def test_the_default_ends_no_higher_than_adam(name, loss):
    points = data.generate(name, n=120, seed=0)
    ends = [
        np.median([
            learn.fit(learn.create("mlp", task="regress", loss=loss, **values), points.x, points.y, seed).loss
            for seed in range(3)
        ])
        for values in ({}, {"solver": "adam"})
    ]  # fmt: skip
    assert ends[0] <= ends[1]


def test_spirals_are_told_apart_from_any_start():
    points = data.generate("spirals", n=300, seed=0)
    model = learn.create("mlp", task="classify", solver="lm")
    right = [
        (learn.fit(model, points.points, points.labels, seed=seed).predict(points.points) == points.labels)
        for seed in range(3)
    ]
    assert np.mean(right) > 0.99


# steps


def test_taken_steps_fall_and_refused_ones_stay():
    run = march(curved("cubic", (1, 8, 8, 1), l2=0.03))
    refused = ["refused" in moment.note for moment in run]
    assert 0 < sum(refused) < len(run) / 2
    for before, now, stays in zip(run, run[1:], refused[1:], strict=False):
        assert (now.loss == before.loss) if stays else (now.loss < before.loss)
        assert np.array_equal(now.theta, before.theta) == stays


def test_each_step_tells_loss_damping_and_gradient():
    run = march(curved("cubic", (1, 8, 8, 1), l2=0.03), preface="so: ")
    first, second = run[:2]
    assert run[0].note.startswith("so: start: 97 random weights in layers 1-8-8-1, loss ")
    assert second.note.startswith(f"step 1: loss {first.loss:.4g} → {second.loss:.4g}, damping ")
    refused = next(k for k, moment in enumerate(run) if "refused" in moment.note)
    assert (
        f"not {run[refused].loss:.4g}; damping {run[refused - 1].figures['damping']:.2g}" in run[refused].note
    )
    assert run[refused].figures["damping"] > run[refused - 1].figures["damping"]
    assert [moment.figures["steps"] for moment in run] == list(range(len(run)))


def test_many_points_are_looked_at_in_parts(monkeypatch):
    objective = curved(n=60)
    whole = march(objective, limits=Limits(5, 1e-10))
    monkeypatch.setattr(marquardt, "WORK", 25 * objective.plan.size**2)
    parts = march(objective, limits=Limits(5, 1e-10), preface="so: ")
    breaths = [moment.note for moment in parts if "slopes at" in moment.note]
    assert breaths[:2] == ["step 1: slopes at 25 of 60 points", "step 1: slopes at 50 of 60 points"]
    steps = [moment for moment in parts if "slopes at" not in moment.note]
    assert [len(moment.history) for moment in steps] == [1, 2, 3, 4, 5, 6]
    assert np.allclose(parts[-1].theta, whole[-1].theta, atol=1e-9)


def test_losses_and_gradients_are_told_in_the_unit_of_y():
    ones, nines = (march(curved("cubic", (1, 8, 8, 1), l2=0.03, unit=unit)) for unit in (1.0, 9.0))
    assert [9 * moment.loss for moment in ones] == pytest.approx([moment.loss for moment in nines])
    for name, factor in (("gradient norm", 9.0), ("damping", 1.0)):
        assert factor * ones[-1].figures[name] == pytest.approx(nines[-1].figures[name])
    k = next(k for k, moment in enumerate(ones) if "refused" in moment.note)
    would = [float(run[k].note.split("would be ")[1].split(",")[0]) for run in (ones, nines)]
    assert 9 * would[0] == pytest.approx(would[1], rel=1e-3)


# the end


def test_it_ends_when_steps_in_a_row_gain_little():
    run = march(curved(), limits=Limits(300, 0.01))
    J = np.array([moment.loss for moment in run if "refused" not in moment.note])
    gains = (J[:-1] - J[1:]) / J[:-1]
    assert (gains[-IDLE:] < 0.01).all()
    assert gains[-IDLE - 1] >= 0.01
    assert run[-1].note.endswith(f"{IDLE} steps in a row gained less than 1 %")


def test_it_ends_when_the_steps_are_over():
    run = march(curved(), limits=Limits(4, 1e-10))
    assert len(run) == 5
    assert run[-1].note.endswith(": the steps are over")
    assert [moment.progress for moment in run] == [0, 0.25, 0.5, 0.75, 1]


@pytest.mark.parametrize("y", [[2.0, 2.0, 2.0, 2.0], [1.0, -1.0, 0.5, 3.0]])
def test_it_ends_where_nothing_is_left_to_gain(y):
    model = learn.create("mlp", task="regress", l2=0.0, tol=1e-12)
    state = learn.fit(model, np.arange(4.0), y)
    assert state.predict(np.arange(4.0)) == pytest.approx(y, abs=1e-9)
    assert state.note.endswith(": nothing is left to gain")
    assert state.metrics()["steps"] < 100


def test_without_a_way_down_it_says_so(monkeypatch):
    monkeypatch.setattr(marching, "IDLE", 10_000)
    run = march(curved(), limits=Limits(5000, 1e-12))
    assert run[-1].note.endswith(": no step leads further down")
    assert run[-1].figures["gradient norm"] < 1e-6


def test_points_held_back_end_it_and_the_best_moment_is_last():
    objective = curved("sine", (1, 16, 16, 1), l2=0.0, n=32, seed=3)
    held = sampled("sine", n=40, seed=4)
    *run, last = march(objective, held=held)
    judged = [moment.judged for moment in run]
    best = int(np.argmin(judged))
    assert last.theta is run[best].theta
    assert judged[best] == pytest.approx(objective.judged(last.theta, held))
    taken = [k for k, moment in enumerate(run) if k > best and "refused" not in moment.note]
    assert len(taken) == PATIENCE
    assert f"no better for {PATIENCE} steps: back to step {best}, " in last.note
    assert last.progress == 1.0


# settings


@pytest.mark.parametrize("task", ["classify", "regress"])
def test_what_batches_need_means_nothing_to_it(task):
    values = learn.create("mlp", task=task, solver="lm").values
    unused = {
        param.name
        for param in type(learn.create("mlp", task=task)).parameters()
        if not param.relevant(values)
    }
    assert unused == {"rate", "batch", "dropout"}
    batches = values | {"solver": "adam"}
    kind = type(learn.create("mlp", task=task))
    assert {param.name for param in kind.parameters() if not param.relevant(batches)} == {"tol"}


def test_the_solvers_of_both_networks_are_the_same_with_another_default():
    solvers = {
        task: next(
            param for param in type(learn.create("mlp", task=task)).parameters() if param.name == "solver"
        )
        for task in ("classify", "regress")
    }
    assert all(isinstance(param, Choice) for param in solvers.values())
    assert solvers["classify"].options == solvers["regress"].options
    assert (solvers["classify"].default, solvers["regress"].default) == ("adam", "lm")


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("task", ["classify", "regress"])
def test_a_seed_repeats_a_run(task, activation):
    points = data.generate("moons" if task == "classify" else "sine", n=40, seed=0)
    told = (points.points, points.labels) if task == "classify" else (points.x, points.y)
    model = learn.create("mlp", task=task, activation=activation, solver="lm")
    one, again, other = (learn.fit(model, *told, seed=seed).theta for seed in (3, 3, 4))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


@pytest.mark.parametrize("points", [
    np.zeros((5, 2)), np.full((6, 2), 1e12), 1e-12 * NORMAL, 1e12 * NORMAL,
    np.array([[0.0, 1.0]]), np.column_stack([np.arange(8.0), np.arange(8.0)]),
    np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1e80]]),
])  # fmt: skip
@pytest.mark.parametrize("l2", [0.0, 0.03])
def test_degenerate_data_have_finite_curves_and_classes(points, l2):
    state = learn.fit(learn.create("mlp", task="regress", l2=l2), points[:, 0], points[:, 1])
    assert np.isfinite(state.curve(points[:, 0])).all()
    assert np.isfinite(state.loss)
    labels = np.arange(len(points)) % 2
    told = learn.fit(learn.create("mlp", task="classify", solver="lm", l2=l2), points, labels)
    assert np.isfinite(told.scores(points)).all()
