"""Menus: what stands in them, in which state, and what a click does; the menu bar of macOS."""

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenuBar

from vizml.learn import create
from vizml.ui.dialogs import keys_overview
from vizml.ui.widgets import focus as widget_keys
from vizml.ui.window import window as window_module
from vizml.ui.window.commands import COMMANDS
from vizml.ui.window.menus import FILLED, THEMES, main_menu, menu_of


def shown(menu):
    """The menu as it comes up."""
    menu.aboutToShow.emit()
    return menu


def entries(menu):
    return [action for action in menu.actions() if not action.isSeparator()]


def by_name(menu):
    return {action.text(): action for action in entries(shown(menu))}


def parts(menu):
    return {action.menu().title(): action.menu() for action in menu.actions() if action.menu() is not None}


def test_each_part_has_its_commands_in_their_order(window):
    for title, part in parts(main_menu(window)).items():
        if title == "From the notes":
            continue
        wanted = [command.id for command in COMMANDS[title] if command is not None]
        assert [action.objectName() for action in entries(part) if action.menu() is None] == wanted
        assert not part.actions()[0].isSeparator()
        assert not part.actions()[-1].isSeparator()


def test_icons_are_drawn_when_a_part_is_opened(start):
    window = start()
    part = parts(main_menu(window))["Training"]
    assert window.commands["retrain"].icon().isNull()
    part.aboutToShow.emit()
    assert not window.commands["retrain"].icon().isNull()


def test_recent_files_come_latest_first_and_can_be_forgotten(window):
    menu = menu_of(window, "recent")
    (nothing,) = entries(shown(menu))
    assert (nothing.text(), nothing.isEnabled()) == ("No recent files", False)
    for path in ("/a/one.vizml", "/b/two.vizml"):
        window.preferences.add_recent(path)
    assert list(by_name(menu)) == ["two.vizml", "one.vizml", "Clear the list"]
    assert by_name(menu)["one.vizml"].toolTip() == "/a/one.vizml"
    by_name(menu)["Clear the list"].trigger()
    assert list(by_name(menu)) == ["No recent files"]


def test_a_recent_file_with_an_ampersand_is_called_by_all_of_its_name(window):
    window.preferences.add_recent("/a/R&D.vizml")
    assert next(iter(by_name(menu_of(window, "recent")))) == "R&&D.vizml"


def test_a_recent_file_is_opened_or_taken_off_the_list(window, tmp_path):
    window.files.save_to(tmp_path / "mine.vizml")
    window.clear()
    window.document.mark_saved()
    window.preferences.add_recent(str(tmp_path / "gone.vizml"))
    by_name(menu_of(window, "recent"))["mine.vizml"].trigger()
    assert len(window.document.dataset) == 4
    by_name(menu_of(window, "recent"))["gone.vizml"].trigger()
    assert window.messages.current.text == f"there is no file {tmp_path / 'gone.vizml'}"
    assert list(by_name(menu_of(window, "recent"))) == ["mine.vizml", "Clear the list"]


def test_a_layer_is_off_when_its_entry_is(window, qtbot):
    qtbot.waitUntil(lambda: window.stage.settled)
    entry = by_name(menu_of(window, "view"))["Regions"]
    assert entry.isChecked()
    entry.trigger()
    assert not window.preferences.look.shows("Regions")
    assert not by_name(menu_of(window, "view"))["Regions"].isChecked()


def test_the_marks_of_the_model_on_the_stage_have_an_entry_each(window, qtbot):
    qtbot.waitUntil(lambda: window.stage.settled)
    assert "Margins" in by_name(menu_of(window, "view"))
    window.document.set_model(create("tree"))
    qtbot.waitUntil(lambda: window.stage.settled and "Splits" in by_name(menu_of(window, "view")))
    assert "Margins" not in by_name(menu_of(window, "view"))


def test_the_theme_is_chosen_from_three(window):
    menu = menu_of(window, "view")
    themes = by_name(by_name(menu)["Theme"].menu())
    assert list(themes) == list(THEMES.values())
    assert [name for name, action in themes.items() if action.isChecked()] == ["Follow the system"]
    themes["Dark"].trigger()
    assert window.preferences.theme_name == "dark"
    themes = by_name(by_name(menu)["Theme"].menu())
    assert [name for name, action in themes.items() if action.isChecked()] == ["Dark"]


def test_a_fault_in_a_models_lenses_leaves_the_menu_whole(window, qtbot, monkeypatch, logged_errors):
    qtbot.waitUntil(lambda: window.stage.settled)
    monkeypatch.setattr(type(window.stage.state.on()), "lenses", lambda _: 1 / 0)
    assert not by_name(menu_of(window, "view"))["Shade by"].isEnabled()


def test_stages_to_compare_with_are_listed_and_one_is_chosen_at_a_time(window, qtbot):
    menu = menu_of(window, "compare")
    assert not by_name(menu)["Remove stage"].isEnabled()
    window.stages.add()
    qtbot.waitUntil(lambda: all(stage.settled for stage in window.stages.stages))
    entry = by_name(menu)["1  Support vector machine"]
    entry.trigger()
    assert window.stages.compared is window.stages.stages[0]
    entry = by_name(menu)["1  Support vector machine"]
    assert entry.isChecked()
    entry.trigger()
    assert window.stages.compared is None
    assert by_name(menu)["Remove stage"].isEnabled()


def test_six_stages_are_all(window, monkeypatch):
    monkeypatch.setattr("vizml.ui.window.commands.MAX_STAGES", 1)
    assert not by_name(menu_of(window, "compare"))["Compare"].isEnabled()


def test_every_menu_has_a_name_and_a_tip(window):
    for menu in (main_menu(window), *(menu_of(window, name) for name in FILLED)):
        assert menu.accessibleName() == menu.title()
        assert menu.toolTip()


# -- macOS ---------------------------------------------------------------------------------------------------


@pytest.fixture
def mac(monkeypatch):
    for module in (widget_keys, window_module):
        monkeypatch.setattr(module, "MAC", True)


def test_only_macos_has_a_menu_bar(window):
    assert window.findChild(QMenuBar) is None


def test_the_menu_bar_has_all_that_the_main_menu_has_and_the_data_sets(mac, start):
    window = start()
    shown = parts(window.menuBar())
    assert list(shown) == ["File", "Edit", "Data", *list(COMMANDS)[2:-1], "From the notes"]
    assert "Moons" in [action.text() for action in shown["Data"].actions()]
    for title, part in parts(main_menu(window)).items():
        assert [a.text() for a in entries(shown[title])] == [a.text() for a in entries(part)]


def test_no_command_but_quit_leaves_its_menu_for_that_of_the_program(window):
    """By its words alone, "Options of moons" would become the preferences of the program."""
    ids = [command.id for group in COMMANDS.values() for command in group if command is not None]
    roles = {id: window.commands[id].menuRole() for id in ids}
    assert roles.pop("quit") is QAction.MenuRole.QuitRole
    assert set(roles.values()) == {QAction.MenuRole.NoRole}


def test_keys_are_called_as_the_system_calls_them(mac, start):
    window = start()
    assert ("Select all", "\N{PLACE OF INTEREST SIGN}A") in keys_overview.key_rows()["Canvas"]
    tips = [button.toolTip() for button in window.rail.tools.values()]
    assert any("\N{PLACE OF INTEREST SIGN}wheel" in tip for tip in tips)
    assert not any("Ctrl" in tip for tip in tips)
