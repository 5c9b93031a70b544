"""The program: create the application, the document and the window, and end them cleanly."""

from __future__ import annotations

import gc
import logging
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.resources import as_file
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from vizml.resource_files import RESOURCES
from vizml.ui.charts.chart_view import ImportAfterPaint
from vizml.ui.messages import Message, Messages
from vizml.ui.preferences import QtPreferences
from vizml.ui.widgets import appearance
from vizml.ui.window.recovery import state_folder
from vizml.ui.window.status_bar import FIRST_MODEL
from vizml.ui.window.window import Window
from vizml.workspace import Document
from vizml.workspace.projects import Opening, opening

log = logging.getLogger(__name__)
SWITCH = 0.001
"""Thread switch interval in seconds, short so that the worker does not delay the window."""
COLLECTION = 2000
"""Milliseconds between two looks for reference cycles."""
LOG_BYTES, LOG_FILES = 1_000_000, 2
"""The size at which the log file is rotated, and how many old ones are kept: months of errors."""
HINT_KEYS = "Press ? to see all keys. A right click removes a point, the wheel zooms."
HINT_MODEL = (
    "This is a support vector machine. Click to add points, or change C to the right: the boundary follows."
)


def main(file: str | None = None) -> int:
    """Open the window, with a file where one is given, and run until it is closed."""
    sys.setswitchinterval(SWITCH)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl+C in a terminal ends it; autosave has what is unsaved
    start_logging(state_folder())
    app = application()
    preferences = QtPreferences()
    appearance.apply(app, preferences.look.theme, preferences.type_scale)
    opened = opening(preferences, state_folder(), file)
    window = Window(Document(opened.work), preferences, state_folder())
    errors = UncaughtErrors(window.messages)
    errors.install()
    begin(window, opened)
    app.aboutToQuit.connect(window.close_down)
    ImportAfterPaint(window)
    window.show()
    QTimer.singleShot(0, window, window.recovery.offer)
    with collecting_cycles():
        code = app.exec()
    errors.uninstall()
    _take_down(window)
    return code


@contextmanager
def collecting_cycles() -> Iterator[None]:
    """Collect reference cycles between the events of this thread only.

    Python collects them in whichever thread allocates, and deletes objects of Qt there and then: in a worker
    while the window uses them, or in a walk of Qt over widgets.
    """
    timer = QTimer(interval=COLLECTION)
    timer.timeout.connect(collect_cycles)
    timer.start()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def collect_cycles() -> None:
    """Collect the oldest generation of objects that is due."""
    for generation in (2, 1, 0):
        if gc.get_count()[generation] > gc.get_threshold()[generation]:
            gc.collect(generation)
            return


def start_logging(folder: Path) -> None:
    """Write errors to the standard error stream and to a rotating file in the state folder."""
    logger = logging.getLogger("vizml")
    logger.addHandler(logging.StreamHandler())
    with suppress(OSError):  # a folder that cannot be written is reported by autosave
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "vizml.log"
        file = RotatingFileHandler(path, maxBytes=LOG_BYTES, backupCount=LOG_FILES, encoding="utf-8")
        file.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        logger.addHandler(file)


def _take_down(window: Window) -> None:
    """Delete the window before Python and Qt shut down: at exit the order is undefined."""
    from vizml.paint.export import leave_clipboard

    leave_clipboard()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def application() -> QApplication:
    """The QApplication with name and icon."""
    app = QApplication.instance() or QApplication(sys.argv[:1])
    if not isinstance(app, QApplication):
        raise TypeError("a window needs a QApplication, but there is another one without windows")
    app.setApplicationName("VizML")
    app.setOrganizationName("VizML")
    app.setDesktopFileName("vizml")
    with as_file(RESOURCES / "vizml.svg") as picture:
        app.setWindowIcon(QIcon(str(picture)))
    return app


def begin(window: Window, opened: Opening) -> None:
    """Show the opened work, and messages about it."""
    if opened.path is not None:
        window.files.set_path(opened.path)
    if opened.project is not None:
        window.files.restore_view(opened.project)
    if opened.complaint:
        window.messages.error(opened.complaint, key="file")
    if opened.table is not None:
        window.files.import_table(opened.table)
    if opened.first:
        window.messages.post(Message(text=HINT_KEYS, kind="tip"))
        window.messages.post(Message(text=HINT_MODEL, kind="tip", key=FIRST_MODEL))


class UncaughtErrors(QObject):
    """Log uncaught errors of any thread, show them as a message, and let the program go on."""

    raised = Signal(str, str)

    def __init__(self, messages: Messages) -> None:
        super().__init__(messages)
        self._messages = messages
        self._before = sys.excepthook, threading.excepthook
        self.raised.connect(self._show)

    def install(self) -> None:
        """Handle all uncaught errors from now on."""
        sys.excepthook = self._handle
        threading.excepthook = lambda args: self._handle(args.exc_type, args.exc_value, args.exc_traceback)

    def uninstall(self) -> None:
        """Restore the hooks of Python."""
        sys.excepthook, threading.excepthook = self._before

    def _handle(
        self, kind: type[BaseException], error: BaseException | None, trace: TracebackType | None
    ) -> None:
        details = "".join(traceback.format_exception(kind, error, trace))
        facts = (kind, error, trace) if error is not None else None
        log.critical("Uncaught %s", kind.__name__, exc_info=facts)
        self.raised.emit(f"An error occurred ({kind.__name__}: {error}). Your work is not lost.", details)

    def _show(self, text: str, details: str) -> None:
        current = self._messages.current
        if current is None or current.text != text:  # an error in painting would come again with each message
            self._messages.error(text, details, key="fault")
