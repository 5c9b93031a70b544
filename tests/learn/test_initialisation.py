"""Initial centroids: random, k-means++, and positions given by the user."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.learn.datasets import unlabelled
from vizml import learn
from vizml.learn.clusters.kmeans_solver import (
    MAX_POSITIONS,
    PLACED,
    format_positions,
    kmeans_plus_plus,
    parse_positions,
    placed_positions,
    random_centroids,
)

MODELS = {
    "k-means": learn.create("kmeans", task="cluster"),
    "mixture": learn.create("gmm", task="cluster"),
    "mixture density": learn.create("gmm", task="density"),
}
every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)


def points(n, seed=0):
    return np.random.default_rng(seed).normal(size=(n, 2))


@every_model
def test_the_number_of_groups_applies_unless_positions_are_given(model):
    params = {param.name: param for param in model.parameters()}
    init = params["init"]
    assert init.options[-1] == PLACED
    assert set(init.labels) == set(init.options)
    for method in init.options:
        assert params["k"].relevant({"init": method}) is (method != PLACED)
        assert params["starts"].relevant({"init": method}) is (method == PLACED)
    assert (params["k"].lo, params["k"].hi) == (1, MAX_POSITIONS)


@pytest.mark.parametrize("init, count", [(PLACED, 2), ("random", 0), ("kmeans++", 0)])
def test_positions_apply_only_to_manual_initialisation(init, count):
    positions = placed_positions(init, "0.5,1;-2,3e-3", 2)
    assert positions.tolist() == [[0.5, 1.0], [-2.0, 0.003]][:count]
    assert placed_positions(init, "", 3).shape == (0, 3)


def test_positions_of_two_coordinates_are_refused_for_other_inputs():
    model = learn.create("kmeans", init="placed", starts="0,0;1,1")
    with pytest.raises(learn.CannotLearn, match="two coordinates, but the data have 3 inputs"):
        next(learn.run(model, unlabelled(np.zeros((4, 3)))))


@given(st.lists(st.tuples(*[st.floats(allow_nan=False, allow_infinity=False)] * 2), max_size=MAX_POSITIONS))
def test_positions_are_parsed_as_they_were_formatted(positions):
    given_ = np.array(positions, dtype=float).reshape(-1, 2)
    assert np.array_equal(parse_positions(format_positions(given_)), given_)


@pytest.mark.parametrize("starts", ["", " ", ";", " ; ;"])
def test_empty_positions_are_none(starts):
    assert parse_positions(starts).shape == (0, 2)


@pytest.mark.parametrize("name", ["mixture", "mixture density"])
def test_dragging_a_mean_keeps_the_others(name):
    state = learn.fit(MODELS[name], points(60))
    assert [anchor.name for anchor in state.on().anchors()] == ["mean 1", "mean 2", "mean 3"]
    moved = state.on().moved("mean 2", np.array([9.0, 8.0]))
    positions = parse_positions(moved["starts"])
    assert moved["init"] == PLACED
    assert positions[1].tolist() == [9.0, 8.0]
    assert np.array_equal(state.components.means[[0, 2]], positions[[0, 2]])


@pytest.mark.parametrize("choose", [random_centroids, kmeans_plus_plus])
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(1, 30), places=st.integers(1, 8), k=st.integers(1, 12))
def test_initial_centroids_are_distinct_points_as_many_as_there_are(choose, seed, n, places, k):
    rng = np.random.default_rng(seed)
    X = points(places)[rng.integers(0, places, n)]
    centroids = choose(X, k, rng)
    distinct = {tuple(x) for x in X}
    assert len({tuple(x) for x in centroids}) == len(centroids) == min(k, len(distinct))
    assert {tuple(x) for x in centroids} <= distinct


@pytest.mark.parametrize("choose", [random_centroids, kmeans_plus_plus])
def test_a_rare_point_is_found_among_many_duplicates(choose):
    X = np.vstack([np.zeros((5000, 2)), [[1.0, 1.0]]])
    found = choose(X, 2, np.random.default_rng(0))
    assert sorted(map(tuple, found)) == [(0.0, 0.0), (1.0, 1.0)]


def test_random_centroids_are_equally_likely_at_each_point():
    X = np.arange(10.0).reshape(5, 2)
    rng = np.random.default_rng(0)
    drawn = np.concatenate([random_centroids(X, 2, rng)[:, 0] for _ in range(2000)])
    assert np.bincount((drawn / 2).astype(int)) / 4000 == pytest.approx(np.full(5, 0.2), abs=0.03)


def test_k_means_plus_plus_draws_by_squared_distance():
    """With two candidates the farther one is kept: P(far) = 1 - (1 - 0.9)^2 for D^2 of 1 and 9."""
    X = np.array([[0.0, 0.0]] * 500 + [[1.0, 0.0]] + [[3.0, 0.0]])
    rng = np.random.default_rng(1)
    starts = np.array([kmeans_plus_plus(X, 2, rng) for _ in range(3000)])
    second = starts[starts[:, 0, 0] == 0.0][:, 1, 0]
    assert np.mean(second == 3.0) == pytest.approx(0.99, abs=0.008)


def test_each_of_groups_far_apart_gets_a_centroid():
    X = np.vstack([points(40, seed) / 10 + middle for seed, middle in enumerate(([0, 0], [50, 0], [0, 50]))])
    for seed in range(20):
        found = {tuple((at > 25).tolist()) for at in kmeans_plus_plus(X, 3, np.random.default_rng(seed))}
        assert found == {(False, False), (True, False), (False, True)}
