"""The sheet under the points, pushed along while the view pans, is what painting it anew gives."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QWidget

from tests.paint.plots import figure
from tests.paint.sheet import pixels_of
from vizml.data import Dataset
from vizml.paint import Geometry, paint_under
from vizml.scene import Band, Dots, Lens, Look, Path, Profile, Region, Rings, Scene, Segments
from vizml.scene.scene import GRID
from vizml.ui.canvas import cached_layer as module
from vizml.ui.canvas.cached_layer import PanCache
from vizml.ui.canvas.viewport import panned

PLANE = Geometry(404, 304, (-2.0, 3.0, 10.0, 14.0))
LEVELS, ODD = 3, 64
"""Out of 255, by how much lines moved by whole pixels differ, and here and there at joins of a stroke."""


def walk(seed, steps=3000):
    """A polyline that crosses all of the view and much around it."""
    path = np.random.default_rng(seed).normal(scale=0.12, size=(steps, 2)).cumsum(axis=0)
    return np.clip(path, -6, 6) * [1.0, 0.8] + [0.5, 12.0]


def ellipse(x, y, wide, high):
    turn = np.linspace(0, 2 * np.pi, 90, endpoint=False)
    return np.column_stack([x + wide * np.cos(turn), y + high * np.sin(turn)])


def scene(ratio=1.0, **facts):
    """All kinds of marks that lie under points, and a region with the device pixels of the view."""
    random = np.random.default_rng(0)
    x = np.linspace(-8, 9, 400)
    ends = np.array([[[-np.inf, 11.0], [np.inf, 13.0]], [[0.0, 9.0], [2.0, 16.0]]])
    rows, columns = (side for side in reversed(PLANE.device_size(ratio)))
    image = random.integers(0, 256, size=(rows, columns, 4), dtype=np.uint8)
    image[..., 3] = 255
    marks = (
        Path(layer="walk", lines=(walk(0), walk(1)[:40], walk(2)[:9]), width=2.0),
        Path(layer="thin", lines=(walk(3)[:300],), width=1.0, opacity=0.5),
        Path(layer="far", lines=(walk(4) + 40.0,), width=2.0),
        Path(layer="ellipse", lines=(ellipse(0.5, 12, 3, 1.4), ellipse(-2, 10, 1, 1)), closed=True, fill=0.2),
        Segments(layer="straight", ends=ends, width=2.5),
        Rings(layer="rings", points=random.uniform([-5, 6], [6, 18], (200, 2)), radii=np.full(200, 9.0)),
        Band(layer="band", x=x, low=np.sin(x) + 11, high=np.sin(x) + 11.5),
    )
    return Scene(region=Region(image, PLANE.bounds), marks=marks, **facts)


def picture(shown=None, look=None):
    dataset = Dataset([(0.0, 12.0)], [0])
    return figure(dataset, scene=shown or scene(), look=look)


def pushed(geometry, dx, dy):
    """The view after a hand has pushed the picture by pixels."""
    across, up = geometry.unit
    return replace(geometry, bounds=panned(geometry.bounds, -dx * across, dy * up))


class Screen(QWidget):
    """As large as the plane, with a number of device pixels for each logical one."""

    ratio = 1.0

    def devicePixelRatioF(self):
        return self.ratio


@pytest.fixture
def screen(qtbot):
    made = Screen()
    qtbot.addWidget(made)
    made.resize(404, 304)
    return made


@pytest.fixture
def full(monkeypatch):
    """How often the whole sheet was painted."""
    log = []

    def paint(painter, geometry, shown, part=None):
        log.append(part)
        paint_under(painter, geometry, shown, part)

    monkeypatch.setattr(module, "paint_under", paint)
    return lambda: log.count(None)


def laid(sheet, screen, geometry, shown):
    """What the sheet puts onto the screen."""
    ratio = screen.ratio
    image = QImage(round(404 * ratio), round(304 * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(QColor("magenta"))
    painter = QPainter(image)
    sheet.show(painter, geometry, shown)
    painter.end()
    return pixels_of(image).astype(int)


def alike(found, wanted):
    """Whether two sheets differ in no more than Qt's rounding of the joins of a stroke."""
    apart = np.abs(found - wanted).max(axis=-1)
    return (apart > LEVELS).mean() < 1e-3 and apart.max() <= ODD


@pytest.mark.parametrize("ratio", [1.0, 1.25, 2.0])
@pytest.mark.parametrize("push", [(7, 0), (-12, 0), (0, 5), (0, -31), (4, -3), (-60, 44), (1, 1)])
def test_a_pushed_sheet_is_the_one_painted_anew(screen, full, ratio, push):
    screen.ratio, shown, sheet = ratio, picture(scene(ratio)), PanCache(screen)
    at = PLANE
    laid(sheet, screen, at, shown)
    for _ in range(3):
        at = pushed(at, push[0] / ratio, push[1] / ratio)
        found = laid(sheet, screen, at, shown)
    assert full() == 1
    wanted = laid(PanCache(screen), screen, at, shown)
    assert alike(found, wanted)
    assert not alike(found, laid(PanCache(screen), screen, PLANE, shown))


def test_a_coarse_region_is_smoothed_across_the_seams(screen, full):
    shown, sheet, at = picture(scene(0.25)), PanCache(screen), PLANE
    laid(sheet, screen, at, shown)
    for push in ((5, 0), (0, -7), (-9, 4)):
        at = pushed(at, *push)
        found = laid(sheet, screen, at, shown)
        assert alike(found, laid(PanCache(screen), screen, at, shown))
    assert full() == 4


def test_parts_of_a_pixel_do_not_add_up(screen, full):
    shown, sheet, at = picture(), PanCache(screen), PLANE
    laid(sheet, screen, at, shown)
    for step in range(1, 41):
        at = pushed(at, 3.008 if step % 2 else -2.992, 0)
        found = laid(sheet, screen, at, shown)
    assert 10 <= full() <= 20  # each second or third one is more than a fiftieth of a pixel off
    apart = np.abs(found - laid(PanCache(screen), screen, at, shown)).max(axis=-1)
    assert np.percentile(apart, 99.9) <= 8


def test_rims_on_a_map_of_colours_are_pushed_too(screen, full):
    lens = Lens(name="depth", plane=lambda _: np.zeros((2, 2)), low=0.0, high=1.0)
    shown, sheet = picture(replace(scene(), lens=lens)), PanCache(screen)
    laid(sheet, screen, PLANE, shown)
    at = pushed(PLANE, 15, -6)
    assert alike(laid(sheet, screen, at, shown), laid(PanCache(screen), screen, at, shown))
    assert full() == 2


def profile():
    at = np.linspace(-2, 3, 50)
    return Profile(layer="density", axis="x", at=at, heights=np.exp(-(at**2)), peak=1.0)


@pytest.mark.parametrize(
    "after, shown",
    [
        (pushed(PLANE, 3.5, 0), picture()),
        (pushed(PLANE, 300, 0), picture()),
        (replace(PLANE, bounds=(-2.0, 3.1, 10.0, 14.0)), picture()),
        (pushed(PLANE, 4, 0), picture(Scene(marks=(profile(),)))),
        (pushed(PLANE, 4, 0), picture(look=Look().switched(GRID, True))),
    ],
    ids=["half a pixel", "far away", "zoomed", "profiles", "grid"],
)
def test_what_a_push_would_not_give_is_painted_anew(screen, full, after, shown):
    sheet = PanCache(screen)
    laid(sheet, screen, PLANE, shown)
    found = laid(sheet, screen, after, shown)
    assert full() == 2
    assert np.array_equal(found, laid(PanCache(screen), screen, after, shown))


def test_another_scene_or_size_is_painted_anew_and_the_same_one_is_not(screen, full):
    shown, sheet = picture(), PanCache(screen)
    for _ in range(2):
        laid(sheet, screen, PLANE, shown)
    assert full() == 1
    laid(sheet, screen, pushed(PLANE, 4, 0), replace(shown, scene=scene()))
    assert full() == 2
    screen.ratio = 2.0
    laid(sheet, screen, pushed(PLANE, 4, 0), shown)
    assert full() == 3


def test_dots_lie_over_the_points_and_so_on_another_sheet(screen, full):
    shown = picture(Scene(marks=(Dots(layer="c", points=np.array([[0.0, 12.0]])),)))
    sheet = PanCache(screen)
    laid(sheet, screen, PLANE, shown)
    found = laid(sheet, screen, pushed(PLANE, 4, 4), shown)
    assert full() == 1
    assert (found == found[0, 0]).all()
