"""What holds for every test: no screen, nobody's settings, and nothing left running afterwards."""

import logging
import os
import shutil
import sys
import tempfile
import threading
import time
import weakref
from pathlib import Path

import pytest

from tests.events import LIMIT

XDG_FOLDERS = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")

private_home = pytest.StashKey[Path]()


def pytest_configure(config):
    """Before anything of ours is imported: draw offscreen, and keep settings and autosaves apart."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the program sets it
    home = config.stash[private_home] = Path(tempfile.mkdtemp(prefix="vizml-tests-"))
    for name in XDG_FOLDERS:
        folder = home / name.lower()
        folder.mkdir()
        os.environ[name] = str(folder)
    _steady_hypothesis()


def pytest_sessionfinish():
    """Empty the clipboard: data from Python that outlive the application crash the interpreter at its end."""
    if "PySide6.QtGui" in sys.modules:
        from PySide6.QtGui import QGuiApplication

        if QGuiApplication.instance() is not None:
            QGuiApplication.clipboard().clear()


def pytest_unconfigure(config):
    shutil.rmtree(config.stash[private_home], ignore_errors=True)


def _steady_hypothesis():
    """The same suite gives the same answer twice, on a slow machine too."""
    from hypothesis import settings

    settings.register_profile("steady", deadline=None, derandomize=True)
    settings.load_profile("steady")


@pytest.fixture(scope="session")
def started_timers():
    """Every QTimer that Python code has started and that still exists."""
    timers = weakref.WeakSet()
    if "PySide6.QtCore" not in sys.modules:
        yield timers
        return
    from PySide6.QtCore import QTimer

    start = QTimer.start

    def remember_and_start(timer, *args):
        timers.add(timer)
        start(timer, *args)

    QTimer.start = remember_and_start
    yield timers
    QTimer.start = start


@pytest.fixture
def qtbot(qapp, request):
    """The fixture of pytest-qt with limits that only a failure reaches."""
    from pytestqt.qtbot import QtBot

    class PatientBot(QtBot):
        def waitUntil(self, callback, *, timeout=int(1000 * LIMIT)):
            super().waitUntil(callback, timeout=timeout)

        def waitSignal(self, signal, *, timeout=int(1000 * LIMIT), **given):
            return super().waitSignal(signal, timeout=timeout, **given)

    return PatientBot(request)


@pytest.fixture(autouse=True)
def _nothing_is_left_running(started_timers):
    threads_before = set(threading.enumerate())
    timers_before = _active(started_timers)
    yield
    threads = _still_alive(set(threading.enumerate()) - threads_before)
    timers = _active(started_timers) - timers_before
    for timer in timers:
        timer.stop()  # so that the next test does not meet it
    assert not threads, f"left running: {', '.join(thread.name for thread in threads)}"
    assert not timers, f"left active: {', '.join(_describe(timer) for timer in timers)}"


@pytest.fixture(autouse=True)
def _no_key_is_held():
    """Qt remembers the modifiers of the last event, and with Shift held another row is selected."""
    yield
    if "PySide6.QtWidgets" in sys.modules:
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest
        from PySide6.QtWidgets import QApplication, QWidget

        if QApplication.instance() is not None and QApplication.keyboardModifiers():
            QTest.keyRelease(QWidget(), Qt.Key.Key_Shift)
            assert not QApplication.keyboardModifiers()


class ErrorLog(logging.Handler):
    """The errors that vizml has logged during a test."""

    def __init__(self):
        super().__init__(logging.ERROR)
        self.records, self.expected = [], False

    def emit(self, record):
        self.records.append(record)

    @property
    def texts(self):
        return [record.getMessage() for record in self.records]


@pytest.fixture(autouse=True)
def _error_log():
    log = ErrorLog()
    logging.getLogger("vizml").addHandler(log)
    yield log
    logging.getLogger("vizml").removeHandler(log)
    if "vizml.run.errors" in sys.modules:
        sys.modules["vizml.run.errors"].REPORTED.clear()
    assert log.expected or not log.records, f"logged errors: {'; '.join(log.texts)}"


@pytest.fixture
def logged_errors(_error_log):
    """The log of a test that expects errors: those of other tests fail them."""
    _error_log.expected = True
    return _error_log


def _still_alive(threads):
    deadline = time.monotonic() + LIMIT
    for thread in threads:
        if not thread.daemon:
            thread.join(max(0.0, deadline - time.monotonic()))
    return [thread for thread in threads if thread.is_alive() and not thread.daemon]


def _active(timers):
    if not timers:
        return set()
    from PySide6.QtCore import QCoreApplication, QEvent
    from shiboken6 import isValid

    # a closed window and its timers are gone only once deleteLater has been served
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    return {timer for timer in timers if isValid(timer) and timer.isActive()}


def _describe(timer):
    owner = timer.parent()
    return f"QTimer of {type(owner).__name__ if owner else 'nobody'}, every {timer.interval()} ms"
