"""The docks of charts and of the structure of the model, linked with the stage."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.events import pass_events
from vizml.data import generate
from vizml.evaluate.diagnostics.cluster_count import cluster_count_chart, cluster_counts
from vizml.evaluate.diagnostics.roc import THRESHOLD
from vizml.learn import create
from vizml.scene import Path
from vizml.ui.diagnostics.docks import fitted
from vizml.ui.window.menus import menu_of
from vizml.workspace import Experiment, Work

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def point_at(widget, x, y, buttons=Qt.MouseButton.NoButton):
    place, none = QPointF(x, y), Qt.MouseButton.NoButton
    event = QMouseEvent(QEvent.Type.MouseMove, place, widget.mapToGlobal(place), none, buttons, NONE)
    QApplication.sendEvent(widget, event)


def at(place):
    return QPoint(round(place[0]), round(place[1]))


@pytest.fixture
def opened(start, qtbot):
    """A window on moons with a model, when its run is over."""

    def opener(model, task=None, **params):
        moons = generate("moons", n=60, noise=0.2, seed=0)
        work = Work(moons, (Experiment(create(model, task, **params)),))
        window = start(work, size=(1200, 800))
        qtbot.waitUntil(lambda: window.stage.settled)
        return window

    return opener


def middle(view, id):
    return view.diagram_layout.placed[id].rect.center().toTuple()


def test_both_docks_are_hidden_at_first_toggled_by_their_keys_and_restored(opened, qtbot):
    window = opened("tree")
    docks = window.docks
    for key, dock, id in (
        (Qt.Key.Key_F6, docks.diagnostics, "diagnostics"),
        (Qt.Key.Key_F3, docks.model, "model"),
    ):
        assert dock.isHidden()
        QTest.keyClick(window, key)
        assert dock.isVisible()
        assert window.commands[id].isChecked()
        QTest.keyClick(window, key)
        assert dock.isHidden()
    QTest.keyClick(window, Qt.Key.Key_F3)
    window.close()
    assert not opened("tree").docks.model.isHidden()


def test_a_panel_that_is_hidden_while_it_is_being_shown_follows_nothing(opened, qtbot):
    window = opened("tree")
    panel, called = window.diagnostic_docks.structure, []
    panel.follow(window.stages.frame_changed, panel.hide)
    panel.follow(window.stages.frame_changed, lambda: called.append(panel.isVisible()))
    window.commands["model"].trigger()
    called.clear()
    window.stages.frame_changed.emit(window.stage.frame)
    assert not called


def test_a_hidden_dock_requests_no_diagram(opened, monkeypatch, qtbot):
    window = opened("tree")
    asked = []
    kind = type(window.stage.frame.shown.state)
    diagram = kind.diagram
    monkeypatch.setattr(kind, "diagram", lambda state: asked.append(state) or diagram(state))
    window.stage.timeline.step(-1)
    qtbot.waitUntil(lambda: window.stage.frame.shown.index == window.stage.frame.count - 2)
    pass_events()
    assert not asked
    window.commands["model"].trigger()
    qtbot.waitUntil(lambda: bool(asked))


def test_a_node_under_the_pointer_is_highlighted_on_the_canvas(opened, qtbot):
    window = opened("tree")
    window.commands["model"].trigger()
    view = window.diagnostic_docks.structure.view
    qtbot.waitUntil(lambda: view.diagram is not None)
    point_at(view, *middle(view, "1"))
    qtbot.waitUntil(lambda: len(window.canvas.highlight) == 1)
    (mark,) = window.canvas.highlight
    assert isinstance(mark, Path)
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert window.canvas.highlight == ()
    assert window.stage.node == ""


def test_the_activation_of_a_neuron_is_shown_while_it_is_pointed_at(opened, qtbot):
    window = opened("mlp", hidden="3", epochs=5)
    window.commands["model"].trigger()
    view = window.diagnostic_docks.structure.view
    qtbot.waitUntil(lambda: view.diagram is not None)
    node = next(id for id in view.diagram_layout.placed if window.stage.frame.shown.state.on().focus(id).lens)
    point_at(view, *middle(view, node))
    qtbot.waitUntil(lambda: window.stage.frame.scene.lens is not None)
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    qtbot.waitUntil(lambda: window.stage.frame.scene.lens is None)


def test_the_path_of_the_pointer_through_the_tree_is_highlighted(opened, qtbot, monkeypatch, logged_errors):
    """A view whose trail fails highlights nothing."""
    window = opened("tree")
    window.commands["model"].trigger()
    view = window.diagnostic_docks.structure.view
    qtbot.waitUntil(lambda: view.diagram is not None)
    geometry = window.canvas.plot_geometry
    middle = geometry.plot.center().toTuple()
    point_at(window.canvas, *middle)
    place = np.array(geometry.to_data(*middle))
    assert view.highlighted.path == set(window.stage.frame.shown.state.on().trail(place))
    way = view.highlighted.path
    window.document.set_param("max_depth", 1)
    qtbot.waitUntil(lambda: window.stage.settled and len(view.highlighted.path) == 2)
    assert view.highlighted.path == set(window.stage.frame.shown.state.on().trail(place))
    assert view.highlighted.path < way | {"1", "2"}, "of the new tree, though the pointer stayed where it is"
    monkeypatch.setattr(type(window.stage.frame.shown.state.on()), "trail", lambda *_: 1 / 0)
    point_at(window.canvas, middle[0] + 10, middle[1])
    assert not view.highlighted.path


def test_a_drag_of_the_cut_of_a_dendrogram_is_one_undo_entry(opened, qtbot):
    window = opened("agglomerative", task="cluster", cut="tau", tau=1.0)
    window.commands["model"].trigger()
    view, document = window.diagnostic_docks.structure.view, window.document
    qtbot.waitUntil(lambda: view.diagram is not None)
    laid = view.diagram_layout
    start, between, end = (laid.level(y) for y in (laid.diagram.cut.y, 0.4, 0.6))
    QTest.mousePress(view, LEFT, NONE, at((200, start)))
    point_at(view, 200, between, LEFT)
    point_at(view, 200, end, LEFT)
    QTest.mouseRelease(view, LEFT, NONE, at((200, end)))
    assert document.experiment().model.tau == pytest.approx(0.6 * laid.diagram.cut.high, rel=0.05)
    document.undo()
    assert document.experiment().model.tau == 1.0
    assert document.undo_label is None


def test_a_click_on_the_loss_shows_that_step(opened, qtbot):
    window = opened("logistic", solver="gd", epochs=40)
    window.commands["diagnostics"].trigger()
    panel = window.diagnostic_docks.diagnostics
    view = panel.view
    qtbot.waitUntil(lambda: view.chart_layout is not None and panel.settled)
    layout = view.chart_layout
    place = layout.pixel_x(11), layout.geometry.plot.center().y()
    QTest.mouseClick(view.canvas.viewport(), LEFT, NONE, at(place))
    qtbot.waitUntil(lambda: abs(window.stage.frame.shown.index - 10) <= 1)
    assert window.stage.timeline.step_index == window.stage.frame.shown.index


def test_a_model_that_charts_its_own_loss_has_one_loss(opened, qtbot):
    window = opened("mlp", hidden="3", epochs=5)
    window.commands["diagnostics"].trigger()
    chooser = window.diagnostic_docks.diagnostics.chooser
    qtbot.waitUntil(lambda: chooser.count() > 0)
    assert [chooser.itemText(index) for index in range(chooser.count())].count("Loss") == 1


def test_regions_are_shaded_by_a_lens_from_the_menu_and_by_classes_again(opened, qtbot):
    window = opened("random_forest", trees=5)
    name = window.stage.frame.shown.state.on().lenses()[0].name
    assert shades(window)["Classes"].isChecked()
    shades(window)[name].trigger()
    qtbot.waitUntil(lambda: window.stage.frame.scene.lens is not None)
    assert window.stage.frame.scene.lens.name == name
    assert shades(window)[name].isChecked()
    shades(window)["Classes"].trigger()
    qtbot.waitUntil(lambda: window.stage.frame.scene.lens is None)


def test_layers_off_by_default_are_switched_on_in_the_menu(opened, qtbot):
    window = opened("svm")

    def slack():
        menu = menu_of(window, "view")
        menu.aboutToShow.emit()
        return next(action for action in menu.actions() if action.text() == "Slack")

    assert not shading(window).isEnabled(), "it has no lenses"
    assert not slack().isChecked()
    slack().trigger()
    assert slack().isChecked()
    assert "Slack" in {mark.layer for mark in window.canvas.figure.marks}


def shading(window):
    """The entry of the menu with what the regions can be shaded by."""
    menu = menu_of(window, "view")
    menu.aboutToShow.emit()
    return next(action for action in menu.actions() if action.text() == "Shade by")


def shades(window):
    """What the regions can be shaded by, by name."""
    return {action.text(): action for action in shading(window).menu().actions()}


# -- actions in the docks -------------------------------------------------------------------------------


def test_values_of_a_chart_are_clamped_to_their_ranges():
    model = create("svm")
    assert fitted(model, {"C": 1e9, "degree": 3.4, "kernel": "poly", "depth": 2}) == {
        "C": 1e4,
        "degree": 3,
        "kernel": "poly",
    }
    assert fitted(model, {"C": -1.0}) == {"C": 1e-3}


def test_an_action_of_a_chart_is_one_undo_entry_and_an_invalid_value_changes_nothing(opened):
    window = opened("svm")
    taken, before = window.diagnostic_docks.diagnostics.chart_actions.taken, window.document.work
    taken.emit({"kernel": "cubic"})
    assert window.document.work is before
    taken.emit({"C": 7.0, "gamma": 0.5})
    model = window.document.experiment().model
    assert (model.C, model.gamma) == (7.0, 0.5)
    assert window.document.undo_label == "set cost and gamma"
    window.document.undo()
    assert window.document.undo_label is None


def test_a_number_of_clusters_from_a_chart_replaces_placed_centroids(opened):
    window = opened("kmeans", task="cluster", init="placed", starts="0,0;1,1")
    document = window.document
    model = document.experiment().model
    *_, found = cluster_counts(model, document.dataset, "elbow", most=4)
    drawn = cluster_count_chart(model, found)
    window.diagnostic_docks.diagnostics.view.picked.emit({drawn.sets[0]: 4, **dict(drawn.also)})
    assert (document.experiment().model.k, document.experiment().model.init) == (4, "kmeans++")
    assert document.undo_label == "set clusters and initialisation"
    document.undo()
    assert document.experiment().model.init == "placed"


def test_a_threshold_belongs_to_the_stage_and_makes_no_undo_entry(opened):
    window = opened("logistic")
    window.diagnostic_docks.diagnostics.chart_actions.taken.emit({THRESHOLD: 0.4})
    assert window.stage.threshold == 0.4
    window.diagnostic_docks.diagnostics.view.handled.emit(THRESHOLD, 0.2)
    assert window.stage.threshold == 0.2
    window.diagnostic_docks.diagnostics.view.handled.emit("something else", 0.9)
    assert window.stage.threshold == 0.2
    assert window.document.undo_label is None


def test_parameters_and_points_of_a_dock_are_those_of_the_active_stage(opened, qtbot):
    window = opened("svm")
    window.stages.add()
    qtbot.waitUntil(lambda: all(stage.settled for stage in window.stages.stages))
    window.diagnostic_docks.diagnostics.chart_actions.taken.emit({"max_depth": 2})
    assert window.document.experiment(1).model.max_depth == 2
    assert window.document.experiment(0).model == create("svm")
    window.diagnostic_docks.diagnostics.view.points_picked.emit(np.array([1, 4]))
    assert set(window.stages.active.canvas.selection.ids) == {1, 4}
