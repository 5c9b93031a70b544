"""Commands become actions: their keys, tips, icons and states."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from vizml.scene import DARK, LIGHT
from vizml.ui.dialogs.keys_overview import columns_of, key_rows
from vizml.ui.window.actions import Command, CommandActions
from vizml.ui.window.commands import COMMANDS

ALL = [command for group in COMMANDS.values() for command in group if command is not None]


@pytest.fixture
def owner(qtbot, put):
    made = put(QWidget())
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    return made


@pytest.fixture
def made(owner):
    """Make the actions of commands."""
    return lambda *commands: CommandActions(owner, {"One": commands})


def command(id="go", run=lambda _: None, **more):
    return Command(id, "Go", "Go there", run, **more)


def test_each_of_its_keys_runs_a_command_with_the_window(owner, made):
    ran = []
    made(command(run=lambda *args: ran.append(args), keys="G Ctrl+J"))
    QTest.keyClick(owner, Qt.Key.Key_G)
    QTest.keyClick(owner, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(owner, Qt.Key.Key_J)
    assert ran == [(owner,), (owner,)]


def test_a_checkable_command_gets_its_new_state_from_the_user_only(made):
    states = []
    actions = made(command(run=lambda _, on: states.append(on), checked=lambda _: True))
    actions.update()
    assert actions["go"].isChecked()
    assert states == []
    actions["go"].trigger()
    actions["go"].trigger()
    assert states == [False, True]


def test_texts_and_states_follow_the_window_and_tips_show_the_first_key(made):
    facts = {"label": "Undo paint 3 points", "enabled": False}
    go = command(keys="Ctrl+Z G", label=lambda _: facts["label"], enabled=lambda _: facts["enabled"])
    actions = made(go, command("bare"))
    assert actions["go"].toolTip() == "Go there (Ctrl+Z)"
    assert actions["bare"].toolTip() == "Go there"
    actions.update()
    assert actions["go"].text() == "Undo paint 3 points"
    assert actions["go"].toolTip() == "Undo paint 3 points (Ctrl+Z)"
    assert not actions["go"].isEnabled()


def test_icons_that_are_not_visible_wait_for_a_menu(made):
    actions = made(command("new", icon="new"), command("open", icon="open"), command("bare"))
    actions.set_icons(LIGHT, 18, {"new"})
    assert not actions["new"].icon().isNull()
    assert actions["open"].icon().isNull()
    actions.draw_icons()
    assert not actions["open"].icon().isNull()
    assert actions["bare"].icon().isNull()


def test_icons_have_the_colours_of_the_last_theme(made):
    actions = made(command("new", icon="new"), command("open", icon="open"))

    def shot(id):
        return actions[id].icon().pixmap(18, 18).toImage()

    actions.set_icons(LIGHT, 18, {"new"})
    light = shot("new")
    actions.set_icons(DARK, 18, {"new"})
    actions.draw_icons()
    dark = shot("open")
    assert shot("new") != light
    actions.set_icons(LIGHT, 18, {"new", "open"})
    assert shot("new") == light
    assert shot("open") != dark


def test_every_command_has_a_text_a_tip_and_keys_of_its_own():
    for command in ALL:
        assert command.text, command.id
        assert command.tip, command.id
        assert not command.tip.endswith("."), command.id
        assert command.keys, command.id
    taken = [key for command in ALL for key in command.keys.split()]
    assert len(taken) == len(set(taken))


def test_the_overview_holds_each_command_once_and_classes_in_one_line():
    told = key_rows()
    assert list(told)[:2] == ["Tools", "Canvas"]
    assert ("Class", "1 \N{EN DASH} 8") in told["Tools"]
    assert not any(name.startswith("Class ") for name, _ in told["Tools"])
    assert not any(name.endswith("…") for group in told.values() for name, _ in group)


@pytest.mark.parametrize("sizes", [(1,), (3, 3, 3), (10, 2, 2, 9, 1, 4), (1, 1, 1, 40), (30, 1), (4,) * 9])
def test_columns_keep_the_order_of_groups_and_lose_none(sizes):
    groups = {f"group {n}": [("a", "b")] * size for n, size in enumerate(sizes)}
    columns = columns_of(groups)
    assert len(columns) <= 3
    assert all(columns)
    assert [entry for column in columns for entry in column] == list(groups.items())
    if sizes == (4,) * 9:
        assert [len(column) for column in columns] == [3, 3, 3]


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
