"""Steps down a slope against the formulas of their papers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vizml.learn.descent import Rule


def steps(solver, gradients, rate=0.1):
    rule = Rule(solver, rate, np.shape(gradients[0]))
    return [rule.step(np.asarray(gradient)) for gradient in gradients]


GRADIENTS = [np.array([1.0, -2.0]), np.array([0.5, 4.0]), np.array([-3.0, 0.0])]


def test_a_plain_step_is_the_rate_times_the_slope():
    assert np.allclose(steps("gd", GRADIENTS), 0.1 * np.array(GRADIENTS))


def test_momentum_sums_the_slopes_with_nine_tenths_kept():
    expected = [sum(0.9 ** (t - s) * GRADIENTS[s] for s in range(t + 1)) for t in range(3)]
    assert np.allclose(steps("momentum", GRADIENTS), 0.1 * np.array(expected))


def test_rmsprop_divides_by_the_running_root_mean_square():
    means = [sum(0.1 * 0.9 ** (t - s) * GRADIENTS[s] ** 2 for s in range(t + 1)) for t in range(3)]
    expected = [0.1 * g / (np.sqrt(m) + 1e-8) for g, m in zip(GRADIENTS, means)]
    assert np.allclose(steps("rmsprop", GRADIENTS), expected)


def test_adam_is_that_of_kingma_and_ba():
    for t, ours in enumerate(steps("adam", GRADIENTS), start=1):
        m = sum(0.1 * 0.9 ** (t - 1 - s) * GRADIENTS[s] for s in range(t)) / (1 - 0.9**t)
        v = sum(0.001 * 0.999 ** (t - 1 - s) * GRADIENTS[s] ** 2 for s in range(t)) / (1 - 0.999**t)
        assert np.allclose(ours, 0.1 * m / (np.sqrt(v) + 1e-8))


@given(st.floats(1e-4, 1e4), st.sampled_from(["rmsprop", "adam"]))
def test_the_unit_of_the_slope_does_not_matter_to_the_adaptive(factor, solver):
    ours = steps(solver, [factor * g for g in GRADIENTS])
    assert np.allclose(ours, steps(solver, GRADIENTS), rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize("solver", ["momentum", "adam", "rmsprop"])
def test_a_new_rule_remembers_nothing(solver):
    assert np.array_equal(steps(solver, GRADIENTS)[0], steps(solver, GRADIENTS[:1])[0])
