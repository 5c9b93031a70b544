"""Random use of the real window: events at random widgets, menus, keys, algorithms, files and sizes.

Widgets are found by class and accessible name. Failures: logged errors, warnings, messages of Qt, a window
that does not come to rest or blocks for long, threads that outlive it, memory that grows after 15 minutes.
"""

import ctypes
import gc
import logging
import os
import random
import resource
import sys
import threading
import time
import warnings
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from statistics import median

from PySide6.QtCore import (
    QEvent,
    QObject,
    QPoint,
    QPointF,
    QRectF,
    QSizeF,
    Qt,
    QTimer,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtGui import QContextMenuEvent, QImage, QKeyEvent, QMouseEvent, QWheelEvent
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
    QMenu,
    QTabBar,
    QWidget,
)
from shiboken6 import isValid

from tests.campaigns.blocks import Blocks
from tests.campaigns.campaign import LoggedErrors

REST = 60.0
"""Seconds from one rest to the next, at which the window must settle."""
SETTLED, HANGING = 60.0, 600.0
"""Seconds of processor time, and seconds, within which a window at rest must have painted its last picture:
training goes on at rest, and takes longer beside other processes."""
PATIENCE = 30.0
"""Seconds of processor time after which the user cancels training and diagnostics."""
WARM, GROWTH = 15 * 60, 1.1
"""Seconds after which the memory, measured with a small project, should be constant, and the highest ratio of
the medians of later and earlier values: a single value depends on caches of what was used last."""
CONTROLS = (
    QAbstractButton, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit, QAbstractItemView, QTabBar,
)  # fmt: skip
WORDS = "|1|0|1e9|-3|0.5|tree|knn(k=3), tree|16,16|moons|svm|<b>x</b>|π|nan|\u202eabc|a long text"
LETTERS = "|a|e|gau|tree|boost|net|lin|k|svm|mix|den|for"
FILES = "|a.vizml|b.vizml|points.csv|bad.csv|picture.png|picture.svg|picture.pdf|run.gif|missing/x.vizml"
KEYS = "Escape|Tab|Backspace|Return|Delete|Home|End|Left|Up|Right|Down|PageUp|PageDown"
"""Alternatives, separated by bars."""
DATA = {f"data_{name}" for name in ("default", "advertising", "weather", "wine")}
"""Entries of the menu of data sets: columns of categories, missing values, many inputs."""
SMALL, LOG = "small.vizml", "actions.txt"
USUAL = 1280, 800
"""Size of the window at rests."""
WEIGHTS = {
    "click": 14, "drag": 10, "hover": 5, "wheel": 4, "key": 10, "control": 20, "algorithm": 5, "dataset": 2,
    "command": 12, "menu": 6, "resize": 1, "undo": 2,
}  # fmt: skip
"""Gestures with their weights."""
Key, Button, Modifier, Kind = Qt.Key, Qt.MouseButton, Qt.KeyboardModifier, QEvent.Type
NONE = Modifier.NoModifier


MALLOC_FIGURES = (
    "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost",
)  # fmt: skip


class MallocInfo(ctypes.Structure):
    """The structure mallinfo2 of the GNU C library."""

    _fields_ = [(name, ctypes.c_size_t) for name in MALLOC_FIGURES]


class RandomUser(QObject):
    """A user who acts at random until the time is over."""

    def __init__(self, seed: int, seconds: float, home: Path) -> None:
        super().__init__()
        self.rng, self.home, self.started = random.Random(seed), home, time.monotonic()
        self.end, self.next_rest = self.started + seconds, self.started + REST
        self.failures: Counter[str] = Counter()
        self.memory: list[tuple[float, float, float]] = []
        """Seconds since the start, the resident memory, and what is in use of that of malloc, in MB."""
        self.recent: deque[str] = deque(maxlen=8)
        self.log = (home / LOG).open("w", buffering=1)
        self.actions = 0
        self.over = False
        self.chosen = ""
        """The file that a dialog gives next, or an empty string for any."""

    # -- start and end --

    def start(self) -> None:
        """Wait for the window, then act."""
        shown = [each for each in QApplication.topLevelWidgets() if isinstance(each, QMainWindow)]
        if not shown or not shown[0].isVisible():
            QTimer.singleShot(5, self.start)
            return
        self.window = shown[0]
        self.window.installEventFilter(self)
        self.blocks = Blocks(self, lambda: len(self.window.document.dataset), self.recent)
        QFileDialog.getOpenFileName = staticmethod(self.file_name)
        QFileDialog.getSaveFileName = staticmethod(self.file_name)
        (self.home / "bad.csv").write_bytes(self.rng.randbytes(300))
        (self.home / "points.csv").write_text("a,b,c,d\n1,2,3,<b>x</b>\n4,5,6,y\n")
        self.with_small("Save as…")
        self.begin()

    def begin(self) -> None:
        """Keep the small project, once it is saved, as it is: the user may save another one over it."""
        if (self.home / SMALL).exists():
            self.small = (self.home / SMALL).read_bytes()
            self.act()
        else:
            QTimer.singleShot(50, self.begin)

    def file_name(self, *_: object, **__: object) -> tuple[str, str]:
        name = self.chosen or self.rng.choice(FILES.split("|"))
        return str(self.home / name) if name else "", ""

    def with_small(self, text: str) -> None:
        """Run the command that opens or saves a file, with the small project."""
        self.chosen = SMALL
        QTimer.singleShot(500, self.discard)
        self.trigger(text)
        self.chosen = ""

    def trigger(self, text: str) -> None:
        """Run a command of the window."""
        next(action for action in self.window.actions() if action.text() == text).trigger()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the window open until the end."""
        if watched is self.window and event.type() == Kind.Close and not self.over:
            event.ignore()
            return True
        return False

    def finish(self) -> None:
        self.over = True
        self.blocks.close()
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
        if kind == QtMsgType.QtFatalMsg:
            print(f"Qt: {text} (after {' > '.join(self.recent)})", flush=True)
        elif kind != QtMsgType.QtDebugMsg and not text.startswith("This plugin does not support"):
            self.fail(f"Qt: {text}")

    def on_warning(
        self, message: Warning | str, kind: type[Warning], path: str, line: int, *_: object
    ) -> None:
        """Count a warning as a failure, such as that of an overflow."""
        self.fail(f"{kind.__name__}: {message} at {Path(path).name}:{line}")

    def fail(self, text: str) -> None:
        known = next((failure for failure in self.failures if failure.startswith(text)), None)
        self.failures[known or f"{text} (after {' > '.join(self.recent)})"] += 1

    # -- acting --

    def act(self) -> None:
        """Make a gesture; the next one comes also while a menu or a dialog is open."""
        now = time.monotonic()
        if self.over:
            return
        if now > self.end:
            self.finish()
        elif now > self.next_rest:
            self.next_rest = now + REST
            self.rest()
        else:
            self.actions += 1
            QTimer.singleShot(self.rng.choice((0, 0, 1, 5, 10, 30, 100, 300)), self.act)
            (gesture,) = self.rng.choices([*WEIGHTS], [*WEIGHTS.values()])
            self.note(gesture)
            getattr(self, gesture)()

    def note(self, text: str) -> None:
        """Note what is about to happen, also where a crash does not reach."""
        self.recent.append(text)
        print(f"{time.monotonic() - self.started:.3f} {text}", file=self.log)

    def ground(self) -> QWidget:
        """Return the widget that takes events: a popup, a dialog or the window."""
        return QApplication.activePopupWidget() or QApplication.activeModalWidget() or self.window

    def visible(self, *kinds: type[QWidget], name: str = "") -> list[QWidget]:
        """Return the usable widgets of some classes, or with an accessible name."""
        usable = [each for each in shown(self.ground()) if isinstance(each, kinds) and each.isEnabled()]
        return [each for each in usable if not name or each.accessibleName() == name]

    def target(self) -> QWidget:
        """Return a canvas, or what is before the window."""
        return self.rng.choice(self.visible(QWidget, name="Canvas") or [self.ground()])

    def spot(self, widget: QWidget) -> QPoint:
        return QPoint(self.rng.randrange(max(widget.width(), 1)), self.rng.randrange(max(widget.height(), 1)))

    def modifiers(self) -> Modifier:
        held = Modifier.ShiftModifier, Modifier.ControlModifier, Modifier.AltModifier
        return self.rng.choice((NONE, NONE, NONE, *held))

    def mouse(
        self, widget: QWidget, kind: Kind, at: QPoint, button: Button, held: Button, modifiers: Modifier
    ) -> None:
        point = QPointF(at)
        event = QMouseEvent(kind, point, widget.mapToGlobal(point), button, held, modifiers)
        QApplication.sendEvent(widget, event)
        self.blocks.beat()

    def click(self) -> None:
        """Click on a canvas, or only press or release a button."""
        left, right, middle = Button.LeftButton, Button.RightButton, Button.MiddleButton
        once = QTest.mouseClick
        do = self.rng.choice((once, once, once, QTest.mouseDClick, QTest.mousePress, QTest.mouseRelease))
        widget, button = self.target(), self.rng.choice((left, left, left, right, middle))
        do(widget, button, self.modifiers(), self.spot(widget))

    def drag(self) -> None:
        """Drag over a canvas; sometimes the release goes missing."""
        widget, modifiers, left = self.target(), self.modifiers(), Button.LeftButton
        start, stop, count = self.spot(widget), self.spot(widget), self.rng.randrange(2, 20)
        self.mouse(widget, Kind.MouseButtonPress, start, left, left, modifiers)
        for step in range(1, count + 1):
            at = start + (stop - start) * step / count
            self.mouse(widget, Kind.MouseMove, at, Button.NoButton, left, modifiers)
        if self.rng.random() < 0.9:
            self.mouse(widget, Kind.MouseButtonRelease, stop, left, Button.NoButton, modifiers)

    def hover(self) -> None:
        widget, no = self.target(), Button.NoButton
        for _ in range(self.rng.randrange(1, 10)):
            self.mouse(widget, Kind.MouseMove, self.spot(widget), no, no, NONE)

    def wheel(self) -> None:
        widget, none = self.target(), Button.NoButton
        at, turn = QPointF(self.spot(widget)), QPoint(0, self.rng.choice((120, -120, 600, -600, 7)))
        around, phase = widget.mapToGlobal(at), Qt.ScrollPhase.NoScrollPhase
        for _ in range(self.rng.choice((1, 1, 3, 30))):
            event = QWheelEvent(at, around, QPoint(), turn, none, self.modifiers(), phase, False)
            QApplication.sendEvent(widget, event)
            self.blocks.beat()

    def key(self) -> None:
        """Press a random key, except those that quit."""
        moves, functions = (
            (Key[f"Key_{name}"] for name in KEYS.split("|")),
            (Key[f"Key_F{k}"] for k in range(1, 13)),
        )
        groups = [*moves], [*functions], [Key(self.rng.randrange(0x20, 0x60))]
        key, modifiers = self.rng.choice(self.rng.choice(groups)), self.modifiers()
        if (key, modifiers) in ((Key.Key_Q, Modifier.ControlModifier), (Key.Key_F4, Modifier.AltModifier)):
            return
        target = QApplication.activePopupWidget() or QApplication.focusWidget() or self.ground()
        name = f"{type(target).__name__} {target.accessibleName()!r}"
        self.note(f"{modifiers.name} {key.name} on {name}")
        QTest.keyClick(target, key, modifiers)

    def control(self) -> None:
        """Click, turn or type at a control."""
        if not (found := self.visible(*CONTROLS)):
            return
        widget = self.rng.choice(found)
        self.note(f"{type(widget).__name__} {widget.accessibleName()!r}")
        if isinstance(widget, QLineEdit | QAbstractSpinBox) and self.rng.random() < 0.7:
            widget.setFocus()
            QTest.keyClick(widget, Key.Key_A, Modifier.ControlModifier)
            self.type_text(widget, self.rng.choice(WORDS.split("|")))
            QTest.keyClick(widget, self.rng.choice((Key.Key_Return, Key.Key_Tab, Key.Key_Escape)))
        elif isinstance(widget, QComboBox) and self.rng.random() < 0.5:
            QTest.keyClick(widget, self.rng.choice((Key.Key_Up, Key.Key_Down, Key.Key_Home, Key.Key_End)))
        else:
            inside = widget.viewport() if isinstance(widget, QAbstractItemView) else widget
            QTest.mouseClick(inside, Button.LeftButton, NONE, self.spot(inside))

    def type_text(self, widget: QWidget, text: str) -> None:
        """Type any characters; QTest knows those of Latin-1 only."""
        for letter in text:
            QApplication.sendEvent(widget, QKeyEvent(Kind.KeyPress, 0, NONE, letter))
            self.blocks.beat()

    def algorithm(self) -> None:
        """Search an algorithm by some letters and choose it."""
        for widget in self.visible(QComboBox, name="algorithm")[:1]:
            QTest.mouseClick(widget, Button.LeftButton)
        for field in self.visible(QLineEdit, name="search algorithms")[:1]:
            self.type_text(field, self.rng.choice(LETTERS.split("|")))
            for _ in range(self.rng.randrange(6)):
                QTest.keyClick(field, Key.Key_Down)
            QTest.keyClick(field, Key.Key_Return)

    def command(self) -> None:
        """Trigger an action of the window."""
        usable = [each for each in self.window.actions() if each.isEnabled() and each.text() != "Quit"]
        if usable and self.ground() is self.window:
            action = self.rng.choice(usable)
            self.note(f"action {action.text()!r}")
            action.trigger()

    def dataset(self) -> None:
        """Choose a table with columns beyond the axes from the menu of data sets."""
        if self.ground() is self.window:
            self.trigger("Data")
            popup = QApplication.activePopupWidget()
            menus = (popup, *popup.findChildren(QMenu))
            found = [each for menu in menus for each in menu.actions() if each.objectName() in DATA]
            popup.close()
            chosen = self.rng.choice(found)
            self.note(chosen.text())
            chosen.trigger()

    def menu(self) -> None:
        """Open a context menu, or choose an entry of an open one."""
        if (popup := QApplication.activePopupWidget()) is not None:
            for _ in range(self.rng.randrange(1, 12)):
                QTest.keyClick(popup, Key.Key_Down)
            QTest.keyClick(popup, self.rng.choice((Key.Key_Return, Key.Key_Right, Key.Key_Escape)))
            return
        widget = self.rng.choice(self.visible(QWidget) or [self.ground()])
        at, asked = self.spot(widget), QContextMenuEvent.Reason.Mouse
        QTest.mouseClick(widget, Button.RightButton, NONE, at)
        QApplication.sendEvent(widget, QContextMenuEvent(asked, at, widget.mapToGlobal(at)))

    def resize(self) -> None:
        if not self.window.isFullScreen():
            width, height = self.rng.choice((900, 1024, 1280, 1920)), self.rng.choice((560, 700, 800, 1080))
            self.window.resize(width, height)

    def undo(self) -> None:
        """Undo and redo many times."""
        for _ in range(self.rng.randrange(1, 30)):
            key = self.rng.choice((Key.Key_Z, Key.Key_Z, Key.Key_Y))
            QTest.keyClick(self.window, key, Modifier.ControlModifier)
            self.blocks.beat()

    # -- rest --

    def close_others(self) -> None:
        while (popup := QApplication.activePopupWidget()) is not None:
            popup.close()
        for widget in QApplication.topLevelWidgets():
            if widget.isVisible() and widget is not self.window:
                widget.close()

    def rest(self) -> None:
        """Do nothing until the window does not change any more; measure the memory with a small project.

        What a user may have left is put away: a picture of 1920 x 1080 at scale 4 on the clipboard takes
        133 MB, 60 pictures of 960 x 640 in an export 110 MB, a window on the whole screen and each further
        chart up to 10 MB.
        """
        self.close_others()
        QApplication.clipboard().clear()
        self.window.showNormal()
        self.window.resize(*USUAL)
        self.note("rest")
        if round((self.next_rest - self.started) / REST) % 3 == 0:
            (self.home / SMALL).write_bytes(self.small)
            self.with_small("Open…")
        self.before, self.asked = QImage(), (time.process_time(), time.monotonic())
        QTimer.singleShot(100, self.settle)

    def settle(self) -> None:
        used, passed = time.process_time() - self.asked[0], time.monotonic() - self.asked[1]
        impatient = used > PATIENCE
        for button in self.visible(QAbstractButton):
            name = button.accessibleName()
            left = name in ("Pause", "Cancel") or name.startswith("Close chart")
            animated = name.startswith("Animate ") and button.isChecked()
            if left or animated or (impatient and name.startswith("Stop;")):
                button.click()
        if impatient:
            self.trigger("Cancel training")
        now = self.window.grab().toImage()
        settled, late = now == self.before, used > SETTLED or passed > HANGING
        if late and not settled:
            work = self.window.document.work
            trained = ", ".join(str(experiment.model) for experiment in work.experiments)
            self.fail(
                f"the window did not come to rest within {used:.0f} s of processor time: "
                f"{self.changing(now)}; {trained} on {len(work.dataset)} points"
            )
        if settled and SMALL in self.window.windowTitle():
            gc.collect()
            if sys.platform.startswith("linux"):
                ctypes.CDLL("libc.so.6").malloc_trim(0)
            self.memory.append((time.monotonic() - self.started, resident(), in_use()))
        self.before = now
        self.blocks.restart()
        QTimer.singleShot(*(0, self.act) if settled or late else (700, self.settle))

    def changing(self, now: QImage) -> str:
        """Return the names of the innermost widgets that differ from the picture before."""
        ratio = now.devicePixelRatio()
        named = [widget for widget in self.visible(QWidget) if widget.accessibleName()]
        areas = {
            widget: QRectF(
                QPointF(widget.mapTo(self.window, QPoint())) * ratio, QSizeF(widget.size()) * ratio
            ).toAlignedRect()
            for widget in named
        }
        changed = [each for each, area in areas.items() if now.copy(area) != self.before.copy(area)]
        outer = {parent for each in changed for parent in parents(each)}
        inner = [each for each in changed if each not in outer]
        return ", ".join(each.accessibleName() for each in inner) or "widgets without a name"


def shown(widget: QWidget) -> Iterator[QWidget]:
    """Yield the visible widgets within another one, parents first.

    `findChildren` of PySide 6.11 keeps the wrappers of widgets that Qt has made and deleted: 400 each minute.
    """
    for child in widget.children():
        if isinstance(child, QWidget) and isValid(child) and child.isVisible():
            yield child
            yield from shown(child)


def parents(widget: QWidget) -> Iterator[QWidget]:
    """Yield the widgets around a widget."""
    while (widget := widget.parentWidget()) is not None:
        yield widget


def resident() -> float:
    """Return the resident memory in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def in_use() -> float:
    """Return the memory that malloc has handed out, in MB; 0 where the C library does not tell."""
    library = ctypes.CDLL(None)
    if not hasattr(library, "mallinfo2"):
        return 0.0
    library.mallinfo2.restype = MallocInfo
    found = library.mallinfo2()
    return float(found.hblkhd + found.uordblks) / 2**20


def run(seed: int, seconds: float, home: Path) -> int:
    """Use the program for some time; print a report and return 1 where anything failed."""
    import vizml.app

    with suppress(ValueError):  # the limit of the machine may be lower
        resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    user = RandomUser(seed, seconds, home)
    logging.getLogger("vizml").addHandler(LoggedErrors(user.fail))
    vizml.app.application()
    qInstallMessageHandler(user.on_message)
    warnings.showwarning = user.on_warning
    QTimer.singleShot(0, user.start)
    status = vizml.app.main(None)
    qInstallMessageHandler(None)
    left = [thread.name for thread in threading.enumerate() if not thread.daemon]
    if status or left != [threading.main_thread().name]:
        user.fail(f"status {status}, threads left: {left}")
    warm = [used for when, used, _ in user.memory if when > WARM]
    half = len(warm) // 2
    if half and median(warm[half:]) > GROWTH * median(warm[:half]):
        halves = f"{median(warm[:half]):.0f} to {median(warm[half:]):.0f} MB"
        user.fail(f"the median of the memory grew from {halves} after minute 15")
    user.failures.update(user.blocks.failures())
    for failure, count in user.failures.most_common():
        print(f"{count:5d}  {failure}")
    print(user.blocks.report())
    readings = (f"{when / 60:.0f}: {used:.0f} ({own:.0f})" for when, used, own in user.memory)
    print("memory (minute: MB, of which malloc has in use):", ", ".join(readings))
    total = sum(user.failures.values())
    print(f"random: seed {seed}, {user.actions} actions in {seconds:.0f} s, {total} failures")
    return int(bool(user.failures))
