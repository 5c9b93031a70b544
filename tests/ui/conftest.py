"""Widgets on the screen; cycles of Qt's objects are collected in the window's thread, as in the program."""

import pytest

from vizml.app import collecting_cycles
from vizml.scene import LIGHT
from vizml.ui.widgets import appearance


@pytest.fixture(autouse=True, scope="package")
def _cycles(qapp):
    with collecting_cycles():
        yield


@pytest.fixture
def put(qtbot):
    """Shows a widget, in a size if given, and closes it after the test."""
    kept = []  # else the collector of cycles may delete a widget with a thread before it is closed

    def show(widget, *size, closing=None):
        if closing is not None:
            kept.append(widget)
        qtbot.addWidget(widget, before_close_func=closing)
        if size:
            widget.resize(*size)
        widget.show()
        return widget

    return show


@pytest.fixture
def dressed(qapp):
    """Applies a theme and a size of type; the test begins and ends with the light one."""
    appearance.apply(qapp, LIGHT)
    yield lambda theme=LIGHT, scale=1.0: appearance.apply(qapp, theme, scale)
    appearance.apply(qapp, LIGHT)
