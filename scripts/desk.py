"""The real window, offscreen, with hands to use it and a stopwatch at its canvas."""

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

from vizml.run.frame import Frame
from vizml.ui.canvas.canvas import Canvas
from vizml.ui.preferences import QtPreferences
from vizml.ui.widgets import style
from vizml.ui.window.window import Window
from vizml.workspace import Document

PULSE = 4
"""Milliseconds after which a waiting window looks whether it is done.

It waits as the program does: one that asks without pause takes the interpreter from the worker.
"""


class Desk:
    """A window of 1280 x 800 on a document, what its canvas painted last, and hands to use it."""

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
        self._pulse = QTimer()
        self._pulse.start(PULSE)
        self._watch_paints()
        self.document = Document()
        settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
        preferences = QtPreferences(settings)
        style.apply(self.app, preferences.look.theme, preferences.type_scale)
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
        """Let the window live until something is so."""
        limit = perf_counter() + seconds
        while not done():
            self.app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
            if perf_counter() > limit:
                raise TimeoutError("the window did not get there in time")

    def settle(self) -> None:
        """Until the newest run is over and its exact picture is painted."""
        self.until(self._settled)

    def rest(self, seconds: float = 0.5) -> None:
        """Let the window live for a while: slides end, cards are set, hints are drawn."""
        ended = perf_counter() + seconds
        while perf_counter() < ended:
            self.app.processEvents()

    def _settled(self) -> bool:
        return self.window.stage.settled and self.painted_frame is self.window.stage.frame

    def is_painted(self) -> bool:
        """Whether every point of the document is on the canvas."""
        return self.painted_points == len(self.document.dataset)

    def pixel(self, x: float, y: float) -> QPointF:
        """Where a point of the plane lies on the canvas."""
        ((column, row),) = self.canvas.plot_geometry.to_pixels([[x, y]])
        return QPointF(float(column), float(row))

    def mouse(
        self,
        kind: QEvent.Type,
        at: QPointF,
        button: Qt.MouseButton = Qt.MouseButton.LeftButton,
        held: Qt.MouseButton = Qt.MouseButton.LeftButton,
    ) -> None:
        """One event of the mouse, handed to the canvas as the screen would."""
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
        """A key pressed and released over the canvas."""
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            QApplication.sendEvent(self.canvas, QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, text))

    def close(self) -> None:
        """Close the window as it is."""
        self.document.mark_saved()
        self.window.close()
        self.app.processEvents()
