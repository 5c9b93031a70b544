"""Events of Qt, threads and processes, and processor time, in tests that must not depend on a clock."""

import time
from functools import lru_cache

import numpy as np

LIMIT = 60.0
"""Seconds that only a failure takes, on a slow and busy machine too."""
REFERENCE = 0.004
"""Seconds of the exercise on the machine that limits of processor time are meant for."""
REPEATS, PERIOD = 4, 5.0
"""Repetitions of the exercise, and seconds for which its result is kept."""
VALUES = np.random.default_rng(0).normal(size=50_000)


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
    """Return the processor time of a call in its thread, in seconds of the machine of `REFERENCE`.

    Processes that share caches and cores slow each other down: the exercise is done before and after it.
    """
    exercise = _seconds_of_exercise()
    started = time.thread_time()
    call()
    used = time.thread_time() - started
    return used / _ratio((exercise + _seconds_of_exercise()) / 2)


def slowness():
    """Return how many times as long as the machine of `REFERENCE` this one takes now, at least 1."""
    return _slowness(int(time.monotonic() // PERIOD))


@lru_cache(maxsize=1)
def _slowness(_period):
    return _ratio(_seconds_of_exercise())


def _ratio(seconds):
    return max(seconds / REFERENCE, 1.0)


def _seconds_of_exercise():
    """Return the mean processor time of a computation by numpy and by Python."""
    started = time.thread_time()
    for _ in range(REPEATS):
        np.sort(VALUES)
        sum(k * k for k in range(50_000))
    return (time.thread_time() - started) / REPEATS
