import numpy as np
import pytest
from PySide6.QtGui import QColor

from tests.ui.picture.sheet import painted
from vizml.scene import Region
from vizml.ui.picture import Geometry
from vizml.ui.picture.region import paint_region

pytestmark = pytest.mark.usefixtures("qapp")


def noise(width, height):
    image = np.random.default_rng(0).integers(0, 256, (height, width, 4), dtype=np.uint8)
    image[..., 3] = 255
    return image


def shown(geometry, region, ratio=1.0):
    """The pixels of the plot, row 0 at the bottom."""
    rows = painted(geometry.width, geometry.height, lambda p: paint_region(p, geometry, region), ratio)
    width, height = geometry.device_size(ratio)
    left, top = round(geometry.plot.left() * ratio), round(geometry.plot.top() * ratio)
    return rows[top : top + height, left : left + width][::-1]


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 1.75, 2.0, 3.0])
def test_every_device_pixel_is_the_one_that_was_evaluated(ratio):
    geometry = Geometry(403, 301, (-1e-3, 1.2, 3, 7))
    image = noise(*geometry.device_size(ratio))
    assert np.array_equal(shown(geometry, Region(image, geometry.bounds), ratio), image)


def test_bounds_that_differ_by_rounding_are_the_same():
    geometry = Geometry(403, 301, (0.1, 0.3, 3, 7))
    image = noise(*geometry.device_size(1))
    left, right, bottom, top = geometry.bounds
    assert np.array_equal(shown(geometry, Region(image, (left + 1e-12, right, bottom, top))), image)


def test_after_a_pan_by_whole_pixels_it_is_the_same_picture_moved():
    before = Geometry(404, 304, (0.0, 324.0, 0.0, 236.0))
    assert before.device_size(1) == (324, 236)
    image = noise(324, 236)
    now = Geometry(404, 304, (10.0, 334.0, 5.0, 241.0))
    moved = shown(now, Region(image, before.bounds))
    assert np.array_equal(moved[:-5, :-10], image[5:, 10:])
    assert not moved[-5:].any()
    assert not moved[:, -10:].any()


def test_after_a_zoom_it_is_stretched_to_where_it_belongs():
    image = np.zeros((236, 324, 4), dtype=np.uint8)
    image[..., 3] = 255
    image[118:, :, 0] = 200
    now = Geometry(404, 304, (81.0, 243.0, 59.0, 177.0))
    zoomed = shown(now, Region(image, (0.0, 324.0, 0.0, 236.0)))
    assert (zoomed[:110, :, 0] < 10).all()
    assert (zoomed[126:, :, 0] > 190).all()


def test_it_stays_within_the_plot():
    geometry = Geometry(404, 304, (0.0, 1.0, 0.0, 1.0))
    region = Region(noise(100, 100), (-5.0, 5.0, -5.0, 5.0))
    rows = painted(404, 304, lambda p: paint_region(p, geometry, region))
    plot = geometry.plot.toRect()
    rows[plot.top() : plot.top() + plot.height(), plot.left() : plot.left() + plot.width()] = 0
    assert not rows.any()


@pytest.mark.parametrize("bounds", [(5.0, 6.0, 5.0, 6.0), (-1e12, 1e12, -1e12, 1e12), (0, 1e-12, 0, 1e-12)])
def test_a_view_that_went_far_away_is_no_trouble(bounds):
    geometry = Geometry(404, 304, bounds)
    painted(404, 304, lambda p: paint_region(p, geometry, Region(noise(50, 50), (0.0, 1.0, 0.0, 1.0))))


def test_a_transparent_region_tints_what_is_below():
    geometry = Geometry(404, 304, (0.0, 1.0, 0.0, 1.0))
    width, height = geometry.device_size(1)
    image = np.full((height, width, 4), (255, 0, 0, 128), dtype=np.uint8)
    rows = painted(
        404, 304, lambda p: paint_region(p, geometry, Region(image, geometry.bounds)), ground=QColor("white")
    )
    assert rows[150, 200].tolist() == pytest.approx([255, 127, 127, 255], abs=1)
