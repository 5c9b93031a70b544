"""Curvature of a network's loss, by differences; the damping of Levenberg and Marquardt's steps."""

from types import SimpleNamespace

import numpy as np
import pytest

from vizml.learn.networks.marquardt import Marquardt
from vizml.learn.networks.objective import LOSSES, SHARPEST, Objective, Sample
from vizml.learn.networks.plan import ACTIVATIONS, Plan, with_ones

every_activation = pytest.mark.parametrize("activation", ACTIVATIONS)
TARGETS = {
    "squared": np.random.default_rng(0).normal(size=(1, 20)),
    "absolute": np.random.default_rng(1).normal(size=(1, 20)),
    "log": (np.arange(20) % 2.0)[None],
    "log of three": np.eye(3)[np.arange(20) % 3].T,
}
every_loss = pytest.mark.parametrize("name", TARGETS)
smooth_losses = pytest.mark.parametrize("name", ["squared", "log", "log of three"])


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def loss_of(name):
    return LOSSES[name.split()[0]]


def surveyed(objective, theta):
    way = Marquardt(objective, theta)
    assert list(way.survey()) == []
    return way


# slopes and curvature


@every_activation
@pytest.mark.parametrize("sizes", [(2, 4, 1), (1, 3, 5, 2)])
def test_rays_are_the_slopes_of_the_outputs_at_each_point(activation, sizes, rng):
    plan, inputs = Plan(sizes, activation), with_ones(rng.normal(size=(sizes[0], 6)))
    theta = rng.normal(size=plan.size)
    for output in range(sizes[-1]):
        one = np.zeros((sizes[-1], 6))
        one[output] = 1.0
        rays = plan.rays(theta, plan.signals(theta, inputs), one)
        for k, step in enumerate(1e-6 * np.eye(plan.size)):
            ahead, behind = (plan.signals(theta + way * step, inputs).outputs[output] for way in (1, -1))
            assert np.allclose(rays[k], (ahead - behind) / 2e-6, atol=1e-7)


def test_rays_of_all_points_add_up_to_the_gradient(rng):
    plan, inputs = Plan((2, 4, 3, 2), "tanh"), with_ones(rng.normal(size=(2, 30)))
    theta, error = rng.normal(size=plan.size), rng.normal(size=(2, 30))
    signals = plan.signals(theta, inputs)
    assert np.allclose(plan.rays(theta, signals, error).sum(axis=1), plan.gradient(theta, signals, error))


@smooth_losses
def test_roots_make_the_curvature_of_a_loss(name, rng):
    target, loss = TARGETS[name], loss_of(name)
    outputs, near = rng.normal(size=target.shape), 1e-5
    roots = loss.roots(outputs, target)
    curvature = np.einsum("ram,rbm->abm", roots, roots)
    for k in range(len(target)):
        step = near * np.eye(len(target))[k][:, None]
        ahead, behind = loss.slope(outputs + step, target), loss.slope(outputs - step, target)
        assert np.allclose(curvature[k], (ahead - behind) / (2 * near), atol=1e-8)


def test_the_parabola_of_an_absolute_residual_touches_it_from_above(rng):
    target, loss = np.zeros((1, 400)), LOSSES["absolute"]
    sides = rng.choice([-1.0, 1.0], (1, 400))
    outputs, moved = sides * rng.uniform(SHARPEST, 3.0, (1, 400)), rng.normal(size=(1, 400))
    bend = loss.roots(outputs, target)[0] ** 2
    parabola = np.abs(outputs) + np.sign(outputs) * (moved - outputs) + bend * (moved - outputs) ** 2 / 2
    assert (parabola >= np.abs(moved) - 1e-12).all()
    assert np.allclose(np.abs(outputs) - bend * outputs**2 / 2, np.abs(outputs) / 2)


def test_no_residual_bends_the_absolute_loss_beyond_measure():
    assert LOSSES["absolute"].roots(np.zeros((1, 1)), np.zeros((1, 1))) ** 2 == pytest.approx(1 / SHARPEST)


def test_scores_of_hundreds_bend_nothing():
    for rows in (1, 3):
        outputs = 700.0 * np.arange(1, rows + 1)[:, None]
        assert np.abs(LOSSES["log"].roots(outputs, np.ones((rows, 1)))).max() < 1e-100


@smooth_losses
def test_curvature_is_that_of_j_where_the_network_is_linear_in_its_weights(name, rng):
    """Which it is in those of its last layer; so the matrix has J's second derivatives there."""
    target, plan = TARGETS[name], Plan((2, 3, len(TARGETS[name])), "tanh")
    sample = Sample(with_ones(rng.normal(size=(2, 20))), target)
    objective = Objective(plan, loss_of(name), sample, 0.7)
    theta = rng.normal(size=plan.size)
    way, last = surveyed(objective, theta), slice(plan.bounds[-2], None)
    for k in range(plan.bounds[-2], plan.size):
        step = 1e-5 * np.eye(plan.size)[k]
        ahead, behind = (objective.gradient(theta + turn * step, sample) for turn in (1, -1))
        assert np.allclose(way._matrix[k, last], ((ahead - behind) / 2e-5)[last], atol=1e-8)


@every_loss
def test_the_gradient_is_that_of_the_other_solvers(name, rng):
    target, plan = TARGETS[name], Plan((2, 3, len(TARGETS[name])), "sigmoid")
    objective = Objective(plan, loss_of(name), Sample(with_ones(rng.normal(size=(2, 20))), target), 0.7)
    theta = rng.normal(size=plan.size)
    way = surveyed(objective, theta)
    assert np.allclose(way._gradient, objective.gradient(theta, objective.sample), atol=1e-14)


# steps


class Bowl:
    """J = theta' H theta / 2 of a sample of two points: whatever is asked of an Objective."""

    def __init__(self, H, rise=0.0):
        self.H, self.rise = np.array(H, dtype=float), rise
        self.sample, self.l2 = Sample(np.zeros((1, 2)), np.zeros((1, 2))), 0.0
        self.plan = SimpleNamespace(weighing=np.zeros(len(H)))

    def at(self, theta):
        J = theta @ self.H @ theta / 2
        return SimpleNamespace(theta=theta, signals=None, J=J + self.rise * (theta != 1.0).any())

    def curvature(self, place, begin, end):
        return 2 * self.H, 2 * self.H @ place.theta


def test_a_step_is_damped_and_a_kept_promise_damps_the_next_one_by_a_third():
    bowl = Bowl([[4.0, 1.0], [1.0, 2.0]])
    way = surveyed(bowl, np.ones(2))
    assert way.damping == pytest.approx(0.1 * 4.0)
    trial = way.attempt()
    expected = np.ones(2) - np.linalg.inv(bowl.H + 0.4 * np.eye(2)) @ bowl.H @ np.ones(2)
    assert np.allclose(way.place.theta, expected)
    assert (trial.before, trial.damping, trial.taken) == (4.0, pytest.approx(0.4), True)
    assert trial.slope == pytest.approx(np.hypot(5.0, 3.0))
    assert way.damping == pytest.approx(0.4 / 3)


def test_refused_steps_go_nowhere_and_are_damped_two_four_eight_times_more():
    way = surveyed(Bowl(np.eye(2), rise=100.0), np.ones(2))
    dampings = [way.damping]
    for _ in range(3):
        assert not way.attempt().taken
        assert list(way.survey()) == []
        dampings.append(way.damping)
    assert np.allclose(way.place.theta, 1.0)
    assert np.allclose(np.array(dampings) / dampings[0], [1, 2, 8, 64])
    assert not way.stuck
    while way.damping < 1e13:
        way.attempt()
    assert way.stuck


def test_half_a_promise_leaves_the_damping_as_it_is():
    bowl = Bowl(np.eye(2))
    way = surveyed(bowl, np.ones(2))
    promised = (bowl.at(np.ones(2)).J, np.ones(2) / 1.1)
    gain = promised[1] @ (0.1 * promised[1] + np.ones(2)) / 2
    bowl.rise = bowl.at(np.ones(2)).J - bowl.at(np.ones(2) - promised[1]).J - gain / 2
    way.attempt()
    assert way.damping == pytest.approx(0.1)
