"""The image of a region: pixel for pixel where it fits the view, moved and stretched until then."""

import numpy as np
import pytest
from PySide6.QtGui import QColor

from tests.paint.sheet import noise, painted
from vizml.paint import Geometry
from vizml.paint.figure import fits, image_of, paint_region
from vizml.scene import Region

pytestmark = pytest.mark.usefixtures("qapp")


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


# -- when it fits --------------------------------------------------------------------------------------------

VIEW = Geometry(404, 304, (0.0, 324.0, 0.0, 236.0))


@pytest.mark.parametrize("edge", range(4))
@pytest.mark.parametrize(
    "off, same", [(0.0, True), (0.015, True), (-0.015, True), (0.03, False), (-1.0, False)]
)
def test_it_fits_as_long_as_no_edge_is_off_by_a_fiftieth_of_a_pixel(edge, off, same):
    bounds = list(VIEW.bounds)
    bounds[edge] += off
    assert fits(tuple(bounds), VIEW) is same


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
def test_fitting_is_a_matter_of_pixels_not_of_units(scale):
    left, right, bottom, top = (scale * edge for edge in VIEW.bounds)
    view = Geometry(404, 304, (left, right, bottom, top))
    assert fits((left + 0.01 * scale, right, bottom, top), view)
    assert not fits((left + 0.05 * scale, right, bottom, top), view)


def test_an_image_of_other_pixels_is_stretched_over_the_plot():
    image = np.zeros((2, 2, 4), dtype=np.uint8)
    image[..., 3] = 255
    image[0, :, 0] = 200
    image[:, 1, 2] = 200
    found = shown(VIEW, Region(image, VIEW.bounds))
    assert found[10, 10].tolist() == [200, 0, 0, 255]
    assert found[10, -10].tolist() == [200, 0, 200, 255]
    assert found[-10, 10].tolist() == [0, 0, 0, 255]


# -- when it does not ----------------------------------------------------------------------------------------


def test_after_zooming_out_it_is_smaller_and_where_it_belongs():
    image = np.full((236, 324, 4), (10, 200, 10, 255), dtype=np.uint8)
    now = Geometry(404, 304, (-162.0, 486.0, -118.0, 354.0))
    found = shown(now, Region(image, VIEW.bounds))[..., 3] > 128
    ys, xs = np.nonzero(found)
    assert (xs.min(), xs.max() + 1) == pytest.approx((81, 243), abs=1)
    assert (ys.min(), ys.max() + 1) == pytest.approx((59, 177), abs=1)


@pytest.mark.parametrize("ratio", [1.0, 2.0])
@pytest.mark.parametrize("step", [(17, 0), (0, -23), (-40, 31)])
def test_a_pan_by_any_whole_pixels_moves_every_pixel(ratio, step):
    across, up = step
    width, height = VIEW.device_size(ratio)
    image = noise(width, height)
    now = Geometry(404, 304, (across, 324.0 + across, up, 236.0 + up))
    moved = shown(now, Region(image, VIEW.bounds), ratio)
    dx, dy = round(across * ratio), round(up * ratio)
    kept = image[max(dy, 0) : height + min(dy, 0), max(dx, 0) : width + min(dx, 0)]
    there = moved[max(-dy, 0) : height + min(-dy, 0), max(-dx, 0) : width + min(-dx, 0)]
    assert np.array_equal(there, kept)


def test_a_region_without_pixels_is_not_drawn():
    assert not shown(VIEW, Region(np.empty((0, 0, 4), dtype=np.uint8), VIEW.bounds)).any()


# -- as Qt wants it ------------------------------------------------------------------------------------------


def test_row_nought_of_a_region_is_the_lowest_of_its_image():
    image = np.zeros((3, 2, 4), dtype=np.uint8)
    image[..., 3] = 255
    image[0, 0] = (255, 0, 0, 255)
    made = image_of(Region(image, VIEW.bounds))
    assert made.pixelColor(0, 2) == QColor(255, 0, 0)
    assert made.pixelColor(0, 0) == QColor(0, 0, 0)


def test_only_a_region_with_alpha_is_blended():
    opaque, clear = noise(4, 3), noise(4, 3)
    clear[1, 1, 3] = 100
    assert not image_of(Region(opaque, VIEW.bounds)).hasAlphaChannel()
    made = image_of(Region(clear, VIEW.bounds))
    assert made.hasAlphaChannel()
    assert made.pixelColor(1, 1).alpha() == 100


def test_what_is_painted_does_not_hang_on_the_array():
    image = noise(324, 236)
    made = image_of(Region(image, VIEW.bounds))
    before = made.pixelColor(5, 5)
    image[:] = 0
    assert made.pixelColor(5, 5) == before


@pytest.mark.parametrize("step", [(0.5, 0.0), (0.0, 0.25)])
def test_a_pan_by_a_part_of_a_pixel_blurs_nothing(step):
    """Until its own frame comes, pixels stay pixels: only a zoom is smoothed."""
    image = noise(324, 236)
    image[..., :3] = np.where(image[..., :3] > 127, 255, 0)
    across, up = step
    now = Geometry(404, 304, (across, 324.0 + across, up, 236.0 + up))
    seen = shown(now, Region(image, VIEW.bounds))[5:-5, 5:-5, :3]
    assert set(np.unique(seen)) == {0, 255}


@pytest.mark.parametrize("wider", [(2.0, 1.0), (1.0, 2.0)])
def test_a_zoom_of_either_axis_is_smoothed(wider):
    image = np.zeros((236, 324, 4), dtype=np.uint8)
    image[..., 3] = 255
    image[::2, ::2, :3] = image[1::2, 1::2, :3] = 255
    across, up = wider
    now = Geometry(404, 304, (80.0, 80.0 + 162 * across / 1.3, 60.0, 60.0 + 118 * up / 1.3))
    seen = shown(now, Region(image, VIEW.bounds))[20:-20, 20:-20, 0]
    assert ((seen > 20) & (seen < 235)).mean() > 0.2
