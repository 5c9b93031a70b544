"""Kernel smoother: weighted least squares, leave-one-out, search among near points only, charts and marks."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vizml import data, learn
from vizml.data import Dataset
from vizml.field import Raster
from vizml.learn.neighbours.smoothing import FLAT, KERNELS, Smoother
from vizml.learn.training_data import TrainingData
from vizml.scene import Path, Profile, Rings

RNG = np.random.default_rng(3)
GAPS = np.concatenate([RNG.uniform(0, 1, 300), RNG.uniform(7, 7.3, 200), [20.0]])
DATA = {"even": RNG.uniform(-3, 3, 700), "gaps": GAPS, "twins": np.repeat(RNG.uniform(0, 2, 80), 5)}
every_data = pytest.mark.parametrize("x", DATA.values(), ids=DATA)
every_width = pytest.mark.parametrize("h", [1e-3, 0.05, 0.4, 30.0])
every_order = pytest.mark.parametrize("order", [0, 1])


def line(x, y, kernel, h, order):
    """A smoother with one input."""
    return Smoother(x[:, None], y, kernel, h, order)


def values(x):
    return 3 + np.sin(2 * x) + RNG.normal(scale=0.2, size=len(x))


def mixed(low, high, count):
    """Places in no order."""
    return RNG.permutation(np.linspace(low, high, count))


def from_all(smoother, x):
    """The weighted mean or line at each x out of the weights of all points, one x at a time."""
    shares = smoother.weights(x[:, None])
    if smoother.order == 0:
        return shares @ smoother.y
    return np.array([line_at(smoother, place, share) for place, share in zip(x, shares)])


def line_at(smoother, place, share):
    near = int(share.argmax())
    d, g = smoother.X[:, 0] - smoother.X[near, 0], smoother.y - smoother.y[near]
    centre, level = math.fsum(share * d), math.fsum(share * g)
    spread = math.fsum(share * d * d) - centre**2
    slope = (math.fsum(share * d * g) - centre * level) / spread if spread > flat(smoother) else 0.0
    return smoother.y[near] + level + slope * (place - smoother.X[near, 0] - centre)


def flat(smoother):
    return (FLAT * smoother.bandwidth) ** 2


@every_data
@every_width
@every_order
@pytest.mark.parametrize("kernel", KERNELS)
def test_distant_points_are_not_missed(x, h, order, kernel):
    smoother, places = line(x, values(x), kernel, h, order), mixed(x.min() - 2, x.max() + 2, 500)
    expected = from_all(smoother, places)
    allowed = 1e-9 * max(float(np.abs(expected).max()), 1.0)
    assert np.abs(smoother.predict(places[:, None]) - expected).max() < allowed


def test_the_point_left_out_may_be_a_far_one():
    x = np.linspace(0, 1, 5000)
    smoother = line(x, values(x), "gaussian", 1e-3, 0)
    places, rows = np.array([0.1, 0.9]), np.array([4990, 5])
    assert smoother.predict(places[:, None], without=rows) == pytest.approx(
        smoother.predict(places[:, None]), abs=1e-12
    )


@every_order
@pytest.mark.parametrize("h", [0.05, 0.3, 1.0, 40.0])
@pytest.mark.parametrize("kernel", ["gaussian", "laplace"])
def test_a_curve_from_chebyshev_nodes_is_that_of_each_x(h, order, kernel):
    x = DATA["even"]
    model = learn.create("kernel_smoother", "regress", bandwidth=h, order=order, kernel=kernel)
    state = learn.fit(model, x, values(x))
    places = mixed(-4, 4, 1500)
    expected = from_all(state.smoother, places)
    assert np.abs(state.predict(places) - expected).max() < 1e-9 * np.abs(expected).max()


# against weighted least squares

CURVES = {
    "sine": data.generate("sine", n=80, seed=1),
    "cubic": data.generate("cubic", n=300, seed=2),
    "far": Dataset(data.generate("step", n=50, seed=3).points + 2.0**20, np.full(50, -1)),
    "six points": data.generate("line", n=6, seed=4),
}
WEIGHTS = {
    "gaussian": lambda t: np.exp(-(t**2) / 2),
    "laplace": lambda t: np.exp(-np.abs(t)),
    "epanechnikov": lambda t: np.clip(1 - t**2, 0, None),
    "tricube": lambda t: np.clip(1 - np.abs(t) ** 3, 0, None) ** 3,
    "box": lambda t: (np.abs(t) <= 1).astype(float),
}
every_curve = pytest.mark.parametrize("points", CURVES.values(), ids=CURVES)
SHOWN = ("gaussian", "laplace", "epanechnikov")
RANDOM = np.random.default_rng(0)
X = np.sort(RANDOM.uniform(0, 10, 40))
Y = np.sin(X) + 0.1 * RANDOM.normal(size=40)


def fit(points, **values):
    return list(learn.run(learn.create("kernel_smoother", **values), points))[-1]


def states(x=X, y=Y, seed=0, **values):
    return list(learn.run(learn.create("kernel_smoother", **values), Dataset.curve(x, y), seed))


def marks(state, kind, at):
    return [mark for mark in state.on().probe(np.array([at, 0.0])) if isinstance(mark, kind)]


@every_curve
@pytest.mark.parametrize("kernel", WEIGHTS)
@pytest.mark.parametrize("order", [0, 1])
def test_each_value_is_a_weighted_least_squares_fit(points, kernel, order):
    x = np.linspace(points.x.min(), points.x.max(), 23)
    h = 0.45 * np.ptp(points.x)
    state = fit(points, kernel=kernel, bandwidth=h, order=order)
    expected = []
    for at in x:
        weights = WEIGHTS[kernel]((points.x - at) / h)
        expected.append(np.polyfit(points.x - at, points.y - points.y[0], order, w=np.sqrt(weights))[-1])
    apart = np.abs(state.predict(x) - points.y[0] - expected)
    assert apart.max() < 1e-7 * np.ptp(points.y)


@pytest.mark.parametrize("kernel", WEIGHTS)
def test_a_line_is_its_own_local_line_also_at_the_ends(kernel):
    x = np.linspace(0, 10, 60)
    points = Dataset.curve(x, 3 - 2 * x)
    straight = fit(points, kernel=kernel, bandwidth=1.5, order=1)
    assert np.allclose(straight.predict(x), points.y)
    bent = fit(points, kernel=kernel, bandwidth=1.5, order=0)
    assert abs(bent.predict([0.0])[0] - 3) > 0.5


@pytest.mark.parametrize("kernel", WEIGHTS)
def test_where_the_kernel_reaches_no_point_the_nearest_is_the_estimate(kernel):
    state = fit(Dataset.curve([0.0, 1.0, 2.0], [5.0, 6.0, 8.0]), kernel=kernel, bandwidth=1e-3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.allclose(state.predict([-9.0, 1.1, 1e6]), [5, 6, 8])


@every_curve
@pytest.mark.parametrize("order", [0, 1])
def test_a_point_left_out_is_a_fit_without_it(points, order):
    h = 0.3 * np.ptp(points.x)
    every = line(points.x, points.y, "gaussian", h, order)
    rows = np.arange(5)
    for i, value in zip(rows, every.predict(points.x[rows, None], without=rows)):
        rest = np.arange(len(points)) != i
        alone = line(points.x[rest], points.y[rest], "gaussian", h, order)
        assert value == pytest.approx(
            alone.predict(points.x[i : i + 1, None])[0], abs=1e-9 * np.ptp(points.y)
        )


def test_the_bandwidth_with_the_least_error_is_taken():
    run = list(learn.run(learn.create("kernel_smoother"), CURVES["sine"]))
    tried, errors = run[-1].tried, run[-1].errors
    assert run[-1].smoother.bandwidth == tried[errors.argmin()]
    assert len(run) == len(tried) + 1
    assert [state.smoother.bandwidth for state in run[:-1]] == list(tried)
    assert "minimises the leave-one-out error" in run[-1].note
    assert run[-1].charts()[0].series[0].y.min() == errors.min()


def test_with_equal_x_no_bandwidth_can_be_selected():
    state = fit(Dataset.curve(np.ones(6), np.arange(6.0)), order=1)
    assert "too few distinct values of x" in state.note
    assert state.predict([1.0])[0] == pytest.approx(2.5)


def test_of_equally_near_points_out_of_reach_both_count():
    smoother = line(np.array([0.0, 2.0]), np.array([1.0, 5.0]), "box", 0.1, 0)
    assert smoother.weights(np.array([[1.0]])).tolist() == [[0.5, 0.5]]
    assert smoother.predict(np.array([[1.0], [0.9]])).tolist() == [3.0, 1.0]


@given(
    st.floats(-1e3, 1e3), st.floats(0.01, 100), st.floats(-1e3, 1e3), st.floats(0.01, 100),
    st.sampled_from(SHOWN), st.integers(0, 1),
)  # fmt: skip
def test_other_units_give_the_same_curve(right, wide, up, high, kernel, order):
    places = np.linspace(0, 10, 9)
    usual = line(X, Y, kernel, 1.0, order).predict(places[:, None])
    other = line(wide * X + right, high * Y + up, kernel, wide, order).predict(
        (wide * places + right)[:, None]
    )
    assert np.allclose(other, high * usual + up, rtol=1e-6, atol=1e-6 * high)


def test_a_very_wide_kernel_is_the_mean_or_least_squares():
    places = np.linspace(-3, 14, 20)
    assert np.allclose(line(X, Y, "gaussian", 1e7, 0).predict(places[:, None]), Y.mean())
    assert np.allclose(
        line(X, Y, "gaussian", 1e7, 1).predict(places[:, None]), np.polyval(np.polyfit(X, Y, 1), places)
    )


@pytest.mark.parametrize("kernel", SHOWN)
def test_the_kernel_is_drawn_around_the_pointer(kernel):
    (profile,) = marks(states(kernel=kernel, bandwidth=0.7)[-1], Profile, 4.2)
    assert profile.axis == "x"
    assert np.allclose(profile.heights, WEIGHTS[kernel]((np.asarray(profile.at) - 4.2) / 0.7))
    assert profile.heights.max() == pytest.approx(profile.peak) == 1.0


def test_the_areas_of_rings_are_the_weights():
    state = states(bandwidth=0.7)[-1]
    (rings,) = marks(state, Rings, 4.2)
    weights = np.exp(-0.5 * ((X - 4.2) / 0.7) ** 2)
    shares = weights / weights.max()
    seen = np.sqrt(shares) > 0.1
    assert np.array_equal(rings.points, np.column_stack([X, Y])[seen])
    assert np.allclose(rings.radii, 9.0 * np.sqrt(shares[seen]))


def test_the_line_at_the_pointer_is_the_local_fit():
    state = states(order=1, bandwidth=0.7)[-1]
    (path,) = marks(state, Path, 4.2)
    weights = np.exp(-0.5 * ((X - 4.2) / 0.7) ** 2)
    ends = path.lines[0]
    assert np.allclose(ends[:, 0], [3.5, 4.9])
    assert np.allclose(ends[:, 1], np.polyval(np.polyfit(X, Y, 1, w=np.sqrt(weights)), ends[:, 0]))


def test_residuals_are_drawn_for_up_to_a_thousand_points():
    state = states(bandwidth=0.7)[-1]
    (lines,) = state.marks()
    ends = np.asarray(lines.ends)
    assert np.allclose(
        np.sort(ends[:, :, 1], axis=1), np.sort(np.column_stack([Y, state.predict(X)]), axis=1)
    )
    many = states(np.linspace(0, 1, 1001), np.zeros(1001), bandwidth=0.7)[-1]
    assert many.marks() == ()
    assert "RSS" not in many.metrics()


def test_figures_are_those_of_the_curve():
    figures = states(bandwidth=0.7)[-1].metrics()
    curve = line(X, Y, "gaussian", 0.7, 0).predict((X)[:, None])
    assert figures["RSS"] == pytest.approx(((Y - curve) ** 2).sum())
    assert figures["bandwidth"] == 0.7
    assert figures["points"] == 40
    assert "leave-one-out error" not in figures


def test_the_chart_of_errors_has_each_that_was_tried_and_chooses_by_a_click():
    *tried, last = states()
    (chart,) = last.charts()
    assert chart.sets == ("bandwidth",)
    assert np.allclose(chart.series[0].x[::-1], [state.smoother.bandwidth for state in tried])
    assert np.allclose(chart.series[0].y[::-1], [state.loss for state in tried])
    assert chart.rules[0].x == chart.series[0].x[np.argmin(chart.series[0].y)] == last.smoother.bandwidth
    assert len(chart.choices[0]) == len(chart.series[0].x)
    assert np.allclose(chart.choices[0], chart.series[0].x, rtol=5e-3)
    assert last.metrics()["leave-one-out error"] == last.loss == chart.series[0].y.min()


def test_of_many_points_a_repeatable_sample_is_left_out():
    x = np.linspace(0, 10, 400)
    y = np.sin(x) + np.random.default_rng(2).normal(size=400)
    one, again, other = (states(x, y, seed)[-1].errors for seed in (0, 0, 1))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


@pytest.mark.parametrize("kernel", WEIGHTS)
@pytest.mark.parametrize("order", [0, 1])
@pytest.mark.parametrize("h", [0.8, 3.0])
def test_with_three_inputs_each_value_is_a_weighted_least_squares_fit(kernel, order, h):
    rng = np.random.default_rng(4)
    Z, queries = rng.normal(size=(600, 3)), rng.normal(scale=0.5, size=(40, 3))
    y = np.sin(Z[:, 0]) + Z[:, 1] * Z[:, 2]
    found = Smoother(Z, y, kernel, h, order).predict(queries)
    for value, at in zip(found, queries):
        weights = np.sqrt(WEIGHTS[kernel](np.linalg.norm(Z - at, axis=1) / h))
        if np.count_nonzero(weights) < 20:
            continue
        terms = np.column_stack([np.ones(600), *(Z - at).T][: 1 + 3 * order])
        exact = np.linalg.lstsq(terms * weights[:, None], y * weights, rcond=None)[0][0]
        assert value == pytest.approx(exact, abs=1e-8)


def test_with_three_inputs_a_bandwidth_is_selected():
    rng = np.random.default_rng(5)
    Z = rng.uniform(-1, 1, size=(120, 3))
    run = list(
        learn.run(
            learn.create("kernel_smoother", order=1),
            TrainingData(Z, Z @ [1.0, 2.0, -1.0], columns=("a", "b", "c")),
        )
    )
    assert run[-1].loss == min(state.loss for state in run)
    assert np.allclose(run[-1].predict(Z), Z @ [1.0, 2.0, -1.0], atol=1e-6)


@pytest.mark.parametrize("order, kernel", [(0, "gaussian"), (1, "gaussian"), (0, "tricube")])
@pytest.mark.parametrize("h", ["loo", 60.0, 0.3])
def test_a_map_has_the_predictions_at_its_pixels(order, kernel, h):
    """To single precision in units of the targets, also where all weights underflow."""
    budgets = data.generate("advertising").with_roles(
        axes=("TV", "radio"), inputs=("TV", "radio", "newspaper"), target="sales"
    )
    model = learn.create("kernel_smoother", "regress", bandwidth=h, order=order, kernel=kernel)
    state = learn.fit_data(model, budgets)
    shown, raster = state.on(axes=(0, 1), at={2: 60.0}), Raster.over((-300.0, 900.0, -90.0, 300.0), 41, 37)
    expected = state.predict(shown.section.lift(raster.points()))
    assert shown.field(raster).ravel() == pytest.approx(expected, abs=2e-6 * np.ptp(state.y))


def test_a_map_of_equal_targets_is_constant():
    state = learn.fit(learn.create("kernel_smoother", "regress"), RNG.normal(size=(9, 2)), np.full(9, 4.0))
    assert (state.on().field(Raster.over((-1.0, 1.0, -1.0, 1.0), 5, 5)) == 4.0).all()
