"""Fields of boxes against asking each pixel centre which boxes it is in."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vizml.field import Raster
from vizml.field.leaves import summed_field, tiled_field


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
