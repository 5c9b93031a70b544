"""Events of mouse and wheel, sent to a widget without asking the screen where the pointer is."""

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication

NO_BUTTON, NO_KEY = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier


def move_mouse(widget, place, buttons=NO_BUTTON, held=NO_KEY):
    place = QPointF(place)
    event = QMouseEvent(QEvent.Type.MouseMove, place, widget.mapToGlobal(place), NO_BUTTON, buttons, held)
    QApplication.sendEvent(widget, event)


def turn_wheel(widget, place, notches, held=NO_KEY, pixels=(0, 0), phase=Qt.ScrollPhase.NoScrollPhase):
    """Whether the widget took it."""
    place, turn = QPointF(place), QPoint(0, 120 * notches)
    spot = widget.mapToGlobal(place)
    event = QWheelEvent(place, spot, QPoint(*pixels), turn, NO_BUTTON, held, phase, False)
    event.ignore()
    QApplication.sendEvent(widget, event)
    return event.isAccepted()
