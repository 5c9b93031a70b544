"""A view on the screen, and a hand on it."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.ui.pointer import move_mouse, turn_wheel

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


class Hand:
    """Works at places in a widget's pixels."""

    def __init__(self, widget):
        self.widget = widget

    def move(self, x, y, buttons=Qt.MouseButton.NoButton):
        move_mouse(self.widget, QPoint(round(x), round(y)), buttons)

    def press(self, x, y):
        QTest.mousePress(self.widget, LEFT, NONE, QPoint(round(x), round(y)))

    def release(self, x, y):
        QTest.mouseRelease(self.widget, LEFT, NONE, QPoint(round(x), round(y)))

    def click(self, x, y):
        self.move(x, y)
        self.press(x, y)
        self.release(x, y)

    def drag(self, *places):
        self.press(*places[0])
        for place in places[1:]:
            self.move(*place, LEFT)
        self.release(*places[-1])

    def wheel(self, x, y, notches):
        turn_wheel(self.widget, QPointF(x, y), notches)

    def leave(self):
        QApplication.sendEvent(self.widget, QEvent(QEvent.Type.Leave))


@pytest.fixture
def shown(qtbot):
    """Puts a widget on the screen; gives the hand on it."""

    def show(widget, width=420, height=300):
        qtbot.addWidget(widget)
        widget.resize(width, height)
        widget.show()
        return Hand(widget)

    return show


@pytest.fixture
def heard():
    """Listens to a signal; gives the list of what it carried."""

    def listen(signal):
        found = []
        signal.connect(lambda *said: found.append(said[0] if len(said) == 1 else said))
        return found

    return listen
