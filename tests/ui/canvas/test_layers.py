"""Layers of the canvas that are painted once, and shifted while the view is panned."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QWidget

from tests.events import cpu_seconds
from tests.paint.plots import figure
from tests.paint.sheet import pixels_of
from vizml.data import Dataset, generate
from vizml.learn import REGRESS
from vizml.paint import Geometry, paint_under
from vizml.run.request import Frame, RenderRequest
from vizml.scene import DARK, Band, Dots, Lens, Look, Path, Profile, Region, Rings, Scene, Segments
from vizml.scene.figure import GRID
from vizml.scene.viewport import Viewport
from vizml.ui.canvas import canvas_painter
from vizml.ui.canvas.canvas_painter import CachedLayer, PanCache, SameArray, over_key
from vizml.ui.canvas.viewport import panned

PLANE = Geometry(404, 304, (-2.0, 3.0, 10.0, 14.0))
LEVELS, ODD = 3, 64
"""Out of 255, by how much lines moved by whole pixels differ, and here and there at joins of a stroke."""


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


# -- cached layers -------------------------------------------------------------------------------------------


def test_a_layer_is_painted_anew_where_its_key_size_or_pixel_ratio_changes(screen):
    layer, colours = CachedLayer(screen), iter(["red", "blue", "transparent", "red", "red"])

    def pixel(key):
        image = QImage(60, 60, QImage.Format.Format_RGB32)
        image.fill(QColor("white"))
        with QPainter(image) as painter:
            layer.put(painter, (key,), lambda p: p.fillRect(5, 5, 10, 10, QColor(next(colours))))
        return image.pixelColor(8, 8).name()

    assert [pixel(key) for key in (1, 1, 2, 3)] == ["#ff0000", "#ff0000", "#0000ff", "#ffffff"]
    screen.resize(50, 30)
    assert pixel(3) == "#ff0000"
    screen.ratio = 2.0
    assert pixel(3) == "#ff0000"
    assert not list(colours)


def test_arrays_of_a_key_are_compared_by_identity_though_freed_addresses_are_reused():
    keys = [(SameArray(np.zeros((30_000, 2))),) for _ in range(20)]
    assert all(one != other for i, one in enumerate(keys) for other in keys[:i])
    assert all((SameArray(key[0].array),) == key for key in keys)


def key_of(points=((0.0, 0.0), (1.0, 1.0)), labels=(0, 1), **facts):
    dataset = Dataset(points, labels, **facts.pop("named", {}))
    held = facts.pop("held", np.zeros(len(dataset), bool))
    return over_key(PLANE, figure(dataset, held, **facts))


def test_moved_points_and_classes_of_a_regression_keep_the_layer_over_the_points():
    assert key_of() == key_of(points=((0.0, 0.0), (1.0, 2.0)))
    assert key_of(labels=(-1, -1), task=REGRESS) == key_of(labels=(-1, 0), task=REGRESS)


@pytest.mark.parametrize(
    "change",
    [
        {"labels": (0, 2)},
        {"labels": (0, -1)},
        {"held": np.array([True, False])},
        {"scores": ("train 9 %",)},
        {"named": {"axes": ("length", "width")}},
        {"named": {"classes": ("cat", "dog")}},
    ],
    ids=["another class", "unlabelled", "held out", "scores", "axes", "names"],
)
def test_changes_of_legend_axes_and_scores_change_the_layer_over_the_points(change):
    assert key_of() != key_of(**change)


# -- panned layers -------------------------------------------------------------------------------------------


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


def shifted(geometry, dx, dy):
    """The view after a pan by pixels."""
    across, up = geometry.unit
    return replace(geometry, bounds=panned(geometry.bounds, -dx * across, dy * up))


@pytest.fixture
def full(monkeypatch):
    """How often the whole layer was painted."""
    log = []

    def paint(painter, geometry, shown, part=None):
        log.append(part)
        paint_under(painter, geometry, shown, part)

    monkeypatch.setattr(canvas_painter, "paint_under", paint)
    return lambda: log.count(None)


def painted_by(layer, screen, geometry, shown):
    """The pixels that a layer draws onto the screen."""
    ratio = screen.ratio
    image = QImage(round(404 * ratio), round(304 * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(QColor("magenta"))
    with QPainter(image) as painter:
        layer.show(painter, geometry, shown)
    return pixels_of(image).astype(int)


def alike(found, wanted):
    """Whether two layers differ in no more than Qt's rounding of the joins of a stroke."""
    apart = np.abs(found - wanted).max(axis=-1)
    return (apart > LEVELS).mean() < 1e-3 and apart.max() <= ODD


@pytest.mark.parametrize("ratio", [1.0, 1.25, 2.0])
@pytest.mark.parametrize("shift", [(7, 0), (-12, 0), (0, 5), (0, -31), (4, -3), (-60, 44), (1, 1)])
def test_a_shifted_layer_equals_one_painted_anew(screen, full, ratio, shift):
    screen.ratio, shown, layer = ratio, picture(scene(ratio)), PanCache(screen)
    at = PLANE
    painted_by(layer, screen, at, shown)
    for _ in range(3):
        at = shifted(at, shift[0] / ratio, shift[1] / ratio)
        found = painted_by(layer, screen, at, shown)
    assert full() == 1
    wanted = painted_by(PanCache(screen), screen, at, shown)
    assert alike(found, wanted)
    assert not alike(found, painted_by(PanCache(screen), screen, PLANE, shown))


def test_a_coarse_region_is_smoothed_across_the_seams(screen, full):
    shown, layer, at = picture(scene(0.25)), PanCache(screen), PLANE
    painted_by(layer, screen, at, shown)
    for shift in ((5, 0), (0, -7), (-9, 4)):
        at = shifted(at, *shift)
        found = painted_by(layer, screen, at, shown)
        assert alike(found, painted_by(PanCache(screen), screen, at, shown))
    assert full() == 4


def test_parts_of_a_pixel_do_not_accumulate(screen, full):
    shown, layer, at = picture(), PanCache(screen), PLANE
    painted_by(layer, screen, at, shown)
    for step in range(1, 41):
        at = shifted(at, 3.008 if step % 2 else -2.992, 0)
        found = painted_by(layer, screen, at, shown)
    assert 10 <= full() <= 20  # each second or third one is more than a fiftieth of a pixel off
    apart = np.abs(found - painted_by(PanCache(screen), screen, at, shown)).max(axis=-1)
    assert np.percentile(apart, 99.9) <= 8


def test_lines_over_a_lens_are_shifted(screen, full):
    lens = Lens(name="depth", plane=lambda _: np.zeros((2, 2)), low=0.0, high=1.0)
    shown, layer = picture(replace(scene(), lens=lens)), PanCache(screen)
    painted_by(layer, screen, PLANE, shown)
    at = shifted(PLANE, 15, -6)
    assert alike(painted_by(layer, screen, at, shown), painted_by(PanCache(screen), screen, at, shown))
    assert full() == 2


def profile():
    at = np.linspace(-2, 3, 50)
    return Profile(layer="density", axis="x", at=at, heights=np.exp(-(at**2)), peak=1.0)


@pytest.mark.parametrize(
    "after, shown",
    [
        (shifted(PLANE, 3.5, 0), picture()),
        (shifted(PLANE, 300, 0), picture()),
        (replace(PLANE, bounds=(-2.0, 3.1, 10.0, 14.0)), picture()),
        (shifted(PLANE, 4, 0), picture(Scene(marks=(profile(),)))),
        (shifted(PLANE, 4, 0), picture(look=Look().switched(GRID, True))),
    ],
    ids=["half a pixel", "far away", "zoomed", "profiles", "grid"],
)
def test_a_layer_that_a_shift_cannot_reproduce_is_painted_anew(screen, full, after, shown):
    layer = PanCache(screen)
    painted_by(layer, screen, PLANE, shown)
    found = painted_by(layer, screen, after, shown)
    assert full() == 2
    assert np.array_equal(found, painted_by(PanCache(screen), screen, after, shown))


def test_another_scene_or_pixel_ratio_is_painted_anew_and_the_same_one_is_not(screen, full):
    shown, layer = picture(), PanCache(screen)
    for _ in range(2):
        painted_by(layer, screen, PLANE, shown)
    assert full() == 1
    painted_by(layer, screen, shifted(PLANE, 4, 0), replace(shown, scene=scene()))
    assert full() == 2
    screen.ratio = 2.0
    painted_by(layer, screen, shifted(PLANE, 4, 0), shown)
    assert full() == 3


def test_dots_are_not_part_of_the_layer_under_the_points(screen, full):
    shown = picture(Scene(marks=(Dots(layer="c", points=np.array([[0.0, 12.0]])),)))
    layer = PanCache(screen)
    painted_by(layer, screen, PLANE, shown)
    found = painted_by(layer, screen, shifted(PLANE, 4, 4), shown)
    assert full() == 1
    assert (found == found[0, 0]).all()


# -- layers of the canvas ------------------------------------------------------------------------------------


@pytest.fixture
def painted(canvas, monkeypatch):
    """The layers that a repaint paints anew, in order."""
    log = []
    for layer in ("under", "points", "over"):
        monkeypatch.setattr(canvas_painter, f"paint_{layer}", lambda *_, layer=layer: log.append(layer))

    def layers():
        log.clear()
        canvas.repaint()
        return log

    canvas.refresh()
    layers()
    return layers


def show(canvas, **facts):
    canvas.set_frame(Frame(1, RenderRequest(Viewport(canvas.bounds, 10, 10)), Scene(**facts)))


def test_a_click_paints_only_the_points(user, square, painted):
    assert painted() == ["points"]
    user.click(1.0, 1.0)
    assert painted() == ["points"]


def test_the_first_point_of_a_class_changes_the_legend(user, canvas, square, painted):
    canvas.set_label(5)
    painted()
    user.click(1.0, 1.0)
    assert painted() == ["points", "over"]


def test_frames_views_and_looks_paint_everything_anew(canvas, square, painted):
    everything = ["under", "points", "over"]
    show(canvas)
    assert painted() == everything
    canvas.set_bounds((0.0, 1.0, 0.0, 1.0))
    assert painted() == everything
    canvas.set_look(Look(DARK))
    assert painted() == everything
    canvas.resize(500, 400)
    assert painted() == everything
    assert painted() == ["points"]


def test_symbols_of_many_points_are_smaller(canvas, document, painted):
    document.set_dataset("generate moons", generate("moons", n=6000, seed=0))
    assert canvas.plot_geometry.grain < 1
    document.undo()
    assert canvas.plot_geometry.grain == 1
    painted()
    assert painted() == ["points"]


def test_a_new_point_is_painted_within_a_frame_of_the_display(qtbot, user, canvas, document):
    canvas.resize(1000, 800)
    document.set_dataset("generate moons", generate("moons", n=500, seed=0))
    canvas.repaint()
    left, right, bottom, top = canvas.bounds

    def add(x, y):
        user.click(left + x * (right - left), bottom + y * (top - bottom))
        canvas.repaint()

    spots = np.random.default_rng(0).uniform(size=(30, 2))
    assert np.median([cpu_seconds(lambda spot=spot: add(*spot)) for spot in spots]) < 0.016


def test_many_points_are_painted_once_while_they_look_the_same(canvas, document, painted, monkeypatch):
    monkeypatch.setattr(canvas_painter, "MANY", 3)
    document.set_dataset("generate moons", generate("moons", n=60, seed=0))
    painted()
    assert painted() == []
    show(canvas)
    assert painted() == ["under", "over"]
    tags = document.dataset.ids, np.arange(60) % 3
    show(canvas, tags=tags)
    assert painted() == ["under", "points", "over"]
    show(canvas, tags=(tags[0], tags[1].copy()))
    assert painted() == ["under", "over"]
    for change in (
        lambda: document.add([0.0, 0.0], 1),
        lambda: canvas.selection.set(np.arange(61) < 9),
        lambda: canvas.set_look(Look(DARK)),
        lambda: canvas.set_bounds((0.0, 1.0, 0.0, 1.0)),
    ):
        change()
        assert "points" in painted()
        assert "points" not in painted()


def test_many_points_look_the_same_in_their_layer(canvas, document, monkeypatch):
    document.set_dataset("generate moons", generate("moons", n=60, seed=0))
    canvas.repaint()
    direct = pixels_of(canvas.grab().toImage()).astype(int)
    monkeypatch.setattr(canvas_painter, "MANY", 3)
    laid = pixels_of(canvas.grab().toImage()).astype(int)
    assert np.abs(laid - direct).max() <= 3  # one more rounding of translucent edges
    assert (direct != direct[200, 300]).any()
