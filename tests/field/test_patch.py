"""A patch is the function that it goes through, wherever in it; a band knows its whole."""

import numpy as np

from vizml.field import Raster
from vizml.field.patch import Patch


def test_a_patch_is_the_function_that_it_goes_through():
    over = Raster(np.linspace(-3, 2, 10), np.linspace(0, 4, 10))

    def wave(raster):
        return np.stack([np.outer(np.cos(raster.y), np.sin(raster.x)), np.add.outer(raster.y, raster.x**2)])

    patch = Patch.through(wave, over, 24, 24)
    inner = Raster(np.linspace(-2, 1, 33), np.linspace(1, 2, 21))
    exact = wave(inner)
    assert np.abs(patch.values(inner) - exact).max() < 1e-12
    assert np.abs(patch.field(inner) - exact).max() < 1e-5
    assert np.abs(patch.at(inner.points()) - exact.reshape(2, -1)).max() < 1e-12
    assert patch.tail < 1e-10


def test_a_band_of_a_band_knows_the_whole():
    whole = Raster.over((0.0, 1.0, 0.0, 1.0), 10, 20)
    assert whole.whole is whole
    assert whole.rows(3, 9).rows(1, 2).whole is whole


def test_a_raster_covers_what_lies_within_its_extent():
    whole = Raster.over((0.0, 1.0, 0.0, 1.0), 10, 20)
    assert whole.covers(whole)
    assert whole.covers(whole.rows(3, 9))
    assert not whole.rows(3, 9).covers(whole)
    assert not whole.covers(Raster([0.5], [2.0]))
    assert whole.covers(Raster([], [0.5]))
    assert not Raster([], []).covers(whole)
