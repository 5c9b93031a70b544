import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from vizml.ui.widgets.tool_rail import ClassNameField


@pytest.fixture
def window(put):
    return put(QWidget(), 300, 200)


@pytest.fixture
def field(window):
    return ClassNameField(window)


@pytest.fixture
def given(field):
    """What was handed over; the name "taken" is refused."""
    names = []

    def give(name):
        if name == "taken":
            raise ValueError("the name is taken")
        names.append(name)

    field.ask(QPoint(20, 20), "Name of class 1", "A", give)
    return names


def test_what_is_written_takes_the_place_of_the_name_and_enter_takes_it(field, given):
    QTest.keyClicks(field.name, "benign")
    assert given == []
    QTest.keyClick(field.name, Qt.Key.Key_Return)
    assert given == ["benign"]
    assert not field.isVisible()


def test_escape_leaves_the_name_as_it_was(field, given):
    QTest.keyClicks(field.name, "benign")
    QTest.keyClick(field.name, Qt.Key.Key_Escape)
    assert not field.isVisible()
    assert given == []


def test_a_click_elsewhere_takes_it(field, given):
    QTest.keyClicks(field.name, "benign")
    QTest.mouseClick(field, Qt.MouseButton.LeftButton, pos=QPoint(-15, -15))
    assert not field.isVisible()
    assert given == ["benign"]


def test_a_refused_name_can_be_mended_at_once(field, given):
    QTest.keyClicks(field.name, "taken")
    QTest.keyClick(field.name, Qt.Key.Key_Return)
    assert field.isVisible()
    assert field.problem.isVisible()
    assert field.problem.text() == "the name is taken"
    assert field.problem.geometry().bottom() < field.height()
    QTest.keyClicks(field.name, "s")
    assert not field.problem.isVisible()
    QTest.keyClick(field.name, Qt.Key.Key_Return)
    assert given == ["takens"]


def test_a_refused_name_that_is_left_changes_nothing(field, given):
    QTest.keyClicks(field.name, "taken")
    field.hide()
    assert given == []


def test_it_says_what_is_asked_and_shows_the_name_chosen(field, given):
    assert field.findChild(QLabel).text() == "Name of class 1"
    assert field.name.accessibleName() == "Name of class 1"
    assert field.name.selectedText() == "A"
    assert not field.problem.isVisible()


def test_near_the_foot_of_the_screen_it_is_all_there(field, given):
    screen = field.screen().availableGeometry()
    field.ask(screen.bottomLeft(), "Name of class 8", "H", given.append)
    assert field.geometry().bottom() <= screen.bottom()
    field.hide()


def test_letters_are_no_shortcuts_while_a_name_is_written(field, given, window):
    pressed = []
    shortcut = QShortcut(QKeySequence("B"), window)
    shortcut.activated.connect(lambda: pressed.append("B"))
    QTest.keyClick(field.name, Qt.Key.Key_B)
    assert field.name.text() == "b"
    assert pressed == []
