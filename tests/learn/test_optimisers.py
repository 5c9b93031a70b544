"""Optimisers on surfaces against closed forms, reference recurrences and scipy's minimisers."""

from itertools import pairwise

import numpy as np
import pytest
import scipy.optimize

from vizml import data, learn
from vizml.data import Dataset
from vizml.data.formula import Formula, Surface
from vizml.learn.optimisers.objective import Curvature, derivatives

SURFACES = data.names("descend")
PRECISE = {"xatol": 1e-9, "fatol": 1e-14}
EVERY = learn.names("descend")


def on(formula, *starts, **facts):
    """Starts on a surface of one's own."""
    return Dataset(starts, np.full(len(starts), -1), surface=Surface(Formula(formula), **facts))


def last(id, dataset, seed=0, **values):
    return learn.fit_data(learn.create(id, "descend", **values), dataset, seed)


def function(dataset):
    return lambda w: float(dataset.surface.formula.values(*w))


@pytest.mark.parametrize("name", SURFACES)
def test_derivatives_are_finite_differences(name):
    surface = data.generate(name).surface
    for w in np.random.default_rng(3).uniform(-2, 2, (20, 2)):
        found = derivatives(surface.formula, w)

        def gradient(at):
            return derivatives(surface.formula, at).gradient

        expected = scipy.optimize.approx_fprime(w, lambda at: float(surface.formula(*at)), 1e-7)
        assert np.allclose(found.gradient, expected, rtol=1e-4, atol=1e-4)
        rows = scipy.optimize.approx_fprime(w, gradient, 1e-7)
        assert np.allclose(found.hessian, rows, rtol=1e-4, atol=1e-3)


def test_derivatives_of_rosenbrock_are_those_of_scipy():
    formula = data.generate("rosenbrock").surface.formula
    for w in np.random.default_rng(0).normal(size=(50, 2)):
        found = derivatives(formula, w)
        assert found.value == pytest.approx(scipy.optimize.rosen(w), rel=1e-12)
        assert np.allclose(found.gradient, scipy.optimize.rosen_der(w), rtol=1e-10, atol=1e-10)
        assert np.allclose(found.hessian, scipy.optimize.rosen_hess(w), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize(
    "text, w, expected",
    [
        ("log(w1)*w2", (2.0, 3.0), [1.5, np.log(2)]),
        ("sqrt(w1) + abs(w2)", (4.0, -3.0), [0.25, -1.0]),
        ("w1^1.5 / w2", (4.0, 2.0), [1.5, -2.0]),
        ("tan(w1) + e^0.5*w2", (0.3, 0.0), [1 / np.cos(0.3) ** 2, np.exp(0.5)]),
        ("exp(-w1*w2)", (0.5, 2.0), [-2 * np.exp(-1), -0.5 * np.exp(-1)]),
        ("w1^-2", (2.0, 0.0), [-0.25, 0.0]),
        ("3", (2.0, 0.0), [0.0, 0.0]),
    ],
)
def test_gradients_are_those_of_calculus(text, w, expected):
    assert np.allclose(derivatives(Formula(text), np.array(w)).gradient, expected, rtol=1e-12)


@pytest.mark.parametrize("name", [name for name in SURFACES if name != "formula"])
def test_minima_are_minima(name):
    surface = data.generate(name).surface
    for place in surface.minima:
        found = Curvature.at(surface, np.array(place))
        assert found.steepness < 1e-8 * max(1.0, found.eigenvalues[1])
        assert found.kind() == "minimum"
        left, right, bottom, top = surface.bounds
        grid = surface.formula.values(np.linspace(left, right, 201), np.linspace(bottom, top, 201)[:, None])
        assert surface.formula.values(*place) <= grid.min() + 1e-9


@pytest.mark.parametrize(
    "w, kind", [((0.0, 0.0), "saddle point"), ((0.0, 2.0), "minimum"), ((0.0, -2.0), "minimum")]
)
def test_places_of_the_saddle_are_classified(w, kind):
    surface = data.generate("saddle").surface
    found = Curvature.at(surface, np.array(w))
    assert found.kind() == kind
    assert found.stationary(0.01)
    assert not Curvature.at(surface, np.array([1.0, 1.0])).stationary(0.01)


def test_gradient_descent_on_a_quadratic_shrinks_each_coordinate_by_its_eigenvalue():
    state = last("gradient_descent", data.generate("bowl", condition=4), rate=0.1, max_steps=20)
    steps = np.arange(len(state.paths[0]))[:, None]
    expected = np.array([-2.4, 1.8]) * np.array([1 - 0.1, 1 - 0.4]) ** steps
    assert np.allclose(state.paths[0], expected, rtol=1e-12)
    assert np.allclose(state.heights, (expected[:, 0] ** 2 + 4 * expected[:, 1] ** 2) / 2, rtol=1e-12)


@pytest.mark.parametrize("factor, converges", [(0.99, True), (1.01, False)])
def test_gradient_descent_diverges_above_two_over_the_curvature(factor, converges):
    state = last("gradient_descent", data.generate("bowl", condition=10), rate=0.2 * factor, max_steps=5000)
    assert state.note.endswith("converged to a minimum") == converges
    assert ("diverged" in state.note and "a lower learning rate helps" in state.note) != converges


def reference(id, gradient, w, rate, steps):
    """The recurrences of PyTorch's documentation."""
    v, s = np.zeros(2), np.zeros(2)
    path = [w]
    for t in range(1, steps + 1):
        g = gradient(w)
        if id == "momentum":
            v = 0.9 * v + g
            w = w - rate * v
        elif id == "nesterov":
            v = 0.9 * v + g
            w = w - rate * (g + 0.9 * v)
        elif id == "rmsprop":
            s = 0.9 * s + 0.1 * g**2
            w = w - rate * g / (np.sqrt(s) + 1e-8)
        elif id == "adam":
            v, s = 0.9 * v + 0.1 * g, 0.999 * s + 0.001 * g**2
            w = w - rate * (v / (1 - 0.9**t)) / (np.sqrt(s / (1 - 0.999**t)) + 1e-8)
        else:
            w = w - rate * g
        path.append(w)
    return np.array(path)


@pytest.mark.parametrize("id", ["gradient_descent", "momentum", "nesterov", "rmsprop", "adam"])
def test_paths_are_those_of_the_recurrences(id):
    state = last(id, data.generate("rosenbrock"), rate=0.0005, max_steps=40)
    start = np.array([-1.2, 1.0])
    expected = reference(id, scipy.optimize.rosen_der, start, 0.0005, 40)
    assert np.allclose(state.paths[0], expected, rtol=1e-9, atol=1e-12)


def test_the_first_step_of_adam_is_the_learning_rate():
    state = last("adam", data.generate("himmelblau"), rate=0.07, max_steps=1)
    assert np.allclose(np.abs(np.diff(state.paths[0], axis=0)), 0.07, rtol=1e-6)


def test_noise_has_its_standard_deviation_and_no_noise_is_gradient_descent():
    bowl = data.generate("bowl")
    steady = last("gradient_descent", bowl, rate=0.1, max_steps=50)
    assert np.array_equal(last("sgd", bowl, rate=0.1, noise=0, max_steps=50).paths[0], steady.paths[0])
    noisy = last("sgd", on("0*w1", (0.0, 0.0)), rate=0.5, noise=2.0, max_steps=4000, tol=1e-12, seed=1)
    # the gradient is 0, so that the path ends at once: a tilted plane has none
    tilted = last("sgd", on("w1", (0.0, 0.0)), rate=0.5, noise=2.0, max_steps=4000)
    assert np.diff(tilted.paths[0], axis=0).std(axis=0) == pytest.approx([1.0, 1.0], rel=0.05)
    assert noisy.ending.startswith("converged")


def test_a_decaying_rate_is_a_harmonic_sequence():
    state = last("sgd", on("w1", (0.0, 0.0)), rate=1.0, noise=0.0, decay=1.0, max_steps=5)
    assert np.allclose(np.diff(state.paths[0][:, 0]), -1 / np.arange(1, 6))


@pytest.mark.parametrize("name", ["bowl", "ravine"])
def test_newton_minimises_a_quadratic_in_one_step(name):
    state = last("newton", data.generate(name))
    assert len(state.paths[0]) == 2
    assert np.allclose(state.w, 0, atol=1e-12)
    assert state.evaluations == (2, 2, 1)


def test_newton_takes_six_steps_on_rosenbrock():
    """As in Nocedal and Wright, and scipy's own Newton-CG needs more."""
    state = last("newton", data.generate("rosenbrock"))
    w = np.array([-1.2, 1.0])
    for _ in range(6):
        w = w - np.linalg.solve(scipy.optimize.rosen_hess(w), scipy.optimize.rosen_der(w))
    assert np.allclose(state.w, w, atol=1e-9)
    assert len(state.paths[0]) == 7


def test_newton_is_attracted_by_a_saddle_point_unless_its_eigenvalues_are_positive():
    saddle = data.generate("saddle")
    assert last("newton", saddle).note.endswith("converged to a saddle point")
    state = last("newton", saddle, positive=True, line_search=True)
    assert state.note.endswith("converged to a minimum")
    assert abs(state.w[1]) == pytest.approx(2.0, abs=1e-6)


@pytest.mark.parametrize("name", [name for name in SURFACES if name not in ("waves", "formula")])
def test_bfgs_ends_at_a_minimum_of_scipy(name):
    dataset = data.generate(name, n=4)
    for k in range(4):
        state = last("bfgs", dataset.take(slice(k, k + 1)))
        found = scipy.optimize.minimize(function(dataset), state.w, method="Nelder-Mead", options=PRECISE)
        assert state.loss == pytest.approx(found.fun, abs=1e-8)
        assert np.allclose(state.w, found.x, atol=1e-4)
        theirs = scipy.optimize.minimize(function(dataset), dataset.points[k], method="BFGS")
        assert state.evaluations[1] <= 3 * theirs.njev + 10


def test_line_search_never_ascends():
    for id, values in (("gradient_descent", {"line_search": True, "rate": 1.0}), ("bfgs", {})):
        for name in ("rosenbrock", "himmelblau", "waves"):
            assert (np.diff(last(id, data.generate(name), **values).heights) <= 0).all()


def test_coordinate_descent_solves_each_coordinate_as_scipy_does():
    dataset = data.generate("ravine")
    path = last("coordinate_descent", dataset, max_steps=6).paths[0]
    for step, (before, after) in enumerate(pairwise(path)):
        axis = step % 2

        def line(t, before=before, axis=axis):
            return function(dataset)(before + t * np.eye(2)[axis])

        best = scipy.optimize.minimize_scalar(line).x
        assert after[axis] == pytest.approx(before[axis] + best, abs=1e-5)
        assert after[1 - axis] == pytest.approx(before[1 - axis], abs=1e-12)


def test_grid_search_finds_the_lowest_of_the_grid():
    dataset = data.generate("himmelblau")
    ours = last("grid_search", dataset, points=15)
    theirs = scipy.optimize.brute(function(dataset), ((-5, 5), (-5, 5)), Ns=15, full_output=True, finish=None)
    assert ours.loss == pytest.approx(theirs[1], rel=1e-12)
    assert len(ours.candidates) == 225


def test_random_search_keeps_the_best_of_uniform_candidates():
    state = last("random_search", data.generate("waves"), max_steps=200, seed=4)
    values = data.generate("waves").surface.formula.values(*state.candidates.T)
    assert state.loss == min(values.min(), state.heights[0])
    assert np.abs(state.candidates).max() <= 5
    assert (np.diff(state.heights) <= 0).all()


@pytest.mark.parametrize("id", EVERY)
def test_several_starts_have_a_path_each(id):
    dataset = data.generate("himmelblau", n=5)
    state = last(id, dataset)
    assert [path[0].tolist() for path in state.paths] == dataset.points.tolist()
    for path, move in zip(state.paths, state.moves):
        assert np.array_equal(path[-1], move.w)
    assert state.loss == state.moves[-1].value == state.heights[-1]
    alone = last(id, dataset.take(slice(0, 1)))
    if id not in ("sgd", "random_search"):
        assert np.array_equal(alone.paths[0], state.paths[0])


def test_without_points_the_start_of_the_surface_is_used():
    empty = data.generate("rosenbrock").take(slice(0))
    assert last("newton", empty).paths[0][0].tolist() == [-1.2, 1.0]


def test_metrics_count_evaluations_and_measure_the_distance_to_the_nearest_minimum():
    state = last("bfgs", data.generate("himmelblau"))
    figures = state.metrics()
    away = [np.hypot(*(state.w - place)) for place in data.generate("himmelblau").surface.minima]
    assert figures["distance to the minimum"] == pytest.approx(min(away))
    assert figures["evaluations of f"] >= figures["evaluations of the gradient"]
    low, high = np.linalg.eigvalsh(state.learned()["H"])
    assert (figures["Hessian eigenvalue 1"], figures["Hessian eigenvalue 2"]) == (low, high)


def test_a_formula_that_is_not_defined_everywhere_is_descended():
    """Beyond the domain of the logarithm f counts as infinite, and a line search stays inside."""
    dataset = on("w1 - log(w1) + w2^2", (3.0, 1.0))
    for id in ("bfgs", "coordinate_descent"):
        assert np.allclose(last(id, dataset).w, [1.0, 0.0], atol=1e-3)
    assert np.isinf(last("bfgs", dataset).predict(np.array([[-1.0, 0.0]]))).all()
    assert "diverged" in last("gradient_descent", dataset, rate=9.0).note
