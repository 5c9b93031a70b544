"""A window with the dock of diagnostics open."""

import pytest

from tests.ui.charts.conftest import heard, shown  # noqa: F401 (fixtures of a widget on the screen)
from tests.ui.window.conftest import folder, preferences, start, window  # noqa: F401 (fixtures of every window)
from vizml.data import Split, load
from vizml.learn import create
from vizml.workspace import Experiment, Work

SPEC = "moons:n=120,noise=0.3"


def work(model="svm", task="classify", spec=SPEC, share=0.3, **values):
    return Work(load(spec), (Experiment(create(model, task, **values)),), Split(share), spec)


def found(dock, title):
    result = dock.result
    return (
        dock.diagnostic is not None and dock.diagnostic.title == title and result is not None and result.done
    )


@pytest.fixture
def lab(start, qtbot):  # noqa: F811
    """Opens a window with the dock on a diagnostic."""

    def open_on(title, given=None):
        window = start(given or work(), size=(1200, 800))  # noqa: F811
        qtbot.waitUntil(lambda: window.stage.settled)
        window.commands["diagnostics"].trigger()
        dock = window.diagnostic_docks.diagnostics
        qtbot.waitUntil(dock.isVisible)
        qtbot.waitUntil(lambda: dock.view.canvas is not None)
        qtbot.waitUntil(lambda: dock.chooser.count() > 1)
        dock.choose(title)
        return window, dock

    return open_on


@pytest.fixture
def settled(lab, qtbot):
    """The same, once all is found out."""

    def open_on(title, given=None):
        window, dock = lab(title, given)  # noqa: F811
        qtbot.waitUntil(lambda: found(dock, title))
        return window, dock

    return open_on
