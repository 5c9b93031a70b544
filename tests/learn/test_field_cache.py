"""Cached sums of trees: whatever was looked at before, a moment is what it is from scratch."""

import numpy as np
import pytest

from tests.learn.datasets import blobs, moons
from vizml import learn
from vizml.field import Raster
from vizml.learn.ensembles.tree_sum import FieldCache

BOUNDS = (-2.0, 3.0, -1.5, 2.0)


def steps(X, y, trees=12):
    return list(learn.steps(learn.create("random_forest", trees=trees, derived=True, m=2), X, y))


class Painter:
    """Planes of trees 1, 2, 3... that add their number times x + y; it remembers which were painted."""

    def __init__(self):
        self.painted = []

    def __call__(self, first, stop, raster):
        self.painted.append((first, stop, len(raster.y)))
        weight = sum(range(first + 1, stop + 1))
        return weight * (raster.x + raster.y[:, None])[None]


@pytest.mark.parametrize("data", [moons(80, noise=0.3), blobs(60)], ids=["two", "three"])
def test_moments_in_any_order_and_in_bands_are_as_from_scratch(data):
    run, rng = steps(*data), np.random.default_rng(0)
    rasters = [Raster.over(BOUNDS, 40, 30), Raster.over((0.0, 1.0, 0.0, 1.0), 40, 30)]
    for _ in range(40):
        state, raster = run[rng.integers(12)], rasters[int(rng.integers(10) == 0)]
        expected = state.on().painted(0, state.trees, raster)
        height = int(rng.integers(3, 31))
        found = np.concatenate([state.on().planes(band) for _, band in raster.bands(height)], axis=1)
        assert np.abs(found - expected).max() < 1e-6 * state.trees


SIZES = (8, 6), (80, 60), (10, 7), (640, 480)
SMALL, EXACT, COARSE, LARGE = (Raster.over(BOUNDS, *size) for size in SIZES)
ROW = Raster(np.arange(3.0), np.zeros(4))
VIEWS = [Raster.over((left, 5.0, 0.0, 1.0), 8, 6) for left in (0.0, 1.0, 2.0, 0.0)]
MOMENTS = {
    "the next moments": ([(SMALL, trees) for trees in (4, 6, 6, 5)], [(0, 4, 6), (4, 6, 6), (5, 6, 6)]),
    "from scratch where that is less": ([(SMALL, 9), (SMALL, 2)], [(0, 9, 6), (0, 2, 6)]),
    "other views": ([(raster, 3) for raster in VIEWS], [(0, 3, 6)] * 4),
    "a coarse picture between exact ones": (
        [(COARSE, 5), (EXACT, 5), (COARSE, 6), (EXACT, 6)], [(0, 5, 7), (0, 5, 60), (5, 6, 7), (5, 6, 60)],
    ),
    "rows in one place": ([(ROW, 2), (ROW, 3)], [(0, 2, 4), (2, 3, 4)]),
    "too many pixels": ([(LARGE, 2), (LARGE, 3)], [(0, 2, 480), (0, 3, 480)]),
}  # fmt: skip


@pytest.mark.parametrize("moments, painted", MOMENTS.values(), ids=MOMENTS)
def test_only_trees_that_are_not_kept_are_painted(moments, painted):
    cache, paint = FieldCache(1, max_sums=10_000), Painter()
    for raster, trees in moments:
        found = cache.field(raster, trees, paint)
        assert np.allclose(found[0], sum(range(trees + 1)) * (raster.x + raster.y[:, None]))
    assert paint.painted == painted


def test_bands_keep_their_own_moments():
    cache, paint, raster = FieldCache(1), Painter(), Raster.over(BOUNDS, 8, 6)
    cache.field(raster.rows(0, 4), 3, paint)
    whole = cache.field(raster, 4, paint)
    assert np.allclose(whole[0], 10 * (raster.x + raster.y[:, None]))
    assert paint.painted == [(0, 3, 4), (0, 4, 6)]
    again = cache.field(raster.rows(2, 4), 5, paint)
    assert np.allclose(again[0], 15 * (raster.x + raster.y[2:4, None]))
    assert paint.painted[-1] == (4, 5, 2)


@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (1, 1)])
def test_rasters_without_pixels_or_with_one(shape):
    cache, (height, width) = FieldCache(1), shape
    raster = Raster(np.arange(float(width)), np.arange(float(height)))
    assert cache.field(raster, 2, Painter()).shape == (1, height, width)
