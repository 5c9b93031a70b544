"""Releases of PySide6 have lost a reference to None or True on each setPen or emit, and died of it."""

import gc
import sys

import numpy as np
import pytest
from PySide6.QtCore import QObject, QPointF, Signal
from PySide6.QtGui import QPainter, QPen, QPixmap

from tests.events import pass_events
from vizml.data import generate
from vizml.learn import create
from vizml.run.request import RenderRequest
from vizml.run.runner import Runner
from vizml.scene.viewport import Viewport
from vizml.ui.canvas import Canvas
from vizml.workspace import Document, Experiment, Work

pytestmark = pytest.mark.skipif(
    sys.version_info >= (3, 12),
    reason="from Python 3.12 on None and True are immortal: their counts say nothing",
)
ROUNDS = 4000
PASSING = 300
"""References that come and go with caches and frames; a leak of one a round is far beyond."""


class Bell(QObject):
    rung = Signal(object)
    flag = Signal(bool)


def references():
    gc.collect()
    return np.array([sys.getrefcount(thing) for thing in (None, True, False)])


@pytest.fixture
def canvas(put):
    return put(Canvas(Document(Work(generate("moons", n=60), (Experiment(create("knn")),)))), 200, 160)


def test_emits_keep_none_and_true_alive(qapp):
    bell, heard = Bell(), []
    bell.rung.connect(lambda thing: heard.append(thing is None))
    bell.flag.connect(heard.append)
    before = references()
    for _ in range(ROUNDS):
        bell.rung.emit(None)
        bell.flag.emit(True)
        bell.flag.emit(False)
    heard.clear()
    assert np.abs(references() - before).max() < PASSING


def test_painting_keeps_none_and_true_alive(qapp):
    picture = QPixmap(20, 20)
    before = references()
    for _ in range(ROUNDS):
        painter = QPainter(picture)
        painter.setPen(QPen())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.drawPoint(QPointF(1, 1))
        painter.end()
    assert np.abs(references() - before).max() < PASSING


def test_thousands_of_repaints_keep_none_and_true_alive(canvas):
    canvas.repaint()
    before = references()
    for _ in range(ROUNDS // 4):
        canvas.refresh()
        canvas.repaint()
        canvas.pointer_moved.emit(None)
    assert np.abs(references() - before).max() < PASSING


def test_a_long_session_of_edits_keeps_none_and_true_alive(canvas, qtbot):
    document, runner = canvas.document, Runner()
    frames = []
    runner.frame.connect(frames.append)
    runner.show(RenderRequest(Viewport((0.0, 7.0, 0.0, 5.0), 20, 20)))
    try:
        before = references()
        for step in range(ROUNDS // 8):
            document.add([[step % 7, step % 5]], step % 2, merge="stroke")
            runner.start(create("knn"), 0, *document.split.parts(document.dataset))
            canvas.repaint()
            if step % 50 == 0:
                pass_events()
        qtbot.waitUntil(lambda: bool(frames) and frames[-1].token == runner.token)
        frames.clear()
        assert np.abs(references() - before).max() < PASSING
    finally:
        runner.close()
