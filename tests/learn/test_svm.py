"""The support vector machine: LIBSVM's solutions, optimality conditions, notes and metrics."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris, make_blobs, make_circles, make_moons
from sklearn.metrics.pairwise import laplacian_kernel
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

from tests.learn.datasets import around
from vizml import learn
from vizml.field import Raster
from vizml.learn.support_vectors.svm import IMPOSSIBLE
from vizml.learn.support_vectors.views import BOUNDED, MARGINS, SLACK, SUPPORT
from vizml.learn.training_data import TrainingData

KERNELS = ("linear", "poly", "rbf", "laplace", "sigmoid")


def distinct(X, y):
    """Points on one spot have alphas that are not determined."""
    X, first = np.unique(X, axis=0, return_index=True)
    return X, y[first]


TINY = (np.array([[0.0, 0], [1, 1], [2, 0], [3, 2]]), np.array([0, 0, 1, 1]))
SETS = {
    "moons": make_moons(200, noise=0.25, random_state=0),
    "circles": make_circles(150, noise=0.1, factor=0.4, random_state=1),
    "imbalanced": make_blobs([190, 10], centers=[[0, 0], [2, 1]], random_state=3),
    "tiny": TINY,
    "three": make_blobs(150, centers=3, cluster_std=2.5, random_state=4),
    "five": make_blobs(200, centers=5, cluster_std=2.0, random_state=5),
    "iris": distinct(load_iris().data[:, :2], load_iris().target),
}


def fit(X, y, **values):
    return learn.fit(learn.create("svm", **values), X, y)


def support(state):
    """The rows of the support vectors of any machine, rising."""
    return np.unique(np.concatenate([each.problem.rows[each.weights != 0] for each in state.machines]))


def scale(X):
    return 1.0 / (2.0 * X.var())


def libsvm(X, y, kernel="rbf", **values):
    """The reference; its Laplace kernel is a function of ours, with the gamma that 'scale' means."""
    gamma = scale(X)

    def laplace(A, B):
        return laplacian_kernel(A, B, gamma=gamma)

    found = SVC(kernel=laplace if kernel == "laplace" else kernel, **values, decision_function_shape="ovo")
    return found.fit(X, y)


def decisions(reference, X):
    """Of LIBSVM, positive for the first class of each pair."""
    found = reference.decision_function(X)
    return -found[:, None] if found.ndim == 1 else found


CASES = [
    *((name, {"kernel": kernel, "C": 0.5}) for name in SETS for kernel in KERNELS),
    *(
        (name, {"kernel": kernel, "C": C})
        for name in ("moons", "circles", "tiny", "five") for kernel in ("rbf", "laplace") for C in (1.0, 10.0)
    ),
    ("moons", {"kernel": "poly", "degree": 2, "coef0": 1.0}),
    ("moons", {"kernel": "poly", "degree": 5, "coef0": 0.5, "gamma": 0.3}),
    ("moons", {"kernel": "sigmoid", "gamma": 0.2, "coef0": -1.0}),
    ("moons", {"gamma": 20.0}), ("moons", {"tol": 1e-5}), ("iris", {}),
]  # fmt: skip


@pytest.mark.parametrize("name, values", CASES)
def test_support_set_and_decisions_are_libsvms(name, values):
    X, y = SETS[name]
    state, reference = fit(X, y, **values), libsvm(X, y, **values)
    assert np.array_equal(support(state), np.sort(reference.support_))
    assert np.abs(state.decisions(X) - decisions(reference, X)).max() < 1e-2
    if values.get("C") == 0.5:
        probes = around(X).points()
        assert np.mean(state.predict(probes) == reference.predict(probes)) > 0.999


def test_a_tight_tolerance_meets_libsvm_closely():
    X, y = SETS["moons"]
    state, reference = fit(X, y, tol=1e-6), libsvm(X, y, tol=1e-9)
    assert np.abs(state.decisions(X) - decisions(reference, X)).max() < 1e-5


def test_one_against_all_is_a_machine_for_each_class():
    X, y = SETS["three"]
    state = fit(X, y, multiclass="ova")
    reference = OneVsRestClassifier(SVC()).fit(X, y)
    for k, machine in enumerate(reference.estimators_):
        alone = SVC(gamma=scale(X)).fit(X, y == k)
        assert np.abs(state.scores(X)[:, k] - alone.decision_function(X)).max() < 1e-2
        assert machine.n_features_in_ == 2
    assert np.array_equal(state.predict(X), reference.predict(X))


def test_scores_of_two_classes_are_minus_f_and_f():
    X, y = SETS["moons"]
    scores = fit(X, y).scores(X)
    assert np.array_equal(scores[:, 0], -scores[:, 1])
    assert np.abs(scores[:, 1] - SVC().fit(X, y).decision_function(X)).max() < 1e-2


def test_labels_may_be_any():
    X, y = SETS["three"]
    state = fit(X, np.array([7, 2, 5])[y])
    assert state.labels == (2, 5, 7)
    reference = SVC().fit(X, np.array([7, 2, 5])[y])
    assert np.mean(state.predict(X) == reference.predict(X)) > 0.99


@pytest.mark.parametrize("kernel", KERNELS[:4])
@pytest.mark.parametrize("C", [0.1, 1.0, 100.0, 1e4])
def test_the_conditions_of_karush_kuhn_and_tucker_hold_at_the_end(kernel, C):
    X, y = SETS["moons"]
    state = fit(X, y, kernel=kernel, C=C)
    machine = state.machines[0]
    sign = np.where(y[machine.problem.rows] == 0, 1.0, -1.0)
    slack = 1.0 - sign * state.decisions(X[machine.problem.rows])[:, 0]
    assert machine.converged
    assert abs(machine.problem.y @ machine.alpha) < 1e-9 * C * len(X)
    assert machine.alpha.min() >= 0
    assert machine.alpha.max() <= C
    assert slack[machine.alpha == 0].max(initial=-1.0) < 2e-3
    assert slack[machine.alpha == C].min(initial=1.0) > -2e-3
    assert np.abs(slack[(machine.alpha > 0) & (machine.alpha < C)]).max(initial=0.0) < 2e-3


@pytest.mark.parametrize("values", [{}, {"kernel": "linear", "C": 1e3}, {"kernel": "sigmoid", "C": 10.0}])
def test_the_dual_objective_never_rises_and_matches_its_formula(values):
    X, y = SETS["moons"]
    states = list(learn.steps(learn.create("svm", **values), X, y))
    duals = [state.loss for state in states]
    assert all(later <= sooner + 1e-9 * abs(sooner) for sooner, later in itertools.pairwise(duals))
    state = states[-1]
    centres, (signed,), _ = state.sums
    alpha = np.abs(signed)
    plain = 0.5 * signed @ state.kernel(centres, centres) @ signed - alpha.sum()
    assert state.loss == pytest.approx(plain, rel=1e-6)


def test_duality_closes_the_gap_between_primal_and_dual():
    X, y = SETS["moons"]
    found = fit(X, y, tol=1e-6).metrics()
    assert found["primal objective"] == pytest.approx(-found["dual objective"], rel=1e-5)
    assert found["KKT gap"] < 1e-6


def test_the_boundary_of_two_points_is_their_bisector():
    # alpha = 2 / d^2 = 0.08 for both, w = (0.24, 0.32), margin width 2 / |w| = d = 5.
    state = fit(np.array([[0.0, 0.0], [3.0, 4.0]]), np.array([0, 1]), kernel="linear")
    assert np.abs(state.sums[1][0]) == pytest.approx([0.08, 0.08])
    assert state.metrics()["margin width"] == pytest.approx(5.0)
    assert state.scores([[1.5, 2.0], [3.0, 4.0], [0.0, 0.0]])[:, 1] == pytest.approx([0, 1, -1], abs=1e-12)


@pytest.mark.parametrize("size", [1e-12, 1.0, 1e12])
def test_a_hard_margin_touches_the_nearest_points_only(size):
    X, y = make_blobs(80, centers=[[0, 0], [6, 6]], random_state=0)
    state = fit(X * size, y, kernel="linear", hard=True)
    assert not state.note.startswith(IMPOSSIBLE)
    assert np.array_equal(state.predict(X * size), y)
    assert np.abs(state.scores(X * size)).min() > 0.999
    assert state.metrics()["bounded"] == 0
    assert len(support(state)) <= 4


def test_an_infeasible_hard_margin_is_reported():
    X, y = SETS["moons"]
    state = fit(X, y, kernel="linear", hard=True)
    assert state.note.startswith("Hard margin impossible: classes overlap; showing C = 10,000")
    assert state.machines[0].C == 1e4
    assert state.machines[0].converged


def test_a_hard_margin_between_points_on_one_spot_is_impossible():
    state = fit(np.array([[0.0, 0], [0, 0], [1, 1]]), np.array([0, 1, 1]), hard=True)
    assert state.note.startswith(IMPOSSIBLE)


def test_a_large_cost_ends_soon():
    # LIBSVM takes 1.2 million steps here.
    X, y = make_moons(300, noise=0.25, random_state=0)
    state = fit(X, y, kernel="linear", C=1e4)
    assert state.machines[0].converged
    assert state.machines[0].count < 10_000
    found = state.metrics()
    assert found["primal objective"] == pytest.approx(-found["dual objective"], rel=1e-5)


@pytest.mark.parametrize("size", [1e-12, 1e12])
@pytest.mark.parametrize("kernel", ["poly", "rbf", "sigmoid"])
def test_with_gamma_from_the_data_size_does_not_matter(size, kernel):
    X, y = SETS["moons"]
    usual, other = fit(X, y, kernel=kernel), fit(X * size, y, kernel=kernel)
    assert np.array_equal(support(usual), support(other))
    assert np.abs(usual.scores(X) - other.scores(X * size)).max() < 1e-6


@pytest.mark.parametrize("kernel", KERNELS)
def test_duplicates_and_lines_end_well(kernel):
    line = np.column_stack([np.arange(40.0), 2.0 * np.arange(40.0)])
    for X, y in ((np.repeat(TINY[0], 10, axis=0), np.arange(40) % 2), (line, np.arange(40) % 7 // 4)):
        state = fit(X, y, kernel=kernel)
        assert np.isfinite(state.scores(X)).all()
        assert np.isfinite(state.field(around(X))).all()
        assert all(math.isfinite(value) for value in state.metrics().values())
        assert len(state.marks()) == 4


def test_kernel_values_that_overflow_are_refused_with_a_reason():
    X, y = SETS["moons"]
    with pytest.raises(learn.CannotLearn, match="lower gamma or the degree"):
        fit(X * 1e17, y, kernel="poly", degree=10, gamma=1.0)


@pytest.mark.parametrize("name", ["moons", "three", "five"])
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("multiclass", ["ovo", "ova"])
def test_the_field_has_the_scores_of_every_pixel(name, kernel, multiclass):
    X, y = SETS[name]
    state, raster = fit(X, y, kernel=kernel, multiclass=multiclass), around(X)
    scores = state.scores(raster.points()).T.reshape(-1, *raster.shape)
    assert np.abs(state.field(raster) - scores).max() < 1e-5 * np.abs(scores).max()


def test_points_outside_all_margins_are_no_part_of_the_state():
    X, y = SETS["moons"]
    state = fit(X, y)
    again = fit(X[support(state)], y[support(state)], gamma=scale(X))
    assert np.abs(again.scores(X) - state.scores(X)).max() < 1e-2


def test_every_step_names_its_pair_and_the_gap():
    X, y = SETS["moons"]
    *steps, end = learn.steps(learn.create("svm"), X, y)
    assert all("pair (" in state.note and "KKT gap" in state.note for state in steps)
    assert "support vectors" in end.note
    progress = [state.progress for state in (*steps, end)]
    assert progress == sorted(progress)
    assert progress[-1] == 1.0


def test_pairs_of_classes_are_trained_in_turn():
    X, y = SETS["three"]
    states = list(learn.steps(learn.create("svm"), X, y))
    begun = [len(state.machines) for state in states]
    assert begun == sorted(begun)
    assert set(begun) == {1, 2, 3}
    assert states[0].note.startswith("A against B: pair (")
    assert states[-1].note.startswith("3 machines: ")


def test_a_long_run_has_few_states():
    X, y = make_moons(300, noise=0.25, random_state=0)
    states = list(learn.steps(learn.create("svm", kernel="poly", C=1e4), X, y))
    assert states[-1].machines[0].count > 2000
    assert len(states) < 1000


def test_slack_of_a_line_is_perpendicular_to_it():
    X, y = SETS["moons"]
    state = fit(X, y, kernel="linear")
    ends = np.stack([*next(mark.lines() for mark in state.marks() if mark.layer == SLACK)])
    centres, weights, _ = state.sums
    normal = (weights @ centres)[0]
    way = ends[:, 1] - ends[:, 0]
    assert np.abs(way[:, 0] * normal[1] - way[:, 1] * normal[0]).max() < 1e-9
    assert len(ends) == (state.machines[0].slack > 0.05).sum()


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("d", [1, 4])
def test_any_number_of_inputs_is_parted_as_by_libsvm(kernel, d):
    X, y = distinct(load_iris().data[:, :d], load_iris().target)
    data = TrainingData(X, labels=y, columns=tuple("abcd"[:d]))
    state = learn.fit_data(learn.create("svm", kernel=kernel, C=0.5, gamma=0.3, tol=1e-6), data)

    def laplace(A, B):
        return laplacian_kernel(A, B, gamma=0.3)

    reference = SVC(
        kernel=laplace if kernel == "laplace" else kernel,
        C=0.5,
        gamma=0.3,
        tol=1e-6,
        decision_function_shape="ovo",
    ).fit(X, y)
    expected = decisions(reference, X)
    assert np.abs(state.decisions(X) - expected).max() < 1e-2 * max(np.abs(expected).max() / 10, 1.0)
    assert all(math.isfinite(value) for value in state.metrics().values())


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_section_of_four_inputs_has_the_scores_on_it(kernel):
    iris = load_iris()
    data = TrainingData(iris.data, labels=iris.target, columns=("a", "b", "c", "d"))
    state = learn.fit_data(learn.create("svm", kernel=kernel), data)
    view, raster = state.on(axes=("d", "b"), at={"a": 6.0}), Raster.over((0.0, 3.0, 2.0, 4.5), 30, 20)
    scores = state.scores(view.section.lift(raster.points())).T.reshape(3, 20, 30)
    assert np.abs(view.field(raster) - scores).max() < 1e-5 * np.abs(scores).max()
    assert {mark.layer for mark in view.marks()} == {MARGINS, SUPPORT, BOUNDED}


@given(
    seed=st.integers(0, 10**6), count=st.integers(2, 40), classes=st.integers(2, 5),
    grid=st.booleans(), kernel=st.sampled_from(KERNELS), hard=st.booleans(),
)  # fmt: skip
@settings(max_examples=60)
def test_any_data_end_with_finite_answers(seed, count, classes, grid, kernel, hard):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(count, 2))
    X = np.round(X) if grid else X
    y = rng.integers(classes, size=count)
    y[:2] = 0, 1
    state = fit(X, y, kernel=kernel, hard=hard)
    assert np.isfinite(state.scores(X)).all()
    assert np.isfinite(state.loss)
    state.marks()


def test_a_narrow_margin_is_a_margin_all_the_same():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(60, 2)) * [0.4995, 1.0]
    X[30:, 0] = 1.0 - X[30:, 0]
    X[[0, 30]] = [[0.4995, 0.5], [0.5005, 0.5]]
    state = fit(X, np.arange(60) // 30, kernel="linear", hard=True)
    assert not state.note.startswith(IMPOSSIBLE)
    assert state.metrics()["margin width"] == pytest.approx(0.001, rel=0.01)


def test_notes_count_multipliers_where_a_point_may_have_several():
    three, two = fit(*SETS["three"]), fit(*SETS["moons"])
    figures = three.metrics()
    assert f"{figures['support vectors']:.0f} support vectors" in three.note
    assert f"{figures['bounded']:.0f} multipliers with α = C" in three.note
    assert f", {two.metrics()['bounded']:.0f} with α = C" in two.note
