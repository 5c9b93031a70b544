"""Neighbours: who is asked, in chunks or at once; the pointer's marks; what must not change the answer."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import KDTree as Reference

from tests.learn.datasets import blobs, moons
from vizml import learn
from vizml.data import Dataset
from vizml.learn.neighbours import search
from vizml.learn.neighbours.search import nearest
from vizml.learn.neighbours.window import Window
from vizml.scene import Path, Segments, Words

ORDERS = {"l1": 1, "l2": 2, "linf": np.inf}
POINTS, LABELS = blobs(60)
RNG = np.random.default_rng(0)
PLACES = RNG.normal(size=(40, 2)) * 6
every_metric = pytest.mark.parametrize("metric", ORDERS)
few_steps = st.lists(st.integers(-3, 3), min_size=1, max_size=25)


def chosen(places, points, k, metric):
    """Distances and choice (m, n), infinite and not chosen where a point was not even asked."""
    distances, inside = (
        np.full((len(places), len(points)), np.inf),
        np.zeros((len(places), len(points)), bool),
    )
    for asked in nearest(places, points, k, metric):
        distances[np.ix_(asked.places, asked.points)] = asked.distances
        inside[np.ix_(asked.places, asked.points)] = asked.inside
    return distances, inside


def knn(X=POINTS, y=LABELS, **values):
    return learn.fit(learn.create("knn", task="classify", **values), X, y)


def curve(x, y, **values):
    (state,) = learn.run(learn.create("knn", task="regress", **values), Dataset.curve(x, y))
    return state


@every_metric
@pytest.mark.parametrize("k", [1, 7, 60])
def test_the_nearest_are_scipys(metric, k):
    distances, inside = chosen(PLACES, POINTS, k, metric)
    far, rows = Reference(POINTS).query(PLACES, k=range(1, k + 1), p=ORDERS[metric])
    assert (inside.sum(axis=1) == k).all()
    for own, mask, theirs, which in zip(distances, inside, far, rows):
        assert np.array_equal(np.flatnonzero(mask), np.sort(which))
        assert np.allclose(np.sort(own[mask]), theirs)


@every_metric
@given(st.integers(1, 12), st.integers(0, 1000))
@settings(max_examples=40)
def test_of_equally_near_ones_the_first_are_asked(metric, k, seed):
    grid = np.random.default_rng(seed).integers(-2, 3, (20, 2)).astype(float)
    distances, inside = chosen(np.zeros((1, 2)), grid, k, metric)
    assert np.flatnonzero(inside[0]).tolist() == sorted(np.argsort(distances[0], kind="stable")[:k])


@every_metric
@pytest.mark.parametrize("k", [1, 9, 150])
@pytest.mark.parametrize("size", [1e-12, 1.0, 1e12])
def test_places_that_lie_together_ask_few_points_and_miss_none(metric, k, size):
    rng = np.random.default_rng(k)
    points, places = rng.uniform(size=(1500, 2)) * size, rng.uniform(size=(2000, 2)) * size
    distances, inside = chosen(places, points, k, metric)
    assert np.isfinite(distances).mean() < (0.3 if k < 100 else 0.6)
    far, rows = Reference(points).query(places, k=range(1, k + 1), p=ORDERS[metric])
    assert all(np.array_equal(np.flatnonzero(mask), np.sort(which)) for mask, which in zip(inside, rows))
    assert np.allclose(np.sort(distances, axis=1)[:, :k], far, rtol=1e-12)


@every_metric
@pytest.mark.parametrize("many", [0, 10**6])
def test_points_that_are_let_go_at_a_halving_are_of_no_account(metric, many, monkeypatch):
    rng = np.random.default_rng(5)
    points = np.concatenate([rng.normal(size=(900, 2)), np.repeat(rng.normal(size=(60, 2)), 10, axis=0)])
    places = np.concatenate([points[::3], rng.uniform(-9, 9, size=(400, 2))])
    monkeypatch.setattr(search, "MANY", many)
    _, inside = chosen(places, points, 8, metric)
    away = np.abs(places[:, None] - points)
    away = {"l1": away.sum(axis=2), "linf": away.max(axis=2), "l2": np.hypot(*away.transpose(2, 0, 1))}[
        metric
    ]
    first = np.argsort(np.round(away, 12), axis=1, kind="stable")[:, :8]
    assert all(np.array_equal(np.flatnonzero(mask), np.sort(which)) for mask, which in zip(inside, first))


@every_metric
def test_among_many_equally_near_ones_the_first_are_asked(metric):
    grid = np.random.default_rng(0).integers(-4, 5, (800, 2)).astype(float)
    _, inside = chosen(grid, grid, 6, metric)
    exact = np.linalg.norm(grid[:, None] - grid, ord=ORDERS[metric], axis=2)
    first = np.argsort(exact, axis=1, kind="stable")[:, :6]
    assert all(np.array_equal(np.flatnonzero(mask), np.sort(which)) for mask, which in zip(inside, first))


def test_no_places_ask_nobody():
    assert not list(nearest(np.empty((0, 2)), np.random.default_rng(0).normal(size=(900, 2)), 3, "l2"))


def test_places_are_asked_in_chunks(monkeypatch):
    whole = chosen(PLACES, POINTS, 5, "l2")
    monkeypatch.setattr(search, "CHUNK", 60 * 7)
    parts = [asked.places for asked in nearest(PLACES, POINTS, 5, "l2")]
    assert [part[0] for part in parts] == [0, 7, 14, 21, 28, 35]
    assert all(np.array_equal(a, b) for a, b in zip(chosen(PLACES, POINTS, 5, "l2"), whole))


@every_metric
@given(st.floats(-100, 100), st.floats(-100, 100), st.floats(0.01, 100))
@settings(max_examples=25)
def test_neither_the_origin_nor_the_unit_matters_to_a_vote(metric, right, up, factor):
    move = np.array([right, up])
    one, other = knn(metric=metric), knn(POINTS * factor + move, metric=metric)
    assert np.array_equal(one.scores(PLACES), other.scores(PLACES * factor + move))


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_the_order_of_the_points_does_not_matter_to_a_vote(weights):
    mixed = RNG.permutation(60)
    one, other = knn(weights=weights), knn(POINTS[mixed], LABELS[mixed], weights=weights)
    assert np.allclose(one.scores(PLACES), other.scores(PLACES))


def test_swapped_labels_swap_the_shares():
    X, y = moons(40)
    assert np.array_equal(knn(X, y).scores(X)[:, ::-1], knn(X, 1 - y).scores(X))


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_one_neighbour_knows_its_own_point(weights):
    state = knn(k=1, weights=weights)
    assert np.array_equal(state.predict(POINTS), LABELS)


def test_all_neighbours_vote_as_the_shares_of_the_classes():
    state = knn(k=60)
    assert np.allclose(state.proba(PLACES), np.bincount(LABELS) / 60)


@every_metric
def test_the_ball_at_the_pointer_touches_the_farthest_voter(metric):
    state, place = knn(k=6, metric=metric), np.array([0.3, -0.2])
    distances, inside = chosen(place[None], POINTS, 6, metric)
    (edge,) = [mark for mark in state.probe(place) if isinstance(mark, Path)]
    lengths = np.linalg.norm(edge.lines[0] - place, ord=ORDERS[metric], axis=1)
    assert np.allclose(lengths, distances[inside].max())


def test_lines_to_the_voters_have_their_inks_and_words_their_count():
    names = np.array([2, 5, 7])
    state, place = knn(POINTS, names[LABELS], k=9), POINTS.mean(axis=0)
    marks = state.probe(place)
    for line in (mark for mark in marks if isinstance(mark, Segments)):
        assert (np.asarray(line.ends)[:, 0] == place).all()
        for end in np.asarray(line.ends)[:, 1]:
            (row,) = np.flatnonzero((POINTS == end).all(axis=1))
            assert names[LABELS[row]] == line.ink
    (words,) = [mark for mark in marks if isinstance(mark, Words)]
    assert sum(int(part.split()[-1]) for part in words.texts[0].split(", ")) == 9


@given(few_steps, st.integers(1, 8), st.integers(-8, 8))
def test_a_window_asks_the_k_nearest_the_left_and_the_first_of_equals(steps, k, twice):
    """Against all distances, sorted by distance, then by x, then by row."""
    x, at = np.array(steps, dtype=float), twice / 2
    k = min(k, len(x))
    window = Window.over(x, np.arange(float(len(x))), k)
    asked = window.order[window.rows(np.array([at]))[0]]
    expected = sorted(range(len(x)), key=lambda i: (abs(x[i] - at), x[i], i))[:k]
    assert sorted(asked) == sorted(expected)


@given(few_steps, st.integers(1, 8), st.lists(st.floats(-5, 5), min_size=1, max_size=5))
def test_the_mean_by_running_sums_is_the_mean_of_those_asked(steps, k, places):
    x, at = np.array(steps, dtype=float), np.array(places)
    window = Window.over(x, np.random.default_rng(0).normal(size=len(x)), k)
    assert np.allclose(window.mean(at), window.y[window.rows(at)].mean(axis=1))


@given(st.lists(st.integers(-9, 9), min_size=3, max_size=20), st.integers(1, 5))
def test_who_is_left_out_is_never_asked(steps, k):
    x = np.array(steps, dtype=float)
    k = min(k, len(x) - 1)
    for row in range(len(x)):
        y = np.zeros(len(x))
        y[row] = 1e3
        window = Window.over(x, y, k)
        assert window.left_out()[window.order == row] == pytest.approx(0, abs=1e-9)


def test_large_values_of_y_do_not_wear_out_the_running_sums():
    x, y = np.arange(100.0), np.sin(np.arange(100.0))
    places = np.linspace(0, 99, 57)
    usual = Window.over(x, y, 7).mean(places)
    assert np.allclose(Window.over(x, y + 1e9, 7).mean(places) - 1e9, usual, atol=1e-5)


def test_nearer_ones_count_by_the_inverse_of_their_distance(monkeypatch):
    window = Window.over(np.array([0.0, 1.0, 3.0]), np.array([2.0, 8.0, 5.0]), 2)
    assert window.nearer_more(np.array([0.25])) == pytest.approx(
        (2 / 0.25 + 8 / 0.75) / (1 / 0.25 + 1 / 0.75)
    )
    assert window.nearer_more(np.array([1.0, 3.0])).tolist() == [8.0, 5.0]
    monkeypatch.setattr("vizml.learn.neighbours.window.CHUNK", 2)
    assert window.nearer_more(np.array([0.0, 1.0, 3.0])).tolist() == [2.0, 8.0, 5.0]


def test_points_on_the_same_x_share_it_when_nearer_ones_count_more():
    window = Window.over(np.array([1.0, 1.0, 4.0]), np.array([2.0, 6.0, 100.0]), 3)
    assert window.nearer_more(np.array([1.0])).tolist() == [4.0]


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_residuals_are_drawn_and_summed(weights):
    x, y = np.arange(12.0), RNG.normal(size=12)
    state = curve(x, y, k=3, weights=weights)
    assert state.metrics()["RSS"] == pytest.approx(((y - state.curve(x)) ** 2).sum())
    (sticks,) = state.marks()
    ends = np.sort(np.asarray(sticks.ends)[:, :, 1], axis=1)
    moved = y != state.curve(x)
    assert np.allclose(ends[moved], np.sort(np.column_stack([y, state.curve(x)]), axis=1)[moved])


def test_weighted_neighbours_and_all_of_them_have_no_error_left_out():
    x, y = np.arange(6.0), np.arange(6.0)
    assert "leave-one-out error" in curve(x, y, k=3).metrics()
    assert "leave-one-out error" not in curve(x, y, k=6).metrics()
    assert "leave-one-out error" not in curve(x, y, k=3, weights="distance").metrics()
    assert curve(x, y, k=3, weights="distance").charts() == ()
    assert curve(x[:2], y[:2], k=1).charts() == ()


def test_a_click_on_the_chart_sets_a_k_that_was_tried():
    x = np.linspace(0, 6, 50)
    (chart,) = curve(x, np.sin(x), k=4).charts()
    assert chart.sets == ("k",)
    assert list(chart.choices[0]) == chart.series[0].x.tolist()
    assert max(chart.choices[0]) <= 49
    assert chart.rules[0].x == 4.0
