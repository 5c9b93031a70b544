"""Letters of the formula and entries of the legend explain themselves, and what they are about stands out."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from tests.events import pass_events
from vizml.data import generate
from vizml.learn import create
from vizml.paint import paint_over
from vizml.workspace import Experiment, Work


@pytest.fixture
def window(start, qtbot):
    window = start(Work(generate("moons", n=80, seed=1), (Experiment(create("svm")),)), size=(1200, 800))
    qtbot.waitUntil(lambda: window.stage.settled and window.panel.formula.complete)
    return window


def colour_at(canvas, point):
    """The colour in the middle of a point's symbol."""
    ((x, y),) = canvas.plot_geometry.to_pixels([point])
    colour = canvas.grab().toImage().pixelColor(int(x), int(y))
    return np.array(colour.getRgb()[:3])


def tip(widget, at):
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, at, widget.mapToGlobal(at)))
    return QToolTip.text()


def place_of(card, letter):
    cells = (QPoint(x, y) for y in range(0, card.height(), 3) for x in range(0, card.width(), 3))
    return next(at for at in cells if card.letter_at(at.toPointF()) == letter)


def entries(canvas):
    """The middle of each entry of the legend on a canvas."""
    image = QImage(canvas.size(), QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        placed = paint_over(painter, canvas.plot_geometry, canvas.figure)
    return {entry.text: rect.center().toPoint() for rect, entry in placed}


def test_a_letter_of_the_formula_is_explained_and_its_layer_stands_out(window):
    card, canvas = window.panel.formula, window.canvas
    point = window.document.dataset.points[0]
    plain = colour_at(canvas, point)
    assert "support vectors" in tip(card, place_of(card, "α"))
    assert "Penalty for margin violations" in tip(card, place_of(card, "C"))
    QTest.mouseMove(card, place_of(card, "α"))
    pass_events()
    assert canvas.emphasis.layers == {"Support vectors", "Bounded support vectors"}
    assert colour_at(canvas, point).sum() > plain.sum() + 60, "it is faded towards the ground"
    QTest.mouseMove(card, place_of(card, "C"))
    pass_events()
    assert np.array_equal(colour_at(canvas, point), plain)


def test_a_class_of_the_legend_stands_out_from_the_other_and_is_counted(window):
    canvas, dataset = window.canvas, window.document.dataset
    own, other = (dataset.points[dataset.labels == label][3] for label in (1, 0))
    before = [colour_at(canvas, point) for point in (own, other)]
    places = entries(canvas)
    QTest.mouseMove(canvas, places["B"])
    pass_events()
    after = [colour_at(canvas, point) for point in (own, other)]
    assert np.array_equal(before[0], after[0])
    assert after[1].sum() > before[1].sum() + 60
    assert "B: 40 points" in tip(canvas, places["B"])
    assert "the score is 1 or −1" in tip(canvas, places["margin"])
    QTest.mouseMove(canvas, canvas.rect().center())
    pass_events()
    assert canvas.emphasis is None


def test_a_layer_that_is_not_shown_fades_nothing(window):
    canvas = window.canvas
    for layer in ("Support vectors", "Bounded support vectors"):
        window.preferences.set_shown(layer, shown=False)
    point = window.document.dataset.points[0]
    plain = colour_at(canvas, point)
    QTest.mouseMove(window.panel.formula, place_of(window.panel.formula, "α"))
    pass_events()
    assert canvas.emphasis is not None
    assert np.array_equal(colour_at(canvas, point), plain)
