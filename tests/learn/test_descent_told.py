"""The way down in words: why a run of logistic regression ends, and what it says until then."""

import math
from itertools import pairwise

import numpy as np
import pytest

from tests.learn.datasets import blobs, moons
from vizml import learn
from vizml.learn.linear_models.objective import LogLoss
from vizml.learn.linear_models.path import Place
from vizml.learn.linear_models.telling import told

X, Y = moons(60)


def loss(l2=1.0, n=10):
    labels = np.arange(n) % 2
    return LogLoss.of(np.ones((n, 2)), labels, np.array([0, 1]), np.eye(2), l2, 0.0)


def place(epoch, value, slope=1.0, margin=-1.0):
    return Place(epoch, np.array([[float(epoch), 0.0]]), value, slope, margin)


def tell(*places, epochs=10, tol=1e-3, l2=1.0):
    return list(told(iter(places), loss(l2), epochs, tol))


def states(X=X, Y=Y, **values):
    return list(learn.steps(learn.create("logistic", **values), X, Y))


def test_the_start_and_each_epoch_have_a_loss_and_a_slope():
    first, second = tell(place(0, 7.0, 2.5), place(1, 6.0, 1.5))
    assert first[1:] == ("start: all weights 0, loss 7, gradient norm 2.5", 0.0)
    assert second[1:] == ("epoch 1: loss 7 → 6, gradient norm 1.5", 0.1)


def test_each_fall_begins_where_the_last_one_ended():
    notes = [note for _, note, _ in tell(place(0, 7.0), place(1, 6.0), place(2, 5.0))]
    assert "loss 7 → 6" in notes[1]
    assert "loss 6 → 5" in notes[2]


def test_it_is_done_where_the_slope_for_each_point_is_below_the_tolerance():
    """Of 10 points with a tolerance of 0.001: at 0.01."""
    steep = tell(place(0, 7.0), place(1, 6.0, 0.0101), place(2, 5.0, 0.0099), place(3, 4.0))
    assert len(steep) == 3
    assert steep[-1][1].endswith(": done")
    assert [progress for *_, progress in steep] == [0.0, 0.1, 1.0]


def test_the_epochs_end_it():
    *_, last = tell(*(place(k, 7.0 - k) for k in range(6)), epochs=3)
    assert last[0].epoch == 3
    assert last[1].endswith(": the epochs are over")


def test_ending_higher_than_it_began_asks_for_a_lower_rate():
    *_, last = tell(place(0, 7.0), place(1, 9.0), epochs=1)
    assert "worse than at the start: a lower learning rate helps" in last[1]


@pytest.mark.parametrize("value, jumps", [(5.4, False), (5.6, True)])
def test_a_loss_that_jumps_at_the_end_asks_for_a_lower_rate(value, jumps):
    """By more than a tenth, though lower than at the start."""
    *_, last = tell(place(0, 7.0), place(1, 5.0), place(2, value), epochs=2)
    assert last[1].endswith("the loss still jumps up: a lower learning rate helps") == jumps


def test_standing_still_ends_it():
    still = place(1, 6.0)
    *_, last = tell(place(0, 7.0), still, still._replace(epoch=2), place(3, 5.0))
    assert last[0].epoch == 2
    assert last[1].endswith("; stopped, rounding hides any further fall")


@pytest.mark.parametrize("value", [1e3 * 7.0 + 1, math.inf, math.nan])
def test_an_explosion_ends_it_with_the_last_good_place(value):
    *_, before, last = tell(place(0, 7.0), place(1, 6.0), place(1.5, value), place(2, 5.0))
    assert last[0] is before[0]
    assert last[1].startswith("diverged in epoch 2: loss 7 → ")
    assert last[2] == 1.0


def test_a_thousandfold_loss_may_still_come_back():
    assert len(tell(place(0, 7.0), place(1, 7e3), place(2, 5.0))) == 3


@pytest.mark.parametrize("margin, slope", [(11.0, 1.0), (0.1, 0.001)])
def test_separated_classes_without_a_penalty_stop_where_nothing_is_left_to_show(margin, slope):
    found = tell(place(0, 7.0), place(1, 1.0, slope, margin), place(2, 0.1, slope, margin), l2=0.0)
    assert len(found) == 2
    assert "without a penalty the weights grow for ever: stopped" in found[-1][1]


def test_separated_classes_with_a_penalty_go_on():
    assert len(tell(place(0, 7.0), place(1, 1.0, 1.0, 11.0), place(2, 0.1, 1.0, 11.0), l2=1.0)) == 3


def test_separated_classes_at_the_end_of_the_epochs_are_said_to_be_so():
    *_, last = tell(place(0, 7.0), place(1, 1.0, 1.0, 0.1), l2=0.0, epochs=1)
    assert last[1].endswith("; the classes can be separated, the weights go on growing")


@pytest.mark.parametrize("solver", ["newton", "gd", "adam"])
def test_notes_of_a_run_tell_the_losses_of_its_states(solver):
    run = states(solver=solver, epochs=8)
    for before, after in pairwise(run):
        assert f"loss {before.loss:.4g} → {after.loss:.4g}" in after.note
        assert before.progress <= after.progress
    assert run[-1].progress == 1.0


def test_figures_for_each_point_do_not_grow_with_the_data():
    one, two = states()[-1], states(np.tile(X, (2, 1)), np.tile(Y, 2), l2=2.0)[-1]
    assert two.loss == pytest.approx(2 * one.loss)
    assert two.metrics()["loss per point"] == pytest.approx(one.metrics()["loss per point"])
    assert [two.metrics()[name] for name in ("intercept", "x", "y")] == pytest.approx(
        [one.metrics()[name] for name in ("intercept", "x", "y")], rel=1e-6
    )


@pytest.mark.parametrize("degree", [1, 3])
def test_swapped_labels_swap_the_probabilities(degree):
    one, other = states(degree=degree)[-1], states(Y=1 - Y, degree=degree)[-1]
    assert np.allclose(one.proba(X)[:, ::-1], other.proba(X), atol=1e-6)


def test_the_order_of_the_points_does_not_matter():
    points, labels = blobs(60)
    mixed = np.random.default_rng(0).permutation(60)
    one, other = states(points, labels)[-1], states(points[mixed], labels[mixed])[-1]
    assert np.allclose(one.proba(points), other.proba(points), atol=1e-8)


@pytest.mark.parametrize("l1", [0.0, 1.0])
def test_the_unit_is_paid_for_and_the_origin_is_not(l1):
    """Of data ten times as large the weights are a tenth, and their squares a hundredth."""
    move = np.array([50.0, -20.0])
    one, moved = states(l1=l1)[-1], states(X + move, l1=l1)[-1]
    scaled = states(10 * X, l2=100.0, l1=10 * l1)[-1]
    assert np.allclose(one.proba(X), moved.proba(X + move), atol=1e-6)
    assert np.allclose(one.proba(X), scaled.proba(10 * X), atol=1e-6)
