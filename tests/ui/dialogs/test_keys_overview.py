"""The overview of all keys: every one of them can be read in a window of any size."""

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.events import pass_events
from vizml.ui.dialogs.keys_overview import KeysOverview
from vizml.ui.widgets.appearance import BODY


@pytest.fixture
def overview(start, qapp):
    def opened(size, large=False):
        window = start(size=size)
        window.preferences.set_large_type(large)
        window.commands["keys"].trigger()
        pass_events()
        return window.findChild(KeysOverview)

    return opened


def type_of(overview):
    return min(int(size) for size in re.findall(r"font-size: (\d+)px", overview.card.text()))


@pytest.mark.parametrize("size, large", [((900, 560), False), ((1280, 720), True), ((1920, 1080), True)])
def test_no_words_are_cut_off(overview, size, large):
    shown = overview(size, large)
    assert shown.card.text().count("<tr>") > 60
    assert shown.card.size().expandedTo(shown.card.sizeHint()) == shown.card.size()
    assert shown.rect().contains(shown.card.geometry())


def test_type_is_the_bodys_where_there_is_room_and_smaller_where_there_is_none(overview, qapp):
    shown = overview((900, 560))
    assert type_of(shown) < BODY
    shown.parentWidget().resize(1600, 1000)
    pass_events()
    assert shown.size() == shown.parentWidget().size()
    assert type_of(shown) == BODY


def test_any_key_takes_it_away(overview, qapp):
    shown = overview((1280, 800))
    QTest.keyClick(shown, Qt.Key.Key_Shift)
    assert shown.isVisible()
    QTest.keyClick(shown, Qt.Key.Key_B)
    assert not shown.isVisible()


def test_its_command_closes_it_again(overview, qapp):
    window = overview((1280, 800)).window()
    window.commands["keys"].trigger()
    pass_events()
    assert window.findChildren(KeysOverview) == []
    window.commands["keys"].trigger()
    assert len(window.findChildren(KeysOverview)) == 1
