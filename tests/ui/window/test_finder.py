"""The command palette: queries of users, ranking within the window, and what each kind of entry opens."""

import tomllib
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from tests.events import cpu_seconds
from vizml.data import generate
from vizml.evaluate.diagnostic import diagnostics
from vizml.learn import REGRESS, create, models
from vizml.ui.window.commands import COMMANDS
from vizml.ui.window.finder import entries
from vizml.workspace import Experiment, Work
from vizml.workspace.search import found

QUERIES = tomllib.loads((Path(__file__).parent.parent / "palette_queries.toml").read_text(encoding="utf-8"))
FRAME = 1 / 60
Key = Qt.Key


@pytest.fixture
def moons(start, qtbot):
    window = start(Work(generate("moons"), (Experiment(create("svm", "classify")),)), (1280, 800))
    qtbot.waitUntil(lambda: window.stage.frame is not None and window.stage.frame.scene is not None)
    return window


@pytest.fixture
def palette(moons, qtbot):
    QTest.keyClick(moons, Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(moons.finder.palette.isVisible)
    yield moons.finder.palette
    moons.finder.palette.hide()


def ids(palette):
    return [entry.id for entry in palette.entries.entries]


def choose(window, query, id=""):
    """Type a query and press Enter on its first answer, or on one of an id."""
    window.finder.search()
    palette = window.finder.palette
    QTest.keyClicks(palette.query, query)
    for _ in range(ids(palette).index(id) if id else 0):
        QTest.keyClick(palette.query, Key.Key_Down)
    QTest.keyClick(palette.query, Key.Key_Return)


# -- what is found -------------------------------------------------------------------------------------------


def test_queries_of_lecturers_and_students(moons):
    listed = list(entries(moons))
    queries = {query: answer for group in QUERIES.values() for query, answer in group.items()}
    assert len(queries) >= 60
    answers = {query: [entry.id for entry in found(listed, query)[:3]] for query in queries}
    assert {query: answers[query] for query, answer in queries.items() if answer not in answers[query]} == {}


def test_every_entry_is_found_by_its_title_and_has_an_id_and_a_description(moons):
    listed = list(entries(moons))
    assert len({entry.id for entry in listed}) == len(listed)
    assert [entry.id for entry in listed if not entry.about] == []
    for title in (*(m.title for m in models()), *(kind.title for kind in diagnostics())):
        assert found(listed, title)[0].title == title
    commands = [command for group in COMMANDS.values() for command in group if command is not None]
    assert len(commands) == sum(entry.kind in ("Command", "Menu") for entry in listed)
    for entry in listed:
        assert entry in [other for other in found(listed, entry.title) if other.title == entry.title]


def test_500_entries_are_answered_within_a_frame(moons):
    listed = list(entries(moons))
    many = (listed * (500 // len(listed) + 1))[:500]
    found(many, "warm")
    for query in ("d", "decision", "max depth", "how to find everything"):
        assert min(cpu_seconds(lambda query=query: found(many, query)) for _ in range(5)) < FRAME


# -- what entries open ---------------------------------------------------------------------------------------


def model(window):
    return window.document.experiment(0).model


def test_a_model_of_another_task_a_task_a_data_set_a_setting_and_a_command(moons):
    choose(moons, "kernel smoother")
    assert model(moons) == create("kernel_smoother", "regress")
    assert not moons.finder.palette.isVisible()
    choose(moons, "xor")
    assert moons.document.work.generator == "xor"
    choose(moons, "regression")
    assert model(moons).task is REGRESS
    choose(moons, "hold-out set")
    assert moons.panel.share.isAncestorOf(QApplication.focusWidget())
    choose(moons, "dark mode")
    assert moons.preferences.look.theme.name == "dark"


@pytest.mark.parametrize(
    "query, id, id_of_model, row",
    [
        ("multiclass", "", "svm", "multiclass"),
        ("max depth", "Parameter of Decision tree: Max depth", "tree", "max_depth"),
        ("degree", "Parameter of SVM: Degree", "svm", "kernel"),
    ],
    ids=["of the model", "of another model", "without effect, which depends on another one"],
)
def test_a_parameter_has_the_focus_in_its_model(moons, query, id, id_of_model, row):
    moons.docks.show(moons.docks.panel, shown=False)
    choose(moons, query, id)
    assert model(moons) == create(id_of_model)
    assert moons.panel.form.rows[row].isAncestorOf(QApplication.focusWidget())


def test_a_topic_of_the_notes(moons):
    choose(moons, "novikoff", "From the notes: Novikoff's bound (R/γ)²")
    assert model(moons) == create("perceptron")
    assert moons.messages.current.text.startswith("The number of mistakes is at most")


@pytest.mark.parametrize("query, title", [("AUC", "ROC curve"), ("residual plot", "Residuals")])
def test_a_chart_and_a_model_that_it_is_for(moons, query, title):
    choose(moons, query)
    assert moons.docks.diagnostics.isVisible()
    assert moons.diagnostic_docks.diagnostics.title == title
    assert model(moons).task in next(kind.tasks for kind in diagnostics() if kind.title == title)


def test_an_option_of_the_data_opens_their_dialog(moons):
    choose(moons, "noise moons")
    dialogs = [
        widget
        for widget in QApplication.topLevelWidgets()
        if isinstance(widget, QDialog) and widget.isVisible()
    ]
    assert len(dialogs) == 1
    dialogs[0].close()


def test_a_layer_is_switched(moons):
    assert not moons.preferences.look.shows("Grid")
    choose(moons, "grid", "Layer: Grid")
    assert moons.preferences.look.shows("Grid")
    assert next(entry.checked for entry in entries(moons) if entry.id == "Layer: Grid")


def test_a_lens_is_switched_on_and_off(moons, qtbot):
    choose(moons, "gaussian process classification")
    qtbot.waitUntil(lambda: any(entry.kind == "Shading" for entry in entries(moons)))
    lens = next(entry for entry in entries(moons) if entry.kind == "Shading")
    for name in (lens.title, ""):
        choose(moons, lens.title, lens.id)
        assert moons.preferences.look.lens == name


# -- the palette ---------------------------------------------------------------------------------------------


def test_a_disabled_command_is_listed_and_does_not_run(moons, palette):
    QTest.keyClicks(palette.query, "redo")
    assert ids(palette)[0] == "Command: Redo"
    QTest.keyClick(palette.query, Key.Key_Return)
    assert palette.isVisible()
    assert moons.preferences.texts("window/found") == ()


def test_the_latest_entries_come_first(moons):
    for query in ("xor", "circles", "xor"):
        choose(moons, query)
    moons.finder.search()
    assert ids(moons.finder.palette)[:2] == ["Data set: XOR", "Data set: Circles"]
    moons.finder.palette.hide()


def test_a_list_that_scrolls_under_the_pointer_keeps_its_selection(palette):
    QTest.keyClick(palette.query, Key.Key_PageDown)
    palette.list.entered.emit(palette.entries.index(3))
    assert palette.list.currentIndex().row() == 8


def test_arrows_stop_at_the_ends(palette):
    for key, row in ((Key.Key_Up, 0), (Key.Key_Down, 1), (Key.Key_PageDown, 9), (Key.Key_PageUp, 1)):
        QTest.keyClick(palette.query, key)
        assert palette.list.currentIndex().row() == row
    for _ in ids(palette):
        QTest.keyClick(palette.query, Key.Key_PageDown)
    assert palette.list.currentIndex().row() == len(ids(palette)) - 1


def test_the_pointer_chooses_an_entry_and_a_click_runs_it(moons, palette):
    place = palette.list.visualRect(palette.entries.index(3)).center()
    for point in (place + QPoint(5, 0), place):
        QTest.mouseMove(palette.list.viewport(), point)
    assert palette.list.currentIndex().row() == 3
    QTest.keyClicks(palette.query, "checkerboard")
    place = palette.list.visualRect(palette.entries.index(0)).center()
    QTest.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert moons.document.work.generator == "checkerboard"


def test_without_an_answer_it_says_so_and_enter_does_nothing(palette):
    QTest.keyClicks(palette.query, "xqxq")
    for key in (Key.Key_Down, Key.Key_PageUp, Key.Key_Return):
        QTest.keyClick(palette.query, key)
    assert palette.isVisible()
    assert palette.text.isVisible()
    assert "xqxq" in palette.text.text()


def test_escape_closes_and_the_next_search_starts_empty(moons, palette):
    QTest.keyClicks(palette.query, "tree")
    QTest.keyClick(palette.query, Key.Key_Escape)
    assert not palette.isVisible()
    moons.finder.search()
    assert palette.query.text() == ""


@pytest.mark.parametrize("size", [(1280, 800), (1024, 700), (900, 560)])
@pytest.mark.parametrize("large", [False, True])
def test_it_lies_within_the_window_and_a_few_results_need_no_scroll_bar(moons, size, large):
    moons.preferences.set_large_type(large)
    moons.resize(*size)
    moons.finder.search()
    palette = moons.finder.palette
    assert moons.geometry().contains(palette.geometry())
    QTest.keyClicks(palette.query, "elbow")
    assert 1 <= len(ids(palette)) <= 3
    assert palette.list.verticalScrollBar().maximum() == 0
    palette.hide()


def test_screen_readers_are_told_the_entry(palette):
    QTest.keyClicks(palette.query, "legend")
    told = QAccessible.queryAccessibleInterface(palette.query).text(QAccessible.Text.Description)
    assert told.startswith("Legend, on, Command, L, ")
    item = QAccessible.queryAccessibleInterface(palette.list).child(0)
    assert item.text(QAccessible.Text.Name) == told
