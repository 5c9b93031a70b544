"""k-means against scikit-learn from the same start, step by step, and its initial centroids."""

from itertools import islice, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans

from tests.events import cpu_seconds
from tests.learn.datasets import blobs, moons, unlabelled
from vizml import learn
from vizml.field import Raster
from vizml.learn.clusters.kmeans_solver import (
    MAX_POSITIONS,
    PLACED,
    format_positions,
    kmeans_plus_plus,
    parse_positions,
    placed_positions,
    random_centroids,
)

DATA = {
    "moons": moons(200)[0], "blobs": blobs(150, centers=4)[0], "tiny": moons(9)[0], "far": moons(80)[0] + 1e6,
}  # fmt: skip
every_data = pytest.mark.parametrize("X", DATA.values(), ids=DATA)


def steps(X, seed=0, **values):
    return list(learn.steps(learn.create("kmeans", **values), X, seed=seed))


@every_data
@pytest.mark.parametrize("k", [1, 2, 4, 7])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_same_start_leads_to_the_same_partition(X, k, seed):
    start = X[np.random.default_rng(seed).permutation(len(X))[:k]]
    last = steps(X, init="placed", starts=format_positions(start))[-1]
    theirs = KMeans(k, init=start, n_init=1, tol=0.0, algorithm="lloyd").fit(X)
    assert np.array_equal(last.assigned, theirs.labels_)
    assert last.loss == pytest.approx(theirs.inertia_, rel=1e-6)
    assert np.allclose(last.centroids, theirs.cluster_centers_, rtol=1e-9)


@every_data
def test_j_falls_at_every_half_step_and_is_the_sum_of_squares(X):
    before = np.inf
    for state in steps(X, k=min(5, len(X))):
        apart = X - state.centroids[state.assigned]
        assert state.loss == pytest.approx((apart**2).sum(), rel=1e-6)
        assert state.loss <= before * (1 + 1e-12)
        before = state.loss


@every_data
def test_at_the_end_each_point_is_with_the_nearest_and_each_centroid_in_the_middle(X):
    last = steps(X, k=3)[-1]
    distances = ((X[:, None] - last.centroids) ** 2).sum(axis=2)
    assert np.array_equal(last.assigned, distances.argmin(axis=1))
    assert np.array_equal(last.predict(X), last.assigned)
    for k in range(3):
        assert np.allclose(last.centroids[k], X[last.assigned == k].mean(axis=0))


def test_half_steps_take_turns():
    kinds = [state.note.split(": ")[0].split(", ")[-1] for state in steps(moons(100)[0], init="random")]
    assert kinds[0] == "start"
    assert kinds[1::2] == ["update"] * len(kinds[1::2])
    assert kinds[2::2] == ["assignment"] * len(kinds[2::2])


def test_each_pick_of_k_means_plus_plus_is_a_step_with_its_squared_distances():
    X = DATA["blobs"]
    run = steps(X, k=4)
    for number, state in enumerate(run[:4], start=1):
        squared = cdist(X, state.centroids, "sqeuclidean").min(axis=1)
        assert state.clusters == number
        assert np.array_equal(state.centroids, run[4].centroids[:number])
        assert state.loss == pytest.approx(squared.sum())
        rings = next(mark for mark in state.marks() if mark.layer == "D(x)²")
        areas = rings.radii**2
        assert areas / areas.max() == pytest.approx(squared / squared.max(), abs=1e-12)
    assert "k-means++: centroid 2 of 4 is picked with probability" in run[1].note
    picked = np.isclose(X, run[1].centroids[1]).all(axis=1)
    probability = cdist(X[picked], run[0].centroids, "sqeuclidean").item() / run[0].loss
    assert f"probability {probability:.3g}" in run[1].note
    assert run[4].note.startswith("start: ")


def test_a_random_assignment_starts_with_the_means_of_random_clusters():
    X = DATA["blobs"]
    first, second, *_, last = steps(X, k=4, init="random_partition")
    assert first.note.startswith("random assignment: ")
    assert np.bincount(first.assigned).min() > 20
    for k in range(4):
        assert np.allclose(first.centroids[k], X[first.assigned == k].mean(axis=0))
    assert np.array_equal(second.centroids, first.centroids)
    assert np.array_equal(second.assigned, cdist(X, first.centroids).argmin(axis=1))
    theirs = KMeans(4, init=first.centroids, n_init=1, tol=0.0).fit(X)
    assert last.loss == pytest.approx(theirs.inertia_, rel=1e-6)


@pytest.mark.parametrize("X", [DATA["moons"], DATA["blobs"]], ids=["moons", "blobs"])
@pytest.mark.parametrize("init", ["random", "kmeans++", "random_partition"])
def test_k_medians_is_a_plain_loop_with_the_distances_of_scipy(X, init):
    run = steps(X, k=3, init=init, metric="l1")
    first = next(at for at, state in enumerate(run) if state.note.startswith("start: "))
    centroids, labels = run[first].centroids, run[first].assigned
    assert np.array_equal(labels, cdist(X, centroids, "cityblock").argmin(axis=1))
    for _ in range(100):
        centroids = np.array([np.median(X[labels == k], axis=0) for k in range(3)])
        labels = cdist(X, centroids, "cityblock").argmin(axis=1)
    assert np.allclose(run[-1].centroids, centroids)
    assert np.array_equal(run[-1].assigned, labels)
    total = cdist(X, centroids, "cityblock").min(axis=1).sum()
    assert run[-1].metrics()["sum of distances"] == pytest.approx(total)
    assert all(b.loss <= a.loss * (1 + 1e-12) for a, b in pairwise(run[first:]))


def test_cells_of_k_medians_are_those_of_the_nearest_median_at_every_pixel():
    last = steps(DATA["blobs"], k=4, metric="l1")[-1]
    raster = Raster.over((-9, 9, -9, 9), 60, 50)
    distances = cdist(raster.points(), last.centroids, "cityblock")
    assert np.allclose(last.field(raster), -distances.T.reshape(4, 50, 60), atol=1e-5)
    X = np.random.default_rng(0).normal(size=(60, 4))
    *_, several = learn.run(learn.create("kmeans", metric="l1"), unlabelled(X))
    inputs = np.insert(raster.points(), [1, 1], [0.5, -1.0], axis=1)
    view = several.on(axes=(0, 3), at={1: 0.5, 2: -1.0})
    assert np.allclose(view.field(raster), several.scores(inputs).T.reshape(3, 50, 60), atol=1e-4)


def test_of_several_runs_the_best_is_kept_and_said():
    run = steps(blobs(200, centers=8)[0], k=8, init="random", restarts=6)
    ends = [before.loss for before, after in pairwise(run) if "start: " in after.note]
    ends.append(run[-2].loss)
    assert len(ends) == 6
    assert run[-1].loss == pytest.approx(min(ends), rel=1e-9)
    assert run[-1].note.startswith(f"run {ends.index(run[-1].loss) + 1} of 6 kept: inertia ")


def test_of_runs_that_came_to_the_same_the_first_is_kept():
    X = np.array([[0.0, 0.0], [0.1, 0.0], [5.0, 0.0], [5.1, 0.0]])
    for seed in range(5):
        run = steps(X, seed, k=2, restarts=8)
        assert run[-1].note.startswith("run 1 of 8 kept: inertia ")
        assert np.array_equal(
            run[-1].assigned, [state for state in run if "run 1 " in state.note][-2].assigned
        )


@pytest.mark.parametrize("init", ["random", "kmeans++"])
def test_more_clusters_than_points_are_cut_down_and_said(init):
    last = steps(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]]), k=5, init=init)[-1]
    assert last.clusters == 2
    assert "5 clusters requested, but there are only 2 distinct points" in last.note
    assert last.loss == 0


@pytest.mark.parametrize("init", ["random", "kmeans++"])
def test_equal_points_are_one_cluster(init):
    last = steps(np.full((6, 2), 3.3), k=4, init=init)[-1]
    assert last.clusters == 1
    assert "all points coincide" in last.note
    assert np.allclose(last.centroids, 3.3)


def test_an_empty_cluster_moves_to_the_farthest_point_and_it_is_said():
    X = np.array([[0.0, 0.0], [1.0, 0.0], [10.0, 0.0]])
    run = steps(X, init="placed", starts="0,0;1000,1000")
    assert "1 empty cluster relocated to the farthest points" in run[1].note
    assert run[1].centroids[1].tolist() == [10.0, 0.0]
    theirs = KMeans(2, init=np.array([[0.0, 0.0], [1e3, 1e3]]), n_init=1, tol=0.0).fit(X)
    assert np.array_equal(run[-1].assigned, theirs.labels_)


@pytest.mark.parametrize(
    "X, empty",
    [(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), 2), (np.zeros((4, 2)), 4), (np.ones((1, 2)), 4)],
)
def test_more_centroids_by_hand_than_points_stay_where_they_are_and_it_is_said(X, empty):
    placed = {"init": "placed", "starts": "0,0;5,5;6,6;7,7;8,8"}
    run = steps(X, **placed)
    assert len(run) < 8
    assert run[-1].loss == 0.0
    assert f"converged; {empty} clusters without points" in run[-1].note
    assert len(run[-1].centroids) == 5
    unwatched = learn.fit(learn.create("kmeans", **placed), X)
    assert np.array_equal(unwatched.assigned, run[-1].assigned)
    assert f"; {empty} clusters without points" in unwatched.note


def test_ties_go_to_the_first():
    X = np.array([[-1.0, 0.0], [1.0, 0.0], [0.0, 0.0]])
    run = steps(X, init="placed", starts=format_positions(X[:2]))
    assert run[0].assigned.tolist() == [0, 1, 0]


def test_the_marks_are_the_centroids_and_their_trails():
    run = steps(moons(100)[0], k=3, init="random")
    assert [mark.layer for mark in run[0].marks()] == ["Centroids"]
    *trails, dots = run[-1].marks()
    assert dots.inks == (0, 1, 2)
    assert np.allclose([trail.lines[0][-1] for trail in trails], run[-1].centroids)
    assert np.allclose([trail.lines[0][0] for trail in trails], run[0].centroids)


def test_the_cells_are_those_of_the_nearest_centroid_to_the_pixel():
    last = steps(DATA["far"], k=5)[-1]
    raster = Raster.over((1e6 - 2, 1e6 + 3, 1e6 - 2, 1e6 + 2), 60, 50)
    distances = ((raster.points()[:, None] - last.centroids) ** 2).sum(axis=2)
    gap = np.diff(np.sort(distances, axis=1)[:, :2], axis=1)[:, 0]
    cells = last.field(raster).argmax(axis=0).ravel()
    assert np.array_equal(cells[gap > 1e-4], distances.argmin(axis=1)[gap > 1e-4])


def test_without_a_place_k_means_plus_plus_chooses_and_it_is_said():
    run = steps(DATA["blobs"], init="placed", k=4)
    assert run[4].clusters == 4
    assert "no centroid is placed: k-means++ is used" in run[4].note


@pytest.mark.parametrize("starts", ["1", "1,2;3", "a,b", "1,2,3", "nan,0", ";".join(["0,1"] * 21)])
def test_places_are_pairs_of_numbers(starts):
    with pytest.raises(ValueError, match="starts must be positions such as"):
        learn.create("kmeans", starts=starts)


def test_the_pointer_is_joined_to_its_centroid():
    last = steps(DATA["blobs"], k=3)[-1]
    line, words = last.on().probe(DATA["blobs"][0])
    own = last.centroids[last.assigned[0]]
    assert np.allclose(line.ends[0], [DATA["blobs"][0], own])
    assert float(words.texts[0]) == pytest.approx(np.linalg.norm(own - DATA["blobs"][0]), rel=5e-3)


@pytest.mark.slow
def test_a_half_step_takes_a_few_times_as_long_as_scipys_distances():
    X = np.random.default_rng(0).normal(size=(100_000, 2))
    steps = learn.steps(learn.create("kmeans", k=8), X)
    spent = cpu_seconds(lambda: list(islice(steps, 20)))
    assert spent < 12 * cpu_seconds(lambda: [cdist(X, X[:8]).argmin(axis=1) for _ in range(20)])  # 4 times
    assert next(steps) is not None


def test_the_inertia_is_exact_where_clusters_are_tight():
    X = np.random.default_rng(0).normal(size=(60, 2)) * 1e-6 + np.repeat([[0, 0], [1, 0], [0, 1]], 20, 0)
    last = steps(X, init="placed", starts=format_positions(X[[0, 20, 40]]))[-1]
    parts = X.reshape(3, 20, 2)
    expected = ((parts - parts.mean(axis=1, keepdims=True)) ** 2).sum()
    assert last.loss == pytest.approx(expected, rel=1e-9)


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
