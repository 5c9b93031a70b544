"""k nearest neighbours: scikit-learn's predictions for both tasks, ties, invariances and marks."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris, make_blobs, make_moons
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from vizml import data, learn
from vizml.data import Dataset
from vizml.field import Raster
from vizml.field.raster import Section
from vizml.learn.neighbours.views import NEIGHBOURS, unit_ball
from vizml.learn.training_data import TrainingData
from vizml.scene import Path, Segments, TextLabels

METRICS = {"l1": "manhattan", "l2": "euclidean", "linf": "chebyshev"}
SETS = {
    "moons": make_moons(200, noise=0.3, random_state=1),
    "blobs": make_blobs(150, centers=4, cluster_std=3.0, random_state=2),
    "imbalanced": make_blobs([90, 4], centers=[[0, 0], [1, 1]], random_state=3),
    "few": (np.array([[0.0, 0.0], [1.0, 0.3], [2.1, 1.0]]), np.array([0, 1, 1])),
}


def fit(X, y, **values):
    return learn.fit(learn.create("knn", "classify", **values), X, y)


def places(X, width=37, height=29):
    (left, bottom), (right, top) = X.min(axis=0) - 1.234, X.max(axis=0) + 1.123
    return Raster.over((left, right, bottom, top), width, height)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("k", [1, 2, 5, 15])
def test_probabilities_are_scikit_learns(name, metric, weights, k):
    X, y = SETS[name]
    k = min(k, len(X))
    state = fit(X, y, k=k, metric=metric, weights=weights)
    reference = KNeighborsClassifier(k, metric=METRICS[metric], weights=weights).fit(X, y)
    where = places(X).points()
    difference = np.abs(state.proba(where) - reference.predict_proba(where)).max()
    assert difference == 0.0 if weights == "uniform" else difference < 1e-12


@pytest.mark.parametrize("metric", METRICS)
def test_on_the_points_themselves_only_they_count_by_distance(metric):
    X, y = SETS["moons"]
    state = fit(X, y, k=9, metric=metric, weights="distance")
    assert np.array_equal(state.predict(X), y)
    assert np.array_equal(state.proba(X).max(axis=1), np.ones(len(X)))


def test_votes_of_a_worked_example():
    X = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 3.0], [9.0, 9.0]])
    y = np.array([0, 1, 1, 0])
    assert fit(X, y, k=3).proba([[0.5, 0.0]]).tolist() == [[1 / 3, 2 / 3]]
    # Distances 0.5, 1.5 and sqrt(9.25): weights 2, 2/3 and 0.3288.
    shares = fit(X, y, k=3, weights="distance").proba([[0.5, 0.0]])[0]
    assert shares[0] == pytest.approx(2 / (2 + 2 / 3 + 9.25**-0.5))


def test_a_tie_of_distances_goes_to_the_first_point():
    X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    for y in ([0, 1, 1, 0], [1, 0, 0, 1]):
        assert fit(X, np.array(y), k=1).predict([[0.0, 0.0]])[0] == y[0]
        assert fit(X, np.array(y), k=2).proba([[0.0, 0.0]])[0].tolist() == [0.5, 0.5]


def test_a_tie_of_votes_goes_to_the_first_class():
    assert fit(np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([1, 0]), k=2).predict([[0.9, 0.0]])[0] == 0


def test_more_neighbours_than_points_vote_everywhere():
    X, y = SETS["few"]
    state = fit(X, y, k=15)
    assert "only 3 points" in state.note
    assert np.array_equal(state.proba([[50.0, -50.0]]), [[1 / 3, 2 / 3]])
    assert np.allclose(state.field(places(X))[1], 2 / 3)


@pytest.mark.parametrize("metric", METRICS)
def test_the_pointer_is_joined_to_its_neighbours(metric):
    X, y = SETS["blobs"]
    k, point = 7, np.array([0.3, -0.4])
    marks = fit(X, y, k=k, metric=metric).on().probe(point)
    assert {mark.layer for mark in marks if not mark.off_by_default} == {NEIGHBOURS}
    lines = [mark for mark in marks if isinstance(mark, Segments)]
    near = KNeighborsClassifier(k, metric=METRICS[metric]).fit(X, y).kneighbors([point])[1][0]
    assert sorted(map(tuple, np.concatenate([m.ends[:, 1] for m in lines]))) == sorted(map(tuple, X[near]))
    for mark in lines:
        assert (mark.ends[:, 0] == point).all()
        assert {int(y[np.flatnonzero((X == end).all(axis=1))[0]]) for end in mark.ends[:, 1]} == {mark.ink}


def test_the_pointer_shows_the_votes_and_the_radius():
    X, y = SETS["few"]
    marks = fit(X, y, k=3).on().probe(np.array([0.0, 0.0]))
    words = next(mark for mark in marks if isinstance(mark, TextLabels))
    circle = next(mark for mark in marks if isinstance(mark, Path))
    assert words.texts == ("A 1, B 2",)
    assert np.hypot(*circle.lines[0].T) == pytest.approx(np.hypot(2.1, 1.0))


def test_ties_between_duplicates_are_broken_alike_in_scores_and_field():
    X, y = SETS["blobs"]
    X, y = np.concatenate([X, X[:60]]), np.concatenate([y, (y[:60] + 1) % 4])
    state, raster = fit(X, y, k=4), places(X)
    scores = state.scores(raster.points()).T.reshape(4, *raster.shape)
    assert np.abs(state.field(raster) - scores).max() < 1e-6


@pytest.mark.parametrize("metric", METRICS)
@given(st.floats(-100, 100), st.floats(-100, 100), st.floats(0.01, 100))
@settings(max_examples=25)
def test_neither_the_origin_nor_the_unit_matters(metric, right, up, factor):
    X, y = SETS["blobs"]
    where, move = places(X).points()[::40], np.array([right, up])
    one, other = fit(X, y, metric=metric), fit(X * factor + move, y, metric=metric)
    assert np.array_equal(one.scores(where), other.scores(where * factor + move))


@pytest.mark.parametrize("metric", METRICS)
def test_the_ball_at_the_pointer_touches_the_farthest_neighbour(metric):
    X, y = SETS["blobs"]
    state, place, order = (
        fit(X, y, k=6, metric=metric), np.array([0.3, -0.2]), {"l1": 1, "l2": 2}.get(metric, np.inf),
    )  # fmt: skip
    (edge,) = [mark for mark in state.on().probe(place) if isinstance(mark, Path)]
    lengths = np.linalg.norm(edge.lines[0] - place, ord=order, axis=1)
    assert np.allclose(lengths, np.sort(np.linalg.norm(X - place, ord=order, axis=1))[5])
    assert np.allclose(np.linalg.norm(unit_ball(metric), ord=order, axis=1), 1)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("axes", [None, (3, 1), "rotated"])
def test_fields_of_sections_have_the_scores_of_every_pixel(metric, weights, axes):
    X, y = load_iris(return_X_y=True)
    X = X + np.random.default_rng(0).normal(scale=1e-3, size=X.shape)
    table = TrainingData(X, labels=y, columns=("a", "b", "c", "d"))
    (state,) = learn.run(learn.create("knn", weights=weights, metric=metric, k=7), table)
    section = state.space.section(axes if axes != "rotated" else None)
    if axes == "rotated":
        section = Section(np.median(X, axis=0), np.linalg.qr(X[:4])[0][:2])
    view, raster = state.on(section), Raster.over((-3, 8, -2, 5), 40, 30)
    scores = state.scores(section.lift(raster.points())).T.reshape(3, 30, 40)
    assert np.abs(view.field(raster) - scores).max() < 1e-6
    bands = np.concatenate([view.field(raster.rows(a, a + 10)) for a in (0, 10, 20)], axis=1)
    assert np.abs(bands - scores).max() < 1e-6
    assert view.probe(np.array([1.0, 2.0])) or (axes == "rotated" and metric != "l2")


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_with_three_inputs_predictions_of_a_number_are_scikit_learns(weights):
    X = load_iris().data + np.random.default_rng(0).normal(scale=1e-3, size=(150, 4))
    model = learn.create("knn", "regress", weights=weights)
    (state,) = learn.run(model, TrainingData(X[:, :3], X[:, 3], columns=("a", "b", "c")))
    theirs = KNeighborsRegressor(5, weights=weights).fit(X[:, :3], X[:, 3])
    assert np.allclose(state.predict(X[:, :3] + 0.1), theirs.predict(X[:, :3] + 0.1))
    if weights == "uniform":
        assert 0 < state.metrics()["leave-one-out error"] < 0.1
        assert len(state.charts()) == 1


# regression

CURVES = {
    "sine": data.generate("sine", n=80, seed=1),
    "cubic": data.generate("cubic", n=300, seed=2),
    "far": Dataset(data.generate("step", n=50, seed=3).points + 2.0**20, np.full(50, -1)),
    "six points": data.generate("line", n=6, seed=4),
}
every_curve = pytest.mark.parametrize("points", CURVES.values(), ids=CURVES)


def curve(points, **values):
    (state,) = learn.run(learn.create("knn", "regress", **values), points)
    return state


def probes(points):
    low, high = points.x.min(), points.x.max()
    return np.linspace(low - 0.3 * (high - low), high + 0.3 * (high - low), 501)


@every_curve
@pytest.mark.parametrize("k", [1, 2, 5])
@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_the_mean_of_neighbours_is_scikit_learns(points, k, weights):
    theirs = KNeighborsRegressor(k, weights=weights).fit(points.x[:, None], points.y)
    x = np.concatenate([probes(points), points.x])
    apart = np.abs(curve(points, k=k, weights=weights).predict(x) - theirs.predict(x[:, None]))
    assert apart.max() < 1e-9 * np.ptp(points.y)


def test_more_neighbours_than_points_are_all_points_and_that_is_reported():
    points = CURVES["six points"]
    state = curve(points, k=50)
    assert np.allclose(state.predict(probes(points)), points.y.mean())
    assert "only 6 points" in state.note


def test_of_points_with_equal_x_the_first_are_neighbours_from_either_side():
    state = curve(Dataset.curve([1.0, 1.0, 1.0, 5.0], [10.0, 20.0, 30.0, 0.0]), k=2)
    assert np.allclose(state.predict([0.0, 1.0, 2.0]), 15.0)
    assert np.allclose(curve(Dataset.curve([1, 1, 1], [1, 2, 6]), k=1).predict([0.0, 1.0, 2.0]), 1.0)


def test_of_equally_near_points_the_left_one_is_the_neighbour():
    state = curve(Dataset.curve([0.0, 2.0, 4.0], [5.0, 7.0, 1.0]), k=1)
    assert list(state.predict([1.0, 1.0001, 3.0])) == [5, 7, 7]


@every_curve
@pytest.mark.parametrize("k", [1, 3])
def test_the_leave_one_out_error_is_that_of_fits_without_each_point(points, k):
    errors = []
    for i in range(len(points)):
        rest = points.take(np.arange(len(points)) != i)
        errors.append((points.y[i] - curve(rest, k=k).predict(points.x[i : i + 1])[0]) ** 2)
    assert curve(points, k=k).metrics()["leave-one-out error"] == pytest.approx(np.mean(errors))


def test_the_chart_marks_its_minimum():
    chart = curve(CURVES["cubic"]).charts()[0]
    best = chart.series[0].x[chart.series[0].y.argmin()]
    assert [rule.x for rule in chart.rules] == [5.0, best]
    assert (chart.sets, chart.choices) == (("k",), (tuple(chart.series[0].x),))


def test_the_pointer_shows_its_neighbours():
    points = CURVES["sine"]
    lines = curve(points, k=3).on().probe(np.array([0.2, 0.0]))[1].ends
    near = np.argsort(np.abs(points.x - 0.2))[:3]
    assert {tuple(end) for end in lines[:, 1]} == {tuple(p) for p in points.points[near]}


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_residuals_are_drawn_and_summed(weights):
    x, y = np.arange(12.0), np.random.default_rng(0).normal(size=12)
    state = curve(Dataset.curve(x, y), k=3, weights=weights)
    assert state.metrics()["RSS"] == pytest.approx(((y - state.predict(x)) ** 2).sum())
    (lines,) = state.marks()
    ends = np.sort(np.asarray(lines.ends)[:, :, 1], axis=1)
    moved = y != state.predict(x)
    assert np.allclose(ends[moved], np.sort(np.column_stack([y, state.predict(x)]), axis=1)[moved])


def test_only_fewer_and_unweighted_neighbours_have_a_leave_one_out_error():
    x, y = np.arange(6.0), np.arange(6.0)
    assert "leave-one-out error" in curve(Dataset.curve(x, y), k=3).metrics()
    assert "leave-one-out error" not in curve(Dataset.curve(x, y), k=6).metrics()
    assert "leave-one-out error" not in curve(Dataset.curve(x, y), k=3, weights="distance").metrics()
    assert curve(Dataset.curve(x, y), k=3, weights="distance").charts() == ()
    assert curve(Dataset.curve(x[:2], y[:2]), k=1).charts() == ()
