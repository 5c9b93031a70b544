"""The table editor: edits of cells and rows, order, and the link with the canvas."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit

from tests.events import pass_events
from vizml.data import Column, Dataset, generate
from vizml.learn import create
from vizml.ui.table.panel import DatasetModel
from vizml.ui.widgets.buttons import IconButton
from vizml.workspace import Document, Experiment, Work

Key, Held = Qt.Key, Qt.KeyboardModifier
SKY = Column("sky", [0, 1, -1, 1], ("sunny", "rainy"))
WEATHER = Dataset.of(
    [Column("size", [3.0, 1.0, 2.0, np.nan]), Column("depth", [1.0, 2.0, 3.0, 4.0]), SKY],
    labels=[0, 1, 0, 1], missing="drop",
)  # fmt: skip


@pytest.fixture
def opened(start):
    """Opens a window on a data set, with its table."""

    def opener(dataset=WEATHER):
        window = start(Work(dataset, (Experiment(create("tree")),)), size=(1280, 800))
        window.commands["table"].trigger()
        pass_events()
        return window

    return opener


@pytest.fixture
def window(opened):
    return opened()


def shown(window):
    model = window.table.table.model()
    rows, columns = range(model.rowCount()), range(model.columnCount())
    return [[model.index(row, column).data() for column in columns] for row in rows]


def editor(window, row, column, kind=QLineEdit):
    """The editor of a cell, opened by F2."""
    table = window.table.table
    table.setFocus()
    table.setCurrentIndex(table.model().index(row, column))
    QTest.keyClick(table, Key.Key_F2)
    return next(found for found in table.viewport().findChildren(kind) if found.isVisible())


def enter(box, text):
    field = box.lineEdit() if isinstance(box, QComboBox) else box
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Key.Key_Return)
    pass_events()


def test_all_columns_and_the_class_are_shown_with_empty_cells_for_missing_values(window):
    assert shown(window) == [
        ["3", "1", "sunny", "A"],
        ["1", "2", "rainy", "B"],
        ["2", "3", "", "A"],
        ["", "4", "rainy", "B"],
    ]
    header = window.table.table.model().headerData
    assert [header(k, Qt.Orientation.Horizontal) for k in range(4)] == ["size", "depth", "sky", "class"]


def test_typing_changes_a_cell_and_undo_restores_it(window):
    enter(editor(window, 1, 0), "7.5")
    assert window.document.dataset.column("size").values[1] == 7.5
    assert window.document.undo_label == "set 'size'"
    window.commands["undo"].trigger()
    assert window.document.dataset is window.document.saved.work.dataset
    assert shown(window)[1][0] == "1"


@pytest.mark.parametrize(
    "text, cell", [("-0.5", "−0.5"), ("1e-20", "10⁻²⁰"), ("0.1234567890123", "0.123456789")]
)
def test_numbers_are_typeset_in_cells_and_exact_in_their_editors(window, text, cell):
    enter(editor(window, 1, 0), text)
    assert shown(window)[1][0] == cell
    assert editor(window, 1, 0).text() == text


def test_enter_goes_down_and_tab_to_the_right(window):
    table = window.table.table
    enter(editor(window, 1, 0), "5")
    assert (table.currentIndex().row(), table.currentIndex().column()) == (2, 0)
    field = editor(window, 2, 0)
    QTest.keyClicks(field, "6")
    QTest.keyClick(field, Key.Key_Tab)
    QTest.keyClicks(table.focusWidget() or QApplication.focusWidget(), "8")
    QTest.keyClick(QApplication.focusWidget(), Key.Key_Return)
    pass_events()
    assert [row[:2] for row in shown(window)[1:3]] == [["5", "2"], ["6", "8"]]


def test_letters_are_for_the_cell_and_not_for_the_tools(window):
    table = window.table.table
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 2))
    QTest.keyClicks(table, "d")
    assert window.preferences.look.theme.name == "light"
    assert [box.currentText() for box in table.findChildren(QComboBox) if box.isVisible()] == ["d"]


def test_a_category_is_chosen_or_typed_anew(window):
    box = editor(window, 2, 2, QComboBox)
    assert [box.itemText(k) for k in range(box.count())] == ["sunny", "rainy"]
    enter(box, "foggy")
    assert window.document.dataset.column("sky").categories == ("sunny", "rainy", "foggy")
    enter(editor(window, 0, 3, QComboBox), "B")
    assert window.document.dataset.labels.tolist() == [1, 1, 0, 1]


def test_a_category_that_is_chosen_in_the_list_is_taken_over_at_once(window, qtbot):
    box = editor(window, 1, 2, QComboBox)
    box.setCurrentIndex(0)
    box.activated.emit(0)
    qtbot.waitUntil(lambda: window.document.dataset.column("sky").values[1] == 0)
    qtbot.waitUntil(lambda: not window.table.table.findChildren(QComboBox))


def test_buttons_keep_the_text_of_the_cell_that_is_being_edited(window):
    QTest.keyClicks(editor(window, 1, 0), "5")
    add = next(b for b in window.table.findChildren(IconButton) if "Add a row" in b.accessibleName())
    QTest.mouseClick(add, Qt.MouseButton.LeftButton)
    assert [row[0] for row in shown(window)] == ["3", "5", "2", "", "3"]


def test_a_cell_that_is_being_edited_is_part_of_the_work_that_is_closed(window, answer):
    asked = answer("cancel")
    QTest.keyClicks(editor(window, 1, 0), "5")
    window.close()
    assert asked
    assert window.document.dataset.column("size").values[1] == 5


def test_a_text_that_is_no_value_is_refused_in_the_status_bar(window):
    before = window.document.dataset
    enter(editor(window, 0, 0), "three")
    assert window.status.currentMessage() == "'three' is no finite number: column 'size' holds numbers"
    assert window.document.dataset is before


@pytest.mark.parametrize(
    "column, order, sizes",
    [
        (0, Qt.SortOrder.AscendingOrder, ["1", "2", "3", ""]),
        (0, Qt.SortOrder.DescendingOrder, ["3", "2", "1", ""]),
        (2, Qt.SortOrder.AscendingOrder, ["1", "", "3", "2"]),
        (-1, Qt.SortOrder.AscendingOrder, ["3", "1", "2", ""]),
    ],
)
def test_rows_are_sorted_by_a_column_with_missing_values_last(window, column, order, sizes):
    before = window.document.dataset
    window.table.table.sortByColumn(column, order)
    assert [row[0] for row in shown(window)] == sizes
    assert window.document.dataset is before


def test_a_sorted_table_keeps_its_order_through_edits(window):
    window.table.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    enter(editor(window, 0, 0), "9")
    assert [row[0] for row in shown(window)] == ["9", "2", "3", ""]
    window.document.erase(window.document.dataset.ids == 2)
    window.document.add([[0.5, 0.5]], 0)
    assert [row[0] for row in shown(window)] == ["9", "3", "", "0.5"]


def test_rows_and_points_are_selected_together(window):
    table, selection = window.table.table, window.canvas.selection
    table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    table.selectRow(0)
    assert selection.ids.tolist() == [1]
    selection.set_ids(np.array([0, 2]))
    assert [index.row() for index in table.selectionModel().selectedRows()] == [1, 2]
    selection.clear()
    assert not table.selectionModel().hasSelection()
    QTest.keyClick(table, Key.Key_A, Held.ControlModifier)
    assert selection.mask.all()


def test_many_scattered_points_are_highlighted_without_delay(opened):
    rng = np.random.default_rng(0)
    window = opened(Dataset(rng.normal(size=(5000, 2)), rng.integers(0, 2, 5000)))
    mask = rng.random(5000) < 0.5
    window.canvas.selection.set(mask)
    assert window.table.table.selected.tolist() == mask.tolist()


def test_large_tables_are_asked_for_their_visible_cells_only(opened, monkeypatch):
    rng, rows, asked = np.random.default_rng(0), 20_000, []
    columns = [Column(f"column {k}", rng.normal(size=rows)) for k in range(20)]
    for name in ("data", "flags", "headerData"):
        real = getattr(DatasetModel, name)
        monkeypatch.setattr(DatasetModel, name, lambda *args, f=real: asked.append(f) or f(*args))
    window = opened(Dataset.of(columns, labels=np.arange(rows) % 3))
    table = window.table.table
    table.selectAll()
    table.sortByColumn(3, Qt.SortOrder.AscendingOrder)
    table.scrollToBottom()
    pass_events()
    assert 100 < len(asked) < rows
    assert len(window.canvas.selection.ids) == rows


def test_delete_removes_the_selected_rows(window):
    table = window.table.table
    table.selectRow(1)
    QTest.keyClick(table, Key.Key_Delete)
    assert [row[1] for row in shown(window)] == ["1", "3", "4"]
    assert window.document.undo_label == "erase 1 point"


def test_rows_go_through_the_clipboard(window):
    table = window.table.table
    table.selectRow(1)
    QTest.keyClick(table, Key.Key_C, Held.ControlModifier)
    assert QGuiApplication.clipboard().text() == "size\tdepth\tsky\tclass\n1\t2\trainy\tB\n"
    QGuiApplication.clipboard().setText("8\t9\n10\t11\n")
    table.setCurrentIndex(table.model().index(3, 0))
    QTest.keyClick(table, Key.Key_V, Held.ControlModifier)
    assert [row[:2] for row in shown(window)[3:]] == [["8", "9"], ["10", "11"]]
    assert window.document.undo_label == "paste cells"


def test_a_row_is_added_with_the_medians_and_edited(window):
    window.table.add_row()
    assert shown(window)[4] == ["2", "2.5", "", "A"]
    assert any(box.isVisible() for box in window.table.table.findChildren(QLineEdit))


def test_the_row_under_the_pointer_is_ringed_on_the_canvas_and_back(window):
    table, canvas = window.table.table, window.canvas
    place = table.visualRect(table.model().index(2, 0)).center()
    QTest.mouseMove(table.viewport(), place)
    pass_events()
    assert canvas.pointed == 2
    pixel = canvas.plot_geometry.to_pixels([[1.0, 2.0]])[0]
    QTest.mouseMove(canvas, QPoint(*pixel.astype(int)))
    pass_events()
    assert table.hot == 1


def test_a_hidden_table_follows_when_it_is_shown_again(window):
    window.commands["table"].trigger()
    window.document.set_dataset("draw", generate("iris"))
    assert window.table.table.model().rowCount() == 4
    window.commands["table"].trigger()
    assert window.table.table.model().rowCount() == 150


def test_the_table_is_reached_by_the_keyboard(window):
    assert window.commands["table"].shortcut().toString() == "F4"
    table = window.table.table
    assert table.accessibleName()
    table.setFocus()
    QTest.keyClick(table, Key.Key_Tab)
    pass_events()
    assert QApplication.focusWidget() is not table


def test_a_table_without_rows_is_shown_again_without_a_warning_of_qt(opened):
    """It has no first and no last index; qt_log_level_fail makes the warning a failure."""
    window = opened(Dataset.empty())
    window.table.table.model().refresh()
    assert window.table.table.model().rowCount() == 0


@pytest.mark.parametrize("column, kind", [(0, QLineEdit), (2, QComboBox)])
def test_an_entry_into_a_cell_that_is_replaced_at_once_is_dropped_without_a_warning_of_qt(
    window, column, kind
):
    """Qt takes over a value some events after Enter; by then its editor may belong to no table any more."""
    box = editor(window, 0, column, kind)
    field = box.lineEdit() if isinstance(box, QComboBox) else box
    QTest.keyClicks(field, "7")
    QTest.keyClick(field, Key.Key_Return)
    other = generate("moons", n=6)
    window.document.set_dataset("other", other)
    pass_events()
    assert window.document.dataset is other


@pytest.mark.parametrize("dataset", [WEATHER, Dataset.empty()], ids=["rows", "no rows"])
def test_qt_finds_no_fault_in_the_model_through_edits(qapp, dataset):
    document = Document(Work(dataset, (Experiment(create("tree")),)))
    model = DatasetModel(document)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    model.paste(0, 0, "1\t2\n3\t4\n")
    for edit in (document.undo, document.redo, lambda: model.sort(0), lambda: document.add([[9.0, 9.0]], 2)):
        edit()
        model.refresh()
    assert model.rowCount() == len(document.dataset)
