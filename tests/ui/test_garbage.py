"""Objects of Qt that are left in reference cycles are deleted in the thread of the window."""

import threading

from PySide6.QtCore import QObject, Qt

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
