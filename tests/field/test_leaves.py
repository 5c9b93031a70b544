"""Fields of trees: boxes against each pixel centre, oblique splits against scikit-learn's forest."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestRegressor

from vizml.field import Raster
from vizml.field.leaves import HalfPlaneTrees, summed_field, tiled_field


def by_hand(boxes, values, raster):
    x, y = np.meshgrid(raster.x, raster.y)
    out = np.zeros((values.shape[1], *x.shape))
    for (left, right, bottom, top), value in zip(boxes, values, strict=True):
        out[:, (left < x) & (x <= right) & (bottom < y) & (y <= top)] += value[:, None]
    return out


def tiling(rng, splits, raster):
    """Boxes from random cuts, half of them right through pixel centres."""
    boxes = [[-np.inf, np.inf, -np.inf, np.inf]]
    for _ in range(splits):
        box = boxes.pop(int(rng.integers(len(boxes))))
        axis = int(rng.integers(2))
        centres = raster.y if axis else raster.x
        cut = rng.choice(centres) if rng.random() < 0.5 else rng.uniform(centres.min(), centres.max())
        low, high = list(box), list(box)
        if box[2 * axis] < cut < box[2 * axis + 1]:
            low[2 * axis + 1] = high[2 * axis] = cut
            boxes += [low, high]
        else:
            boxes.append(box)
    return np.array(boxes)


@given(st.integers(0, 2**32 - 1), st.integers(0, 60))
def test_a_tiling_is_exact_even_on_the_edges(seed, splits):
    rng = np.random.default_rng(seed)
    raster = Raster.over((-1, 1, -1, 1), 24, 16)
    boxes = tiling(rng, splits, raster)
    values = rng.integers(-9, 9, size=(len(boxes), 3)).astype(float)
    assert np.array_equal(tiled_field(boxes, values, raster), by_hand(boxes, values, raster))


@given(st.integers(0, 2**32 - 1))
def test_overlapping_boxes_add_up(seed):
    rng = np.random.default_rng(seed)
    raster = Raster.over((-1, 1, -1, 1), 24, 16)
    boxes = np.concatenate([tiling(rng, 8, raster) for _ in range(5)])
    values = rng.normal(size=(len(boxes), 2))
    assert np.abs(summed_field(boxes, values, raster) - by_hand(boxes, values, raster)).max() < 1e-6


def test_a_pixel_on_a_threshold_is_left_of_it():
    boxes = np.array([[-np.inf, 1.0, -np.inf, np.inf], [1.0, np.inf, -np.inf, np.inf]])
    raster = Raster([0.0, 1.0, np.nextafter(1.0, 2.0)], [0.0])
    for paint in (tiled_field, summed_field):
        assert np.array_equal(paint(boxes, np.array([[5.0], [7.0]]), raster), [[[5, 5, 7]]])


RNG = np.random.default_rng(3)
SLOPES = np.array([[1, 0], [0, 1], [1, 1], [1, -1], [-2, 1], [0, 0], [-1, 0]])
OFFSETS = np.array([0.0, 0.5, 0.0, 2.0, -1.0, 0.25, 0.0])
FOREST = RandomForestRegressor(20, max_depth=7, random_state=0).fit(
    RNG.integers(-9, 9, size=(300, len(OFFSETS))), RNG.normal(size=(300, 2))
)
"""Thresholds half-way between whole numbers, so that many go through pixel centres."""
EVEN = Raster.over((-4.0, 4.0, -3.0, 3.0), 64, 48)
RASTERS = {
    "even": EVEN,
    "falling": Raster(EVEN.x[::-1], EVEN.y[::-1]),
    "shuffled": Raster(RNG.permutation(EVEN.x), RNG.permutation(EVEN.y)),
    "drift": Raster(np.cumsum(np.repeat([0.125, 0.25], 20)) - 3, EVEN.y),
    "far": Raster(EVEN.x + 2.0**12, EVEN.y - 2.0**12),
    "one pixel": EVEN.rows(3, 4),
    "empty": EVEN.rows(3, 3),
}


def half_planes(trees):
    """The nodes of scikit-learn's trees one after the other, and the roots."""
    firsts = np.cumsum([0, *(tree.node_count for tree in trees)])[:-1]
    left, right = (
        np.concatenate([getattr(tree, side) + first for tree, first in zip(trees, firsts)])
        for side in ("children_left", "children_right")
    )
    feature, threshold, values = (
        np.concatenate([getattr(tree, name) for tree in trees]) for name in ("feature", "threshold", "value")
    )
    return HalfPlaneTrees(feature, threshold, left, right, values[:, :, 0], SLOPES, OFFSETS), firsts


@pytest.mark.parametrize("raster", RASTERS.values(), ids=RASTERS)
def test_sums_are_those_of_the_forest_at_each_pixel_even_on_its_edges(raster):
    planes, roots = half_planes([member.tree_ for member in FOREST.estimators_])
    found = planes.sums(roots, raster)
    points = raster.points()
    expected = 20 * FOREST.predict(points @ SLOPES.T + OFFSETS).T if len(points) else np.empty((2, 0))
    assert np.abs(found - expected.reshape(2, *raster.shape)).max(initial=0.0) < 1e-9


def test_some_of_the_trees_are_summed():
    planes, roots = half_planes([member.tree_ for member in FOREST.estimators_])
    parts = planes.sums(roots[:7], EVEN) + planes.sums(roots[7:], EVEN)
    assert parts == pytest.approx(planes.sums(roots, EVEN))
    assert not planes.sums(roots[:0], EVEN).any()
