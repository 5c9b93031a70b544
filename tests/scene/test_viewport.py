"""Viewports: equal scales, logarithmic axes, and the pixels at which fields are evaluated."""

import numpy as np
import pytest

from tests.paint.sheet import painted
from vizml.paint import Geometry, padded, paint_marks
from vizml.paint.axes import Axes
from vizml.paint.figure import fits
from vizml.run.contours import levels
from vizml.scene import LIGHT, Path, Segments
from vizml.scene.viewport import Viewport

DECADES = Geometry(484, 404, (0.01, 100.0, 1.0, 1000.0), log=(True, True))


def test_equal_scales_widen_the_shorter_axis_about_its_middle():
    assert Viewport((0.0, 10.0, 2.0, 3.0), 200, 100, equal=True).bounds == (0.0, 10.0, 0.0, 5.0)
    assert Viewport((0.0, 1.0, 0.0, 10.0), 200, 100, equal=True).bounds == (-9.5, 10.5, 0.0, 10.0)


def test_a_preview_shows_the_same_rectangle_on_equal_scales():
    viewport = Viewport((0.0, 10.0, 2.0, 3.0), 203, 101, equal=True)
    assert viewport.coarsened(4).bounds == viewport.bounds


def test_a_circle_is_round_on_equal_scales():
    plot = Geometry(600, 300, (0.0, 1.0, 0.0, 1.0)).plot
    bounds = Viewport((-1.2, 1.2, -1.2, 1.2), int(plot.width()), int(plot.height()), equal=True).bounds
    turn = np.linspace(0.0, 2 * np.pi, 100)
    circle = Geometry(600, 300, bounds).to_pixels(np.column_stack([np.cos(turn), np.sin(turn)]))
    radii = np.hypot(*(circle - circle[:-1].mean(axis=0)).T)
    assert np.ptp(radii) < 1e-9
    assert radii.mean() == pytest.approx(plot.height() / 2.4)


def test_pixels_of_logarithmic_axes_are_spaced_geometrically():
    raster = Viewport((0.01, 100.0, -2.0, 2.0), 80, 40, log=(True, False)).raster
    assert raster.x[1:] / raster.x[:-1] == pytest.approx(np.full(79, 10 ** (4 / 80)))
    assert raster.x[[0, -1]] == pytest.approx([0.01 * 10**0.025, 100 / 10**0.025])
    assert np.diff(raster.y) == pytest.approx(np.full(39, 0.1))


def test_places_on_logarithmic_axes_map_to_pixels_and_back():
    at = np.array([[0.01, 1.0], [1.0, 10.0], [100.0, 1000.0]])
    pixels = DECADES.to_pixels(at)
    assert pixels[1, 0] == pytest.approx(DECADES.plot.center().x())
    assert np.array([DECADES.to_data(x, y) for x, y in pixels.tolist()]) == pytest.approx(at)
    assert np.isinf(DECADES.to_pixels([[0.0, 10.0], [-3.0, 10.0]])[:, 0]).all()


def test_ticks_of_logarithmic_axes_are_powers_of_ten():
    axes = Axes.of(DECADES)
    assert axes.y.values == pytest.approx([1, 3, 10, 30, 100, 300, 1000])
    assert axes.y.labels == ("1", "3", "10", "30", "100", "300", "1000")
    assert axes.x.labels == ("0.01", "0.1", "1", "10", "100")
    assert DECADES.to_pixels(np.column_stack([axes.x.values, np.ones(5)]))[:, 0] == pytest.approx(
        np.linspace(DECADES.plot.left(), DECADES.plot.right(), 5)
    )


@pytest.mark.parametrize("power", [0.5, 1.0, 1.5])
def test_a_power_law_is_a_straight_contour_on_logarithmic_axes(power):
    viewport = DECADES.viewport()
    x, y = np.meshgrid(np.log10(viewport.raster.x), np.log10(viewport.raster.y))
    (line,) = levels((y - 1.5 - power * x).astype(np.float32), viewport.raster, (0.0,))
    pixels = DECADES.to_pixels(line)
    (a, b), (c, d) = pixels[[0, -1]]
    off = (pixels[:, 0] - a) * (d - b) - (pixels[:, 1] - b) * (c - a)
    assert np.abs(off).max() / np.hypot(c - a, d - b) < 0.05


@pytest.mark.parametrize("kind", ["path", "segments"])
def test_a_straight_line_of_the_plane_bends_on_logarithmic_axes(qapp, kind):
    ends = np.array([[-50.0, -30.0], [100.0, 120.0]])  # y = x + 20, from where there is no logarithm
    mark = (
        Path(layer="a", lines=(ends,), width=2.0)
        if kind == "path"
        else Segments(layer="a", ends=ends[None], width=2.0)
    )
    ink = painted(484, 404, lambda p: paint_marks(p, DECADES, LIGHT, [mark]))[..., 3] > 128
    for x in (0.02, 0.5, 3.0, 20.0, 80.0):
        column, row = DECADES.to_pixels([x, x + 20.0])
        assert np.flatnonzero(ink[:, int(column)]).mean() == pytest.approx(row - 0.5, abs=1.0)


def test_an_area_on_logarithmic_axes_reaches_the_edges_of_the_plot(qapp):
    corners = np.array([[-10.0, -10.0], [10.0, -10.0], [10.0, 100.0], [-10.0, 100.0]])
    area = Path(layer="a", lines=(corners,), closed=True, fill=1.0, width=0.0)
    ink = painted(484, 404, lambda p: paint_marks(p, DECADES, LIGHT, [area]))[..., 3] > 128
    inside, beyond = DECADES.to_pixels([[0.011, 1.1], [20.0, 1.1]]).astype(int)
    assert ink[inside[1], inside[0]]
    assert not ink[beyond[1], beyond[0]]
    plot = DECADES.plot
    assert ink.sum() == pytest.approx(plot.width() * 3 / 4 * plot.height() * 2 / 3, rel=0.01)


def test_the_region_of_a_logarithmic_viewport_fits_its_plot():
    assert fits(DECADES.viewport().bounds, DECADES)
    assert not fits((0.0101, *DECADES.bounds[1:]), DECADES)


def test_points_on_logarithmic_axes_have_air_around_them():
    bounds = padded((1.0, 100.0, 0.0, 1.0), 0.1, (True, False))
    assert bounds == pytest.approx((10**-0.2, 10**2.2, -0.1, 1.1))
    assert padded(None, log=(True, True))[0] == pytest.approx(0.1)


@pytest.mark.parametrize("low", [0.0, -2.5])
def test_axes_with_values_that_are_not_positive_cannot_be_logarithmic(low):
    with pytest.raises(ValueError, match=f"a logarithmic y axis needs values above 0: they begin at {low:g}"):
        Viewport((-1.0, 1.0, low, 1.0), 10, 10, log=(False, True))


def test_equal_scales_need_linear_axes():
    with pytest.raises(ValueError, match="equal scales need two linear axes"):
        Viewport((1.0, 2.0, 1.0, 2.0), 10, 10, equal=True, log=(True, False))
