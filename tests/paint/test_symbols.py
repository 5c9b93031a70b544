import numpy as np
import pytest
from PySide6.QtGui import QColor

from tests.paint.sheet import near, painted
from vizml.paint.symbols import outline_of, paint_symbol, ring, stamp, style_of
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


def test_rings_at_places_without_pixels_are_left_out():
    """A point below zero has no place on a logarithmic axis."""
    nowhere = [(np.nan, 300), (300, np.nan), (-np.inf, 20), (20, np.inf), (1e12, 20), (20, 2.0**31 - 10)]

    def rings(*places):
        def paint(painter):
            painter.setClipRect(60, 20, 800, 600)
            stamp(painter, ring(6.0, 1.5, (200, 0, 0), 1.0, 1.0), np.array(places, dtype=float))

        return painted(950, 700, paint)

    assert np.array_equal(rings((300, 300), *nowhere), rings((300, 300)))
    assert not rings(*nowhere).any()
