"""What the kernel smoother shows: the kernel at the pointer, weights as rings, the local line, the errors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vizml import learn
from vizml.data import Dataset
from vizml.learn.neighbours.smoothing import SHAPES, Smoother
from vizml.scene import Path, Profile, Rings

RNG = np.random.default_rng(0)
X = np.sort(RNG.uniform(0, 10, 40))
Y = np.sin(X) + 0.1 * RNG.normal(size=40)
KERNELS = ("gaussian", "laplace", "epanechnikov")
DENSITIES = {
    "gaussian": lambda t: np.exp(-0.5 * t**2),
    "laplace": lambda t: np.exp(-np.abs(t)),
    "epanechnikov": lambda t: np.maximum(1 - t**2, 0),
    "tricube": lambda t: np.maximum(1 - np.abs(t) ** 3, 0) ** 3,
    "box": lambda t: (np.abs(t) <= 1).astype(float),
}


def states(x=X, y=Y, seed=0, **values):
    model = learn.create("kernel_smoother", task="regress", **values)
    return list(learn.run(model, Dataset.curve(x, y), seed))


def marks(state, kind, at):
    return [mark for mark in state.probe(np.array([at, 0.0])) if isinstance(mark, kind)]


@pytest.mark.parametrize("kernel", DENSITIES)
def test_weights_are_the_textbooks(kernel):
    places = np.linspace(0, 10, 31)
    weights = DENSITIES[kernel]((places[:, None] - X) / 1.5)
    assert np.allclose(Smoother(X, Y, kernel, 1.5, 0).weights(places), weights / weights.sum(1)[:, None])


@pytest.mark.parametrize("kernel", SHAPES)
@pytest.mark.parametrize("h", [1e-6, 0.3, 1e6])
def test_weights_are_shares_however_wide_or_narrow(kernel, h):
    share = Smoother(X, Y, kernel, h, 0).weights(np.linspace(-100, 100, 57))
    assert (share >= 0).all()
    assert np.allclose(share.sum(axis=1), 1)


@pytest.mark.parametrize("kernel", SHAPES)
def test_a_point_that_is_left_out_has_no_weight(kernel):
    rows = np.arange(len(X))
    share = Smoother(X, Y, kernel, 0.01, 0).weights(X, without=rows)
    assert not share[rows, rows].any()
    assert np.allclose(share.sum(axis=1), 1)


def test_of_equally_near_points_out_of_reach_both_count():
    smoother = Smoother(np.array([0.0, 2.0]), np.array([1.0, 5.0]), "box", 0.1, 0)
    assert smoother.weights(np.array([1.0])).tolist() == [[0.5, 0.5]]
    assert smoother.at(np.array([1.0, 0.9])).tolist() == [3.0, 1.0]


def test_many_places_are_smoothed_in_chunks(monkeypatch):
    smoother, places = Smoother(X, Y, "gaussian", 0.4, 1), np.linspace(-1, 11, 101)
    whole, without = smoother.at(places), smoother.at(X, without=np.arange(40))
    monkeypatch.setattr("vizml.learn.neighbours.smoothing.CHUNK", 120)
    assert np.allclose(smoother.at(places), whole, rtol=1e-12)
    assert np.allclose(smoother.at(X, without=np.arange(40)), without, rtol=1e-12)


@given(
    st.floats(-1e3, 1e3), st.floats(0.01, 100), st.floats(-1e3, 1e3), st.floats(0.01, 100),
    st.sampled_from(KERNELS), st.integers(0, 1),
)  # fmt: skip
def test_other_units_give_the_same_curve(right, wide, up, high, kernel, order):
    places = np.linspace(0, 10, 9)
    usual = Smoother(X, Y, kernel, 1.0, order).at(places)
    other = Smoother(wide * X + right, high * Y + up, kernel, wide, order).at(wide * places + right)
    assert np.allclose(other, high * usual + up, rtol=1e-6, atol=1e-6 * high)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("order", [0, 1])
def test_the_order_of_the_points_does_not_matter(kernel, order):
    mixed, places = np.random.default_rng(1).permutation(40), np.linspace(-1, 11, 50)
    one, other = Smoother(X, Y, kernel, 0.5, order), Smoother(X[mixed], Y[mixed], kernel, 0.5, order)
    assert np.allclose(one.at(places), other.at(places), rtol=1e-9)


def test_a_very_wide_kernel_is_the_mean_or_least_squares():
    places = np.linspace(-3, 14, 20)
    assert np.allclose(Smoother(X, Y, "gaussian", 1e7, 0).at(places), Y.mean())
    assert np.allclose(Smoother(X, Y, "gaussian", 1e7, 1).at(places), np.polyval(np.polyfit(X, Y, 1), places))


def test_a_mean_stays_within_the_data():
    values = Smoother(X, Y, "gaussian", 0.3, 0).at(np.linspace(-50, 50, 200))
    assert values.min() >= Y.min() - 1e-12
    assert values.max() <= Y.max() + 1e-12


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_kernel_is_drawn_around_the_pointer(kernel):
    (profile,) = marks(states(kernel=kernel, bandwidth=0.7)[-1], Profile, 4.2)
    assert profile.axis == "x"
    assert np.allclose(profile.heights, DENSITIES[kernel]((np.asarray(profile.at) - 4.2) / 0.7))
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


def test_a_mean_at_the_pointer_is_level():
    state = states(order=0, bandwidth=0.7)[-1]
    (path,) = marks(state, Path, 4.2)
    assert np.allclose(path.lines[0][:, 1], state.curve(np.array([4.2]))[0])


def test_sticks_join_points_to_the_curve_unless_there_are_too_many():
    state = states(bandwidth=0.7)[-1]
    (sticks,) = state.marks()
    ends = np.asarray(sticks.ends)
    assert np.allclose(np.sort(ends[:, :, 1], axis=1), np.sort(np.column_stack([Y, state.curve(X)]), axis=1))
    many = states(np.linspace(0, 1, 1001), np.zeros(1001), bandwidth=0.7)[-1]
    assert many.marks() == ()
    assert "RSS" not in many.metrics()


def test_figures_are_those_of_the_curve():
    figures = states(bandwidth=0.7)[-1].metrics()
    curve = Smoother(X, Y, "gaussian", 0.7, 0).at(X)
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


def test_a_given_bandwidth_has_no_chart_of_errors():
    assert states(bandwidth=0.7)[-1].charts() == ()


def test_many_points_are_judged_by_some_of_them_the_same_ones_each_time():
    x = np.linspace(0, 10, 400)
    y = np.sin(x) + np.random.default_rng(2).normal(size=400)
    one, again, other = (states(x, y, seed)[-1].errors for seed in (0, 0, 1))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
