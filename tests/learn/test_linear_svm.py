"""The linear SVM by gradient descent: each step as Pegasos writes it, and LIBSVM's minimum at the end."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs, make_moons
from sklearn.linear_model import SGDClassifier
from sklearn.svm import SVC

from vizml import learn
from vizml.data import generate
from vizml.learn.support_vectors.linear_svm import Pegasos
from vizml.learn.support_vectors.views import SLACK
from vizml.learn.training_data import TrainingData

SETS = {
    "moons": make_moons(200, noise=0.25, random_state=0),
    "three": make_blobs(150, centers=3, cluster_std=2.5, random_state=4),
    "imbalanced": make_blobs([190, 10], centers=[[0, 0], [2, 1]], random_state=3),
    "tiny": (np.array([[0.0, 0], [1, 1], [2, 0], [3, 2]]), np.array([0, 0, 1, 1])),
    "stretched": (
        make_moons(100, noise=0.2, random_state=5)[0] * 50 + 300,
        make_moons(100, random_state=5)[1],
    ),
}
every_set = pytest.mark.parametrize("name", SETS)


def run(X, y, **values):
    return list(learn.steps(learn.create("linear_svm", **values), X, y))


def objective(X, y, w, b, lam):
    """For y of 1 and -1."""
    return lam / 2 * w @ w + np.maximum(0, 1 - y * (X @ w + b)).mean()


def minimum(X, y, lam):
    """The least objective by LIBSVM, which minimises it divided by lam; in units that suit it."""
    unit = X.std()
    Z, lam = (X - X.mean(axis=0)) / unit, lam / unit**2
    best = SVC(C=1 / (len(X) * lam), kernel="linear", tol=1e-6).fit(Z, y)
    return objective(Z, y, best.coef_[0], best.intercept_[0], lam)


@every_set
@pytest.mark.parametrize("share", [0.1, 0.01])
@pytest.mark.parametrize("average, slip", [(True, 0.03), (False, 0.05)])
def test_the_objective_comes_down_to_libsvms(name, share, average, slip):
    X, y = SETS[name]
    lam = share * X.var()
    state = run(X, y, lam=lam, average=average, epochs=2000 if name == "tiny" else 200)[-1]
    signs = np.array([np.where(y == k, 1.0, -1.0) for k in (np.unique(y) if y.max() > 1 else [1])])
    least = sum(minimum(X, sign, lam) for sign in signs)
    assert least * (1 - 1e-6) <= state.loss < least * (1 + slip)
    w = state.coefficients
    b = state.levels - w @ state.centre
    found = sum(objective(X, *task, lam) for task in zip(signs, w, b))
    assert state.loss == pytest.approx(found)
    assert state.decisions(X) == pytest.approx(X @ w.T + b)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("n", [500, 2000])
def test_ten_epochs_end_lower_than_twenty_of_scikit_learns_descent(n, seed):
    """The time of the one is set beside that of the other in the benchmarks."""
    points, lam = generate("moons", n=n, noise=0.25, seed=seed), 0.01
    X, sign = points.points, np.where(points.labels == 1, 1.0, -1.0)
    theirs = SGDClassifier(
        loss="hinge", alpha=lam, average=True, max_iter=20, tol=None, random_state=seed
    ).fit(X, sign)
    ours = run(X, points.labels, lam=lam, epochs=10)[-1].metrics()
    w, b = np.array([ours["x"], ours["y"]]), ours["intercept"]
    assert objective(X, sign, w, b, lam) < objective(X, sign, theirs.coef_[0], theirs.intercept_[0], lam)


@pytest.mark.parametrize("stretches", [[200], [1, 1, 2, 4, 192], [37, 163]])
def test_steps_and_their_averages_are_those_of_the_rule(stretches):
    X, y = SETS["moons"]
    sign, lam = np.where(y == 1, 1.0, -1.0), 0.02
    order = np.random.default_rng(0).permutation(200)
    machine = Pegasos(X, sign, lam)
    for part in np.split(order, np.cumsum(stretches)[:-1]):
        machine.run(part)
    w, b, path = np.zeros(2), 0.0, []
    for t, i in enumerate(order, start=1):
        eta = 1 / (lam * (t + 1 / lam))
        wrong = sign[i] * (w @ X[i] + b) < 1
        w = (1 - eta * lam) * w + eta * wrong * sign[i] * X[i]
        b = b + eta * wrong * sign[i]
        path.append([*w, b])
    assert machine.weights(1, average=False)[0] == pytest.approx(path[-1])
    taken = [0, *np.cumsum(stretches)]
    since = next(start for start in taken if start >= 100) if len(stretches) > 1 else 0
    since = min(since, taken[-2])
    assert machine.weights(1, average=True)[0] == pytest.approx(np.mean(path[since:], axis=0))


def test_runs_are_averaged_together_as_one_by_one():
    X, y = SETS["moons"]
    sign, order = np.where(y == 1, 1.0, -1.0), np.random.default_rng(1).permutation(200)
    parts = np.split(order, [1, 3, 40, 90])
    one, together = Pegasos(X, sign, 0.02), Pegasos(X, sign, 0.02)
    averages, latest = [], []
    for part in parts:
        one.run(part)
        together.run(part)
        averages.append(one.weights(1, average=True)[0])
        latest.append(one.weights(1, average=False)[0])
    assert np.allclose(together.weights(5, average=True), averages, rtol=1e-10)
    assert np.array_equal(together.weights(3, average=False), latest[2:])
    assert np.allclose(together.weights(1, average=True)[0], averages[-1], rtol=1e-10)


@pytest.mark.parametrize("d", [1, 4])
def test_any_number_of_inputs_reaches_libsvms_minimum(d):
    X, y = make_blobs(200, n_features=d, centers=2, cluster_std=4.0, random_state=0)
    data, sign = TrainingData(X, labels=y, columns=tuple("abcd"[:d])), np.where(y == 1, 1.0, -1.0)
    state = learn.fit_data(learn.create("linear_svm", lam=0.1, epochs=200), data)
    assert state.loss == pytest.approx(minimum(X, sign, 0.1), rel=0.01)
    assert np.mean(state.predict(X) == y) > 0.6


def test_the_first_epoch_is_shown_at_powers_of_two_and_later_ones_whole():
    X, y = SETS["moons"]
    notes = [state.note.split(":")[0] for state in run(X, y, epochs=3)]
    first = [f"epoch 1, {2**k} point" + "s" * (k > 0) for k in range(8)]
    assert notes == [*first, "epoch 1", "epoch 2", "epoch 3"]


def test_the_objective_falls_on_the_whole():
    losses = [state.loss for state in run(*SETS["moons"])]
    assert losses[-1] == pytest.approx(min(losses), rel=0.01)
    assert losses[-1] < losses[0]


def test_figures_are_in_data_units():
    X, y = SETS["stretched"]
    state = run(X, y, lam=10.0)[-1]
    figures = state.metrics()
    w = np.array([figures["x"], figures["y"]])
    assert X @ w + figures["intercept"] == pytest.approx(state.scores(X)[:, 1])
    assert figures["margin width"] == pytest.approx(2 / np.linalg.norm(w))
    f = np.where(y == 1, 1, -1) * state.scores(X)[:, 1]
    assert figures["points within the margin"] == np.count_nonzero(f < 1)
    assert figures["mean hinge"] == pytest.approx(np.maximum(0, 1 - f).mean())


def test_slack_is_drawn_from_a_point_straight_to_its_margin():
    X, y = SETS["moons"]
    state = run(X, y)[-1]
    (mark,) = (mark for mark in state.marks() if mark.layer == SLACK)
    start, end = mark.ends[:, 0], mark.ends[:, 1]
    side = np.where(y == 1, 1.0, -1.0)[[np.flatnonzero((X == place).all(axis=1))[0] for place in start]]
    assert state.scores(end)[:, 1] == pytest.approx(side)
    w = state.coefficients[0]
    assert np.abs(np.cross(np.c_[end - start, np.zeros(len(end))], [*w, 0])).max() < 1e-9
    assert len(mark.ends) == np.count_nonzero(np.where(y == 1, 1, -1) * state.scores(X)[:, 1] < 0.95)


@every_set
@pytest.mark.parametrize("values", [{}, {"average": False}, {"epochs": 1}, {"epochs": 2}, {"epochs": 3}])
def test_unwatched_it_yields_the_end_of_a_block_and_ends_the_same(name, values):
    X, y = SETS[name]
    model, points = learn.create("linear_svm", **values), TrainingData(X, labels=y)
    (told,) = model.coarse_steps(points, np.random.default_rng(4))
    *_, shown = model.steps(points, np.random.default_rng(4))
    assert np.allclose(told.coefficients, shown.coefficients, rtol=1e-10)
    assert told.loss == pytest.approx(shown.loss, rel=1e-10)
    assert told.progress == shown.progress == 1.0
    assert told.metrics() == pytest.approx(shown.metrics(), rel=1e-9)
