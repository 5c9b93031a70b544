"""Commands become actions: their keys, tips, icons and states."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from vizml.scene import DARK, LIGHT
from vizml.ui.window.actions import Actions, Command
from vizml.ui.window.keys import _columns, rows


@pytest.fixture
def owner(qtbot):
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    return made


@pytest.fixture
def actions(owner):
    return Actions(owner)


def command(id="go", run=lambda: None, **more):
    return Command(id, "Go", "Go there", run, **more)


def test_each_of_its_keys_runs_a_command(owner, actions):
    ran = []
    actions.add([command(run=lambda: ran.append(1), keys="G Ctrl+J")])
    QTest.keyClick(owner, Qt.Key.Key_G)
    QTest.keyClick(owner, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(owner, Qt.Key.Key_J)
    assert ran == [1, 1]


def test_a_plain_command_is_not_told_whether_it_is_checked(actions):
    ran = []
    actions.add([command(run=lambda *said: ran.append(said))])
    actions["go"].trigger()
    assert ran == [()]


def test_a_checkable_command_is_told_its_new_state_by_hand_only(actions):
    said = []

    def listen(on):
        said.append(on)

    actions.add([command(run=listen, checkable=True)])
    actions["go"].setChecked(True)
    assert said == []
    actions["go"].trigger()
    actions["go"].trigger()
    assert said == [False, True]


def test_a_tip_tells_the_first_key(actions):
    actions.add([command(keys="G Ctrl+J"), command("bare")])
    assert actions["go"].toolTip() == "Go there (G)"
    assert actions["bare"].toolTip() == "Go there"


def test_a_new_name_is_in_the_tip_too(actions):
    actions.add([command(keys="Ctrl+Z")])
    actions.rename("go", "Undo paint 3 points")
    assert actions["go"].text() == "Undo paint 3 points"
    assert actions["go"].toolTip() == "Undo paint 3 points (Ctrl+Z)"


def test_icons_out_of_sight_wait_for_a_menu(actions):
    actions.add([command("new", icon="new"), command("open", icon="open"), command("bare")])
    actions.dress(LIGHT, 18, {"new"})
    assert not actions["new"].icon().isNull()
    assert actions["open"].icon().isNull()
    actions.dress_rest()
    assert not actions["open"].icon().isNull()
    assert actions["bare"].icon().isNull()


def test_icons_have_the_colours_of_the_last_theme(actions):
    actions.add([command("new", icon="new"), command("open", icon="open")])

    def shot(id):
        return actions[id].icon().pixmap(18, 18).toImage()

    actions.dress(LIGHT, 18, {"new"})
    light = shot("new")
    actions.dress(DARK, 18, {"new"})
    actions.dress_rest()
    dark = shot("open")
    assert shot("new") != light
    actions.dress(LIGHT, 18, {"new", "open"})
    assert shot("new") == light
    assert shot("open") != dark


def test_only_commands_with_keys_are_in_the_overview_in_their_order(actions):
    given = [
        command("a", keys="A", group="One"),
        command("b", group="One"),
        command("c", keys="C", group="Two"),
    ]
    actions.add([*given, command("d", keys="D", group="One")])
    assert {title: [c.id for c in group] for title, group in actions.groups().items()} == {
        "One": ["a", "d"],
        "Two": ["c"],
    }
    assert list(actions) == ["a", "b", "c", "d"]
    assert actions.command("c") is given[2]


def test_a_wrong_id_is_an_error(actions):
    with pytest.raises(KeyError):
        actions["nothing"]


def test_no_two_commands_of_the_window_share_a_key(window):
    taken = [key for id in window.commands for key in window.commands.command(id).sequences]
    assert len(taken) == len(set(taken))


def test_every_command_has_words_a_tip_and_a_group(window):
    for id in window.commands:
        found = window.commands.command(id)
        assert found.text, id
        assert found.group, id
        assert found.tip, id
        assert not found.tip.endswith("."), id


def test_the_overview_holds_each_command_once_and_classes_in_one_line(window):
    told = rows(window.commands)
    assert list(told)[:2] == ["Tools", "Canvas"]
    assert ("Class", "1 \N{EN DASH} 8") in told["Tools"]
    assert not any(name.startswith("Class ") for name, _ in told["Tools"])
    assert not any(name.endswith("…") for group in told.values() for name, _ in group)


@pytest.mark.parametrize("sizes", [(1,), (3, 3, 3), (10, 2, 2, 9, 1, 4), (1, 1, 1, 40), (30, 1)])
def test_columns_keep_the_order_of_groups_and_lose_none(sizes):
    groups = {f"group {n}": [("a", "b")] * size for n, size in enumerate(sizes)}
    columns = _columns(groups)
    assert len(columns) <= 3
    assert all(columns)
    assert [entry for column in columns for entry in column] == list(groups.items())


def test_columns_of_equal_groups_are_equally_high():
    groups = {str(n): [("a", "b")] * 4 for n in range(9)}
    assert [len(column) for column in _columns(groups)] == [3, 3, 3]


@pytest.mark.parametrize("name", ["R&D", "a <b>bold</b> one", "1 < 2 & 3 > 2"])
def test_words_of_a_user_are_neither_keys_nor_mark_up(window, name):
    window.document.rename_class(1, name)
    undo = window.commands["undo"]
    shown = undo.text().replace("&&", "\0").replace("&", "").replace("\0", "&")
    assert shown == f"Undo rename class 2 to {name}"
    told = QTextDocument()
    if undo.toolTip().startswith("<"):
        told.setHtml(undo.toolTip())
    else:
        told.setPlainText(undo.toolTip())
    assert told.toPlainText() == f"Undo rename class 2 to {name} (Ctrl+Z)"
