"""Events of Qt in tests that must not wait for a fixed time."""

from PySide6.QtCore import QCoreApplication, QEvent


def pass_events() -> None:
    """Deliver all events that are due, and those that they cause: layouts, paints, zero timers."""
    for _ in range(5):
        QCoreApplication.sendPostedEvents()
        QCoreApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
