import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QMenu, QSlider

from vizml.data import generate
from vizml.learn import create
from vizml.scene.figure import LEGEND
from vizml.ui.widgets.sparkline import Sparkline
from vizml.ui.window.commands import COMMANDS
from vizml.workspace import Experiment, Work

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
Key = Qt.Key


@pytest.mark.parametrize(
    "key,tool", [("P", "point"), ("B", "brush"), ("M", "move"), ("E", "erase"), ("S", "select"), ("Z", "pan")]
)
def test_letters_pick_tools(window, press, key, tool):
    window.canvas.set_tool("pan" if tool == "point" else "point")
    press(window.canvas, Key(ord(key)))
    assert window.canvas.tool == tool


def test_digits_pick_classes(window, press):
    for number in range(8, 0, -1):
        press(window.canvas, Key(ord(str(number))))
        assert window.canvas.label == number - 1


def test_f2_renames_the_class_in_hand_in_menus_and_at_the_pointer(window, press, qtbot):
    press(window.canvas, Key.Key_2)
    press(window.canvas, Key.Key_F2)
    qtbot.keyClicks(window.rail.field.name, "malignant")
    press(window.rail.field.name, Key.Key_Return)
    assert window.commands["undo"].text() == "Undo rename class 2 to malignant"
    assert window.commands["class_2"].text() == "Class 2: malignant"
    qtbot.waitUntil(lambda: window.stage.settled)
    window.canvas.pointer_moved.emit((1.0, 1.0))
    qtbot.waitUntil(lambda: "malignant" in window.status.pointer.full_text)
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is window.canvas)
    press(window.canvas, Key.Key_Z, CTRL)
    assert window.commands["class_2"].text() == "Class 2: B"


def test_reduced_motion_is_of_all_stages_and_is_kept(window, start):
    assert all(stage.canvas.animation.allowed for stage in window.stages.stages)
    window.commands["still"].trigger()
    window.stages.add()
    assert [stage.canvas.animation.allowed for stage in window.stages.stages] == [False, False]
    assert window.commands["still"].isChecked()
    again = start()
    assert not again.canvas.animation.allowed
    again.commands["still"].trigger()
    assert [stage.canvas.animation.allowed for stage in window.stages.stages] == [True, True]


def test_where_the_system_wants_no_motion_there_is_nothing_to_reduce(start, monkeypatch):
    monkeypatch.setattr("vizml.ui.window.commands.animations_enabled", lambda: False)
    window = start()
    assert window.commands["still"].isChecked()
    assert not window.commands["still"].isEnabled()


def test_undo_says_what_it_takes_back_and_does_it(window, press):
    window.document.add([[0.0, 0.0]], 2)
    assert window.commands["undo"].text() == "Undo add 1 point"
    assert "Undo add 1 point (Ctrl+Z)" in window.commands["undo"].toolTip()
    press(window, Key.Key_Z, CTRL)
    assert len(window.document.dataset) == 4
    assert window.commands["redo"].text() == "Redo add 1 point"
    assert not window.commands["undo"].isEnabled()
    press(window, Key.Key_Z, CTRL | SHIFT)
    assert len(window.document.dataset) == 5
    press(window, Key.Key_Z, CTRL)
    press(window, Key.Key_Y, CTRL)
    assert len(window.document.dataset) == 5


def test_arrows_home_and_end_move_through_the_run_and_space_plays_it(window, press, qtbot):
    timeline = window.stage.timeline
    qtbot.waitUntil(lambda: timeline.count > 2 and not window.stage.frame.running)
    last = timeline.count - 1
    for key, index in ((Key.Key_Home, 0), (Key.Key_Right, 1), (Key.Key_Left, 0), (Key.Key_End, last)):
        press(window.canvas, key)
        assert timeline.step_index == index
    press(window.canvas, Key.Key_Home)
    timeline.player.speed = 1.0
    for playing in (True, False):
        press(window.canvas, Key.Key_Space)
        assert timeline.player.playing is playing


def test_another_seed_and_no_points_are_an_undo_entry_each(window, press):
    before = window.document.experiment().seed
    press(window.canvas, Key.Key_F5)
    assert window.document.experiment().seed != before
    press(window.canvas, Key.Key_Backspace, CTRL)
    assert len(window.document.dataset) == 0
    assert window.commands["undo"].text() == "Undo clear 4 points"
    window.document.undo()
    assert len(window.document.dataset) == 4
    window.document.undo()
    assert window.document.experiment().seed == before


def test_typing_is_not_stolen(window, qtbot, press):
    line = QLineEdit(window)
    line.show()
    line.setFocus()
    qtbot.keyClicks(line, "pb5 ?l")
    press(line, Key.Key_Home)
    press(line, Key.Key_Right)
    qtbot.keyClicks(line, "e")
    assert line.text() == "peb5 ?l"
    assert window.canvas.tool == "point"
    assert window.canvas.label == 0
    assert window.preferences.look.shows(LEGEND)


def test_a_slider_keeps_its_arrows(window, press, qtbot):
    timeline = window.stage.timeline
    qtbot.waitUntil(lambda: timeline.count > 2 and not window.stage.frame.running)
    slider = QSlider(Qt.Orientation.Horizontal, window)
    slider.show()
    slider.setFocus()
    press(slider, Key.Key_Right)
    assert slider.value() == 1
    assert timeline.step_index == timeline.count - 1


@pytest.fixture
def moons(start):
    """A window with a run of many steps."""
    return start(Work(generate("moons", n=60), (Experiment(create("svm")),)))


def test_after_a_slider_the_timeline_has_the_keys_that_play_and_step(moons, press, qtbot):
    """A scrub leaves the canvas its keys."""
    window, timeline = moons, moons.stage.timeline
    qtbot.waitUntil(lambda: timeline.count > 3 and window.stage.settled)
    line = window.stage.findChild(Sparkline)
    qtbot.mouseClick(line, Qt.MouseButton.LeftButton, pos=QPoint(9, line.height() // 2))
    assert QApplication.focusWidget() is window.canvas
    cost = next(s for s in window.panel.findChildren(QSlider) if s.isVisible())
    cost.setFocus()
    qtbot.mouseClick(line, Qt.MouseButton.LeftButton, pos=QPoint(line.width() // 2, line.height() // 2))
    chosen, value = timeline.step_index, cost.value()
    press(QApplication.focusWidget(), Key.Key_Left)
    assert timeline.step_index == chosen - 1
    assert cost.value() == value
    cost.setFocus()
    for playing in (True, False):
        press(cost, Key.Key_Space)
        assert timeline.player.playing is playing


def test_a_combo_box_keeps_the_space_bar_but_not_the_letters(window, press):
    box = QComboBox(window)
    box.addItems(["one", "two"])
    box.show()
    box.setFocus()
    press(box, Key.Key_E)
    assert window.canvas.tool == "erase"
    press(box, Key.Key_Space)
    assert box.view().isVisible()
    box.hidePopup()


def test_every_icon_of_a_command_exists(window):
    window.commands.draw_icons()
    for command in (command for group in COMMANDS.values() for command in group if command is not None):
        assert command.icon == "" or not window.commands[command.id].icon().isNull(), command.id


def test_the_overview_tells_every_key_and_goes_at_the_next(window, press, qtbot):
    from vizml.ui.dialogs.keys_overview import KeysOverview, key_rows

    press(window.canvas, Key.Key_Question)
    overview = window.findChild(KeysOverview)
    assert overview.isVisible()
    assert overview.size() == window.size()
    told = {words for lines in key_rows().values() for words, _ in lines}
    assert {"Undo", "Brush", "Full screen", "Export picture", "Delete the selection"} <= told
    press(overview, Key.Key_E)
    assert not overview.isVisible()
    assert window.canvas.tool == "point"
    assert window.canvas.hasFocus()


@pytest.mark.parametrize(
    "key,held,first",
    [
        (Key.Key_D, Qt.KeyboardModifier.AltModifier, "Moons"),
        (Key.Key_V, Qt.KeyboardModifier.AltModifier, "Regions"),
        (Key.Key_F10, Qt.KeyboardModifier.NoModifier, "Search everything…"),
    ],
)
def test_menus_open_by_a_key(window, press, qapp, key, held, first):
    press(window.canvas, key, held)
    menus = [menu for menu in window.findChildren(QMenu) if menu.isVisible() and menu.activeAction()]
    assert [menu.activeAction().text() for menu in menus] == [first]
    while qapp.activePopupWidget():
        qapp.activePopupWidget().close()


def test_data_are_drawn_without_a_mouse(window, press, qapp):
    press(window.canvas, Key.Key_D, Qt.KeyboardModifier.AltModifier)
    menu = qapp.activePopupWidget()
    press(menu, Key.Key_Down)
    press(menu, Key.Key_Return)
    assert window.document.undo_label.startswith("draw circles")


def test_every_switch_switches_over_and_back(window, qtbot):
    window.document.set_model(create("tree"))
    qtbot.waitUntil(lambda: bool(window.has_diagram))
    switches = [
        each.id
        for group in COMMANDS.values()
        for each in group
        if each and each.checked and each.id != "full" and window.commands[each.id].isEnabled()
    ]
    assert len(switches) > 8
    for id in switches:
        action = window.commands[id]
        before = action.isChecked()
        action.trigger()
        assert action.isChecked() is not before, id
        action.trigger()
        assert action.isChecked() is before, id
