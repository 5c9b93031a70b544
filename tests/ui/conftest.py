"""Widgets on the screen; cycles of Qt's objects are collected in the window's thread, as in the program."""

import pytest

from vizml.app import collecting_cycles


@pytest.fixture(autouse=True, scope="package")
def _cycles(qapp):
    with collecting_cycles():
        yield


@pytest.fixture
def put(qtbot):
    """Shows a widget, in a size if given, and closes it after the test."""

    def show(widget, *size, closing=None):
        qtbot.addWidget(widget, before_close_func=closing)
        if size:
            widget.resize(*size)
        widget.show()
        return widget

    return show
