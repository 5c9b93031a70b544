"""Garbage: cycles are collected in the thread of the window, and hidden docks keep no former run."""

import gc
import threading
import weakref

from PySide6.QtCore import QObject, Qt

from vizml.data import load
from vizml.learn import create
from vizml.workspace import Experiment, Work

MANY = 200_000
"""Objects after which Python looks for cycles many times."""


def leave_a_cycle(deleted):
    left, at_once = QObject(), Qt.ConnectionType.DirectConnection
    left.destroyed.connect(lambda: deleted.append(threading.current_thread()), at_once)
    left.itself = left


def test_cycles_are_collected_in_the_thread_of_the_window(qtbot):
    deleted, kept = [], []
    leave_a_cycle(deleted)
    worker = threading.Thread(target=lambda: kept.extend([] for _ in range(MANY)))
    worker.start()
    worker.join()
    assert deleted == []
    qtbot.waitUntil(lambda: deleted != [])
    assert deleted == [threading.main_thread()]


def test_hidden_docks_let_go_of_a_run(start, qtbot):
    """The state that the canvas shows is replaced when the pointer asks for the next one."""
    window = start(Work(load("moons:n=60,seed=1"), (Experiment(create("svm")),)), (1280, 900))
    qtbot.waitUntil(lambda: window.stage.settled)
    window.diagnostic_docks.diagnostics.choose("ROC curve")
    for shown in (True, False):
        for name in ("readout", "diagnostics", "model"):
            window.docks.show(getattr(window.docks, name), shown=shown)
        qtbot.waitUntil(lambda: not window.diagnostic_docks.controller.running)
    states = [weakref.ref(state) for state in window.stage.frame.states]
    window.document.open(Work(load("blobs:n=10"), (Experiment(create("lda")),)))
    qtbot.waitUntil(lambda: window.stage.settled and window.stage.state not in [state() for state in states])

    def left():
        gc.collect()
        return sum(state() is not None for state in states)

    assert len(states) > 5
    qtbot.waitUntil(lambda: left() <= 1)
