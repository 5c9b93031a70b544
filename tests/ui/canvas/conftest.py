"""A visible canvas, and a user of it with mouse and keyboard."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tests.ui.pointer import move_mouse, turn_wheel
from vizml.data import Dataset
from vizml.ui.canvas import Canvas
from vizml.workspace import Document, Work

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
SQUARE = [(-2.0, -2.0), (-2.0, 2.0), (2.0, -2.0), (2.0, 2.0)]


class User:
    """Points at places in data units."""

    def __init__(self, canvas):
        self.canvas = canvas

    def pixel(self, x, y):
        px, py = self.canvas.plot_geometry.to_pixels(np.array([[x, y]]))[0]
        return QPoint(round(px), round(py))

    def data(self, x, y):
        """The place in data units that a click at a place really hits: that of the whole pixel."""
        pixel = self.pixel(x, y)
        return self.canvas.plot_geometry.to_data(pixel.x(), pixel.y())

    def click(self, x, y, button=LEFT, held=NONE):
        QTest.mouseClick(self.canvas, button, held, self.pixel(x, y))

    def double_click(self, x, y):
        """What Qt makes of two quick clicks: the second press comes as a double click."""
        self.click(x, y)
        QTest.mouseDClick(self.canvas, LEFT, NONE, self.pixel(x, y))
        self.release(x, y)

    def press(self, x, y, button=LEFT, held=NONE):
        QTest.mousePress(self.canvas, button, held, self.pixel(x, y))

    def move(self, x, y, buttons=Qt.MouseButton.NoButton, held=NONE):
        move_mouse(self.canvas, self.pixel(x, y), buttons, held)

    def release(self, x, y, button=LEFT, held=NONE):
        QTest.mouseRelease(self.canvas, button, held, self.pixel(x, y))

    def drag(self, start, *places, button=LEFT, held=NONE):
        self.press(*start, button, held)
        for place in places:
            self.move(*place, button, held)
        self.release(*places[-1], button, held)

    def wheel(self, x, y, notches=1, *facts, **more):
        turn_wheel(self.canvas, self.pixel(x, y), notches, *facts, **more)

    def key(self, key, held=NONE):
        QTest.keyClick(self.canvas, key, held)


@pytest.fixture
def document(qtbot):
    """One whose canvas shows exactly the rectangle that it is given."""
    return Document(replace(Work.fresh(), equal=False))


@pytest.fixture
def canvas(put, document):
    shown = put(Canvas(document), 640, 480)
    yield shown
    shown.close_down()


@pytest.fixture
def user(canvas):
    return User(canvas)


@pytest.fixture
def square(document, canvas):
    """Four points of two classes around the middle of the view."""
    work = document.work
    document.open(replace(work, dataset=Dataset(SQUARE, [0, 0, 1, 1])))
    canvas.set_bounds((-3.0, 3.0, -3.0, 3.0))
    return document.dataset


@pytest.fixture
def grabbed(canvas):
    """The colour at a place in data units, as painted."""

    def colour(x, y):
        px, py = canvas.plot_geometry.to_pixels(np.array([[x, y]]))[0]
        return canvas.grab().toImage().pixelColor(round(px), round(py)).getRgb()[:3]

    return colour
