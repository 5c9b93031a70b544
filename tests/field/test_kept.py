"""A kept field: the same as made band by band, made once, and let go with its last row."""

import numpy as np
import pytest

from vizml.field import Raster
from vizml.field.kept import MOST, Kept

WHOLE = Raster.over((0.0, 2.0, 0.0, 1.0), 7, 40)


class Painter:
    """Paints x + 10 y in two planes, and counts how often."""

    def __init__(self):
        self.asked = []

    def __call__(self, raster):
        self.asked.append(raster)
        plane = raster.x + 10 * raster.y[:, None]
        return np.stack([plane, -plane]).astype(np.float32)


def banded(kept, paint, raster, height):
    return np.concatenate([kept.band(band, 2, paint) for _, band in raster.bands(height)], axis=1)


@pytest.mark.parametrize("height", [1, 6, 39, 40, 100])
def test_bands_are_cut_from_a_whole_that_is_painted_once(height):
    paint, kept = Painter(), Kept()
    assert np.array_equal(banded(kept, paint, WHOLE, height), Painter()(WHOLE))
    assert paint.asked == [WHOLE]


def test_bands_may_overlap_and_begin_anywhere():
    paint, kept = Painter(), Kept()
    for start, stop in ((5, 9), (8, 20), (0, 3), (30, 39)):
        assert np.array_equal(kept.band(WHOLE.rows(start, stop), 2, paint), Painter()(WHOLE)[:, start:stop])
    assert len(paint.asked) == 1


def test_with_its_last_row_a_field_is_let_go():
    paint, kept = Painter(), Kept()
    kept.band(WHOLE.rows(0, 30), 2, paint)
    assert kept._field is not None
    kept.band(WHOLE.rows(29, 40), 2, paint)
    assert kept._field is None
    kept.band(WHOLE.rows(0, 30), 2, paint)
    assert len(paint.asked) == 2


def test_another_whole_is_painted_anew():
    paint, kept, other = Painter(), Kept(), Raster(WHOLE.x + 1, WHOLE.y)
    kept.band(WHOLE.rows(0, 3), 2, paint)
    assert np.array_equal(kept.band(other.rows(0, 3), 2, paint), Painter()(other)[:, :3])
    assert paint.asked == [WHOLE, other]


def test_a_field_that_is_too_large_is_made_band_by_band():
    paint, kept = Painter(), Kept()
    planes = MOST // (7 * 40) + 1
    band = WHOLE.rows(3, 9)
    assert np.array_equal(kept.band(band, planes, paint), Painter()(band))
    assert paint.asked == [band]


def test_what_is_handed_out_may_be_changed():
    paint, kept = Painter(), Kept()
    kept.band(WHOLE.rows(0, 3), 2, paint)[:] = 0.0
    assert np.array_equal(kept.band(WHOLE.rows(0, 3), 2, paint), Painter()(WHOLE)[:, :3])
