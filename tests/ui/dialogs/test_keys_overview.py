"""The overview of all keys: every one of them can be read in a window of any size."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from vizml.ui.dialogs.keys_overview import KeysOverview
from vizml.ui.widgets.appearance import BODY


@pytest.fixture
def overview(start, qapp):
    def opened(size, large=False):
        window = start(size=size)
        window.preferences.set_large_type(large)
        window.commands["keys"].trigger()
        qapp.processEvents()
        return window.findChild(KeysOverview)

    return opened


def labels(overview):
    return [label for label in overview.findChildren(QLabel) if label.isVisible()]


@pytest.mark.parametrize("size, large", [((900, 560), False), ((1280, 720), True), ((1920, 1080), True)])
def test_no_words_are_cut_off(overview, size, large):
    shown = overview(size, large)
    assert len(labels(shown)) > 100
    for label in labels(shown):
        assert label.height() >= label.sizeHint().height(), label.text()
        assert label.width() >= label.sizeHint().width(), label.text()
        assert shown.rect().contains(
            label.geometry().translated(label.parentWidget().mapTo(shown, label.rect().topLeft()))
        )


def test_type_is_the_bodys_where_there_is_room_and_smaller_where_there_is_none(overview):
    roomy, cramped = overview((1600, 1000)), overview((900, 560))
    assert min(label.font().pixelSize() for label in labels(roomy)) == BODY
    assert min(label.font().pixelSize() for label in labels(cramped)) < BODY


def test_it_grows_and_shrinks_with_its_window(overview, qapp):
    shown = overview((900, 560))
    small = min(label.font().pixelSize() for label in labels(shown))
    shown.parentWidget().resize(1600, 1000)
    qapp.processEvents()
    assert shown.size() == shown.parentWidget().size()
    assert min(label.font().pixelSize() for label in labels(shown)) > small


def test_any_key_takes_it_away(overview, qapp):
    shown = overview((1280, 800))
    QTest.keyClick(shown, Qt.Key.Key_Shift)
    assert shown.isVisible()
    QTest.keyClick(shown, Qt.Key.Key_B)
    assert not shown.isVisible()
