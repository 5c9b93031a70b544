"""Views and metrics of support vector machines, the steps of Pegasos, and invariances."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_blobs
from sklearn.metrics import hinge_loss
from sklearn.svm import SVC

from tests.learn.datasets import moons
from vizml import learn
from vizml.data import Dataset
from vizml.learn.support_vectors.views import LARGEST, MOST, NEAR, SLACK, SMALLEST, margins, rings

X, Y = moons(60)
THREE = make_blobs(60, centers=3, cluster_std=2.0, random_state=4)[:2]
SETS = {"two": (X, Y), "three": THREE}
every_set = pytest.mark.parametrize("name", SETS)


def states(id, X=X, y=Y, seed=0, **values):
    return list(learn.run(learn.create(id, task="classify", **values), Dataset(X, y), seed))


def fit(id, X=X, y=Y, **values):
    return states(id, X, y, **values)[-1]


def test_two_classes_have_both_margins_in_one_plane():
    (mark,) = margins(np.array([3, 5]))
    assert (mark.plane, mark.values) == (1, (-1.0, 1.0))


def test_more_classes_have_a_margin_each_in_their_ink():
    marks = margins(np.array([1, 4, 6]))
    assert [(mark.plane, mark.values, mark.ink) for mark in marks] == [
        (0, (1.0,), 1),
        (1, (1.0,), 4),
        (2, (1.0,), 6),
    ]
    assert [mark.legend for mark in marks] == ["margin", "", ""]


def test_rings_have_areas_as_alpha_and_those_at_the_cost_are_apart():
    points, alpha = np.arange(10.0).reshape(5, 2), np.array([0.5, 0.0, 1.0, 0.0, 0.25])
    free, bounded = rings(points, alpha, alpha == 1.0)
    assert np.array_equal(free.points, points[[0, 4]])
    assert np.allclose(((np.asarray(free.radii) - SMALLEST) / (LARGEST - SMALLEST)) ** 2, [0.5, 0.25])
    assert np.array_equal(bounded.points, points[[2]])
    assert list(bounded.radii) == [LARGEST]
    assert [len(mark.points) for mark in rings(points, 0 * alpha, alpha > 9)] == [0, 0]


def test_a_point_in_several_machines_has_the_ring_of_its_greatest_alpha():
    state = fit("svm", *THREE)
    alpha = np.zeros(60)
    for machine in state.machines:
        np.maximum.at(alpha, machine.problem.rows, machine.alpha)
    *_, free, bounded = state.marks()
    assert np.array_equal(free.points, THREE[0][(alpha > 0) & (alpha < 1)])
    assert np.array_equal(bounded.points, THREE[0][alpha == 1])
    assert np.allclose(
        free.radii, SMALLEST + (LARGEST - SMALLEST) * np.sqrt(alpha[(alpha > 0) & (alpha < 1)])
    )


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly"])
def test_slack_is_drawn_from_points_within_the_margin_to_it(kernel):
    state = fit("svm", kernel=kernel)
    (slack,) = [mark for mark in state.marks() if mark.layer == SLACK]
    starts, ends = np.stack([*slack.lines()], axis=1)
    signs = {tuple(point): (1.0 if label == 0 else -1.0) for point, label in zip(X, Y)}
    y = np.array([signs[tuple(start)] for start in starts])
    assert len(starts)
    assert (y * state.decisions(starts)[:, 0] < 1).all()
    assert np.abs(state.decisions(ends)[:, 0] - y).max() < NEAR


def test_of_many_points_the_deepest_have_their_slack_drawn():
    points, labels = moons(1200, noise=0.6)
    state = fit("linear_svm", points, labels, epochs=3)
    (lines,) = [mark for mark in state.marks() if mark.layer == SLACK]
    assert len(lines.ends) == MOST
    slack = np.sort(1 - np.where(labels == 1, 1, -1) * state.decisions(points)[:, 0])[::-1]
    drawn = {tuple(start) for start in np.asarray(lines.ends)[:, 0]}
    own = 1 - np.where(labels == 1, 1, -1) * state.decisions(points)[:, 0]
    assert drawn == {tuple(point) for point in points[own >= slack[MOST - 1]]}


def test_figures_are_those_of_libsvm():
    state, theirs = fit("svm", kernel="linear", C=0.5), SVC(C=0.5, kernel="linear").fit(X, Y)
    figures = state.metrics()
    assert figures["support vectors"] == len(theirs.support_)
    assert figures["bounded"] == np.count_nonzero(np.abs(theirs.dual_coef_) == 0.5)
    assert figures["margin width"] == pytest.approx(2 / np.linalg.norm(theirs.coef_), rel=1e-2)
    assert figures["primal objective"] == pytest.approx(-figures["dual objective"], rel=1e-2)
    assert "margin width" not in fit("svm", kernel="rbf").metrics()
    assert "margin width" not in fit("svm", *THREE, kernel="linear").metrics()


@every_set
def test_the_objective_of_the_primal_is_its_formula(name):
    points, labels = SETS[name]
    state = fit("linear_svm", points, labels, lam=0.1)
    f, centre = state.decisions(points).T, np.zeros((1, 2))
    slopes = np.array(
        [state.decisions(centre + step)[0] - state.decisions(centre)[0] for step in np.eye(2)]
    ).T
    slack = np.maximum(0, 1 - state.y * f)
    assert state.loss == pytest.approx(0.05 * (slopes**2).sum() + slack.mean(axis=1).sum(), rel=1e-6)
    assert state.metrics()["mean hinge"] == pytest.approx(slack.mean(axis=1).sum())
    assert state.metrics()["points within the margin"] == np.count_nonzero((slack > 0).any(axis=0))
    if name == "two":
        assert state.metrics()["mean hinge"] == pytest.approx(hinge_loss(labels, f[0]))


@pytest.mark.parametrize("kernel", ["linear", "rbf", "laplace"])
@pytest.mark.parametrize("multiclass", ["ovo", "ova"])
@every_set
def test_neither_the_origin_nor_the_order_matters(kernel, multiclass, name):
    points, labels = SETS[name]
    values = {"kernel": kernel, "multiclass": multiclass, "tol": 1e-6, "gamma": 0.5}
    mixed, move = np.random.default_rng(0).permutation(60), np.array([20.0, -7.0])
    one = fit("svm", points, labels, **values).scores(points)
    assert np.allclose(one, fit("svm", points[mixed], labels[mixed], **values).scores(points), atol=1e-4)
    assert np.allclose(one, fit("svm", points + move, labels, **values).scores(points + move), atol=1e-4)


@pytest.mark.parametrize("id", ["svm", "linear_svm"])
def test_swapped_labels_swap_the_sides(id):
    tight = {"tol": 1e-6} if id == "svm" else {}
    one, other = fit(id, **tight), fit(id, X, 1 - Y, **tight)
    assert np.allclose(one.scores(X)[:, ::-1], other.scores(X), atol=1e-4)


@given(st.floats(-100, 100), st.floats(0.01, 100))
@settings(max_examples=15)
def test_the_primal_does_not_see_the_unit_when_lambda_follows_it(right, factor):
    one = fit("linear_svm", lam=0.05, epochs=3)
    other = fit("linear_svm", X * factor + right, Y, lam=0.05 * factor**2, epochs=3)
    assert np.allclose(one.scores(X), other.scores(X * factor + right), atol=1e-5)


def test_the_pair_of_a_note_has_rings_and_numbers():
    first, *_, last = states("svm")
    *_, label = first.marks()
    assert re.search(r"pair \((\d+), (\d+)\)", first.note).groups() == label.texts
    np.testing.assert_allclose(label.points, X[[int(text) for text in label.texts]])
    assert not any(mark.layer == "Pair" for mark in last.marks())
