"""SMO and its parts: kernels, their columns, steps within the box, free coefficients, states of a machine."""

import math

import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize
from sklearn.datasets import make_moons
from sklearn.metrics import pairwise as reference

from vizml.field import Raster
from vizml.field.raster import Section
from vizml.learn.support_vectors import kernels
from vizml.learn.support_vectors.binary import (
    BinarySvm,
    BinarySvmProblem,
    InseparableError,
    equality_minimum,
    optimise,
    optimise_free,
    train,
)
from vizml.learn.support_vectors.kernels import (
    CURVATURE,
    GaussianKernel,
    KernelColumns,
    KernelSums,
    LaplaceKernel,
    LinearKernel,
    PolynomialKernel,
    SigmoidKernel,
)
from vizml.learn.support_vectors.smo import Smo

X, LABELS = make_moons(40, noise=0.3, random_state=0)
Y = np.where(LABELS == 0, 1.0, -1.0)
KERNEL = GaussianKernel(0.8)


def problem():
    return BinarySvmProblem.of(Y)


def states(C=1.0, tol=1e-3, kernel=KERNEL):
    return list(train(problem(), X, kernel, C, tol))


def test_columns_are_those_of_the_kernel_matrix_with_squared_distances():
    columns, K = KernelColumns(KERNEL, X), KERNEL(X, X)
    for i in (0, 7, 39):
        curvature = columns.distances(i) ** 2
        assert np.array_equal(columns.column(i), K[i])
        assert np.allclose(np.delete(curvature, i), np.delete(2 - 2 * K[i], i))
        assert curvature[i] == CURVATURE


class CountedKernel(GaussianKernel):
    """Counts the columns that are computed."""

    counted = 0

    def __call__(self, A, B):
        CountedKernel.counted += len(A)
        return super().__call__(A, B)


def test_columns_of_many_points_are_computed_when_they_are_asked_for(monkeypatch):
    points = np.random.default_rng(0).normal(size=(1100, 2))
    monkeypatch.setattr(kernels, "BUDGET", 3 * 8 * 1100)  # three columns
    monkeypatch.setattr(CountedKernel, "counted", 0)
    columns, computed = KernelColumns(CountedKernel(0.8), points), []
    for i in (0, 1, 0, 1099, 7, 0, 1):
        assert np.allclose(columns.column(i), KERNEL(points[i : i + 1], points)[0])
        computed.append(CountedKernel.counted)
        assert np.allclose(np.delete(columns.distances(i) ** 2, i), np.delete(2 - 2 * columns.column(i), i))
    assert computed == [1, 2, 2, 3, 4, 4, 5]
    assert np.array_equal(columns.rows(np.array([7, 0])), [columns.column(7), columns.column(0)])


def test_rounded_columns_are_in_single_precision():
    values = KernelColumns(KERNEL, X, error=1e-6).column(3)
    assert np.array_equal(values, KERNEL(X, X)[3].astype(np.float32))


def bounds(C):
    return {"low": np.where(Y > 0, 0.0, -C), "high": np.where(Y > 0, C, 0.0)}


@pytest.mark.parametrize("C", [0.1, 1.0, 100.0])
def test_every_step_is_feasible_and_lowers_the_dual(C):
    trainer, before, K = Smo(KernelColumns(KERNEL, X), Y, **bounds(C)), 0.0, KERNEL(X, X)
    while (step := trainer.step(1e-3)) is not None:
        w = trainer.w
        assert (Y * w).min() >= 0
        assert (Y * w).max() <= C
        assert abs(w.sum()) < 1e-12 * C * len(X)
        assert trainer.dual < before
        assert trainer.dual == pytest.approx(w @ K @ w / 2 - np.abs(w).sum(), rel=1e-9, abs=1e-12)
        assert np.allclose(trainer.v, Y - K @ w, atol=1e-10 * max(C, 1))
        assert step.after == w[step.i]
        before = trainer.dual
    assert trainer.gap < 1e-3


def test_the_minimum_over_the_free_is_lower_and_makes_their_v_equal():
    trainer = Smo(KernelColumns(KERNEL, X), Y, **bounds(10.0))
    for _ in range(60):
        trainer.step(1e-3)
    before = trainer.dual
    for _ in range(10):
        optimise_free(trainer)
    assert trainer.dual < before
    assert np.ptp(trainer.v[trainer.free]) < 1e-6
    assert abs(trainer.w.sum()) < 1e-9
    assert np.abs(Y - KERNEL(X, X) @ trainer.w - trainer.v).max() < 1e-9


def test_a_limit_of_steps_ends_a_run():
    trainer = Smo(KernelColumns(KERNEL, X), Y, **bounds(100.0))
    assert len(list(optimise(trainer, 1e-3, most_steps=5, easy=0))) == 4
    assert trainer.gap > 1e-3


def test_the_end_is_where_a_general_optimiser_arrives():
    last = states(C=0.5, tol=1e-6)[-1]
    Q = np.outer(last.problem.y, last.problem.y) * KERNEL(X[last.problem.rows], X[last.problem.rows])
    found = minimize(
        lambda a: a @ Q @ a / 2 - a.sum(), np.zeros(40), jac=lambda a: Q @ a - 1, method="SLSQP",
        bounds=[(0, 0.5)] * 40, constraints={"type": "eq", "fun": lambda a: a @ last.problem.y},
        options={"ftol": 1e-12, "maxiter": 500},
    )  # fmt: skip
    assert last.dual == pytest.approx(found.fun, abs=1e-6)
    assert np.allclose(last.weights, last.problem.y * found.x, atol=1e-3)


def test_the_minimum_on_a_face_makes_all_v_equal():
    K, v = KERNEL(X[:6], X[:6]), np.random.default_rng(0).normal(size=6)
    way = equality_minimum(K, v)
    assert abs(way.sum()) < 1e-9
    assert np.ptp(v - K @ way) < 1e-6


def test_a_flat_face_is_not_optimised():
    assert not equality_minimum(np.zeros((3, 3)), np.ones(3)).any()


def test_a_task_holds_every_point_once_with_its_sign():
    own = problem()
    assert sorted(own.rows) == list(range(40))
    assert np.array_equal(own.y, Y[own.rows])
    assert np.array_equal(own.rows[::-1], [*np.flatnonzero(LABELS == 0), *np.flatnonzero(LABELS == 1)])


def test_an_untrained_machine_predicts_zero():
    own = problem()
    machine = BinarySvm(problem=own, C=1.0, weights=np.zeros(40), v=own.y.copy())
    assert machine.bias == 0.0
    assert machine.slack.tolist() == [1.0] * 40
    assert machine.norm2 == machine.bounded == 0


def test_figures_of_a_machine_are_those_of_its_function():
    for state in states(C=2.0)[::7]:
        K = KERNEL(X[state.problem.rows], X[state.problem.rows]).astype(np.float32).astype(float)
        f = K @ state.weights + state.bias
        assert np.allclose(state.slack, np.maximum(0, 1 - state.problem.y * f), atol=1e-9)
        assert state.norm2 == pytest.approx(state.weights @ K @ state.weights, rel=1e-9)
        assert state.primal == pytest.approx(state.norm2 / 2 + 2.0 * state.slack.sum(), rel=1e-9)
        assert state.bounded == (state.alpha == 2.0).sum()
        assert state.primal >= -state.dual - 1e-9  # weak duality


def test_without_a_free_alpha_the_bias_is_the_middle_of_its_interval():
    """A point at C may only lie within its margin, one at 0 only beyond it."""
    last = states(C=1e-3)[-1]
    assert not ((last.alpha > 0) & (last.alpha < 1e-3)).any()
    without = last.problem.y - last.v  # f - b
    at_C = last.alpha == 1e-3
    below = (at_C & (last.problem.y > 0)) | (
        ~at_C & (last.problem.y < 0)
    )  # y f <= 1 or y f >= 1: b from above
    most, least = (last.problem.y - without)[below].min(), (last.problem.y - without)[~below].max()
    assert last.bias == pytest.approx((most + least) / 2)


def test_states_are_snapshots():
    first, *_, last = states()
    assert not np.array_equal(first.alpha, last.alpha)
    with pytest.raises(ValueError, match="read-only"):
        first.weights[0] = 1.0
    assert first.count == 1
    assert last.step is None
    assert last.converged


def test_a_hard_margin_between_overlapping_groups_ends_in_overlap():
    with pytest.raises(InseparableError):
        states(C=math.inf, kernel=LinearKernel())


def test_a_hard_margin_has_no_cost_of_slack():
    points = np.array([[0.0, 0.0], [2.0, 0.0]])
    *_, last = train(BinarySvmProblem.of(np.array([1, -1])), points, LinearKernel(), math.inf, 1e-6)
    assert last.primal == pytest.approx(0.5)  # |w| = 1: the margin is 2 wide
    assert last.bias == pytest.approx(1.0)


RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(9, 2)) * 2, RNG.normal(size=(7, 2)) + 1
EVERY = {
    LinearKernel(): reference.linear_kernel,
    PolynomialKernel(0.3, 1.0, 3): lambda A, B: reference.polynomial_kernel(A, B, 3, 0.3, 1.0),
    PolynomialKernel(2.0, 0.0, 1): lambda A, B: reference.polynomial_kernel(A, B, 1, 2.0, 0.0),
    GaussianKernel(0.4): lambda A, B: reference.rbf_kernel(A, B, 0.4),
    LaplaceKernel(0.4): lambda A, B: reference.laplacian_kernel(A, B, 0.4),
    SigmoidKernel(0.2, -0.5): lambda A, B: reference.sigmoid_kernel(A, B, 0.2, -0.5),
}
PLANE = Section.whole_space(2)
every_kernel = pytest.mark.parametrize("kernel", EVERY, ids=str)


@every_kernel
@pytest.mark.parametrize("d", [1, 2, 5])
def test_any_number_of_inputs_has_values_gradients_and_sections(kernel, d):
    A, B = RNG.normal(size=(9, d)), RNG.normal(size=(7, d))
    assert np.allclose(kernel(A, B), EVERY[kernel](A, B), rtol=1e-12)
    assert np.allclose(kernel.diagonal(A), np.diag(kernel(A, A)), rtol=1e-12)
    weights, bias = RNG.normal(size=(1, 7)), np.array([0.3])
    gradient = kernel.gradient(A, B, weights[0])
    for place, found in zip(A, gradient):
        expected = approx_fprime(place, lambda at: kernel(at[None], B)[0] @ weights[0], 1e-7)
        assert np.allclose(found, expected, atol=1e-4, rtol=1e-4)
    if d > 2:
        raster, turn = Raster.over((-1, 1, -1, 1), 20, 15), np.linalg.qr(RNG.normal(size=(d, 2)))[0].T
        for section in (Section.along([3, 1], np.ones(d)), Section(np.ones(d), turn)):
            exact = kernel.values(section.lift(raster.points()), KernelSums(B, weights, bias)).T.reshape(
                1, 15, 20
            )
            assert np.abs(kernel.field(raster, section, KernelSums(B, weights, bias)) - exact).max() < 1e-4


@every_kernel
def test_asking_changes_no_points(kernel):
    before = A.copy(), B.copy()
    kernel(A, B)
    kernel.gradient(A, B, np.ones(len(B)))
    assert np.array_equal(A, before[0])
    assert np.array_equal(B, before[1])


@every_kernel
def test_sums_weigh_each_centre(kernel):
    weights, bias = RNG.normal(size=(3, len(B))), np.array([0.5, -2.0, 0.0])
    assert np.allclose(kernel.values(A, KernelSums(B, weights, bias)), EVERY[kernel](A, B) @ weights.T + bias)
    many = np.tile(A, (10_000, 1))
    assert np.allclose(
        kernel.values(many, KernelSums(B, weights, bias))[-9:], kernel.values(A, KernelSums(B, weights, bias))
    )


@every_kernel
def test_without_centres_only_the_bias_is_left(kernel):
    none, weights = np.empty((0, 2)), np.empty((2, 0))
    assert kernel.values(A, KernelSums(none, weights, np.array([3.0, -1.0]))).tolist() == [[3.0, -1.0]] * len(
        A
    )
    assert not kernel.gradient(A, none, weights[0]).any()
    field = kernel.field(
        Raster.over((0, 1, 0, 1), 5, 4), PLANE, KernelSums(none, weights, np.array([3.0, -1.0]))
    )
    assert np.array_equal(field, np.broadcast_to(np.array([3.0, -1.0])[:, None, None], (2, 4, 5)))


@every_kernel
def test_an_empty_set_of_places_has_no_sums(kernel):
    assert kernel.values(np.empty((0, 2)), KernelSums(B, np.ones((2, len(B))), np.zeros(2))).shape == (0, 2)


@every_kernel
def test_a_field_has_the_sum_at_every_pixel(kernel):
    weights, bias = RNG.normal(size=(2, len(B))), np.array([0.3, -0.7])
    raster = Raster.over((-3, 4, -2, 3), 45, 37)
    expected = kernel.values(raster.points(), KernelSums(B, weights, bias)).T.reshape(2, *raster.shape)
    assert (
        np.abs(kernel.field(raster, PLANE, KernelSums(B, weights, bias)) - expected).max()
        < 1e-3 * np.abs(expected).max()
    )


@pytest.mark.parametrize("kernel", [GaussianKernel(1e12), LaplaceKernel(1e12)], ids=str)
def test_a_kernel_too_narrow_to_see_is_zero_but_at_its_centre(kernel):
    assert np.array_equal(kernel(A, A), np.eye(len(A)))
    assert not kernel.gradient(A, B, np.ones(len(B))).any()
