import pytest
from PySide6.QtCore import Qt

from vizml.ui.messages import Log, Message

LONG = "lecture.csv, line 3: column 'petal length' must hold a finite number, not 'unknown'"


@pytest.fixture
def log(put):
    return put(Log(), 320, 400)


def high(log, row=0):
    return log.tree.visualItemRect(log.tree.topLevelItem(row)).height()


def test_a_long_message_is_all_there(log, qtbot):
    log.add(Message(text="short"))
    log.add(Message(text=LONG))
    words = log.tree.fontMetrics()
    lines = words.horizontalAdvance(LONG) / log.tree.columnWidth(1)
    assert lines > 2
    qtbot.waitUntil(lambda: high(log, 1) > lines * words.height())
    assert high(log, 0) < 2.5 * words.height()
    assert not log.tree.horizontalScrollBar().isVisible()


def test_a_wider_log_needs_fewer_lines(log, qtbot):
    log.add(Message(text=LONG))
    qtbot.waitUntil(lambda: high(log) > 2.5 * log.tree.fontMetrics().height())
    log.resize(1200, 400)
    qtbot.waitUntil(lambda: high(log) < 2.5 * log.tree.fontMetrics().height())


def test_details_have_a_line_each(log, qtbot):
    log.add(Message(text="short", details="one\ntwo\nthree\nfour"))
    item = log.tree.topLevelItem(0)
    item.setExpanded(True)
    line = log.tree.fontMetrics().height()
    qtbot.waitUntil(lambda: log.tree.visualItemRect(item.child(0)).height() >= 4 * line)


def test_the_time_stands_beside_the_first_line(log, qtbot):
    log.add(Message(text=LONG))
    item = log.tree.topLevelItem(0)
    assert item.textAlignment(0) == item.textAlignment(1) == Qt.AlignmentFlag.AlignTop
