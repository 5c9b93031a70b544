"""Previews, rings, hints and frames that the canvas paints over the plot."""

import numpy as np
import pytest
from PySide6.QtGui import QColor

from tests.paint.sheet import near, painted, written
from vizml.data import Dataset
from vizml.learn import CLASSIFY, CLUSTER, DENSITY, REGRESS
from vizml.learn.task import all_tasks
from vizml.paint import Geometry
from vizml.run.figures import kind_of, score_lines
from vizml.run.request import ShownState
from vizml.scene import CLASSES, DARK, LIGHT, Rings
from vizml.scene.figure import PLAIN
from vizml.ui.canvas.canvas_painter import (
    INVITATION,
    paint_drop_target,
    paint_focus,
    paint_hint,
    paint_rings,
    paint_symbols,
)

pytestmark = pytest.mark.usefixtures("qapp")
SIZE = 640, 480
PLANE = Geometry(*SIZE, (0.0, 1.0, 0.0, 1.0))


def shown(paint, geometry=PLANE, theme=LIGHT):
    ground = QColor(*theme.ground)
    return painted(*SIZE, lambda p: paint(p, geometry, theme), ground=ground, smooth=True)


# -- previews -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task, kind", [(CLASSIFY, 3), (CLUSTER, -1), (REGRESS, PLAIN), (DENSITY, PLAIN)])
def test_the_symbol_of_a_new_point_depends_on_the_task(task, kind):
    assert kind_of(3, task) == kind


def test_previews_are_translucent_symbols_and_the_painter_is_left_opaque():
    def paint(painter, geometry, theme):
        points = np.array([[50.5, 50.5], [150.5, 50.5], [250.5, 50.5]])
        paint_symbols(painter, geometry, theme, points, 0, 0.5)
        assert painter.opacity() == 1.0

    rows = shown(paint)
    half = [round((255 + channel) / 2) for channel in CLASSES[0].colour]
    assert rows[50, 50, :3].tolist() == pytest.approx(half, abs=2)
    inked = rows[50, :, 0] < 250
    assert (inked[1:] & ~inked[:-1]).sum() == 3


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_ring_keeps_its_distance_from_the_point_at_any_type_size(scale):
    geometry = Geometry(*SIZE, PLANE.bounds, scale)
    rows = shown(lambda p, g, t: paint_rings(p, g, t, np.array([[200.5, 200.5]])), geometry)
    ys, xs = np.nonzero(near(rows, LIGHT.accent, 30))
    away = np.hypot(xs - 200, ys - 200)
    assert away.mean() == pytest.approx(9 * scale, abs=0.6)
    assert away.min() > 4.5 * scale


# -- hints --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", all_tasks())
def test_the_hint_of_an_empty_canvas_has_two_lines(task):
    first, second = written(*SIZE, lambda p: paint_hint(p, PLANE, LIGHT, task))[:2]
    assert (first.text, second.text) == (INVITATION, task.hint)
    assert first.y < second.y
    assert abs(first.y - PLANE.plot.center().y()) < 60


@pytest.mark.parametrize("task, symbols", [(CLASSIFY, True), (REGRESS, False), (CLUSTER, False)])
def test_the_hint_shows_the_symbols_of_the_classes_in_classification_only(task, symbols):
    rows = shown(lambda p, g, t: paint_hint(p, g, t, task))
    below = rows[int(PLANE.plot.center().y()) + 30 : int(PLANE.plot.center().y()) + 52, :, :3]
    inked = (below.min(axis=(0, 2)) < 250).astype(int)
    assert (np.diff(inked) == 1).sum() == (8 if symbols else 0)
    if symbols:
        across = np.flatnonzero(inked)
        assert (across[0] + across[-1]) / 2 == pytest.approx(PLANE.plot.center().x(), abs=3)


@pytest.mark.parametrize(
    "size, scale", [((170, 130), 1.0), ((300, 220), 2.0), ((640, 480), 1.5), ((640, 480), 3.0)]
)
def test_the_hint_fits_into_any_plot(size, scale):
    geometry = Geometry(*size, PLANE.bounds, scale)
    rows = painted(*size, lambda p: paint_hint(p, geometry, LIGHT, CLASSIFY), smooth=True)
    ys, xs = np.nonzero(rows[..., 3])
    plot = geometry.plot
    assert xs.min() >= plot.left() - 1
    assert xs.max() <= plot.right() + 1
    assert ys.min() >= plot.top() - 1
    assert ys.max() <= plot.bottom() + 1


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_drop_target_shows_the_names_of_the_files(theme):
    paint = lambda p, g, t: paint_drop_target(p, g, t, "iris.csv, moons.vizml")  # noqa: E731
    assert [w.text for w in written(*SIZE, lambda p: paint(p, PLANE, theme))] == [
        "Drop to open",
        "iris.csv, moons.vizml",
    ]
    rows = shown(paint, theme=theme)
    plot = PLANE.plot.toRect()
    edge = rows[plot.top() + 8 : plot.top() + 13, plot.left() + 40 : plot.right() - 40]
    along = near(edge, theme.accent, 40).any(axis=0)
    assert 0.3 < along.mean() < 0.9
    assert not near(rows[:, : plot.left() - 2], theme.accent, 40).any()


def test_the_focus_frame_surrounds_the_plot():
    rows = near(shown(paint_focus), LIGHT.accent, 10)
    plot = PLANE.plot.toRect()
    assert rows[plot.top() - 1, plot.left() : plot.right()].all()
    assert rows[plot.top() : plot.bottom(), plot.left() - 1].all()
    assert not rows[plot.top() + 3 : plot.bottom() - 3, plot.left() + 3 : plot.right() - 3].any()


# -- scores -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "moment, task, lines",
    [
        (None, CLASSIFY, ()),
        (ShownState(0, None, 0.9642, 0.5), CLASSIFY, ("train 96.4 %", "held out 50.0 %")),
        (ShownState(0, None, 1.0), CLASSIFY, ("train 100.0 %",)),
        (ShownState(0, None, None, 0.25), CLASSIFY, ("held out 25.0 %",)),
        (ShownState(0, None), CLUSTER, ()),
        (ShownState(0, None, 0.98765, -0.25), REGRESS, ("train R² 0.988", "held out R² −0.250")),
    ],
)
def test_score_lines_leave_out_missing_scores(moment, task, lines):
    assert score_lines(moment, task, Dataset.empty()) == lines


# -- highlight ----------------------------------------------------------------------------------------------


def test_highlighted_marks_are_painted_until_they_are_removed(canvas, square, grabbed):
    before = grabbed(0.0, 0.0)
    canvas.set_highlight(
        (Rings(layer="a", points=np.zeros((1, 2)), radii=np.array([3.0]), width=8.0, ink="accent"),)
    )
    assert grabbed(0.0, 0.0) != before
    canvas.set_highlight(())
    assert grabbed(0.0, 0.0) == before


def test_highlighted_marks_are_clipped_to_the_plot(canvas, square):
    before = canvas.grab().toImage()
    left, _, bottom, _ = canvas.bounds
    corner = np.array([[left, bottom]])
    canvas.set_highlight((Rings(layer="a", points=corner, radii=np.array([40.0]), width=6.0),))
    after = canvas.grab().toImage()
    plot = canvas.plot_geometry.plot.toRect()
    x, y = plot.left(), plot.bottom()
    assert before.pixel(x + 40, y - 4) != after.pixel(x + 40, y - 4)
    assert before.pixel(x - 40, y + 4) == after.pixel(x - 40, y + 4)
    assert all(before.pixel(x - 20, row) == after.pixel(x - 20, row) for row in range(y - 60, y + 40))
