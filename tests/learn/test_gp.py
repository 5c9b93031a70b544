"""The Gaussian process that classifies: scikit-learn's answers, the evidence and its climb, the field."""

import dataclasses
import re

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import erf as scipy_erf
from sklearn.datasets import load_iris, make_blobs, make_moons
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern

from vizml import learn
from vizml.field import Raster
from vizml.learn.gaussian_processes.averaged import averaged, erf
from vizml.learn.gaussian_processes.climb import Climb
from vizml.learn.gaussian_processes.covariance import SHAPES, Covariance, squared_distances
from vizml.learn.gaussian_processes.fitting import MOST
from vizml.learn.gaussian_processes.laplace import newton, nowhere
from vizml.learn.gaussian_processes.posterior import Process
from vizml.learn.gaussian_processes.triangular import inverted, solved

SETS = {
    "moons": make_moons(120, noise=0.25, random_state=0),
    "imbalanced": make_blobs([90, 8], centers=[[0, 0], [2, 1]], random_state=3),
    "three": make_blobs(90, centers=3, cluster_std=2.0, random_state=4),
    "iris": (load_iris().data[::2, 2:], load_iris().target[::2]),
    "tiny": (np.array([[0.0, 0], [1, 1], [2, 0], [3, 2]]), np.array([0, 0, 1, 1])),
}
KERNELS = {
    "rbf": RBF(0.8),
    "matern32": Matern(0.8, nu=1.5),
    "matern52": Matern(0.8, nu=2.5),
}


def steps(X, y, seed=0, **values):
    return list(learn.steps(learn.create("gp", task="classify", **values), X, y, seed))


def fit(X, y, **values):
    return steps(X, y, **values)[-1]


def theirs(X, y, kernel="rbf", variance=5.0, optimizer=None):
    found = GaussianProcessClassifier(ConstantKernel(variance) * KERNELS[kernel], optimizer=optimizer)
    return found.fit(X, y)


def around(X, width=40, height=30):
    (left, bottom), (right, top) = X.min(axis=0) - 1, X.max(axis=0) + 1
    return Raster.over((left, right, bottom, top), width, height)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("kernel", KERNELS)
def test_probabilities_at_a_fixed_kernel_are_scikit_learns(name, kernel):
    X, y = SETS[name]
    state = fit(X, y, kernel=kernel, length=0.8, variance=5.0)
    places = around(X).points()
    assert np.abs(state.proba(places) - theirs(X, y, kernel).predict_proba(places)).max() < 1e-6


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("kernel", KERNELS)
def test_the_evidence_is_scikit_learns(name, kernel):
    X, y = SETS[name]
    state = fit(X, y, kernel=kernel, length=0.8, variance=5.0)
    reference = theirs(X, y, kernel).log_marginal_likelihood_value_
    assert state.metrics()["log marginal likelihood"] == pytest.approx(reference, abs=1e-8)


@pytest.mark.parametrize("kernel", KERNELS)
def test_slopes_of_the_evidence_are_central_differences(kernel):
    X, y = SETS["moons"]
    squares = squared_distances(X, X)

    def mode(theta):
        covariance = Covariance(kernel, *np.exp(theta))
        *_, last = newton(covariance.of(squares), y.astype(float))
        return covariance, last

    at = np.log([0.6, 7.0])
    covariance, there = mode(at)
    found = [(mode(at + e)[1].evidence - mode(at - e)[1].evidence) / 2e-4 for e in 1e-4 * np.eye(2)]
    assert there.slopes(covariance, squares) == pytest.approx(found, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_climb_ends_where_scikit_learns_does_or_higher(kernel):
    X, y = SETS["moons"]
    run = steps(X, y, kernel=kernel, length=0.8, variance=5.0, optimise=True)
    reference = theirs(X, y, kernel, optimizer="fmin_l_bfgs_b")
    assert run[-1].evidence >= reference.log_marginal_likelihood_value_ - 1e-3
    assert np.all(np.diff([state.loss for state in run]) < 1e-9)
    length, variance = (run[-1].metrics()[name] for name in ("length", "variance"))
    assert run[-1].note.startswith(f"done: length {length:.3g} and variance {variance:.3g}; ")


def test_each_of_three_classes_climbs_to_its_own_kernel():
    X, y = SETS["three"]
    figures = fit(X, y, optimise=True).metrics()
    lengths = {round(figures[f"length ({name})"], 6) for name in "ABC"}
    assert len(lengths) == 3


def test_newtons_steps_raise_the_evidence_until_nothing_moves():
    X, y = SETS["moons"]
    run = steps(X, y, length=0.8)
    assert run[0].loss > run[1].loss > run[2].loss
    assert np.allclose(run[0].proba(X), 0.5, atol=1e-6)
    assert run[-1].note.startswith(f"at the mode after {len(run) - 2} steps: log marginal likelihood")
    process = run[-1].processes[0]
    f = process.moments(X)[0]
    assert np.abs(process.a - (y - 1 / (1 + np.exp(-f)))).max() < 1e-8


@pytest.mark.parametrize("values", [{"kernel": "matern32"}, {"length": 0.05}, {"optimise": True}])
def test_of_many_points_that_few_cannot_tell_a_share_is_learned_from_and_that_is_said(values):
    X, y = make_moons(MOST + 500, noise=0.2, random_state=0)
    run = learn.steps(learn.create("gp", task="classify", **values), X, y)
    state = next(state for state in run if not state.note.startswith("looking"))
    assert state.note.startswith("from 1,000 of 1,500 points, as the cost grows with their cube; start")
    assert state.metrics()["points"] == MOST


@pytest.mark.parametrize("centers", [2, 3])
def test_many_points_that_few_can_tell_are_all_learned_from(centers, monkeypatch):
    X, y = make_blobs(MOST + 100, centers=centers, cluster_std=2.0, random_state=0)
    spanned = steps(X, y)
    told = re.match(
        r"from all 1,100 points, whose covariances (\d+) of them tell to 7 digits; ", spanned[-1].note
    )
    assert 50 < int(told[1]) == len(spanned[-1].processes[0].points) < 450
    assert spanned[-1].metrics()["points"] == len(X)
    monkeypatch.setattr("vizml.learn.gaussian_processes.fitting.MOST", len(X))
    whole, places = steps(X, y), around(X).points()
    assert spanned[-1].evidence == pytest.approx(whole[-1].evidence, abs=1e-3)
    assert np.abs(spanned[-1].proba(places) - whole[-1].proba(places)).max() < 1e-3
    assert np.abs(spanned[-1].proba(X) - whole[-1].proba(X)).max() < 2e-5
    assert np.array_equal(spanned[-1].predict(X), whole[-1].predict(X))
    assert spanned[0].proba(X) == pytest.approx(1 / centers, abs=1e-6)


def test_processes_of_many_points_step_one_after_another():
    X, y = make_blobs(MOST + 100, centers=3, cluster_std=2.0, random_state=0)
    run = steps(X, y)
    looking = [state for state in run if state.note.startswith("looking for the few points")]
    assert run[: len(looking)] == looking
    assert all(np.allclose(state.proba(X[:9]), 1 / 3, atol=1e-6) for state in looking)
    assert all(np.isnan(state.loss) for state in looking)
    notes = [state.note.split("; ", 1)[1] for state in run[len(looking) :]]
    assert notes[0].startswith("start: f = 0 everywhere, mean log marginal likelihood")
    assert [note.split(":")[0] for note in notes[1:4]] == [
        f"Newton step 1 of process {k} of 3" for k in (1, 2, 3)
    ]
    assert notes[-1].startswith("at the mode after ")


# the mathematics below it


def test_the_error_function_is_scipys():
    x = np.linspace(-8, 8, 20_001)
    assert np.abs(erf(x) - scipy_erf(x)).max() < 1e-12


@pytest.mark.parametrize("mean, variance", [(0.0, 1.0), (1.5, 0.3), (-3.0, 4.0), (2.0, 50.0), (-8.0, 1e-3)])
def test_the_averaged_logistic_is_the_integral(mean, variance):
    def part(f):
        return np.exp(-0.5 * (f - mean) ** 2 / variance) / np.sqrt(2 * np.pi * variance) / (1 + np.exp(-f))

    reach = 10 * np.sqrt(variance)
    exact = quad(part, mean - reach, mean + reach, epsabs=1e-10, limit=200)[0]
    assert averaged(np.array([mean]), np.array([variance]))[0] == pytest.approx(exact, abs=1e-4)


@pytest.mark.parametrize("n", [1, 2, 48, 49, 200])
def test_a_triangular_matrix_is_inverted_and_solves(n):
    rng = np.random.default_rng(n)
    L, b = np.tril(rng.normal(size=(n, n))) / n + np.eye(n), rng.normal(size=n)
    assert np.abs(inverted(L) @ L - np.eye(n)).max() < 1e-12
    assert solved(L, b) == pytest.approx(np.linalg.solve(L @ L.T, b), rel=1e-9, abs=1e-11)


def test_labels_do_not_bend_the_likelihood_but_covariances_do():
    X, y = SETS["moons"]
    squares = squared_distances(X, X)
    K, other = (Covariance("rbf", length, 4.0).of(squares) for length in (0.5, 0.9))
    start = nowhere(K, y.astype(float))
    turned = start.under(K, 1.0 - y)
    assert turned.factor is start.factor
    assert np.array_equal(turned.y, 1.0 - y)
    *_, mode = newton(K, y.astype(float), start)
    moved = mode.under(other, mode.y)
    assert moved.f == pytest.approx(other @ mode.a)
    B = np.eye(len(X)) + moved.roots[:, None] * other * moved.roots
    assert moved.factor @ moved.factor.T == pytest.approx(B, abs=1e-10)


@pytest.mark.parametrize("kind", SHAPES)
def test_slopes_of_covariances_are_central_differences(kind):
    squares = np.linspace(0.01, 9, 50)
    up, down = (Covariance(kind, 0.7 * np.exp(step), 2.0).of(squares) for step in (1e-5, -1e-5))
    assert np.abs(Covariance(kind, 0.7, 2.0).by_length(squares) - (up - down) / 2e-5).max() < 1e-8


def test_a_climb_reaches_the_top_of_a_hill_or_the_edge_of_its_box():
    def hill(theta):
        apart = theta - np.array([1.0, -2.0])
        bend = np.array([[3.0, 1.0], [1.0, 2.0]])
        return -0.5 * apart @ bend @ apart, -bend @ apart

    for high, top in ((5.0, (1.0, -2.0)), (0.5, (0.5, -1.75))):
        climb = Climb(np.zeros(2), np.full(2, -5.0), np.full(2, high))
        while not climb.done:
            climb.tell(*hill(climb.trial))
        assert climb.best == pytest.approx(top, abs=1e-3)
        assert climb.evaluations < 40


def test_a_state_keeps_vectors_not_matrices():
    X, y = SETS["moons"]
    state = fit(X, y)
    sizes = [v.size for p in state.processes for v in vars(p).values() if isinstance(v, np.ndarray)]
    assert max(sizes) <= 2 * len(X)
    assert dataclasses.is_dataclass(state.processes[0])


@pytest.mark.parametrize("variance", [0.1, 50.0])
def test_of_two_classes_the_likelier_one_is_predicted(variance):
    X, y = SETS["moons"]
    state = fit(X, y, variance=variance)
    places = np.random.default_rng(0).uniform(-3, 4, size=(500, 2))
    assert np.array_equal(state.predict(places), state.classes[state.scores(places).argmax(axis=1)])


def test_what_tells_the_variance_is_worked_out_once_for_the_processes_that_are_looked_at(monkeypatch):
    (process,), asked = fit(*SETS["moons"]).processes, []
    monkeypatch.setattr(Process, "telling", lambda self: asked.append(self) or np.eye(len(self.points)))
    for _ in range(3):
        process.moments(np.zeros((4, 2)))
    assert asked == [process]
