"""Events of Qt, threads and processes, and processor time, in tests that must not depend on a clock."""

import time

LIMIT = 60.0
"""Seconds that only a failure takes, on a slow and busy machine too."""


def pass_events() -> None:
    """Deliver all events that are due, and those that they cause: layouts, paints, zero timers."""
    from PySide6.QtCore import QCoreApplication, QEvent

    for _ in range(5):
        QCoreApplication.sendPostedEvents()
        QCoreApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def wait_for(condition, problem="the condition does not hold"):
    """Wait until a condition of another thread or process holds, without events of Qt; its value."""
    deadline = time.monotonic() + LIMIT
    while not (value := condition()):
        assert time.monotonic() < deadline, problem
        time.sleep(0.01)
    return value


def cpu_seconds(call):
    """Return the processor time of a call in its thread, which a busy machine does not change."""
    started = time.thread_time()
    call()
    return time.thread_time() - started
