"""Adaptive tiles: polynomials through nodes, their last coefficients, fields that are the function."""

from threading import Thread

import numpy as np
import pytest
from numpy.polynomial.chebyshev import chebfit, chebval2d

from vizml.field import Raster
from vizml.field.polynomial import TAIL
from vizml.field.tiles import NODES, PLACES, Lattice, TiledField, own_tiles, tails, weights_at


def waves(x, y):
    return np.sin(3 * x) * np.cos(2 * y + x)


def cone(x, y):
    return np.hypot(x - 0.31, y + 0.27)


def spike(x, y):
    return np.exp(-4e4 * ((x - 0.513) ** 2 + (y - 0.3) ** 2))


def field(view, *functions, error=1e-7, **values):
    """The field with a plane for each function, and the size of each tile that was evaluated."""
    sizes = []

    def evaluate(x, y):
        return np.stack([f(x[:, None, :], y[:, :, None]) for f in functions], axis=1)

    def allowed(shown, size):
        sizes.extend([size] * len(shown))
        return np.full(len(shown), error)

    return TiledField(len(functions), evaluate, allowed, **values).field(view), sizes


def counted(function):
    """The field of a function, and the number of x-values in each evaluation."""
    places = []

    def evaluate(x, y):
        places.append(x.size)
        return function(x[:, None, :], y[:, :, None])[:, None]

    return TiledField(1, evaluate, lambda values, _: np.full(len(values), 1e-7)), places


def exact(function, view):
    return function(view.x[None, :], view.y[:, None])


@pytest.mark.parametrize("function", [waves, cone])
@pytest.mark.parametrize("width, height", [(300, 290), (256, 256), (1, 1), (17, 3), (1, 40)])
def test_a_field_is_its_function(function, width, height):
    view = Raster.over((-2.0, 3.0, -1.5, 2.0), width, height)
    found, _ = field(view, function, waves)
    assert found.shape == (2, height, width)
    assert found.dtype == np.float32
    assert np.abs(found[0] - exact(function, view)).max() < 2e-6
    assert np.abs(found[1] - exact(waves, view)).max() < 2e-6


def test_a_smooth_function_takes_large_tiles_and_a_kink_small_ones():
    view = Raster.over((-2.0, 3.0, -1.5, 2.0), 300, 290)
    assert set(field(view, waves, error=1.0)[1]) == {256}
    assert set(field(view, cone)[1]) == {256, 128, 64, 32, 16}


def test_what_hides_between_the_nodes_is_found_in_tiles_that_are_said_to_hide_it():
    view = Raster.over((0.0, 1.0, 0.0, 1.0), 256, 256)
    assert field(view, spike, error=1e-6)[0].max() < 1e-6

    def hides(x, y):
        inside = (x[:, 0] < 0.55) & (x[:, 1] > 0.47) & (y[:, 0] < 0.34) & (y[:, 1] > 0.26)
        return inside & (np.ptp(x, axis=1) > 0.02)

    found, sizes = field(view, spike, error=1e-6, hides=hides)
    assert np.abs(found[0] - exact(spike, view)).max() < 1e-5
    assert 256 not in sizes
    assert sizes.count(128) == 2


def test_tiles_that_may_hide_something_however_small_are_evaluated_pixel_by_pixel():
    view = Raster.over((0.0, 1.0, 0.0, 1.0), 50, 40)
    found, sizes = field(view, spike, hides=lambda x, _: np.ones(len(x), dtype=bool))
    assert sizes == []
    assert np.abs(found[0] - exact(spike, view)).max() < 1e-7


def test_a_view_that_moves_by_pixels_evaluates_only_new_tiles():
    view = Raster.over((-2.0, 3.0, -1.5, 2.0), 300, 290)
    tiled, places = counted(cone)
    tiled.field(view)
    whole, moved = sum(places), Raster(view.x + 5 * (view.x[1] - view.x[0]), view.y)
    places.clear()
    assert np.abs(tiled.field(moved)[0] - exact(cone, moved)).max() < 2e-6
    assert sum(places) < whole / 10
    tiled.field(view)
    far = Raster(view.x + 1e30, view.y)
    assert tiled.field(far) is None or np.isfinite(tiled.field(far)).all()
    between = Raster(view.x + 0.5 * (view.x[1] - view.x[0]), view.y)
    assert np.abs(tiled.field(between)[0] - exact(cone, between)).max() < 2e-6
    assert sum(places) > whole / 2


def in_a_thread(work):
    thread = Thread(target=work)
    thread.start()
    thread.join()


def in_own_tiles(work):
    with own_tiles():
        work()


@pytest.mark.parametrize("apart", [in_a_thread, in_own_tiles])
def test_tiles_are_kept_for_one_thread_and_one_context(apart):
    view = Raster.over((-2.0, 3.0, -1.5, 2.0), 300, 290)
    tiled, places = counted(waves)
    tiled.field(view)
    whole = sum(places)
    apart(lambda: tiled.field(view))
    assert sum(places) == 2 * whole
    tiled.field(view)
    assert sum(places) == 2 * whole


def test_uneven_pixels_have_no_lattice():
    even = np.linspace(1e6, 1e6 + 1, 60)
    assert Lattice.of(Raster(even, even))
    assert Lattice.of(Raster(np.random.default_rng(0).permutation(even), even)) is None
    assert Lattice.of(Raster(np.geomspace(1, 9, 60), even)) is None


def test_weights_carry_polynomials_exactly():
    places = np.linspace(-1, 1, 13)
    assert weights_at(places) @ PLACES ** (NODES - 1) == pytest.approx(places ** (NODES - 1), abs=1e-12)
    assert weights_at(PLACES) == pytest.approx(np.eye(NODES), abs=1e-12)


@pytest.mark.parametrize("row, column", [(NODES - 1, 0), (2, NODES - 2), (NODES - 2, NODES - 1)])
def test_the_tail_is_the_largest_of_the_last_coefficients(row, column):
    series = np.zeros((NODES, NODES))
    series[1, 1], series[row, column] = 100.0, -0.25
    values = chebval2d(*np.meshgrid(PLACES, PLACES, indexing="ij"), series)
    assert tails(values[None])[0] == pytest.approx(0.25)


def test_the_tail_of_a_row_is_what_numpy_fits():
    values = np.exp(3 * PLACES)
    last = np.abs(chebfit(PLACES, values, NODES - 1)[-TAIL:]).max()
    assert tails(np.tile(values, (NODES, 1))) == pytest.approx(last, rel=1e-6)
