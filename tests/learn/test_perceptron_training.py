"""Maximum margin against linear programming and LIBSVM, and the training of one perceptron."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from sklearn.svm import SVC

from vizml import learn
from vizml.learn.linear_models.perceptron_training import PerceptronRun, maximum_margin, train

coordinates = st.integers(-5, 5).map(float)
rows = st.lists(st.tuples(coordinates, coordinates, coordinates), min_size=1, max_size=12).map(np.array)


def parted(V):
    """Whether a linear programme finds u with u.v_i >= 1 for all rows."""
    found = linprog(np.zeros(V.shape[1]), A_ub=-V, b_ub=-np.ones(len(V)), bounds=(None, None))
    return found.status == 0


def steps(V, **values):
    rule = learn.create("perceptron", **({"epochs": 2000, "patience": 0} | values))
    return list(train(PerceptronRun(V, rule, np.arange(len(V)), ""), np.random.default_rng(0)))


@pytest.mark.parametrize(
    "V, margin",
    [
        ([[3.0, 4.0]], 5.0),
        ([[1.0, 0.0], [0.0, 1.0]], math.sqrt(0.5)),
        ([[2.0, -7.0], [2.0, 7.0], [9.0, 0.0]], 2.0),
        ([[1.0, 0.0], [-1.0, 0.0]], 0.0),
        ([[1.0, 0.0], [-1.0, 1.0], [0.0, -1.0]], 0.0),
        ([[0.0, 0.0], [1.0, 1.0]], 0.0),
    ],
)
def test_the_margin_is_the_distance_of_the_hull_from_the_origin(V, margin):
    assert maximum_margin(np.array(V)) == pytest.approx(margin, abs=1e-12)


@given(rows)
@settings(max_examples=40)
def test_there_is_a_margin_just_where_a_linear_programme_finds_a_line(V):
    assert (maximum_margin(V) > 0) == parted(V)


@given(rows, st.sampled_from([1e-12, 1e-6, 1e-3, 7.0, 1e6, 1e12]))
@settings(max_examples=40)
def test_the_margin_grows_with_the_data(V, factor):
    assert maximum_margin(factor * V) == pytest.approx(factor * maximum_margin(V), rel=1e-6, abs=0)


@given(rows, st.integers(0, 100))
@settings(max_examples=40)
def test_neither_order_nor_duplicates_nor_a_turn_matter(V, seed):
    rng = np.random.default_rng(seed)
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    again = np.vstack([V, V])[rng.permutation(2 * len(V))]
    assert maximum_margin(again @ turn) == pytest.approx(maximum_margin(V), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_it_is_half_the_width_of_libsvms_hard_margin(seed):
    """Without b, a symmetric pair of groups has its widest margin through the origin."""
    points = np.random.default_rng(seed).normal([4, 2], 1.0, (30, 2))
    theirs = SVC(kernel="linear", C=1e8, tol=1e-8).fit(np.vstack([points, -points]), np.repeat([0, 1], 30))
    assert maximum_margin(points) == pytest.approx(1 / np.linalg.norm(theirs.coef_), rel=1e-4)


@given(rows)
@settings(max_examples=40)
def test_a_run_ends_clean_within_the_bound_where_a_line_exists(V):
    margin = maximum_margin(V)
    reach = np.linalg.norm(V, axis=1).max()
    if not margin or (reach / margin) ** 2 > 1000:
        return
    *_, last = steps(V)
    assert last.converged
    assert last.mistakes <= last.run.mistake_bound + 1e-9
    assert last.run.mistake_bound == pytest.approx((reach / margin) ** 2)
    assert (V @ last.weights > 0).all()


@given(rows, st.booleans(), st.booleans())
@settings(max_examples=40)
def test_weights_are_the_sum_of_the_alphas(V, shuffled, pocket):
    *_, last = steps(V, epochs=5, order=("cyclic", "shuffled")[shuffled], pocket=pocket, eta=0.5)
    assert last.alpha.sum() == 0.5 * last.mistakes
    if not pocket:
        assert np.allclose(last.weights, last.alpha @ V)


@given(rows)
@settings(max_examples=40)
def test_the_line_in_the_pocket_is_never_the_worse(V):
    kept = steps(V, epochs=5, pocket=True)
    errors = [step.errors for step in kept]
    assert errors == sorted(errors, reverse=True)
    *_, last = steps(V, epochs=5)
    assert errors[-1] <= last.errors


@given(rows)
@settings(max_examples=40)
def test_epoch_ends_count_the_mistakes(V):
    found = steps(V, epochs=6)
    last = found[-1]
    assert last.ended
    assert len(last.epoch_ends) == last.epoch + 1
    assert last.epoch_ends[0] == 0
    assert list(last.epoch_ends) == sorted(last.epoch_ends)
    assert last.epoch_ends[-1] == last.mistakes
    assert last.converged == (last.epoch_ends[-1] == last.epoch_ends[-2])
    assert [step.mistakes for step in found[:-1]] == list(range(len(found) - 1))


def test_late_steps_are_further_apart():
    V = np.array([[1.0, 0.0, 1.0], [-1.0, 0.0, -1.0]])
    shown = [step.mistakes for step in steps(V)]
    assert shown[:301] == list(range(301))
    assert len(shown) < 700
    assert max(np.diff(shown)) <= shown[-1] / 50 + 1
