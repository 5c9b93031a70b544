import threading

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtWidgets import QAbstractButton, QToolButton

from tests.events import cpu_seconds, pass_events
from tests.run.fakes import Counting
from vizml.data import Dataset, generate
from vizml.learn import create
from vizml.run.worker import await_closed
from vizml.workspace import Experiment, Work


class Endless(Counting):
    family, about, formula = "Trees", "Counts.", ()


@pytest.fixture
def long_run():
    """Training that would take days."""
    return Work(generate("moons", n=2000), (Experiment(Endless(count=10**8, wait=0.001)),))


class Shown(QObject):
    """The windows that appear while it filters the events of the application."""

    def __init__(self):
        super().__init__()
        self.names = []

    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Show and watched.isWidgetType() and watched.isWindow():
            self.names.append(type(watched).__name__)
        return False


def workers():
    return [thread for thread in threading.enumerate() if thread is not threading.main_thread()]


def test_nothing_else_flashes_up_at_the_start(start, qapp):
    shown = Shown()
    qapp.installEventFilter(shown)
    start()
    qapp.removeEventFilter(shown)
    assert shown.names == ["Window"]


def test_closing_while_a_model_trains_is_clean(start, long_run, qtbot, monkeypatch):
    """The window is gone before its workers are."""
    window, seen = start(long_run), []
    qtbot.waitUntil(lambda: window.stage.frame is not None and window.stage.frame.running)
    end = window.stages.close_down
    monkeypatch.setattr(window.stages, "close_down", lambda: seen.append(window.isVisible()) or end())
    assert window.close()
    assert seen == [False]
    assert workers() == []


def test_cancel_ends_a_run(start, long_run, qtbot):
    window = start(long_run)
    qtbot.waitUntil(lambda: window.stage.frame is not None and window.stage.frame.running)
    window.commands["cancel"].trigger()
    qtbot.waitUntil(lambda: not window.stage.frame.running)


def test_layout_tool_class_and_brush_are_there_at_the_next_start(start):
    first = start()
    first.resize(1100, 750)
    first.commands["readout"].trigger()
    first.commands["panel"].trigger()
    first.canvas.set_tool("brush")
    first.canvas.set_label(3)
    first.canvas.set_tool_option("radius", 41)
    first.close()
    second = start(size=(1100, 750))
    assert second.docks.readout.isVisible()
    assert not second.docks.panel.isVisible()
    assert second.commands["readout"].isChecked()
    assert not second.commands["panel"].isChecked()
    assert (second.canvas.tool, second.canvas.label) == ("brush", 3)
    assert second.canvas.active.values["radius"] == 41


def test_full_screen_leaves_the_stage_and_its_timeline(window):
    window.commands["log"].trigger()
    parts = (window.bar, window.rail, window.docks.panel, window.docks.log, window.status)
    for full in (True, False):
        window.commands["full"].trigger()
        assert [part.isVisible() for part in parts] == [not full] * len(parts)
        assert window.stage.timeline.isVisible()
        assert window.isFullScreen() is full
    assert not window.docks.readout.isVisible()


def test_theme_and_type_are_switched_from_the_bar(window):
    ground = window.palette().window().color()
    window.commands["dark"].trigger()
    assert window.preferences.look.theme.name == "dark"
    assert window.palette().window().color() != ground
    height = window.bar.height()
    window.commands["large"].trigger()
    assert window.preferences.type_scale == 1.5
    assert window.bar.sizeHint().height() > height
    window.commands["dark"].trigger()
    window.commands["large"].trigger()
    assert window.palette().window().color() == ground


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_nothing_is_clipped_at_1280_by_720(start, preferences, qtbot, scale):
    preferences.set_type_scale(scale)
    window = start(size=(1280, 720))
    pass_events()
    assert (window.width(), window.height()) == (1280, 720)
    for part in (window.bar, window.rail, window.stage, window.panel, window.status):
        assert window.rect().contains(
            part.geometry().translated(part.mapTo(window, part.rect().topLeft()) - part.pos())
        )
    buttons = [window.bar.widgetForAction(action) for action in window.bar.actions()]
    shown = [button for button in buttons if isinstance(button, QToolButton)]
    assert all(button.isVisible() for button in shown)
    assert window.canvas.width() > 400
    preferences.set_type_scale(1.0)


def test_every_button_has_a_name_and_a_tooltip(window):
    nameless = [
        button
        for button in window.findChildren(QAbstractButton)
        if button.isVisible() and not (button.accessibleName() or button.text())
    ]
    assert nameless == []
    silent = [b for b in window.bar.findChildren(QToolButton) if b.isVisible() and not b.toolTip()]
    assert silent == []


def test_docks_below_the_panel_share_one_place(window):
    window.commands["readout"].trigger()
    window.commands["log"].trigger()
    assert window.docks.log in window.tabifiedDockWidgets(window.docks.readout)
    cross = window.docks.log.titleBarWidget().findChild(QToolButton)
    cross.click()
    assert not window.commands["log"].isChecked()


def test_a_window_that_cannot_be_built_leaves_no_thread(start, monkeypatch):
    before = workers()
    monkeypatch.setattr("vizml.ui.window.window.SidePanel", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        start()
    await_closed()
    assert workers() == before


def test_thousands_of_points_do_not_hold_up_the_window(start, qtbot):
    rng = np.random.default_rng(0)
    many = Dataset(rng.normal(size=(8_000, 2)), rng.integers(0, 2, 8_000))
    window = start(Work(many, (Experiment(create("knn")),)))
    assert cpu_seconds(lambda: window.document.add([[0.0, 0.0]], 0)) < 0.1


def test_a_canvas_without_a_result_is_painted_again_and_again(start, qtbot):
    window = start(Work.fresh())
    qtbot.waitUntil(lambda: window.stage.frame is not None)
    window.messages.error("the canvas becomes smaller")
    for _ in range(2):
        before = window.stage.frame
        window.document.set_seed(window.document.experiment().seed + 1)
        qtbot.waitUntil(lambda before=before: window.stage.frame is not before)
        window.canvas.repaint()


def test_an_error_while_painting_does_not_take_the_program_along(window, qtbot, monkeypatch):
    monkeypatch.setattr("vizml.ui.canvas.canvas_painter.paint_points", lambda *_: 1 / 0)
    with qtbot.captureExceptions(), pytest.raises(ZeroDivisionError):
        window.canvas.repaint()
    monkeypatch.undo()
    window.canvas.repaint()
    assert window.canvas.grab().toImage().pixelColor(2, 2).isValid()


def test_tools_written_by_someone_else_do_no_harm(start, preferences):
    for key, value in (("tool", "axe"), ("class", "99"), ("brush/radius", "-3")):
        preferences.set_text(f"tools/{key}", value)
    window = start()
    assert (window.canvas.tool, window.canvas.label) == ("point", 0)


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("size", [(1280, 800), (1024, 700)])
def test_the_canvas_stays_in_place_when_tool_status_and_docks_change(qtbot, start, preferences, size, large):
    preferences.set_large_type(large)
    window = start(size=size)
    qtbot.waitUntil(lambda: window.stage.settled)
    places = set()

    def note_place():
        pass_events()
        places.add((window.canvas.mapTo(window, QPoint()).toTuple(), window.canvas.size().toTuple()))

    for tool in window.canvas.tools:
        window.canvas.set_tool(tool)
        window.status.training.setText("" if tool == "pan" else "12 steps in 3 ms")
        note_place()
    for dock in 2 * ("readout", "diagnostics", "log"):
        window.commands[dock].trigger()
        note_place()
    assert len(places) == 1
