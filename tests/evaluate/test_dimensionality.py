"""The curse of dimensionality against closed forms, and the projection onto the L1 ball against scipy."""

import numpy as np
import pytest
from scipy import optimize, special

from tests.evaluate.subjects import charts, subject
from vizml.evaluate.diagnostics.dimensionality import ball_shares, distance_ratios, zero_share

D = np.array([1, 2, 3, 10, 50])


def shown(show, **values):
    (chart,) = charts("dimensionality", subject(), show=show, **values)
    return chart


def test_the_share_of_the_ball_is_its_volume():
    volume = np.pi ** (D / 2) / special.gamma(D / 2 + 1) * 0.5**D
    assert ball_shares(D) == pytest.approx(volume, rel=1e-12)


def test_simulated_shares_agree_with_the_volumes():
    series = {one.name: one for one in shown("neighbours", points=2000).series}
    for name, simulated in (("cube, 0.5ᵈ", "simulated cube"), ("ball of radius 0.5", "simulated ball")):
        expected = np.interp(series[simulated].x, series[name].x, series[name].y)
        assert (np.abs(series[simulated].y - expected) < 5 * np.sqrt(expected / 2000)).all()


def test_ratios_of_distances_are_those_of_all_pairs():
    rng = np.random.default_rng(3)
    X, Q = rng.random((60, 4)), rng.random((40, 4))
    distances = np.linalg.norm(Q[:, None] - X, axis=2)
    expected = distances.min(axis=1) / distances.max(axis=1)
    assert distance_ratios(np.random.default_rng(3), 60, 4) == pytest.approx(expected, abs=1e-9)


def test_points_become_equally_far_away():
    """The relative contrast of distances decreases as 1 / sqrt(d) (Beyer et al., 1999)."""
    (line,) = shown("distances").series
    assert (np.diff(line.y) > 0).all()
    assert line.y[0] < 0.01
    assert line.y[-1] > 0.85
    assert (line.low <= line.y).all()
    assert (line.y <= line.high).all()


def test_zeros_are_those_of_the_lasso_in_its_constrained_form():
    rng = np.random.default_rng(1)
    zeros = []
    normal = rng.normal(size=(30, 3))
    for z in normal / np.linalg.norm(normal, axis=1, keepdims=True):
        parts = optimize.minimize(
            lambda u, z=z: ((u[:3] - u[3:] - z) ** 2).sum(), np.zeros(6), bounds=[(0, None)] * 6,
            constraints={"type": "ineq", "fun": lambda u: 0.5 - u.sum()}, tol=1e-12,
        ).x  # fmt: skip
        zeros.append((np.abs(parts[:3] - parts[3:]) < 1e-5).mean())
    assert zero_share(np.random.default_rng(1), 30, 3) == pytest.approx(np.mean(zeros), abs=1e-9)


def test_more_dimensions_have_more_corners_and_more_zeros():
    corners, faces = shown("corners").series
    assert corners.y[:3].tolist() == [2, 4, 6]
    assert faces.y[:3].tolist() == [2, 8, 26]
    found = [zero_share(np.random.default_rng(0), 200, d) for d in (2, 10, 100)]
    assert found == sorted(found)
