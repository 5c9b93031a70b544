"""Sheets that are painted only when what is on them changes, and scenes that slide only when that helps."""

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QWidget

from tests.paint.plots import figure
from vizml.data import Dataset
from vizml.learn import REGRESS
from vizml.paint import Geometry
from vizml.scene import DARK, Dots, Look, Path, Scene
from vizml.ui.canvas import document_view as module
from vizml.ui.canvas.cached_layer import CachedLayer, SameArray
from vizml.ui.canvas.canvas_painter import over_key
from vizml.ui.canvas.document_view import RAPID, MarkAnimation

PLANE = Geometry(404, 304, (0.0, 1.0, 0.0, 1.0))


# -- sheets --------------------------------------------------------------------------------------------------


@pytest.fixture
def widget(qtbot):
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(40, 30)
    return made


class Desk:
    """A sheet, and how often it was painted."""

    def __init__(self, widget):
        self.sheet, self.count = CachedLayer(widget), 0

    def put(self, *key, tone="red"):
        image = QImage(60, 60, QImage.Format.Format_RGB32)
        image.fill(QColor("white"))
        painter = QPainter(image)
        self.sheet.put(painter, key, lambda p: self._paint(p, tone))
        painter.end()
        return image

    def _paint(self, painter, tone):
        self.count += 1
        painter.fillRect(5, 5, 10, 10, QColor(tone))


def test_a_sheet_is_painted_once_for_each_key(widget):
    desk = Desk(widget)
    for key in (1, 1, 2, 2, 1):
        desk.put(key)
    assert desk.count == 3


def test_what_was_on_it_is_wiped_off(widget):
    desk = Desk(widget)
    assert desk.put(1, tone="red").pixelColor(8, 8) == QColor("red")
    assert desk.put(1, tone="blue").pixelColor(8, 8) == QColor("red")
    image = desk.put(2, tone="transparent")
    assert image.pixelColor(8, 8) == QColor("white")


def test_another_size_of_the_widget_is_another_sheet(widget):
    desk = Desk(widget)
    desk.put(1)
    widget.resize(50, 30)
    desk.put(1)
    assert desk.count == 2


# -- what a sheet depends on ---------------------------------------------------------------------------------


def picture(points=((0.0, 0.0), (1.0, 1.0)), labels=(0, 1), **facts):
    dataset = Dataset(points, labels, **facts.pop("named", {}))
    held = facts.pop("held", np.zeros(len(dataset), bool))
    return figure(dataset, held, **facts)


def test_moved_points_leave_the_sheet_above_as_it_is():
    one, other = picture(), picture(points=((0.0, 0.0), (1.0, 2.0)))
    assert over_key(PLANE, one) == over_key(PLANE, other)


def test_a_labelled_point_of_a_regression_looks_like_the_others_and_leaves_them_too():
    plain = picture(labels=(-1, -1), task=REGRESS)
    clicked = picture(labels=(-1, 0), task=REGRESS)
    assert over_key(PLANE, plain) == over_key(PLANE, clicked)


@pytest.mark.parametrize(
    "other",
    [
        picture(labels=(0, 2)),
        picture(labels=(0, -1)),
        picture(held=np.array([True, False])),
        picture(scores=("train 9 %",)),
        picture(named={"axes": ("length", "width")}),
        picture(named={"classes": ("cat", "dog")}),
    ],
    ids=["another class", "unlabelled", "held out", "scores", "axes", "names"],
)
def test_what_legend_axes_and_scores_say_changes_the_sheet_above(other):
    assert over_key(PLANE, picture()) != over_key(PLANE, other)


def test_another_look_or_view_changes_it_too():
    for geometry, shown in (
        (PLANE, picture(look=Look(DARK))),
        (Geometry(404, 304, (0.0, 2.0, 0.0, 1.0)), picture()),
    ):
        assert over_key(geometry, shown) != over_key(PLANE, picture())


# -- slides --------------------------------------------------------------------------------------------------


class Clock:
    now = 1000.0

    def monotonic(self):
        return self.now


@pytest.fixture
def slide(qapp, monkeypatch):
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    monkeypatch.setattr(module, "animations_enabled", lambda: True)
    made = MarkAnimation()
    made.clock = clock
    yield made
    made.stop()


def dots(x):
    return Scene(marks=(Dots(layer="c", points=np.array([[x, 0.0]])),))


def arrive(slide, scene, after=1.0):
    slide.clock.now += after
    slide.to(scene)
    return slide.running


def test_the_first_scene_is_there_at_once(slide):
    assert not arrive(slide, dots(0.0))
    assert slide.scene.marks[0].points[0, 0] == 0.0


def test_the_next_one_is_on_its_way_and_arrives(slide, qtbot):
    arrive(slide, dots(0.0))
    last = dots(1.0)
    assert arrive(slide, last)
    with qtbot.waitSignal(slide.moved):
        pass
    qtbot.waitUntil(lambda: not slide.running)
    assert slide.scene is last


@pytest.mark.parametrize("wait, slides", [(RAPID - 0.01, False), (RAPID + 0.01, True)])
def test_in_a_hurry_it_jumps(slide, wait, slides):
    arrive(slide, dots(0.0))
    assert arrive(slide, dots(1.0), wait) is slides


def test_it_jumps_where_it_is_told_to_or_the_system_says_so(slide, monkeypatch):
    arrive(slide, dots(0.0))
    slide.allowed = False
    assert not arrive(slide, dots(1.0))
    slide.allowed = True
    monkeypatch.setattr(module, "animations_enabled", lambda: False)
    assert not arrive(slide, dots(2.0))


def test_it_jumps_where_nothing_moves_or_nothing_comes(slide):
    arrive(slide, dots(0.0))
    assert not arrive(slide, Scene(marks=(Path(layer="c", lines=()),)))
    assert not arrive(slide, None)
    assert slide.scene is None


def test_stopping_is_being_there(slide):
    arrive(slide, dots(0.0))
    last = dots(1.0)
    arrive(slide, last)
    slide.stop()
    assert not slide.running
    assert slide.scene is last


def test_a_new_scene_on_the_way_goes_on_from_where_the_dots_are(slide, qtbot):
    def x():
        return slide.scene.marks[0].points[0, 0]

    arrive(slide, dots(0.0))
    arrive(slide, dots(1.0))
    qtbot.waitUntil(lambda: bool(x() > 0.3))
    halfway, seen = x(), []
    slide.moved.connect(lambda: seen.append(x()))
    arrive(slide, dots(0.0))
    qtbot.waitUntil(lambda: not slide.running)
    assert (np.array(seen) <= halfway).all()
    assert len(seen) > 1


def test_a_layer_of_other_points_is_painted_anew_though_the_first_ones_are_gone():
    keys = [(SameArray(np.zeros((30_000, 2))),) for _ in range(20)]
    assert all(one != other for i, one in enumerate(keys) for other in keys[:i])
    assert all((SameArray(key[0].array),) == key for key in keys)
