"""Kernel smoothing that leaves out far points: the same as with all of them."""

import math

import numpy as np
import pytest

from vizml import learn
from vizml.learn.neighbours import smoothing
from vizml.learn.neighbours.smoothing import SHAPES, Smoother

RNG = np.random.default_rng(3)
GAPS = np.concatenate([RNG.uniform(0, 1, 300), RNG.uniform(7, 7.3, 200), [20.0]])
DATA = {"even": RNG.uniform(-3, 3, 700), "gaps": GAPS, "twins": np.repeat(RNG.uniform(0, 2, 80), 5)}
every_data = pytest.mark.parametrize("x", DATA.values(), ids=DATA)
every_width = pytest.mark.parametrize("h", [1e-3, 0.05, 0.4, 30.0])
every_order = pytest.mark.parametrize("order", [0, 1])


def values(x):
    return 3 + np.sin(2 * x) + RNG.normal(scale=0.2, size=len(x))


def mixed(low, high, count):
    """Places in no order."""
    return RNG.permutation(np.linspace(low, high, count))


def from_all(smoother, x, without=None):
    """The weighted mean or line at each x out of the weights of all points, one x at a time."""
    shares = smoother.weights(x, without)
    if smoother.order == 0:
        return shares @ smoother.y
    return np.array([line_at(smoother, place, share) for place, share in zip(x, shares)])


def line_at(smoother, place, share):
    near = int(share.argmax())
    d, g = smoother.x - smoother.x[near], smoother.y - smoother.y[near]
    centre, level = math.fsum(share * d), math.fsum(share * g)
    spread = math.fsum(share * d * d) - centre**2
    slope = (math.fsum(share * d * g) - centre * level) / spread if spread > flat(smoother) else 0.0
    return smoother.y[near] + level + slope * (place - smoother.x[near] - centre)


def flat(smoother):
    return (smoothing.FLAT * smoother.bandwidth) ** 2


@every_data
@every_width
@every_order
@pytest.mark.parametrize("kernel", SHAPES)
def test_far_points_are_not_missed(x, h, order, kernel):
    smoother, places = Smoother(x, values(x), kernel, h, order), mixed(x.min() - 2, x.max() + 2, 500)
    expected = from_all(smoother, places)
    allowed = 1e-9 * max(float(np.abs(expected).max()), 1.0)
    assert np.abs(smoother.at(places) - expected).max() < allowed


@every_data
@every_width
@pytest.mark.parametrize("kernel", SHAPES)
def test_far_points_are_not_missed_when_one_is_left_out(x, h, kernel):
    smoother, rows = Smoother(x, values(x), kernel, h, 0), RNG.permutation(len(x))[:200]
    found = smoother.at(x[rows], without=rows)
    assert np.abs(found - from_all(smoother, x[rows], rows)).max() < 1e-10


def test_the_point_left_out_may_be_a_far_one():
    x = np.linspace(0, 1, 5000)
    smoother = Smoother(x, values(x), "gaussian", 1e-3, 0)
    places, rows = np.array([0.1, 0.9]), np.array([4990, 5])
    assert smoother.at(places, without=rows) == pytest.approx(smoother.at(places), abs=1e-12)


@pytest.mark.parametrize("kernel", SHAPES)
def test_what_a_group_leaves_out_counts_nothing(kernel, monkeypatch):
    monkeypatch.setattr(smoothing, "GROUP", 0)
    points, places, h = np.sort(GAPS), np.linspace(-2, 22, 400), 0.05
    seen = 0
    for part, near in Smoother(points, points, kernel, h, 0)._groups(points, places, None):
        share = Smoother(points, points, kernel, h, 0).weights(places[part])
        assert np.delete(share, np.r_[near], axis=1).max(initial=0.0) < 1e-16
        assert part.start == seen
        seen = part.stop
    assert seen >= len(places)


def test_a_narrow_kernel_looks_at_a_small_share_of_many_points():
    points = np.linspace(0, 1, 4000)
    groups = list(Smoother(points, points, "gaussian", 0.005, 0)._groups(points, points, None))
    looked_at = sum(len(points[part]) * len(points[near]) for part, near in groups)
    assert looked_at < 0.2 * len(points) ** 2


@every_order
def test_one_point_stands_everywhere(order):
    alone = Smoother(np.array([2.0]), np.array([5.0]), "gaussian", 0.1, order)
    assert alone.at(np.array([-50.0, 2.0, 1e6])).tolist() == [5.0, 5.0, 5.0]
    assert alone.at(np.empty(0)).shape == (0,)


@every_order
@pytest.mark.parametrize("h", [0.05, 0.3, 1.0, 40.0])
@pytest.mark.parametrize("kernel", ["gaussian", "laplace"])
def test_a_curve_from_few_places_is_that_of_each(h, order, kernel):
    x = DATA["even"]
    model = learn.create("kernel_smoother", "regress", bandwidth=h, order=order, kernel=kernel)
    state = learn.fit(model, x, values(x))
    places = mixed(-4, 4, 1500)
    expected = from_all(state.smoother, places)
    assert np.abs(state.predict(places) - expected).max() < 1e-9 * np.abs(expected).max()


def test_a_wide_gaussian_is_asked_at_few_places(monkeypatch):
    x, asked = DATA["even"], []
    state = learn.fit(learn.create("kernel_smoother", "regress", bandwidth=1.0), x, values(x))
    at = Smoother.at
    monkeypatch.setattr(Smoother, "at", lambda self, x: asked.append(len(x)) or at(self, x))
    state.predict(np.linspace(-4, 4, 1500))
    assert sum(asked) < 400
    assert state.predict(np.empty(0)).shape == (0,)
