"""Gaussian process classification: scikit-learn's predictions, evidence, optimisation, and exact pictures.

A shade of 8 bits is 1/255 of a probability; pictures are compared with the probabilities one by one.
"""

import re

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import erf as scipy_erf
from sklearn.datasets import load_iris, make_blobs, make_moons
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern

from tests.learn.datasets import around
from vizml import learn
from vizml.field import Raster
from vizml.field.tiles import FEW
from vizml.learn.gaussian_processes.classification import MOST, spread, stratified_sample
from vizml.learn.gaussian_processes.posterior import erf, mean_logistic
from vizml.learn.training_data import TrainingData

SHADE = 1 / 255
SETS = {
    "moons": make_moons(120, noise=0.25, random_state=0),
    "imbalanced": make_blobs([90, 8], centers=[[0, 0], [2, 1]], random_state=3),
    "three": make_blobs(90, centers=3, cluster_std=2.0, random_state=4),
    "iris": (load_iris().data[::2, 2:], load_iris().target[::2]),
    "tiny": (np.array([[0.0, 0], [1, 1], [2, 0], [3, 2]]), np.array([0, 0, 1, 1])),
}
KERNELS = {"rbf": RBF(0.8), "matern32": Matern(0.8, nu=1.5), "matern52": Matern(0.8, nu=2.5)}


def steps(X, y, seed=0, **values):
    return list(learn.steps(learn.create("gp", task="classify", **values), X, y, seed))


def fit(X, y, **values):
    return steps(X, y, **values)[-1]


def theirs(X, y, kernel="rbf", variance=5.0, optimizer=None):
    found = GaussianProcessClassifier(ConstantKernel(variance) * KERNELS[kernel], optimizer=optimizer)
    return found.fit(X, y)


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
def test_the_optimisation_ends_where_scikit_learns_does_or_higher(kernel):
    X, y = SETS["moons"]
    run = steps(X, y, kernel=kernel, length=0.8, variance=5.0, optimise=True)
    reference = theirs(X, y, kernel, optimizer="fmin_l_bfgs_b")
    assert run[-1].evidence >= reference.log_marginal_likelihood_value_ - 1e-3
    assert np.all(np.diff([state.loss for state in run]) < 1e-9)
    length, variance = (run[-1].metrics()[name] for name in ("length", "variance"))
    assert run[-1].note.startswith(f"optimised: length {length:.3g}, variance {variance:.3g}; ")


def test_each_of_three_classes_climbs_to_its_own_kernel():
    X, y = SETS["three"]
    figures = fit(X, y, optimise=True).metrics()
    lengths = {round(figures[f"length ({name})"], 6) for name in "ABC"}
    assert len(lengths) == 3


def test_newton_steps_raise_the_evidence_until_convergence():
    X, y = SETS["moons"]
    run = steps(X, y, length=0.8)
    assert run[0].loss > run[1].loss > run[2].loss
    assert np.allclose(run[0].proba(X), 0.5, atol=1e-6)
    assert run[-1].note.startswith(f"converged after {len(run) - 2} Newton steps: log marginal likelihood")
    (posterior,) = run[-1].posteriors
    f = posterior.mean(X)
    assert np.abs(posterior.a - (y - 1 / (1 + np.exp(-f)))).max() < 1e-8


@pytest.mark.parametrize("values", [{"kernel": "matern32"}, {"length": 0.05}, {"optimise": True}])
def test_a_sample_of_too_many_points_is_used_and_reported(values):
    X, y = make_moons(MOST + 500, noise=0.2, random_state=0)
    run = learn.steps(learn.create("gp", task="classify", **values), X, y)
    state = next(state for state in run if not state.note.startswith("selecting"))
    assert state.note.startswith("1,000 of 1,500 points (the cost grows with their cube); f = 0 everywhere")
    assert state.metrics()["points"] == MOST


@pytest.mark.parametrize("centers", [2, 3])
def test_inducing_points_approximate_a_smooth_kernel(centers):
    X, y = make_blobs(MOST + 100, centers=centers, cluster_std=2.0, random_state=0)
    state, places = fit(X, y), around(X).points()
    inducing = re.match(r"(\d+) inducing points for 1,100 points; ", state.note)
    assert 50 < int(inducing[1]) == len(state.posteriors[0].points) < 450
    assert state.metrics()["points"] == len(X)
    figures = state.metrics()
    length = figures["length" if centers == 2 else "length (A)"]
    kernel = ConstantKernel(10.0) * RBF(length)
    whole = GaussianProcessClassifier(kernel, optimizer=None).fit(X, y)
    assert state.evidence == pytest.approx(whole.log_marginal_likelihood_value_, abs=1e-3)
    assert np.abs(state.proba(places) - whole.predict_proba(places)).max() < 1e-3
    assert np.abs(state.proba(X) - whole.predict_proba(X)).max() < 2e-5
    assert np.array_equal(state.predict(X), whole.predict(X))


def test_processes_of_many_points_step_one_after_another():
    X, y = make_blobs(MOST + 100, centers=3, cluster_std=2.0, random_state=0)
    run = steps(X, y)
    selecting = [state for state in run if state.note.startswith("selecting inducing points")]
    assert run[: len(selecting)] == selecting
    assert all(np.allclose(state.proba(X[:9]), 1 / 3, atol=1e-6) for state in selecting)
    assert all(np.isnan(state.loss) for state in selecting)
    notes = [state.note.split("; ", 1)[1] for state in run[len(selecting) :]]
    assert notes[0].startswith("f = 0 everywhere: mean log marginal likelihood")
    assert [note.split(":")[0] for note in notes[1:4]] == [
        f"Newton step 1 of process {k} of 3" for k in (1, 2, 3)
    ]
    assert notes[-1].startswith("converged after ")


@pytest.mark.parametrize("d", [1, 4])
def test_any_number_of_inputs_is_learned_from(d):
    iris = load_iris()
    X, y = iris.data[::2, :d], iris.target[::2]
    data = TrainingData(X, labels=y, columns=tuple("abcd"[:d]))
    state = learn.fit_data(learn.create("gp", task="classify", length=0.8, variance=5.0), data)
    assert np.abs(state.proba(X) - theirs(X, y).predict_proba(X)).max() < 1e-6


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_section_of_four_inputs_shows_the_probabilities_on_it(kernel):
    iris = load_iris()
    data = TrainingData(iris.data, labels=iris.target, columns=("a", "b", "c", "d"))
    state = learn.fit_data(learn.create("gp", task="classify", kernel=kernel), data)
    view, raster = state.on(axes=("d", "b"), at={"a": 6.0}), Raster.over((0.0, 3.0, 2.0, 4.5), 90, 70)
    exact = state.proba(view.section.lift(raster.points())).reshape(70, 90, 3).transpose(2, 0, 1)
    assert np.abs(view.field(raster) - exact).max() < 1 / 2550


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
    assert mean_logistic(np.array([mean]), np.array([variance]))[0] == pytest.approx(exact, abs=1e-4)


@pytest.mark.parametrize("size", [1e-9, 1.0, 1e9])
def test_the_spread_has_the_unit_of_the_points(size):
    points = np.random.default_rng(0).normal(size=(30, 2))
    assert spread((points + 5.0) * size) == pytest.approx(size * np.sqrt(points.var(axis=0).mean()))
    assert spread(np.full((4, 2), size)) == 1.0


def test_of_many_points_each_class_keeps_its_share():
    points, labels = make_blobs([2700, 299, 1], centers=[[0, 0], [3, 0], [0, 3]], random_state=0)
    shown = stratified_sample(TrainingData(points, labels=labels), np.random.default_rng(0))
    assert np.bincount(shown.labels).tolist() == [900, 99, 1]
    assert len(np.unique(shown.X, axis=0)) == 1000


def test_a_state_keeps_vectors_not_matrices():
    X, y = SETS["moons"]
    state = fit(X, y)
    sizes = [v.size for p in state.posteriors for v in vars(p).values() if isinstance(v, np.ndarray)]
    assert max(sizes) <= 2 * len(X)


@pytest.mark.parametrize("variance", [0.1, 50.0])
def test_of_two_classes_the_likelier_one_is_predicted(variance):
    X, y = SETS["moons"]
    state = fit(X, y, variance=variance)
    places = np.random.default_rng(0).uniform(-3, 4, size=(500, 2))
    assert np.array_equal(state.predict(places), state.classes[state.scores(places).argmax(axis=1)])


# pictures


def wide(X, width=200, height=150):
    (left, bottom), (right, top) = X.min(axis=0) - 1, X.max(axis=0) + 1
    return Raster.over((left, right, bottom, top), width, height)


def one_by_one(state, raster):
    return state.scores(raster.points()).reshape(*raster.shape, -1).transpose(2, 0, 1)


def astray(field, exact):
    """Pixels of another class than they should be, though the boundary is farther than half a pixel."""
    top = np.sort(exact, axis=0)
    pairs = [(i, j) for i in range(len(exact)) for j in range(i)]
    slope = np.max([np.hypot(*np.gradient(exact[i] - exact[j])) for i, j in pairs], axis=0)
    lead = top[-1] - top[-2]
    wrong = (field.argmax(axis=0) != exact.argmax(axis=0)) & (lead > 0.5 * slope)
    return wrong & (lead > 1e-6)  # which single precision cannot tell


def check(state, raster):
    field, exact = state.field(raster), one_by_one(state, raster)
    assert np.abs(field - exact).max() < SHADE / 10
    assert not astray(field, exact).any()


@pytest.mark.parametrize("name", ["moons", "three", "tiny"])
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(
    "length, variance",
    [(0.25, 10.0), (1.0, 10.0), (0.02, 10.0), (0.1, 1e5), (0.6, 1e4), (20.0, 10.0), (1.0, 1e-3)],
)
def test_a_picture_is_exact_to_a_tenth_of_a_shade_and_half_a_pixel(name, kernel, length, variance):
    X, y = SETS[name]
    state = fit(X, y, kernel=kernel, length=length, variance=variance)
    for width in (1.0, 5.0):
        check(state, wide(width * X))


@pytest.mark.parametrize("kernel", KERNELS)
def test_of_many_points_too(kernel):
    X, y = make_moons(400, noise=0.25, random_state=0)
    check(fit(X, y, kernel=kernel), wide(X, 160, 120))


def test_processes_with_kernels_of_their_own_too():
    X, y = SETS["three"]
    state = fit(X[::2], y[::2], kernel="matern52", optimise=True)
    assert len({posterior.covariance for posterior in state.posteriors}) == 3
    check(state, wide(X))


def test_processes_with_inducing_points_too():
    X, y = make_blobs(MOST + 100, centers=2, cluster_std=2.0, random_state=0)
    check(fit(X, y), wide(X, 160, 120))


def test_pixels_in_any_order_are_evaluated_one_by_one():
    X, y = SETS["moons"]
    state, view = fit(X, y), wide(X, 90, 80)
    rng = np.random.default_rng(0)
    mixed = Raster(rng.permutation(view.x), rng.permutation(view.y))
    assert state.field(mixed) == pytest.approx(one_by_one(state, mixed), abs=1e-7)


def test_a_view_of_few_pixels_is_evaluated_pixel_by_pixel():
    X, y = SETS["moons"]
    state, view = fit(X, y, kernel="matern32"), wide(X, 64, FEW // 64)
    assert np.abs(state.field(view) - one_by_one(state, view)).max() < 1e-7


def test_bands_of_a_view_are_those_of_the_whole():
    X, y = SETS["moons"]
    state, raster = fit(X, y), wide(X)
    bands = np.concatenate([state.field(band) for _, band in raster.bands(40)], axis=1)
    assert np.array_equal(bands, state.field(raster))


def test_bands_of_a_lens_are_those_of_the_whole_beside_bands_of_the_field():
    X, y = SETS["moons"]
    state, raster = fit(X, y), wide(X)
    deviation = state.on().lenses()[1].plane
    bands = [(state.field(band), deviation(band))[1] for _, band in raster.bands(40)]
    assert np.array_equal(np.concatenate(bands), deviation(raster))


@pytest.mark.parametrize("name", ["moons", "three", "tiny"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_a_view_that_moves_by_pixels_shows_the_same_function(name, kernel):
    X, y = SETS[name]
    state, view = fit(X, y, kernel=kernel), wide(X)
    step = np.array([np.diff(view.x)[0], np.diff(view.y)[0]])
    for across, down in ((3, 0), (40, -17), (-260, 90), (2000, 0)):
        check(state, Raster(view.x + across * step[0], view.y + down * step[1]))
    check(state, Raster(view.x + 0.5 * step[0], view.y))


@pytest.mark.parametrize("name", ["moons", "three"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_lenses_show_probability_and_uncertainty_apart(name, kernel):
    X, y = SETS[name]
    state, raster = fit(X, y, length=0.8, variance=5.0, kernel=kernel), wide(X, 100, 80)
    lenses = state.on().lenses()
    assert len(lenses) == 2 * len(state.posteriors)
    first = 1 if len(state.posteriors) == 1 else 0
    assert np.abs(lenses[0].plane(raster) - state.field(raster)[first]).max() == 0
    for posterior, lens in zip(state.posteriors, lenses[1::2]):
        exact = np.sqrt(posterior.moments(raster.points())[1]).reshape(raster.shape)
        assert (lens.low, lens.high) == (0.0, pytest.approx(np.sqrt(5.0)))
        assert np.abs(lens.plane(raster) - exact).max() < SHADE * lens.high


def test_the_uncertainty_of_few_pixels_is_that_of_each():
    X, y = SETS["moons"]
    state, raster = fit(X, y), wide(X, 20, 10)
    exact = np.sqrt(state.posteriors[0].moments(raster.points())[1]).reshape(raster.shape)
    assert np.abs(state.on().lenses()[1].plane(raster) - exact).max() < 1e-6
