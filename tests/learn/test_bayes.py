"""Bayes classifiers: invariances, and the marks, fields and figures they show."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn.datasets import make_blobs

from tests.learn.datasets import moons
from vizml import learn
from vizml.data import Dataset
from vizml.field import Raster
from vizml.scene import Dots, Path, Profile, Segments

TWO = moons(60)
THREE = make_blobs([30, 20, 10], centers=[[0, 0], [3, 1], [-2, 4]], random_state=0)[:2]
SETS = {"two": TWO, "three": THREE}
IDS = ("lda", "qda", "gaussian_nb", "categorical_nb")
every_model = pytest.mark.parametrize("id", IDS)
every_set = pytest.mark.parametrize("name", SETS)


def states(id, X, y, **values):
    return list(learn.run(learn.create(id, task="classify", **values), Dataset(X, y)))


def fit(id, X, y, **values):
    return states(id, X, y, **values)[-1]


def raster_over(X, width=31, height=23):
    (left, bottom), (right, top) = X.min(axis=0) - 1, X.max(axis=0) + 1
    return Raster.over((left, right, bottom, top), width, height)


@every_model
@every_set
def test_the_order_of_the_points_does_not_matter(id, name):
    X, y = SETS[name]
    mixed = np.random.default_rng(1).permutation(len(X))
    places = raster_over(X).points()
    one, other = fit(id, X, y), fit(id, X[mixed], y[mixed])
    assert np.allclose(one.proba(places), other.proba(places), atol=1e-9)


@every_model
@settings(max_examples=25)
@given(st.floats(-100, 100), st.floats(-100, 100), st.floats(0.01, 100))
def test_neither_the_origin_nor_the_unit_matters(id, right, up, factor):
    X, y = THREE
    moved = X * factor + [right, up]
    # between the points, for a bin may lose one at its very edge to rounding
    places = X[:-1] * 0.4 + X[1:] * 0.6
    one, other = fit(id, X, y), fit(id, moved, y)
    assert np.allclose(one.proba(places), other.proba(places * factor + [right, up]), atol=1e-5)


@every_model
def test_twice_the_data_say_the_same(id):
    X, y = THREE
    values = {"smoothing": 0.0} if id == "categorical_nb" else {}
    one, other = fit(id, X, y, **values), fit(id, np.tile(X, (2, 1)), np.tile(y, 2), **values)
    assert np.allclose(one.proba(X), other.proba(X), atol=1e-9)


@every_model
def test_equal_priors_leave_out_how_common_a_class_is(id):
    X, y = THREE
    again = np.concatenate([np.arange(60), np.flatnonzero(y == 2), np.flatnonzero(y == 2)])
    values = {"priors": "equal"} | ({"smoothing": 0.0} if id == "categorical_nb" else {})
    one, other = fit(id, X, y, **values), fit(id, X[again], y[again], **values)
    if id != "gaussian_nb":  # whose smoothing is a share of the variance of all
        assert np.allclose(one.proba(X), other.proba(X), atol=1e-9)
    assert np.array_equal(one.predict(X), other.predict(X))


@pytest.mark.parametrize("id", ["gaussian_nb", "categorical_nb"])
@every_set
def test_before_any_feature_only_the_priors_count(id, name):
    X, y = SETS[name]
    first = states(id, X, y)[0]
    assert np.allclose(first.proba(X), np.bincount(y) / len(y))
    assert f"A {np.mean(y == 0):.3g}" in first.note
    expected = -np.log(np.bincount(y) / len(y))[y].sum()
    assert first.loss == pytest.approx(expected)


def test_a_turn_of_the_plane_turns_lda_and_qda_with_it():
    X, y = THREE
    turn = np.array([[0.6, -0.8], [0.8, 0.6]])
    for id in ("lda", "qda"):
        assert np.allclose(fit(id, X, y).proba(X), fit(id, X @ turn.T, y).proba(X @ turn.T), atol=1e-9)
    assert not np.allclose(
        fit("gaussian_nb", X, y).proba(X), fit("gaussian_nb", X @ turn.T, y).proba(X @ turn.T), atol=1e-3
    )


def test_with_one_shape_for_all_qda_is_lda():
    offsets = np.random.default_rng(0).normal(size=(20, 2))
    X, y = np.vstack([offsets + centre for centre in ((0, 0), (3, 1), (-2, 4))]), np.repeat([0, 1, 2], 20)
    assert np.allclose(fit("qda", X, y).scores(X), fit("lda", X, y).scores(X), atol=1e-9)


def test_only_a_linear_boundary_of_two_classes_has_coefficients():
    assert "x" not in fit("qda", *TWO).metrics()
    assert "x" not in fit("lda", *THREE).metrics()


@pytest.mark.parametrize("id", ["lda", "qda"])
def test_means_and_ellipses_are_drawn_in_the_inks_of_their_classes(id):
    X, y = THREE[0], np.array([2, 5, 7])[THREE[1]]
    marks = fit(id, X, y).marks()
    rings = [mark for mark in marks if isinstance(mark, Path)]
    (dots,) = [mark for mark in marks if isinstance(mark, Dots)]
    assert [ring.ink for ring in rings] == list(dots.inks) == [2, 5, 7]
    for ring, middle, label in zip(rings, dots.points, (2, 5, 7)):
        assert np.allclose(middle, X[y == label].mean(axis=0))
        assert all(np.allclose(np.mean(line, axis=0), middle) for line in ring.lines)


def test_densities_appear_with_their_axis_and_ellipses_with_both():
    for axes, state in enumerate(states("gaussian_nb", *THREE)):
        profiles = [mark for mark in state.marks() if isinstance(mark, Profile)]
        assert [profile.axis for profile in profiles] == ["x"] * 3 * (axes > 0) + ["y"] * 3 * (axes > 1)
        assert len([mark for mark in state.marks() if isinstance(mark, Path)]) == (3 if axes > 1 else 0)


def test_bin_edges_appear_with_their_feature():
    cuts = [
        next(mark for mark in state.marks() if isinstance(mark, Segments))
        for state in states("categorical_nb", *THREE, bins=5)
    ]
    assert [len(mark.ends) for mark in cuts] == [0, 4, 8]
    x = THREE[0][:, 0]
    assert np.allclose(cuts[1].ends[:, 0, 0], np.linspace(x.min(), x.max(), 6)[1:-1])
    assert np.isinf(cuts[1].ends[:, :, 1]).all()
    assert np.isinf(cuts[2].ends[4:, :, 0]).all()


def test_empty_cells_are_counted_for_the_features_used():
    X, y = THREE
    bins = [np.histogram(X[y == k, axis], np.linspace(*np.quantile(X[:, axis], [0, 1]), 9))[0]
            for axis in range(2) for k in range(3)]  # fmt: skip
    figures = [state.metrics()["empty cells"] for state in states("categorical_nb", X, y, bins=8)]
    assert figures == [
        0,
        sum((each == 0).sum() for each in bins[:3]),
        sum((each == 0).sum() for each in bins),
    ]


def test_a_density_on_an_axis_is_scipys():
    X, y = THREE
    state = fit("gaussian_nb", X, y, smoothing=1e-12)
    profile = next(mark for mark in state.marks() if isinstance(mark, Profile) and mark.ink == 1)
    own = X[y == 1, 0]
    expected = np.mean(y == 1) * norm(own.mean(), own.std()).pdf(profile.at)
    assert np.allclose(profile.heights, expected, rtol=1e-6)
