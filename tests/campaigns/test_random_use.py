import gc

from PySide6.QtWidgets import QComboBox, QLineEdit, QVBoxLayout, QWidget
from shiboken6 import isValid

from tests.campaigns.random_use import shown


def deleted_line_edits():
    gc.collect()
    return sum(isinstance(each, QLineEdit) and not isValid(each) for each in gc.get_objects())


def test_shown_widgets_are_those_in_sight_and_keep_no_wrappers(qtbot):
    before = deleted_line_edits()
    window = QWidget()
    qtbot.addWidget(window)
    box = QWidget(window)
    column = QVBoxLayout(box)
    combo, hidden = QComboBox(editable=True), QComboBox(editable=True)  # Qt makes a line edit in each
    for widget in (combo, hidden):
        column.addWidget(widget)
    window.show()
    hidden.hide()
    found = [type(each).__name__ for each in shown(window)]
    assert found == ["QWidget", "QComboBox", "QLineEdit"]
    with qtbot.waitSignal(box.destroyed):
        box.deleteLater()
    assert deleted_line_edits() == before
