"""Random use of the real window: events at random widgets, menus, keys, algorithms, files and sizes.

Widgets are found by class and accessible name. Failures: logged errors, messages of Qt, a window that does
not come to rest, threads that outlive it, and memory that grows by more than a tenth after 15 minutes.
"""

import ctypes
import gc
import logging
import os
import random
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QMainWindow,
    QTabBar,
    QWidget,
)

from tests.campaigns.campaign import place

REST = 60.0
"""Seconds from one rest to the next; at rest the window must settle and the memory is measured."""
SETTLED = 30.0
"""Seconds within which a window at rest must have painted its last picture."""
WARM = 15 * 60
"""Seconds after which the memory may not grow any more."""
GROWTH = 1.1
CONTROLS = (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QAbstractItemView,
    QTabBar,
)
WORDS = (
    "",
    "1",
    "0",
    "1e9",
    "-3",
    "0.5",
    "tree",
    "knn(k=3), tree",
    "16,16",
    "moons",
    "svm",
    "<b>x</b>",
    "π",
    "nan",
    "\u202eabc",
    "a long text that goes on and on",
)
QUIT = "Quit"
FILES = (
    "a.vizml",
    "b.vizml",
    "points.csv",
    "bad.csv",
    "picture.png",
    "picture.svg",
    "picture.pdf",
    "run.gif",
    "",
    "missing/x.vizml",
)


class RandomUser(QObject):
    """A user who acts at random until the time is over."""

    def __init__(self, seed: int, seconds: float, home: Path) -> None:
        super().__init__()
        self.rng, self.home, self.started = random.Random(seed), home, time.monotonic()
        self.end, self.next_rest = self.started + seconds, self.started + REST
        self.failures: Counter[str] = Counter()
        self.memory: list[tuple[float, float]] = []
        self.recent: deque[str] = deque(maxlen=8)
        self.actions = 0
        self.over = False
        self.gestures: list[Callable[[], None]] = [
            getattr(self, name) for name, weight in WEIGHTS.items() for _ in range(weight)
        ]

    # -- start and end --

    def start(self) -> None:
        """Wait for the window."""
        windows = [
            widget
            for widget in QApplication.topLevelWidgets()
            if isinstance(widget, QMainWindow) and widget.isVisible()
        ]
        if not windows:
            QTimer.singleShot(5, self.start)
            return
        self.window = windows[0]
        self.window.installEventFilter(self)
        QFileDialog.getOpenFileName = staticmethod(self.file_name)
        QFileDialog.getSaveFileName = staticmethod(self.file_name)
        (self.home / "bad.csv").write_bytes(self.rng.randbytes(300))
        (self.home / "points.csv").write_text("a,b,c,d\n1,2,3,<b>x</b>\n4,5,6,y\n")
        QTimer.singleShot(50, self.act)

    def file_name(self, *_: object, **__: object) -> tuple[str, str]:
        name = self.rng.choice(FILES)
        return str(self.home / name) if name else "", ""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the window open until the end."""
        if watched is self.window and event.type() == QEvent.Type.Close and not self.over:
            event.ignore()
            return True
        return False

    def finish(self) -> None:
        self.over = True
        self.close_others()
        QApplication.clipboard().clear()
        QTimer.singleShot(500, self.discard)
        self.window.close()

    def discard(self) -> None:
        """Answer the question about unsaved changes."""
        if (box := QApplication.activeModalWidget()) is not None:
            for button in box.findChildren(QAbstractButton):
                if "discard" in button.text().replace("&", "").lower() or "don't" in button.text().lower():
                    button.click()
                    return

    def on_message(self, kind: QtMsgType, _: object, text: str) -> None:
        """Count a message of Qt as a failure, except about missing features of the offscreen platform."""
        if kind != QtMsgType.QtDebugMsg and not text.startswith("This plugin does not support"):
            self.fail(f"Qt: {text}")

    def fail(self, text: str) -> None:
        known = next((failure for failure in self.failures if failure.startswith(text)), None)
        self.failures[known or f"{text} (after {' > '.join(self.recent)})"] += 1

    # -- acting --

    def act(self) -> None:
        if self.over:
            return
        if time.monotonic() > self.end:
            self.finish()
            return
        if time.monotonic() > self.next_rest:
            self.next_rest = time.monotonic() + REST
            self.rest()
            return
        self.actions += 1
        QTimer.singleShot(
            self.rng.choice((0, 0, 1, 5, 10, 30, 100, 300)), self.act
        )  # also while a menu or a dialog is open
        gesture = self.rng.choice(self.gestures)
        self.recent.append(gesture.__name__)
        gesture()

    def ground(self) -> QWidget:
        """Return the widget that takes events: a popup, a dialog or the window."""
        return QApplication.activePopupWidget() or QApplication.activeModalWidget() or self.window

    def visible(self, *kinds: type[QWidget]) -> list[QWidget]:
        return [
            widget
            for kind in kinds
            for widget in self.ground().findChildren(kind)
            if widget.isVisible() and widget.isEnabled()
        ]

    def canvas(self) -> QWidget | None:
        """Return a canvas of the window."""
        found = [widget for widget in self.visible(QWidget) if widget.accessibleName() == "Canvas"]
        return self.rng.choice(found) if found else None

    def spot(self, widget: QWidget) -> QPoint:
        return QPoint(self.rng.randrange(max(widget.width(), 1)), self.rng.randrange(max(widget.height(), 1)))

    def modifiers(self) -> Qt.KeyboardModifier:
        keys = Qt.KeyboardModifier
        return self.rng.choice(
            (
                keys.NoModifier,
                keys.NoModifier,
                keys.NoModifier,
                keys.ShiftModifier,
                keys.ControlModifier,
                keys.AltModifier,
            )
        )

    def click(self) -> None:
        """Click on a canvas."""
        if (canvas := self.canvas()) is not None:
            buttons = Qt.MouseButton
            button = self.rng.choice(
                (
                    buttons.LeftButton,
                    buttons.LeftButton,
                    buttons.LeftButton,
                    buttons.RightButton,
                    buttons.MiddleButton,
                )
            )
            do = self.rng.choice(
                (
                    QTest.mouseClick,
                    QTest.mouseClick,
                    QTest.mouseClick,
                    QTest.mouseDClick,
                    QTest.mousePress,
                    QTest.mouseRelease,
                )
            )
            do(canvas, button, self.modifiers(), self.spot(canvas))

    def drag(self) -> None:
        """Drag over a canvas, or over another widget."""
        widget = self.canvas() or self.ground()
        start, stop = self.spot(widget), self.spot(widget)
        left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
        modifiers, count = self.modifiers(), self.rng.randrange(2, 20)
        self.send_mouse(widget, QEvent.Type.MouseButtonPress, start, left, left, modifiers)
        for step in range(1, count + 1):
            self.send_mouse(
                widget, QEvent.Type.MouseMove, start + (stop - start) * step / count, none, left, modifiers
            )
        if self.rng.random() < 0.9:
            self.send_mouse(widget, QEvent.Type.MouseButtonRelease, stop, left, none, modifiers)

    def send_mouse(
        self,
        widget: QWidget,
        kind: QEvent.Type,
        at: QPoint,
        button: Qt.MouseButton,
        buttons: Qt.MouseButton,
        modifiers: Qt.KeyboardModifier,
    ) -> None:
        point = QPointF(at)
        QApplication.sendEvent(
            widget, QMouseEvent(kind, point, widget.mapToGlobal(point), button, buttons, modifiers)
        )

    def hover(self) -> None:
        widget = self.canvas() or self.ground()
        for _ in range(self.rng.randrange(1, 10)):
            QTest.mouseMove(widget, self.spot(widget))

    def wheel(self) -> None:
        widget = self.canvas() or self.ground()
        point = QPointF(self.spot(widget))
        turn = QPoint(0, self.rng.choice((120, -120, 600, -600, 7)))
        for _ in range(self.rng.choice((1, 1, 3, 30))):
            event = QWheelEvent(
                point,
                widget.mapToGlobal(point),
                QPoint(),
                turn,
                Qt.MouseButton.NoButton,
                self.modifiers(),
                Qt.ScrollPhase.NoScrollPhase,
                False,
            )
            QApplication.sendEvent(widget, event)

    def key(self) -> None:
        """Press a random key, except the keys that quit."""
        keys = Qt.Key
        special = (
            keys.Key_Escape,
            keys.Key_Tab,
            keys.Key_Backspace,
            keys.Key_Return,
            keys.Key_Delete,
            keys.Key_Home,
            keys.Key_End,
            keys.Key_Left,
            keys.Key_Up,
            keys.Key_Right,
            keys.Key_Down,
            keys.Key_PageUp,
            keys.Key_PageDown,
        )
        functions = [keys(keys.Key_F1.value + k) for k in range(12) if k != 3]
        key = self.rng.choice(
            (self.rng.choice(special), self.rng.choice(functions), keys(self.rng.randrange(0x20, 0x60)))
        )
        modifiers = self.modifiers()
        if key == keys.Key_Q and modifiers == Qt.KeyboardModifier.ControlModifier:
            return
        target = QApplication.activePopupWidget() or QApplication.focusWidget() or self.ground()
        self.recent.append(
            f"{modifiers.name} {key.name} on {type(target).__name__} {target.accessibleName()!r}"
        )
        QTest.keyClick(target, key, modifiers)

    def control(self) -> None:
        """Click, turn or type at a control."""
        if not (found := self.visible(*CONTROLS)):
            return
        widget = self.rng.choice(found)
        self.recent.append(f"{type(widget).__name__} {widget.accessibleName()!r}")
        if isinstance(widget, QLineEdit | QAbstractSpinBox) and self.rng.random() < 0.7:
            widget.setFocus()
            QTest.keyClick(widget, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
            QTest.keyClicks(widget, self.rng.choice(WORDS))
            QTest.keyClick(widget, self.rng.choice((Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Escape)))
        elif isinstance(widget, QAbstractItemView) and (view := widget.viewport()) is not None:
            QTest.mouseClick(view, Qt.MouseButton.LeftButton, self.modifiers(), self.spot(view))
        elif isinstance(widget, QComboBox) and self.rng.random() < 0.5 and widget.count():
            QTest.keyClick(
                widget, self.rng.choice((Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End))
            )
        else:
            QTest.mouseClick(
                widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, self.spot(widget)
            )

    def algorithm(self) -> None:
        """Search an algorithm by some letters and choose it."""
        for widget in self.visible(QComboBox):
            if widget.accessibleName() == "algorithm":
                QTest.mouseClick(widget, Qt.MouseButton.LeftButton)
                break
        for field in self.visible(QLineEdit):
            if field.accessibleName() == "search algorithms":
                QTest.keyClicks(
                    field,
                    self.rng.choice(
                        ("", "a", "e", "gau", "tree", "boost", "net", "lin", "k", "svm", "mix", "den", "for")
                    ),
                )
                for _ in range(self.rng.randrange(6)):
                    QTest.keyClick(field, Qt.Key.Key_Down)
                QTest.keyClick(field, Qt.Key.Key_Return)
                return

    def command(self) -> None:
        """Trigger an action of the window."""
        actions = [
            action
            for action in self.window.actions()
            if action.isEnabled()
            and action.isVisible()
            and not action.isSeparator()
            and action.text().replace("&", "") != QUIT
        ]
        if actions and QApplication.activePopupWidget() is None and QApplication.activeModalWidget() is None:
            action = self.rng.choice(actions)
            self.recent.append(f"action {action.text()!r}")
            action.trigger()

    def menu(self) -> None:
        """Open a context menu, or choose an entry of an open one."""
        if (popup := QApplication.activePopupWidget()) is not None:
            for _ in range(self.rng.randrange(1, 12)):
                QTest.keyClick(popup, Qt.Key.Key_Down)
            QTest.keyClick(popup, self.rng.choice((Qt.Key.Key_Return, Qt.Key.Key_Right, Qt.Key.Key_Escape)))
            return
        widget = self.rng.choice(self.visible(QWidget) or [self.ground()])
        QTest.mouseClick(
            widget, Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, self.spot(widget)
        )

    def resize(self) -> None:
        if not self.window.isFullScreen():
            self.window.resize(
                self.rng.choice((900, 1024, 1280, 1920)), self.rng.choice((560, 700, 800, 1080))
            )

    def undo(self) -> None:
        """Undo and redo many times."""
        for _ in range(self.rng.randrange(1, 30)):
            QTest.keyClick(
                self.window,
                self.rng.choice((Qt.Key.Key_Z, Qt.Key.Key_Z, Qt.Key.Key_Y)),
                Qt.KeyboardModifier.ControlModifier,
            )

    # -- rest --

    def close_others(self) -> None:
        while (popup := QApplication.activePopupWidget()) is not None:
            popup.close()
        for widget in QApplication.topLevelWidgets():
            if widget.isVisible() and widget is not self.window:
                widget.close()

    def rest(self) -> None:
        """Do nothing until the window does not change any more, and measure the memory."""
        self.close_others()
        self.window.showNormal()
        self.before, self.asked = b"", time.monotonic()
        QTimer.singleShot(100, self.settle)

    def settle(self) -> None:
        for button in self.visible(QAbstractButton):
            if button.accessibleName() == "Pause":
                button.click()
        picture = self.window.grab().toImage()
        now = bytes(picture.constBits())
        if now == self.before:
            self.measure()
            QTimer.singleShot(0, self.act)
        elif time.monotonic() - self.asked > SETTLED:
            self.fail(f"the window did not come to rest within {SETTLED:.0f} s")
            QTimer.singleShot(0, self.act)
        else:
            self.before = now
            QTimer.singleShot(700, self.settle)

    def measure(self) -> None:
        if "vizml-worker" not in " ".join(thread.name for thread in threading.enumerate()):
            self.fail("the worker has ended")
        gc.collect()
        if sys.platform.startswith("linux"):
            ctypes.CDLL("libc.so.6").malloc_trim(0)
        self.memory.append((time.monotonic() - self.started, resident()))


WEIGHTS = {
    "click": 14,
    "drag": 10,
    "hover": 5,
    "wheel": 4,
    "key": 10,
    "control": 20,
    "algorithm": 5,
    "command": 12,
    "menu": 6,
    "resize": 1,
    "undo": 2,
}
"""Gestures with their weights."""


class LoggedErrors(logging.Handler):
    """Count the errors that the package logs, uncaught ones among them, as failures."""

    def __init__(self, user: RandomUser) -> None:
        super().__init__(logging.ERROR)
        self.user = user

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        self.user.fail(f"{record.getMessage()}: {error} at {place(error)}" if error else record.getMessage())


def resident() -> float:
    """Return the resident memory in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def run(seed: int, seconds: float, home: Path) -> int:
    """Use the program for some time; print a report and return 1 where anything failed."""
    import vizml.app

    user = RandomUser(seed, seconds, home)
    logging.getLogger("vizml").addHandler(LoggedErrors(user))
    vizml.app.application()
    qInstallMessageHandler(user.on_message)
    QTimer.singleShot(0, user.start)
    status = vizml.app.main(None)
    qInstallMessageHandler(None)
    left = [
        thread.name
        for thread in threading.enumerate()
        if thread is not threading.main_thread() and not thread.daemon
    ]
    if status or left:
        user.fail(f"status {status}, threads left: {left}")
    warm = [used for when, used in user.memory if when > WARM]
    if warm and user.memory[-1][1] > GROWTH * warm[0]:
        user.fail(f"the memory grew from {warm[0]:.0f} to {user.memory[-1][1]:.0f} MB after minute 15")
    for failure, count in user.failures.most_common():
        print(f"{count:5d}  {failure}")
    print("memory (minute: MB):", ", ".join(f"{when / 60:.0f}: {used:.0f}" for when, used in user.memory))
    print(
        f"random: seed {seed}, {user.actions} actions in {seconds:.0f} s, "
        f"{sum(user.failures.values())} failures"
    )
    return int(bool(user.failures))
