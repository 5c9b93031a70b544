"""Logs of Gaussian sums in tiles, by products and far out, for kernels of any width, against plain sums."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.special import logsumexp

from vizml.field import Raster, logsums
from vizml.field.cones import cone_logs
from vizml.field.logsums import gaussian_logs

CENTRES = np.random.default_rng(0).normal(size=(60, 2)) * [1.0, 0.5]


def exact(raster, power):
    square = ((raster.points()[:, None] - CENTRES) ** 2).sum(axis=2)
    exponents = power(square)
    least = exponents.min(axis=1)
    return (np.log(np.exp(least[:, None] - exponents).sum(axis=1)) - least).reshape(raster.shape)


@pytest.mark.parametrize("gamma", [1e-3, 0.5, 30.0, 1e3, 1e6])
@pytest.mark.parametrize("reach", [0.5, 3.0, 60.0])
def test_gaussian_sums_are_exact_in_tiles_products_and_far_out(gamma, reach):
    raster = Raster.over((-reach, reach, -reach, 1.4 * reach), 130, 97)
    expected = exact(raster, lambda square: gamma * square)
    found = gaussian_logs(raster, CENTRES, gamma)
    assert found.dtype == np.float32
    near = expected > -80
    assert np.abs(found - expected).max() <= 4e-6 * np.abs(expected).max()
    assert np.abs(found - expected)[near].max(initial=0) < 2e-5  # of a log: 2e-5 of the density


@pytest.mark.parametrize("rate", [1e-2, 1.0, 1e3])
def test_laplace_sums_are_exact(rate):
    raster = Raster.over((-3, 3, -2, 2), 40, 30)
    expected = exact(raster, lambda square: rate * np.sqrt(square))
    assert np.abs(cone_logs(raster, CENTRES, rate) - expected).max() <= 4e-6 * np.abs(expected).max()


def test_an_axis_may_fall_and_a_raster_may_be_a_line_or_empty():
    raster = Raster(np.linspace(2, -2, 100), np.linspace(1, -1, 80))
    assert np.allclose(
        gaussian_logs(raster, CENTRES, 0.5), exact(raster, lambda square: square / 2), atol=1e-5
    )
    line = Raster(np.linspace(-1, 1, 70), np.array([0.3]))
    assert np.allclose(gaussian_logs(line, CENTRES, 0.5), exact(line, lambda square: square / 2), atol=1e-5)
    assert gaussian_logs(Raster([], [0.0]), CENTRES, 0.5).shape == (1, 0)


@pytest.mark.parametrize("span", [0.05, 2.0, 40.0])
@pytest.mark.parametrize("width", [1e-4, 0.01, 0.1, 0.6])
def test_narrow_kernels_are_summed_in_parts_from_the_centres_that_show(span, width, monkeypatch):
    raster = Raster.over((-span, 2 * span, -span, span), 300, 200)
    gamma = 0.5 / width**2
    summed = []
    rest = logsums._summed_logs
    monkeypatch.setattr(logsums, "_summed_logs", lambda *facts: summed.append(len(facts[1])) or rest(*facts))
    found = logsums.gaussian_logs(raster, CENTRES, gamma)
    expected = logsumexp(-gamma * cdist(raster.points(), CENTRES) ** 2, axis=1).reshape(raster.shape)
    np.testing.assert_allclose(found, expected, rtol=2e-6, atol=2e-6)
    if width <= 0.01 and span == 2.0:
        assert np.min(summed) < len(CENTRES) / 3


def test_a_centre_out_of_sight_of_a_part_changes_nothing_in_it():
    raster = Raster.over((-0.5, 0.5, -0.5, 0.5), 40, 40)
    both = np.array([[0.0, 0.0], [9.0, 0.0]])
    assert logsums._seen(raster, both, 0.5).tolist() == [True, False]
    assert logsums._seen(raster, both, 0.01).tolist() == [True, True]
    one, two = (logsums._part_logs(raster, *2 * [slice(0, 40)], each, 0.5) for each in (both[:1], both))
    assert np.array_equal(one, two)
