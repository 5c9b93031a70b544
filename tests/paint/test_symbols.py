import numpy as np
import pytest
from PySide6.QtGui import QColor

from tests.paint.sheet import near, painted
from vizml.paint.symbol_atlas import stamp, symbol_atlas
from vizml.paint.symbols import outline_of, paint_symbol, style_of
from vizml.scene import CLASSES, DARK, LIGHT
from vizml.scene.figure import PLAIN, Fill

pytestmark = pytest.mark.usefixtures("qapp")
SHAPES = [style.shape for style in CLASSES]


@pytest.mark.parametrize("shape", SHAPES)
def test_all_shapes_have_the_area_of_the_circle(shape):
    path = outline_of(shape, 100.0)
    rows = painted(300, 300, lambda painter: painter.fillPath(path.translated(150, 150), QColor("black")))
    assert (rows[..., 3] > 127).sum() == pytest.approx(np.pi / 4 * 100**2, rel=0.03)


def test_no_two_classes_look_alike_without_colour():
    seen = {
        painted(20, 20, lambda p, k=kind: paint_symbol(p, style_of(k, LIGHT), 10, 10))[..., 3].tobytes()
        for kind in range(8)
    }
    assert len(seen) == 8


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("kind", range(PLAIN, 8))
def test_a_point_is_filled_with_its_colour_and_a_held_out_one_with_the_ground(theme, kind):
    style = style_of(kind, theme)
    full = painted(20, 20, lambda painter: paint_symbol(painter, style, 10, 10))
    empty = painted(20, 20, lambda painter: paint_symbol(painter, style, 10, 10, inside=Fill.HOLLOW))
    assert near(full[10, 10], style.fill)
    assert near(empty[10, 10], theme.ground)
    assert near(empty, style.outline, 90).any()


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("kind", range(PLAIN, 8))
def test_a_test_point_is_hollow_around_a_dot(theme, kind):
    style = style_of(kind, theme)
    dotted = painted(60, 60, lambda painter: paint_symbol(painter, style, 30, 30, 3.0, Fill.DOTTED))
    hollow = painted(60, 60, lambda painter: paint_symbol(painter, style, 30, 30, 3.0, Fill.HOLLOW))
    assert near(dotted[30, 30], style.outline)
    apart = np.abs(dotted.astype(int) - hollow).max(axis=2) > 0
    rows, columns = np.nonzero(apart)
    assert 5 <= np.ptp(rows) + 1 == np.ptp(columns) + 1 <= 11
    assert abs(rows.mean() - 29.5) < 0.6


def test_yellow_has_an_outline_that_holds_on_white():
    style = style_of(6, LIGHT)
    luminance = np.array(style.outline) / 255 @ [0.2126, 0.7152, 0.0722]
    assert 1.05 / (luminance**2.2 + 0.05) > 3


@pytest.mark.parametrize("ratio", [1.0, 1.25, 2.0])
def test_a_stamp_is_the_symbol_on_the_nearest_device_pixel(ratio):
    symbols = symbol_atlas(LIGHT, 1.0, ratio)
    place = np.array([[30.0, 20.0]])

    def put(painter):
        stamp(painter, symbols, place, np.array([1]), np.array([0]))

    rows = painted(60, 40, put, ratio)
    ys, xs = np.nonzero(rows[..., 3] > 200)
    assert xs.mean() + 0.5 == pytest.approx(30 * ratio, abs=1)
    assert ys.mean() + 0.5 == pytest.approx(20 * ratio, abs=1)
    assert near(rows[int(ys.mean()), int(xs.mean())], CLASSES[1].colour)


def test_all_stamps_of_a_call_arrive():
    places = np.array([[10.0, 10.0], [30.0, 10.0], [50.0, 10.0]])

    def put(painter):
        stamp(painter, symbol_atlas(LIGHT, 1.0, 1.0), places, np.array([0, 3, -1]), np.array([0, 0, 1]))

    row = painted(60, 20, put)
    assert near(row[10, 10], CLASSES[0].colour)
    assert near(row[10, 30], CLASSES[3].colour)
    assert near(row[10, 50], LIGHT.ground)


def test_no_points_need_no_stamps():
    def put(painter):
        stamp(painter, symbol_atlas(LIGHT, 1.0, 1.0), np.empty((0, 2)), np.empty(0, int), np.empty(0, int))

    assert not painted(10, 10, put).any()
