"""The dialog that asks for columns: what it offers, what it says, and what it hands over."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox

from vizml.data import Dataset
from vizml.data.cells import parse_rows
from vizml.data.tables import Mapping, guess, to_dataset, to_table
from vizml.paint.pens import colour
from vizml.scene import LIGHT
from vizml.ui.dialogs.csv_import import KIND, SHOWN, CsvDialog, summary
from vizml.ui.widgets import appearance
from vizml.ui.widgets.appearance import current
from vizml.workspace.preferences import LARGE

TEXT = "height,name,weight,kind\n" + "".join(f"{k}.5,n{k},{2 * k},{'ab'[k % 2]}\n" for k in range(9))


@pytest.fixture
def table():
    return to_table(parse_rows(TEXT, "people.csv"))


@pytest.fixture
def ask(qtbot, table):
    opened = []

    def open_on(mapping):
        dialog = CsvDialog(table, mapping)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        qtbot.addWidget(dialog)
        opened.append(dialog)
        dialog.show()
        return dialog

    return open_on


def heads(dialog):
    header = dialog.preview.model()
    return [header.headerData(k, Qt.Orientation.Horizontal) for k in range(header.columnCount())]


def test_it_begins_with_what_was_guessed(ask, table):
    guessed = guess(table)
    dialog = ask(guessed)
    shown, box = dialog.mapping, dialog.across
    assert (shown.x, shown.y, shown.label) == (guessed.x, guessed.y, guessed.label)
    assert ask(Mapping(2, 0, None)).mapping == Mapping(2, 0, None)
    entries = [box.itemText(k) for k in range(box.count())]
    assert entries == ["height", "name  (text)", "weight", "kind  (text)"]
    assert dialog.label.itemText(0) == "none"
    assert box.findText("none") == dialog.up.findText("none") == -1


def test_a_choice_is_described_and_a_bad_one_cannot_be_taken_until_it_is_mended(ask):
    dialog = ask(Mapping(0, 2, None))
    for box, index, words in (
        (dialog.up, 2, "9 points"),
        (dialog.up, 1, "name"),
        (dialog.up, 2, "9 points"),
        (dialog.label, dialog.label.findData(3), "9 points of 2 classes"),
    ):
        box.setCurrentIndex(index)
        assert dialog.take.isEnabled() is (words != "name")
        assert words in dialog.summary.text()
    assert dialog.summary.text() == "9 points of 2 classes"


def test_the_columns_in_use_say_what_they_are_taken_for(ask):
    dialog = ask(Mapping(0, 2, 3))
    assert heads(dialog) == ["height → x", "name", "weight → y", "kind → class"]
    dialog.label.setCurrentIndex(0)
    assert heads(dialog) == ["height → x", "name", "weight → y", "kind"]
    used = [dialog.preview.item(0, k).flags() != Qt.ItemFlag.NoItemFlags for k in range(4)]
    inks = [dialog.preview.item(0, k).foreground().color() for k in range(4)]
    assert [ink == colour(current().theme.text) for ink in inks] == used
    assert used == [True, False, True, False]


def test_the_first_rows_are_there_with_their_lines(ask, table):
    rows = ask(guess(table)).preview
    assert rows.rowCount() == SHOWN < len(table)
    assert rows.item(1, 0).text() == "1.5"
    assert rows.verticalHeaderItem(0).text() == str(table.lines[0]) == "2"


def test_import_hands_over_the_points_of_the_choice(ask, table, qtbot):
    dialog = ask(Mapping(2, 0, 3))
    with qtbot.waitSignal(dialog.chosen) as heard:
        qtbot.mouseClick(dialog.take, Qt.MouseButton.LeftButton)
    (found,) = heard.args
    assert found == to_dataset(table, Mapping(2, 0, 3))
    assert found.points[1].tolist() == [2.0, 1.5]
    assert not dialog.isVisible()


@pytest.mark.parametrize("way", ["button", "key"])
def test_cancel_hands_over_nothing(ask, qtbot, way):
    dialog = ask(Mapping(0, 2, None))
    with qtbot.assertNotEmitted(dialog.chosen):
        if way == "key":
            qtbot.keyClick(dialog, Qt.Key.Key_Escape)
        else:
            cancel = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Cancel)
            qtbot.mouseClick(cancel, Qt.MouseButton.LeftButton)
    assert not dialog.isVisible()


@pytest.mark.parametrize(
    "labels,words",
    [([0], "1 point of 1 class"), ([0, 0], "2 points of 1 class"), ([-1], "1 point"),
     ([0, 1] * 600, "1,200 points of 2 classes"), ([0, 3, -1], "3 points of 2 classes")],
)  # fmt: skip
def test_a_data_set_in_a_line(labels, words):
    assert summary(Dataset([[0.0, float(k)] for k in range(len(labels))], labels)) == words


def test_the_heads_of_columns_are_not_cut(put):
    text = "a,b,c,d,species of the flower\n1,2,3,4,x\n5,6,7,8,y\n"
    table = to_table(parse_rows(text, "flowers.csv"))
    dialog = put(CsvDialog(table, guess(table)))
    header = dialog.preview.horizontalHeader()
    for column in range(header.count()):
        assert header.sectionSize(column) >= header.sectionSizeHint(column)


def test_empty_cells_are_asked_for_where_there_are_some(qtbot, put):
    """With merged classes and points without a class, the summary says what happens to them."""
    rows = "".join(f"{k},{k % 7},{k},c{k % 9}\n" for k in range(18))
    dialog = put(CsvDialog(to_table(parse_rows(f"a,b,c,class\n{rows},1,2,\n", "p.csv")), Mapping(1, 2, 3)))
    merged = "the 2 rarest of 9 classes merged into 'other'"
    assert not dialog.missing.isVisible()
    assert dialog.summary.text() == f"19 points of 8 classes, {merged}, 1 without a class"
    dialog.across.setCurrentIndex(0)
    assert dialog.missing.isVisible()
    undrawn = "1 without x or y is not drawn"
    assert dialog.summary.text() == (
        f"19 points of 8 classes, 1 row with empty cells left out, {merged}, {undrawn}, 1 without a class"
    )
    dialog.missing.setCurrentIndex(1)
    assert dialog.summary.text().startswith("19 points of 8 classes, 1 empty cell filled with the median")
    with qtbot.waitSignal(dialog.chosen) as heard:
        qtbot.mouseClick(dialog.take, Qt.MouseButton.LeftButton)
    (found,) = heard.args
    assert (len(found), found.missing, np.flatnonzero(np.isnan(found.x)).tolist()) == (19, "median", [18])


CELLS = [(f"{k}.5", k * k, "few" if k == 3 else k, "uv"[k % 2]) for k in range(12)]
MIXED = "a,b,c,group\n" + "".join("{},{},{},{}\n".format(*row) for row in CELLS)


def columns_dialog(qtbot):
    dialog = CsvDialog(to_table(parse_rows(MIXED + "99,1,5,u\n", "m.csv")), Mapping(0, 1, 3))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def texts(dialog, place):
    return [dialog.columns.item(row, place).text() for row in range(dialog.columns.rowCount())]


def kinds(dialog):
    return [dialog.columns.cellWidget(row, 1).currentText() for row in range(dialog.columns.rowCount())]


def test_columns_are_listed_with_kinds_missing_values_and_outliers(qtbot):
    """The dialog fits on a small screen."""
    dialog = columns_dialog(qtbot)
    assert texts(dialog, 0) == ["a", "b", "c", "group"]
    assert kinds(dialog) == ["Numbers", "Numbers", "Categories", "Categories"]
    assert texts(dialog, 2) == ["", "", "", ""]
    assert texts(dialog, 3) == ["1", "", "", ""]  # 99 in a
    assert dialog.columns.cellWidget(2, 1).width() >= dialog.columns.cellWidget(2, 1).sizeHint().width()
    assert dialog.height() <= 700


def test_kinds_inputs_and_target_can_be_chosen(qtbot):
    dialog = columns_dialog(qtbot)
    dialog.columns.cellWidget(2, 1).setCurrentIndex(1)
    assert texts(dialog, 2) == ["", "", "1", ""]
    dialog.columns.cellWidget(1, 1).setCurrentIndex(1)
    dialog.target.setCurrentIndex(dialog.target.findData(1))
    for row in (0, 2):
        dialog.columns.item(row, 4).setCheckState(Qt.CheckState.Checked)
    assert dialog.mapping == Mapping(0, 1, 3, missing="drop", inputs=(0, 2), target=1)
    assert heads(dialog)[2] == "c → input"
    with qtbot.waitSignal(dialog.chosen) as heard:
        qtbot.mouseClick(dialog.take, Qt.MouseButton.LeftButton)
    (found,) = heard.args
    assert (found.inputs, found.target, found.missing) == (("a", "c"), "b", "drop")
    assert found.axis_categories[1][:2] == ("0", "1")
    assert found.column("c").missing.sum() == 1


def test_rows_are_as_high_as_their_combo_boxes_in_large_type(qapp, ask, table):
    appearance.apply(qapp, LIGHT, LARGE)
    try:
        columns = ask(guess(table)).columns
        combo = columns.cellWidget(0, KIND)
        assert combo.height() >= combo.minimumSizeHint().height()
    finally:
        appearance.apply(qapp, LIGHT)
