"""The mean of neighbours against scikit-learn, the kernel smoother against weighted least squares."""

import warnings

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsRegressor

from vizml import data, learn
from vizml.data import Dataset
from vizml.learn.neighbours.smoothing import Smoother

AGREEMENT = 1e-12  # relative to the range of y

DATA = {
    "sine": data.generate("sine", n=80, seed=1),
    "cubic": data.generate("cubic", n=300, seed=2),
    "far": Dataset(data.generate("step", n=50, seed=3).points + 2.0**20, np.full(50, -1)),
    "six points": data.generate("line", n=6, seed=4),
}
every_data = pytest.mark.parametrize("points", DATA.values(), ids=DATA)


def fit(id, points, **values):
    return list(learn.run(learn.create(id, "regress", **values), points))[-1]


def probes(points):
    low, high = points.x.min(), points.x.max()
    return np.linspace(low - 0.3 * (high - low), high + 0.3 * (high - low), 501)


# k nearest neighbours


@every_data
@pytest.mark.parametrize("k", [1, 2, 5])
@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_the_mean_of_neighbours_is_scikit_learns(points, k, weights):
    theirs = KNeighborsRegressor(k, weights=weights).fit(points.x[:, None], points.y)
    x = np.concatenate([probes(points), points.x])
    apart = np.abs(fit("knn", points, k=k, weights=weights).predict(x) - theirs.predict(x[:, None]))
    assert apart.max() < 1e-9 * np.ptp(points.y)


def test_more_neighbours_than_points_are_all_points_and_it_is_said():
    points = DATA["six points"]
    state = fit("knn", points, k=50)
    assert np.allclose(state.predict(probes(points)), points.y.mean())
    assert "only 6 points" in state.note


def test_of_points_on_one_x_the_first_are_asked_from_either_side():
    state = fit("knn", Dataset.curve([1.0, 1.0, 1.0, 5.0], [10.0, 20.0, 30.0, 0.0]), k=2)
    assert np.allclose(state.predict([0.0, 1.0, 2.0]), 15.0)
    assert np.allclose(fit("knn", Dataset.curve([1, 1, 1], [1, 2, 6]), k=1).predict([0.0, 1.0, 2.0]), 1.0)


def test_of_points_equally_near_the_left_one_is_asked():
    state = fit("knn", Dataset.curve([0.0, 2.0, 4.0], [5.0, 7.0, 1.0]), k=1)
    assert list(state.predict([1.0, 1.0001, 3.0])) == [5, 7, 7]


@every_data
@pytest.mark.parametrize("k", [1, 3])
def test_the_error_left_out_is_that_of_a_fit_without_the_point(points, k):
    errors = []
    for i in range(len(points)):
        rest = points.without(np.arange(len(points)) == i)
        errors.append((points.y[i] - fit("knn", rest, k=k).predict(points.x[i : i + 1])[0]) ** 2)
    assert fit("knn", points, k=k).metrics()["leave-one-out error"] == pytest.approx(np.mean(errors))


def test_the_chart_has_its_least_where_it_says():
    chart = fit("knn", DATA["cubic"]).charts()[0]
    best = chart.series[0].x[chart.series[0].y.argmin()]
    assert chart.rules[1].x == best
    assert chart.choices[0] == tuple(chart.series[0].x)


def test_the_pointer_sees_its_neighbours():
    points = DATA["sine"]
    lines = fit("knn", points, k=3).probe(np.array([0.2, 0.0]))[1].ends
    near = np.argsort(np.abs(points.x - 0.2))[:3]
    assert {tuple(end) for end in lines[:, 1]} == {tuple(p) for p in points.points[near]}


# kernel smoother

WEIGHTS = {
    "gaussian": lambda t: np.exp(-(t**2) / 2),
    "laplace": lambda t: np.exp(-np.abs(t)),
    "epanechnikov": lambda t: np.clip(1 - t**2, 0, None),
    "tricube": lambda t: np.clip(1 - np.abs(t) ** 3, 0, None) ** 3,
    "box": lambda t: (np.abs(t) <= 1).astype(float),
}


@every_data
@pytest.mark.parametrize("kernel", WEIGHTS)
@pytest.mark.parametrize("order", [0, 1])
def test_each_value_is_a_weighted_least_squares_fit(points, kernel, order):
    x = np.linspace(points.x.min(), points.x.max(), 23)
    h = 0.45 * np.ptp(points.x)
    state = fit("kernel_smoother", points, kernel=kernel, bandwidth=h, order=order)
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
    straight = fit("kernel_smoother", points, kernel=kernel, bandwidth=1.5, order=1)
    assert np.allclose(straight.predict(x), points.y)
    bent = fit("kernel_smoother", points, kernel=kernel, bandwidth=1.5, order=0)
    assert abs(bent.predict([0.0])[0] - 3) > 0.5


@pytest.mark.parametrize("kernel", WEIGHTS)
def test_where_no_point_is_near_the_nearest_stands(kernel):
    state = fit(
        "kernel_smoother", Dataset.curve([0.0, 1.0, 2.0], [5.0, 6.0, 8.0]), kernel=kernel, bandwidth=1e-3
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.allclose(state.predict([-9.0, 1.1, 1e6]), [5, 6, 8])


@every_data
@pytest.mark.parametrize("order", [0, 1])
def test_a_point_left_out_is_a_fit_without_it(points, order):
    h = 0.3 * np.ptp(points.x)
    every = Smoother(points.x, points.y, "gaussian", h, order)
    rows = np.arange(5)
    for i, value in zip(rows, every.at(points.x[rows], without=rows)):
        rest = np.arange(len(points)) != i
        alone = Smoother(points.x[rest], points.y[rest], "gaussian", h, order)
        assert value == pytest.approx(alone.at(points.x[i : i + 1])[0], abs=1e-9 * np.ptp(points.y))


def test_the_bandwidth_with_the_least_error_is_taken():
    states = list(learn.run(learn.create("kernel_smoother"), DATA["sine"]))
    tried, errors = states[-1].tried, states[-1].errors
    assert states[-1].smoother.bandwidth == tried[errors.argmin()]
    assert len(states) == len(tried) + 1
    assert [state.smoother.bandwidth for state in states[:-1]] == list(tried)
    assert "least leave-one-out error" in states[-1].note
    assert states[-1].charts()[0].series[0].y.min() == errors.min()


def test_with_equal_x_it_says_that_nothing_can_be_chosen():
    state = fit("kernel_smoother", Dataset.curve(np.ones(6), np.arange(6.0)), order=1)
    assert "too few different x" in state.note
    assert state.predict([1.0])[0] == pytest.approx(2.5)
