import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from vizml.ui.messages import PROGRESS_HEIGHT, Log, Message, Messages


@pytest.fixture
def bar(qtbot):
    made = Messages()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def log(put):
    return put(Log(), 320, 400)


def test_without_a_message_there_is_no_bar(bar):
    for close in (bar.close_newest, lambda: bar.dismiss("run")):
        assert bar.isHidden()
        bar.error("the run failed", key="run")
        assert not bar.isHidden()
        close()
    assert bar.isHidden()
    assert bar.current is None


def test_information_goes_by_itself_and_errors_stay(bar, qtbot):
    bar.timer.setInterval(20)
    bar.error("bad")
    bar.info("good")
    assert bar.current.text == "good"
    qtbot.waitUntil(lambda: bar.current.text == "bad")
    assert not bar.timer.isActive()


def test_a_message_with_the_same_key_takes_the_place_of_the_old_one(bar):
    bar.error("first", key="file")
    bar.error("other")
    bar.error("second", key="file")
    bar.close_button.click()
    assert bar.current.text == "other"
    bar.close_newest()
    assert bar.current is None


def test_details_are_folded_until_they_are_asked_for(bar):
    bar.show()
    bar.error("bad", "line 1\nline 2")
    assert bar.details.isHidden()
    bar.details_button.click()
    assert bar.details.toPlainText() == "line 1\nline 2"
    assert not bar.details.isHidden()
    bar.error("worse")
    assert bar.details.isHidden()
    assert bar.details_button.isHidden()


def test_the_log_keeps_what_was_told_with_its_details(bar, log):
    bar.posted.connect(log.add)
    bar.error("bad", "because\nof this")
    bar.info("good")
    bar.post(Message(text="well?", kind="question"))
    lines = log.text.splitlines()
    assert len(lines) == 4
    assert lines[0].endswith("bad")
    assert lines[1:3] == ["    because", "    of this"]
    assert lines[3].endswith("good")


def test_the_log_forgets_the_oldest(log, monkeypatch):
    monkeypatch.setattr("vizml.ui.messages.KEPT", 3)
    for number in range(5):
        log.add(Message(text=f"message {number}"))
    assert [line.split()[-1] for line in log.text.splitlines()] == ["2", "3", "4"]


@pytest.mark.parametrize("by_key", [False, True])
def test_a_choice_has_a_key_is_spoken_without_it_and_closes_the_question(bar, qtbot, by_key):
    taken = []
    choices = ("&Restore", lambda: taken.append("restore")), ("Di&scard", lambda: taken.append("discard"))
    bar.post(Message(text="which?", kind="question", choices=choices))
    bar.show()
    bar.activateWindow()
    qtbot.waitUntil(bar.isActiveWindow)
    buttons = {button.text(): button for button in bar.findChildren(QPushButton)}
    assert buttons["Di&scard"].accessibleName() == buttons["Di&scard"].toolTip() == "Discard"
    if by_key:
        qtbot.keyClick(bar, Qt.Key.Key_S, Qt.KeyboardModifier.AltModifier)
    else:
        buttons["Di&scard"].click()
    qtbot.waitUntil(lambda: taken == ["discard"])  # the button goes down and up again
    assert bar.current is None


def test_what_stands_in_a_file_is_no_mark_up(bar):
    bar.error("a<b>.csv is not text")
    assert bar.text_label.textFormat() is Qt.TextFormat.PlainText
    assert bar.text_label.text() == "a<b>.csv is not text"


def done(bar):
    """How much of the foot of the bar has the accent."""
    image = bar.grab().toImage()
    row = image.height() - PROGRESS_HEIGHT + 1
    accent = bar.palette().highlight().color()
    return sum(image.pixelColor(x, row) == accent for x in range(image.width())) / image.width()


@pytest.mark.parametrize("share", [0.25, 0.6, 1.0])
def test_how_much_is_done_is_a_line_along_the_foot(bar, share):
    bar.resize(400, 40)
    bar.post(Message(text="Making", kind="tip", key="film"))
    assert done(bar) < 0.02  # the stripe at the left edge
    bar.advance("film", share)
    assert done(bar) == pytest.approx(share, abs=0.01)


def test_what_is_done_belongs_to_its_message(bar):
    bar.resize(400, 40)
    bar.post(Message(text="Making", kind="tip", key="film"))
    bar.advance("film", 0.5)
    bar.post(Message(text="Another", kind="tip", key="other"))
    assert done(bar) < 0.02
    bar.dismiss("other")
    assert done(bar) == pytest.approx(0.5, abs=0.01)
    bar.post(Message(text="Making anew", kind="tip", key="film"))
    assert done(bar) < 0.02


LONG = "lecture.csv, line 3: column 'petal length' must hold a finite number, not 'unknown'"


def high(log, row=0):
    return log.tree.visualItemRect(log.tree.topLevelItem(row)).height()


def test_a_long_message_is_all_there_and_needs_fewer_lines_in_a_wider_log(log, qtbot):
    """The time stands beside the first line."""
    log.add(Message(text="short"))
    log.add(Message(text=LONG))
    words = log.tree.fontMetrics()
    lines = words.horizontalAdvance(LONG) / log.tree.columnWidth(1)
    assert lines > 2
    qtbot.waitUntil(lambda: high(log, 1) > lines * words.height())
    assert high(log, 0) < 2.5 * words.height()
    assert not log.tree.horizontalScrollBar().isVisible()
    item = log.tree.topLevelItem(1)
    assert item.textAlignment(0) == item.textAlignment(1) == Qt.AlignmentFlag.AlignTop
    log.resize(1200, 400)
    qtbot.waitUntil(lambda: high(log, 1) < 2.5 * log.tree.fontMetrics().height())


def test_details_have_a_line_each(log, qtbot):
    log.add(Message(text="short", details="one\ntwo\nthree\nfour"))
    item = log.tree.topLevelItem(0)
    item.setExpanded(True)
    line = log.tree.fontMetrics().height()
    qtbot.waitUntil(lambda: log.tree.visualItemRect(item.child(0)).height() >= 4 * line)
