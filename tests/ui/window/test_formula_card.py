"""The formula card is turned over to its dual problem, with values of the step and of a point."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from vizml.data import generate
from vizml.learn import create
from vizml.ui.window.finder import entries
from vizml.workspace import Experiment, Work
from vizml.workspace.search import found


@pytest.fixture
def window(start, qtbot):
    window = start(Work(generate("moons", n=60, seed=1), (Experiment(create("svm")),)), size=(1200, 900))
    qtbot.waitUntil(lambda: window.stage.settled and window.panel.formula.complete)
    return window


def texts(window):
    return window.panel.card.values.label.text().splitlines()


def test_a_click_turns_the_card_over_and_back(window, qtbot):
    """The point at the pointer has its multipliers."""
    card, model = window.panel.card, create("svm")
    QTest.mouseClick(card.formula, Qt.MouseButton.LeftButton)
    assert card.formula.lines == model.back
    qtbot.waitUntil(lambda: len(texts(window)) == 4)
    assert texts(window)[0].startswith("α = 0: ")
    ((x, y),) = window.canvas.plot_geometry.to_pixels(window.document.dataset.points[[7]])
    QTest.mouseMove(window.canvas, QPoint(round(x), round(y)))
    qtbot.waitUntil(lambda: len(texts(window)) == 7)
    row = window.stage.state.trained_on.ids.tolist().index(window.document.dataset.ids[7])
    assert texts(window)[4].startswith(f"point {row}: α = ")
    QTest.mouseClick(card.turn_button, Qt.MouseButton.LeftButton)
    assert card.formula.lines == model.formula
    assert card.values.isHidden()
    assert card.turn_button.text().startswith("Lagrangian, dual problem, KKT conditions")
    card.set_roomy(False)  # there is no room for the front
    for back in (False, True, False):
        card.turn(back=back)
        assert card.formula.isVisible() is back


def test_another_model_shows_the_front_of_its_card(window):
    window.panel.card.turn(back=True)
    window.document.set_model(create("tree"))
    assert not window.panel.card.turned
    assert window.panel.card.turn_button.isHidden()
    window.document.set_model(create("svm", C=3.0))
    window.panel.card.turn(back=True)
    window.document.set_param("C", 4.0)
    assert window.panel.card.turned


@pytest.mark.parametrize("query", ["dual problem", "KKT conditions", "Lagrangian"])
def test_the_palette_turns_the_card(window, query):
    window.document.set_model(create("knn"))
    entry = next(entry for entry in found(list(entries(window)), query)[:4] if entry.kind == "Formula")
    entry.run()
    assert window.panel.card.turned


def test_a_preset_sets_its_parameters_as_one_edit(window):
    (first, *_) = window.panel.presets.buttons
    QTest.mouseClick(first, Qt.MouseButton.LeftButton)
    values = window.document.experiment().model.values
    assert (values["kernel"], values["degree"], values["gamma"], values["coef0"]) == ("poly", 2, 1.0, 1.0)
    window.document.undo()
    assert window.document.experiment().model == create("svm")
