"""A mosaic is the function that it is made from, with tiles as small as that function asks for."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from vizml.field import Raster
from vizml.field.lattice import Lattice
from vizml.field.mosaic import ROOTS, Mosaic, Part, Recipe

VIEW = Raster.over((-2.0, 3.0, -1.5, 2.0), 300, 290)


@dataclass(frozen=True)
class Of(Part):
    """A function of x and y, and how often it was asked for a tile."""

    function: object
    faint: float = 1e-7
    planes: int = 1
    asked: list[int] = field(default_factory=list)
    folds: object = None

    def values(self, x, y):
        self.asked.append(len(x))
        return self.function(x[:, None, :], y[:, :, None])[:, None]

    def exact(self, known, allowed):
        del allowed
        return np.full((len(known), 1), self.faint)

    def creased(self, x, y):
        return self.folds(x, y) if self.folds else super().creased(x, y)


@dataclass(frozen=True)
class Sum(Recipe):
    parts: tuple[Part, ...]
    faint: float = 1e-7
    spikes: object = None

    def show(self, known):
        return known.sum(axis=1, keepdims=True)

    def allowed(self, shown, size):
        del size
        return np.full(len(shown), self.faint)

    def hides(self, x, y):
        return self.spikes(x, y) if self.spikes else super().hides(x, y)


def mosaic(*parts, view=VIEW, **values):
    lattice = Lattice.of(view)
    return Mosaic(Sum(parts, **values), lattice).over(lattice.window(view))


def plane(found, view=VIEW):
    return found.paint(found.lattice.window(view))[0]


def exact(function, view=VIEW):
    return function(view.x[None, :], view.y[:, None])


def moved(right, up, view=VIEW):
    """The view after so many pixels."""
    return Raster(view.x + right * (view.x[1] - view.x[0]), view.y + up * (view.y[1] - view.y[0]))


def over(found, view):
    return found.over(found.lattice.window(view))


def waves(x, y):
    return np.sin(3 * x) * np.cos(2 * y + x)


def cone(x, y):
    return np.hypot(x - 0.31, y + 0.27)


def counts(found):
    """How many tiles of each size are done."""
    return {size: len(leaves.across) for size, leaves in found.leaves.items() if len(leaves.across)}


@pytest.mark.parametrize("function", [waves, cone])
@pytest.mark.parametrize("width, height", [(300, 290), (256, 256), (1, 1), (17, 3), (1, 40)])
def test_a_mosaic_is_its_function(function, width, height):
    view = Raster.over((-2.0, 3.0, -1.5, 2.0), width, height)
    found = plane(mosaic(Of(function), view=view), view)
    assert found.shape == (height, width)
    assert found.dtype == np.float32
    assert np.abs(found - exact(function, view)).max() < 2e-6


def test_a_smooth_function_takes_large_tiles_and_a_crease_small_ones():
    assert counts(mosaic(Of(lambda x, y: 0 * y + x + 1.0))) == {256: 4}
    found = mosaic(Of(cone))
    assert 1 <= len(found.rest) <= 6  # around the tip
    assert set(counts(found)) == {128, 64, 32, 16}


def test_tiles_cover_each_pixel_once():
    found = mosaic(Of(cone))
    covered = np.zeros((512, 512), dtype=int)
    for tiles in (*found.leaves.values(), found.rest):
        size = tiles.size
        for across, down in zip(tiles.across, tiles.down):
            covered[down * size : (down + 1) * size, across * size : (across + 1) * size] += 1
    assert (covered[:290, :300] == 1).all()
    assert covered.max() == 1


@pytest.mark.parametrize("height", [1, 7, 16, 64, 289])
def test_rows_of_a_mosaic_are_rows_of_the_whole(height):
    found = mosaic(Of(cone))
    window = found.lattice.window(VIEW)
    bands = [found.paint(window.rows(slice(a, min(a + height, 290))))[0] for a in range(0, 290, height)]
    assert np.abs(np.concatenate(bands) - plane(found)).max() < 2e-6


@pytest.mark.parametrize("right, up", [(1, 0), (3.7, -0.4), (-100.25, 60.5), (5000, 3000)])
def test_a_view_that_moves_on_is_exact(right, up):
    view = moved(right, up)
    found = over(mosaic(Of(cone)), view)
    assert plane(found, view) == pytest.approx(exact(cone, view), rel=1e-6, abs=2e-6)


def test_a_view_that_moves_on_asks_only_for_what_comes_in():
    part = Of(cone)
    first = mosaic(part)
    whole = sum(part.asked)
    part.asked.clear()
    window = first.lattice.window(moved(4.5, 0))
    later = first.over(window)
    assert sum(part.asked) < whole / 10
    part.asked.clear()
    later.over(window)
    assert sum(part.asked) == 0


def test_what_is_far_away_is_forgotten():
    found = mosaic(Of(waves))
    for step in range(1, 12):
        found = over(found, moved(256 * step, 0))
        assert len(found.begun) <= ROOTS * 6
    assert sum(len(leaves.across) for leaves in found.leaves.values()) < 400


def test_what_hides_between_the_nodes_is_found_where_tiles_may_hide_it():
    def spike(x, y):
        return np.exp(-4e4 * ((x - 0.513) ** 2 + (y - 0.3) ** 2))

    def near_it(x, y):
        inside = (x[:, 0] < 0.55) & (x[:, 1] > 0.47) & (y[:, 0] < 0.34) & (y[:, 1] > 0.26)
        return inside & (np.ptp(x, axis=1) > 0.02)

    view = Raster.over((0.0, 1.0, 0.0, 1.0), 256, 256)
    assert plane(mosaic(Of(spike), view=view), view).max() < 1e-6  # nobody said so
    found = plane(mosaic(Of(spike), view=view, spikes=near_it), view)
    assert np.abs(found - exact(spike, view)).max() < 1e-6


def test_creases_that_coefficients_do_not_tell_take_tiles_as_small_as_is_said():
    def within(x, y):
        return (x[:, 0] < 0.4) & (x[:, 1] > 0.4) & (y[:, 0] < 1) & (y[:, 1] > 1) & (np.ptp(x, axis=1) > 0.6)

    smooth = Of(lambda x, y: x + y)
    assert counts(mosaic(smooth)) == {256: 4}
    creased = Of(lambda x, y: x + y, folds=within)
    # one of four, one of its quarters and of theirs, and all parts of that one
    assert counts(mosaic(creased)) == {256: 3, 128: 3, 64: 3, 32: 4}


def test_a_part_that_tells_its_bumps_is_asked_once_however_small_the_tiles():
    tip = np.array([0.31, -0.27])

    class Bumpy(Of):
        bumpy = True

        def creased(self, x, y):
            inside = [(ends[:, 0] <= at) & (at <= ends[:, 1]) for ends, at in zip((x, y), tip)]
            return inside[0] & inside[1]

        def bumps(self, x, y, ends):
            assert len(ends[0]) == len(x)
            return cone(x[:, None, None, :], y[:, None, :, None])

    part = Bumpy(lambda x, y: x * y + cone(x, y), 1e-6)
    found = mosaic(part, faint=1e-6)
    assert sum(part.asked) == 4
    assert sum(counts(found).values()) > 40
    assert 1 <= len(found.rest) <= 6  # around the tip, pixel by pixel
    assert np.abs(plane(found) - exact(part.function)).max() < 1e-5
    view = moved(3.3, 0.7)
    assert plane(over(found, view), view) == pytest.approx(exact(part.function, view), abs=1e-5)


def test_a_costly_part_is_not_asked_again_where_its_polynomial_is_exact():
    smooth, creased = Of(lambda x, y: x * y, 1e-9), Of(cone, 1e-9)
    found = mosaic(smooth, creased)
    assert sum(smooth.asked) == 4
    assert sum(creased.asked) > 40
    assert np.abs(plane(found) - exact(lambda x, y: x * y + cone(x, y))).max() < 1e-5  # of values up to 10


def test_how_exact_a_part_must_be_may_depend_on_what_all_are():
    class Loose(Of):
        def exact(self, known, allowed):
            assert (allowed == 1e-7).all()
            return 1.0 + np.abs(known[:, :1]).max(axis=(2, 3))

    loose = Loose(cone)
    mosaic(loose, Of(cone))
    assert loose.asked[0] == 4
    assert sum(loose.asked[1:]) == 0
