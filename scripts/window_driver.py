"""Driver of the real window for benchmarks and pictures: input events, waiting, and times of paint events."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from PySide6.QtCore import QEvent, QEventLoop, QPoint, QPointF, QSettings, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget

from vizml.run.request import Frame
from vizml.ui.canvas.canvas import Canvas
from vizml.ui.preferences import QtPreferences
from vizml.ui.widgets import appearance
from vizml.ui.window.window import Window
from vizml.workspace import Document

POLL = 4
"""Milliseconds between two checks of a condition.

The event loop sleeps in between: processing events without a pause would block the worker.
"""


class WindowDriver:
    """A window of 1280 x 800, the last paint event of its canvas, and methods that send input events."""

    def __init__(self) -> None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        from vizml.app import SWITCH, application

        self.app: QApplication = application()
        sys.setswitchinterval(SWITCH)
        folder = Path(tempfile.mkdtemp(prefix="vizml-bench-"))
        self.painted_points = -1
        self.painted_frame: Frame | None = None
        self.painted_at = 0.0
        self.paints = 0
        self._poll = QTimer()
        self._poll.start(POLL)
        self._watch_paints()
        self.document = Document()
        settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
        preferences = QtPreferences(settings)
        appearance.apply(self.app, preferences.look.theme, preferences.type_scale)
        self.window = Window(self.document, preferences, folder)
        self.canvas = self.window.canvas
        self.window.resize(1280, 800)
        self.window.show()
        self.settle()

    def _watch_paints(self) -> None:
        paint = Canvas.paintEvent

        def timed(canvas: Canvas, event: QPaintEvent) -> None:
            paint(canvas, event)
            self.painted_at = perf_counter()
            self.painted_points = len(self.document.dataset)
            self.painted_frame = self.window.stage.frame
            self.paints += 1

        Canvas.paintEvent = timed  # type: ignore[assignment,method-assign]

    def until(self, done: Callable[[], bool], seconds: float = 60.0) -> None:
        """Process events until a condition holds."""
        limit = perf_counter() + seconds
        while not done():
            self.app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
            if perf_counter() > limit:
                raise TimeoutError("the condition did not hold in time")

    def settle(self) -> None:
        """Wait until the newest run has ended and its exact picture is painted."""
        self.until(self._settled)

    def rest(self, seconds: float = 0.5) -> None:
        """Process events for some time, in which animations end and formulas and hints are drawn."""
        ended = perf_counter() + seconds
        while perf_counter() < ended:
            self.app.processEvents()

    def _settled(self) -> bool:
        return self.window.stage.settled and self.painted_frame is self.window.stage.frame

    def is_painted(self) -> bool:
        """Whether every point of the document is on the canvas."""
        return self.painted_points == len(self.document.dataset)

    def pixel(self, x: float, y: float) -> QPointF:
        """Return the position of a point of the plane on the canvas."""
        ((column, row),) = self.canvas.plot_geometry.to_pixels([[x, y]])
        return QPointF(float(column), float(row))

    def mouse(
        self,
        kind: QEvent.Type,
        at: QPointF,
        button: Qt.MouseButton = Qt.MouseButton.LeftButton,
        held: Qt.MouseButton = Qt.MouseButton.LeftButton,
    ) -> None:
        """Send a mouse event to the canvas."""
        target: QWidget = self.canvas
        where = QPointF(target.mapToGlobal(QPoint(int(at.x()), int(at.y()))))
        event = QMouseEvent(kind, at, where, button, held, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(target, event)

    def press(self, at: QPointF) -> None:
        self.mouse(QEvent.Type.MouseButtonPress, at)

    def drag(self, at: QPointF) -> None:
        self.mouse(QEvent.Type.MouseMove, at, Qt.MouseButton.NoButton)

    def release(self, at: QPointF) -> None:
        self.mouse(QEvent.Type.MouseButtonRelease, at, held=Qt.MouseButton.NoButton)

    def click(self, at: QPointF) -> None:
        self.press(at)
        self.release(at)

    def key(self, key: Qt.Key, text: str = "") -> None:
        """Press and release a key on the canvas."""
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            QApplication.sendEvent(self.canvas, QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, text))

    def close(self) -> None:
        """Close the window without saving."""
        self.document.mark_saved()
        self.window.close()
        self.app.processEvents()
