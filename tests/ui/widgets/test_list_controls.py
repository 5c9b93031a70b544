"""Editors of lists: numbers, kernels of a sum, members of an ensemble."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from tests.events import pass_events
from vizml.learn import create, models
from vizml.learn.ensembles.members import member_text, parse_member
from vizml.ui.widgets.side_panel import SidePanel

LEFT, Key = Qt.MouseButton.LeftButton, Qt.Key


@pytest.fixture
def control_of(qtbot, document):
    """The control of a parameter of a model, in the side panel."""

    def made(name, model):
        document.set_model(model)
        panel = SidePanel(document)
        qtbot.addWidget(panel, before_close_func=SidePanel.close_down)
        panel.resize(320, 3000)
        panel.show()
        panel.activateWindow()
        qtbot.waitUntil(panel.isActiveWindow)
        return panel.form.rows[name].control

    return made


def value_of(document, name):
    return document.experiment().model.values[name]


def test_hidden_layers_are_added_changed_and_removed(control_of, document):
    layers = control_of("hidden", create("mlp"))
    QTest.mouseClick(layers.add, LEFT)
    assert value_of(document, "hidden") == "8,8,8"
    assert not layers.add.isEnabled()
    QTest.keyClick(layers.boxes[2], Key.Key_Up)
    assert value_of(document, "hidden") == "8,8,9"
    QTest.mouseClick(layers.remove, LEFT)
    QTest.mouseClick(layers.remove, LEFT)
    assert value_of(document, "hidden") == "8"
    assert not layers.remove.isEnabled()
    box = layers.boxes[0]
    box.setFocus()
    box.lineEdit().selectAll()
    QTest.keyClicks(box.lineEdit(), "40")
    QTest.keyClick(box.lineEdit(), Key.Key_Return)
    assert value_of(document, "hidden") == "8"
    assert box.property("wrong")


def test_weights_begin_with_none(control_of, document):
    weights = control_of("weights", create("voting"))
    assert (weights.boxes, weights.remove.isEnabled()) == ([], False)
    QTest.mouseClick(weights.add, LEFT)
    assert value_of(document, "weights") == "1.0"


def test_kernels_of_a_sum_are_switched_and_one_stays(control_of, document):
    kernel = control_of("kernel", create("gp", "regress"))
    linear = next(chip for chip in kernel.chips if chip.option == "linear")
    QTest.mouseClick(linear, LEFT)
    assert value_of(document, "kernel") == "rbf+linear"
    QTest.mouseClick(kernel.chips[0], LEFT)
    assert value_of(document, "kernel") == "linear"
    QTest.mouseClick(linear, LEFT)
    assert value_of(document, "kernel") == "linear"
    assert linear.isChecked()


def test_members_are_added_chosen_set_up_and_removed(control_of, document):
    members = control_of("members", create("voting", members="svm,tree"))
    editor = members.editors[0]
    editor.combo.setCurrentIndex(editor.combo.findData("knn"))
    QTest.mouseClick(editor.settings, LEFT)
    editor.form.rows["k"].control.box.stepBy(2)
    assert value_of(document, "members") == "knn(k=8),tree"
    QTest.mouseClick(members.add, LEFT)
    assert value_of(document, "members") == "knn(k=8),tree,tree"
    QTest.mouseClick(members.editors[1].remove, LEFT)
    QTest.mouseClick(members.editors[0].remove, LEFT)
    assert value_of(document, "members") == "tree"
    assert not members.editors[0].remove.isVisible()


def test_the_base_of_bagging_is_one_model(control_of, document):
    base = control_of("base", create("bagging"))
    assert not base.add.isVisible()
    base.editors[0].combo.setCurrentIndex(base.editors[0].combo.findData("mlp"))
    assert value_of(document, "base") == "mlp"
    QTest.mouseClick(base.editors[0].settings, LEFT)
    QTest.mouseClick(base.editors[0].form.rows["hidden"].control.add, LEFT)
    assert value_of(document, "base") == "mlp(hidden=8,8,8)"


@pytest.mark.parametrize("task", ["classify", "regress"])
def test_a_text_names_each_model_with_its_parameters(task):
    for kind in models(task):
        model = kind()
        for param in model.parameters():
            for value in (getattr(param, "hi", None), *getattr(param, "options", ()), True):
                try:
                    other = model.with_(**{param.name: value})
                except ValueError:
                    continue
                assert parse_member(member_text(other), other.task) == other


@pytest.mark.parametrize(
    "name, model", [("hidden", "mlp"), ("members", "stacking"), ("weights", "voting"), ("base", "bagging")]
)
def test_no_list_is_edited_as_free_text(control_of, name, model):
    control = control_of(name, create(model))
    assert not [
        line
        for line in control.body.findChildren(QLineEdit)
        if not line.parent().inherits("QAbstractSpinBox")
    ]


def test_tab_goes_through_the_numbers_of_a_list(control_of, qtbot):
    layers = control_of("hidden", create("mlp"))
    QTest.mouseClick(layers.add, LEFT)
    qtbot.waitUntil(layers.boxes[2].isVisible)
    layers.boxes[0].setFocus(Qt.FocusReason.TabFocusReason)
    for box in layers.boxes[1:]:
        QTest.keyClick(QApplication.focusWidget(), Key.Key_Tab)
        assert QApplication.focusWidget() is box


def test_what_is_typed_in_a_box_that_is_removed_is_dropped(control_of, document):
    layers = control_of("hidden", create("mlp"))
    last = layers.boxes[1]
    last.setFocus()
    last.lineEdit().selectAll()
    QTest.keyClicks(last.lineEdit(), "5")
    document.set_param("hidden", "8")
    layers.boxes[0].setFocus()
    pass_events()
    assert value_of(document, "hidden") == "8"
    assert len(layers.boxes) == 1


def test_an_editor_that_is_removed_changes_no_model(control_of, document):
    editors = control_of("members", create("voting", members="svm,knn,tree")).editors
    last = editors[-1]
    document.set_param("members", "svm,knn")
    last.combo.setCurrentIndex(0)
    assert value_of(document, "members") == "svm,knn"
    assert len(editors) == 2
