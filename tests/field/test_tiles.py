"""Tiles: polynomials through nodes, their last coefficients, halves, pixels."""

import numpy as np
import pytest
from numpy.polynomial.chebyshev import chebfit, chebval2d

from vizml.field.lattice import Window
from vizml.field.tiles import (
    NODES,
    PLACES,
    Leaves,
    Tiles,
    between,
    nodes_within,
    places_of,
    tails,
    weights_at,
)


def polynomial(x, y):
    return x ** (NODES - 1) - 3 * x * y**4 + 2 * y ** (NODES - 1) + 0.5


def tiles(size=64, across=(0, 1, -2), down=(0, 3, 5)):
    """Tiles of pixels one apart, that know the polynomial and another plane."""
    across, down = np.array(across), np.array(down)
    x, y = (nodes_within(k[:, None] * size + np.array([0, size])) / 100 for k in (across, down))
    known = np.stack([polynomial(x[:, None, :], y[:, :, None]), x[:, None, :] + 0 * y[:, :, None]], axis=1)
    return Tiles(size, across, down, known, np.ones((len(across), 1), dtype=bool))


def test_weights_carry_polynomials_exactly():
    places = np.linspace(-1, 1, 13)
    assert weights_at(places) @ PLACES ** (NODES - 1) == pytest.approx(places ** (NODES - 1), abs=1e-12)
    assert weights_at(PLACES) == pytest.approx(np.eye(NODES), abs=1e-12)


def test_places_between_ends():
    ends = np.array([[0.0, 4.0], [5.0, 3.0]])
    assert between(ends, np.array([-1.0, 0.0, 1.0])).tolist() == [[0, 2, 4], [5, 4, 3]]
    assert nodes_within(ends)[0] == pytest.approx(2 + 2 * PLACES)


@pytest.mark.parametrize("row, column", [(NODES - 1, 0), (2, NODES - 2), (NODES - 2, NODES - 1)])
def test_the_tail_is_the_largest_of_the_last_coefficients(row, column):
    series = np.zeros((NODES, NODES))
    series[1, 1], series[row, column] = 100.0, -0.25
    values = chebval2d(*np.meshgrid(PLACES, PLACES, indexing="ij"), series)
    assert tails(values[None])[0] == pytest.approx(0.25)


def test_the_tail_of_a_row_is_what_numpy_fits():
    values = np.exp(3 * PLACES)
    last = np.abs(chebfit(PLACES, values, NODES - 1)[-2:]).max()
    assert tails(np.tile(values, (NODES, 1))) == pytest.approx(last, rel=1e-6)


def test_halves_know_what_the_whole_knew():
    halves = tiles().split()
    assert halves.size == 32
    assert len(halves) == 12
    x, y = (nodes_within(k[:, None] * 32 + np.array([0, 32])) / 100 for k in (halves.across, halves.down))
    assert halves.known[:, 0] == pytest.approx(polynomial(x[:, None, :], y[:, :, None]), abs=1e-8)
    assert len(set(zip(halves.across.tolist(), halves.down.tolist()))) == 12


def test_tiles_are_put_together_and_taken_apart():
    first, second = tiles(), tiles(across=(7,), down=(9,))
    both = first.and_(second)
    assert both.across.tolist() == [0, 1, -2, 7]
    some = both.some(np.array([False, True, False, True]))
    assert (some.down.tolist(), len(some)) == ([3, 9], 2)
    assert np.array_equal(some.known[1], second.known[0])


@pytest.mark.parametrize("beyond", [(0.0, 0.0), (0.75, 0.3)])
def test_leaves_show_their_pixels_wherever_these_are_in_the_tiles(beyond):
    window = Window(-128, 320, 64, 64, beyond)
    leaves = Leaves.of(tiles(), tiles().known).pixels(window)
    assert leaves.across.tolist() == [-2]
    x, y = (first + aside + np.arange(64) for first, aside in zip((-128, 320), beyond))
    exact = polynomial(x[None, :] / 100, y[:, None] / 100)
    assert leaves.values[0, 0] == pytest.approx(exact, rel=2e-5, abs=1e-4)


def test_pixels_of_a_window_are_a_step_apart():
    x, y = places_of(Window(0, 0, 9, 9, (0.5, 0.0)), 16)
    assert np.diff(x) == pytest.approx(np.full(15, 2 / 16))
    assert (x[0], y[0]) == pytest.approx((-1 + 1 / 16, -1))
