"""A window on the screen with preferences and a state folder of its own."""

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QSettings, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.events import pass_events
from vizml.data import Dataset
from vizml.learn import create
from vizml.scene import LIGHT
from vizml.ui.preferences import QtPreferences
from vizml.ui.widgets import appearance
from vizml.ui.window import files
from vizml.ui.window.window import Window
from vizml.workspace import Document, Experiment, Work


@pytest.fixture
def folder(tmp_path):
    """Where the program keeps its state."""
    return tmp_path / "state"


@pytest.fixture
def preferences(qapp, tmp_path):
    return QtPreferences(QSettings(str(tmp_path / "vizml.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def start(qapp, qtbot, preferences, folder, monkeypatch):
    """Open a window on a work; whatever is unsaved at the end of the test is not wanted."""
    opened = []
    appearance.apply(qapp, LIGHT)

    def opener(work=None, size=(1000, 700)):
        window = Window(Document(work or four_points()), preferences, folder)
        opened.append(window)
        window.resize(*size)
        window.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        window.stage.setFocus()
        return window

    yield opener
    monkeypatch.setattr(files, "ask_to_save", lambda *_: "discard")
    for window in opened:
        window.close()
        window.deleteLater()
    pass_events()
    appearance.apply(qapp, LIGHT)


@pytest.fixture
def window(start):
    return start()


@pytest.fixture
def answer(monkeypatch):
    """What the user says when asked about unsaved work; the list of what was asked."""

    def set_answer(word):
        asked = []
        monkeypatch.setattr(files, "ask_to_save", lambda _window, name: asked.append(name) or word)
        return asked

    return set_answer


def four_points():
    dataset = Dataset([[-1, -1], [-1, 1], [1, -1], [1, 1]], [0, 0, 1, 1])
    return Work(dataset, (Experiment(create("svm", "classify")),))


def press(widget, key, held=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(widget, key, held)


def drop(widget, *paths):
    """Let files fall onto the middle of a widget."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    middle = QPoint(widget.width() // 2, widget.height() // 2)
    facts = Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(middle, *facts)
    QApplication.sendEvent(widget, enter)
    if enter.isAccepted():
        QApplication.sendEvent(widget, QDropEvent(QPointF(middle), *facts))


@pytest.fixture(name="press")
def _press():
    return press


@pytest.fixture(name="drop")
def _drop():
    return drop
