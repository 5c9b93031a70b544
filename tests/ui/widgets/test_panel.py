import re

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from tests.events import pass_events
from vizml.data import Split
from vizml.learn import create, models
from vizml.ui.widgets.parameter_rows import symbol_of
from vizml.ui.widgets.side_panel import SidePanel
from vizml.workspace import Document, Experiment, Work

Key = Qt.Key


@pytest.fixture
def panel(put, document):
    panel = put(SidePanel(document), 320, 600, closing=SidePanel.close_down)
    panel.form.rows["C"].control.slider.setFocus()
    return panel


def type_into(line, text, key=Key.Key_Return):
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, key)


def model_of(document):
    return document.experiment().model


def undo_labels(document):
    labels = []
    while document.undo_label:
        labels.append(document.undo_label)
        document.undo()
    return labels


# -- numbers ---------------------------------------------------------------------------------------------


def test_one_drag_of_a_slider_is_one_undo_entry_and_trains_all_along(panel, document, hand, qtbot):
    seen = []
    document.changed.connect(lambda _: seen.append(model_of(document).C))
    slider = panel.form.rows["C"].control.slider
    hand.drag(slider, 150, 180, 210, 240)
    assert seen == sorted(seen)
    assert len(seen) == 4
    assert undo_labels(document) == ["set C"]
    assert model_of(document).C == 1.0


@pytest.mark.parametrize("name, typed", [("C", "-1"), ("C", "many"), ("C", "nan"), ("k", "2.5"), ("k", "51")])
def test_a_refused_number_shows_why_and_leaves_the_model(panel, document, name, typed):
    row, before = panel.form.rows[name], model_of(document)
    type_into(row.control.box.lineEdit(), typed)
    assert model_of(document) is before
    assert row.problem.isVisible()
    assert row.problem.text().startswith(f"{name} must be a")
    assert typed in row.problem.text()
    assert row.control.box.lineEdit().text() == typed
    type_into(row.control.box.lineEdit(), "4")
    assert not row.problem.isVisible()
    assert getattr(model_of(document), name) == 4


def test_what_is_typed_while_the_model_is_replaced_is_dropped(panel, document):
    """The focus leaves a box before it is deleted: its text is a value of the model before."""
    field = panel.form.rows["C"].control.box.lineEdit()
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "5")
    document.set_model(create("svm"))
    pass_events()
    assert model_of(document).C == 1.0


def test_a_word_is_the_automatic_choice_until_the_slider_says_otherwise(panel, document, hand):
    control = panel.form.rows["gamma"].control
    chip = control.chips.chips[0]
    assert chip.isChecked()
    assert control.box.lineEdit().text() == ""
    hand.drag(control.slider, 100, 120)
    number = model_of(document).gamma
    assert isinstance(number, float)
    assert not chip.isChecked()
    chip.click()
    assert model_of(document).gamma == "scale"
    chip.click()
    assert model_of(document).gamma == number
    type_into(control.box.lineEdit(), "scale")
    assert model_of(document).gamma == "scale"


# -- rows ------------------------------------------------------------------------------------------------


def test_a_parameter_shows_only_where_it_means_something(panel, document):
    degree = panel.form.rows["degree"]
    assert not degree.isVisible()
    document.set_param("kernel", "poly")
    assert degree.isVisible()
    document.undo()
    assert not degree.isVisible()


def test_reset_is_there_once_a_value_is_not_the_default(panel, document, qtbot):
    row = panel.form.rows["C"]
    assert not row.reset.isVisible()
    document.set_param("C", 10)
    assert row.reset.isVisible()
    qtbot.mouseClick(row.reset, Qt.MouseButton.LeftButton)
    assert model_of(document).C == 1.0
    assert not row.reset.isVisible()


def test_a_double_click_on_the_label_resets(panel, document, qtbot):
    document.set_param("C", 10)
    qtbot.mouseDClick(panel.form.rows["C"].label, Qt.MouseButton.LeftButton)
    assert model_of(document).C == 1.0


def test_undo_and_redo_move_the_controls_in_the_same_rows(panel, document):
    rows = dict(panel.form.rows)
    document.set_param("C", 100)
    slider, box = rows["C"].control.slider, rows["C"].control.box
    far = slider.value()
    assert box.lineEdit().text() == "100"
    document.undo()
    assert (slider.value() < far, box.lineEdit().text()) == (True, "1.00")
    document.redo()
    assert slider.value() == far
    assert panel.form.rows == rows


# -- task and algorithm ----------------------------------------------------------------------------------


def test_a_task_remembers_its_model_and_an_algorithm_its_parameters(qtbot):
    document = Document(Work.fresh())
    panel = SidePanel(document)
    qtbot.addWidget(panel, before_close_func=SidePanel.close_down)
    document.set_param("C", 5)
    panel.task.control.combo.setCurrentIndex(panel.task.control.combo.findData("regress"))
    assert model_of(document).task.id == "regress"
    assert panel.picker.currentText() == model_of(document).title
    panel.task.control.combo.setCurrentIndex(panel.task.control.combo.findData("classify"))
    assert model_of(document) == create("svm", C=5)
    panel.picker.picked.emit(type(create("knn")))
    panel.picker.picked.emit(type(create("svm")))
    assert model_of(document) == create("svm", C=5)


def test_only_tasks_with_models_are_offered(panel):
    combo = panel.task.control.combo
    offered = [combo.itemData(i) for i in range(combo.count())]
    assert offered == list(dict.fromkeys(kind.task.id for kind in models()))


def test_an_algorithm_is_found_by_typing(panel, document, qtbot):
    panel.picker.search()
    popup = panel.picker.popup
    QTest.keyClicks(popup.query, "k nearest")
    assert [kind.id for kind in popup.kinds_shown()] == ["knn"]
    QTest.keyClick(popup.query, Key.Key_Return)
    assert model_of(document).id == "knn"
    assert not popup.isVisible()
    assert panel.picker.currentText() == create("knn").title
    assert panel.about.text() == create("knn").about


def test_a_letter_on_the_picker_starts_the_search(panel):
    panel.picker.setFocus()
    QTest.keyClick(panel.picker, Key.Key_K)
    assert panel.picker.popup.query.text() == "k"
    panel.picker.popup.hide()


def test_another_algorithm_lets_the_old_rows_go(panel, document, qtbot):
    old = panel.form.rows["hidden"]
    document.set_model(create("svm"))
    QApplication.sendPostedEvents(None, 52)
    assert "hidden" not in panel.form.rows
    assert old not in panel.findChildren(type(old))
    assert document.undo_label == "choose Support vector machine"


# -- seed and held-out points ----------------------------------------------------------------------------


def test_points_are_held_out_by_a_share_with_its_own_seed(panel, document, hand):
    assert not panel.split_seed.isVisible()
    hand.drag(panel.share.control.slider, 8, 60, 150)
    assert 0.2 < document.split.share < 0.3
    assert panel.split_seed.isVisible()
    panel.split_seed.randomise()
    assert document.split.seed != 0
    assert document.experiment().seed == 0
    document.undo()
    document.undo()
    assert document.split.share == 0
    assert panel.share.control.box.lineEdit().text() == "0 %"


def test_the_last_rows_are_held_out_without_a_seed(panel, document):
    document.set_split(Split(0.25))
    panel.last.control.check.click()
    assert document.split == Split(0.25, last=True)
    assert not panel.split_seed.isVisible()
    document.undo()
    assert not document.split.last


# -- space -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [kind.id + " " + kind.task.id for kind in models()])
def test_no_model_is_wider_than_the_panel(put, kind):
    id_, task = kind.split()
    panel = put(
        SidePanel(Document(Work(Document().dataset, (Experiment(create(id_, task)),)))),
        320,
        500,
        closing=SidePanel.close_down,
    )
    assert panel.area.horizontalScrollBar().maximum() == 0
    assert panel.area.widget().minimumSizeHint().width() <= panel.area.viewport().width()


def test_the_scroll_bar_takes_no_width_from_the_rows(panel):
    panel.resize(320, 1600)
    pass_events()
    wide = panel.form.width()
    panel.resize(320, 300)
    pass_events()
    assert panel.area.verticalScrollBar().maximum() > 0
    assert panel.form.width() == wide
    assert panel.form.mapTo(panel, QPoint(0, 0)).x() == 16


def test_no_symbol_of_any_model_is_left_as_a_name_of_tex():
    symbols = {symbol_of(param) for model in models() for param in model.parameters() if param.symbol}
    assert not [symbol for symbol in symbols if re.search(r"\\|[A-Za-z]{4}", symbol)]


def test_the_formula_explains_its_symbols_and_gives_way_to_parameters(panel, document):
    document.set_model(create("svm"))
    card = panel.formula
    QApplication.sendEvent(card, QHelpEvent(QEvent.Type.ToolTip, QPoint(), card.mapToGlobal(QPoint())))
    assert "<p>C: " in QToolTip.text(), "all of them where the pointer is on none"
    panel.resize(320, 250)
    assert panel.formula.isHidden()
    document.set_model(create("logistic"))
    assert panel.formula.isHidden()
    panel.resize(320, 600)
    assert panel.formula.isVisible()


def test_conventions_unfold_below_the_formula(panel, document):
    document.set_model(create("ridge"))
    assert "scikit-learn" not in panel.remarks.text()
    assert "scikit-learn" in panel.remarks.toolTip()
    panel.remarks.linkActivated.emit("#")
    assert "Ridge(alpha = λ)" in panel.remarks.text()
    document.set_model(create("lda"))
    assert panel.remarks.isHidden()
