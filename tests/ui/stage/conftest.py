"""A stage with a runner that only writes down what it is asked, and a clock that goes when it is told."""

import pytest
from PySide6.QtCore import QObject, QSettings, Signal

from vizml.data import Dataset
from vizml.learn import create
from vizml.run.request import Frame
from vizml.ui import stage as module
from vizml.ui.preferences import QtPreferences
from vizml.ui.stage import Stage
from vizml.workspace import Document, Experiment, Work

POINTS = Dataset([[-1.0, 0.0], [1.0, 0.0], [-1.0, 1.0], [1.0, 1.0]], [0, 1, 0, 1])


class Runner(QObject):
    """Does nothing, but knows what it should have done."""

    frame = Signal(object)

    def __init__(self, parent=None):
        super().__init__(parent)
        self.token, self.jobs, self.views, self.cancelled, self.closed = 0, [], [], 0, False

    def start(self, model, seed, train, held, *, standardise=False):
        self.token += 1
        self.jobs.append((model, seed, train, held))
        self.standardise = standardise

    def show(self, view):
        self.views.append(view)

    def cancel(self):
        self.cancelled += 1

    def close(self):
        self.closed = True

    def answer(self, **facts):
        """Send a frame of the newest job."""
        given = {"token": self.token, "request": self.views[-1], "count": 3, **facts}
        self.frame.emit(Frame(**given))


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(module, "perf_counter", made)
    return made


@pytest.fixture
def document(qapp):
    return Document(Work(POINTS, (Experiment(create("svm"), 3), Experiment(create("knn"), 5))))


@pytest.fixture
def preferences(qapp, tmp_path):
    return QtPreferences(QSettings(str(tmp_path / "vizml.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def shown(qtbot, document, preferences):
    """Put a stage of an experiment on the screen, whatever its runner; it is closed down in the end."""
    made = []

    def on(index=0):
        stage = Stage(document, preferences, index)
        qtbot.addWidget(stage)
        made.append(stage)
        stage.resize(640, 480)
        stage.show()
        return stage

    yield on
    for stage in made:
        stage.close_down()


@pytest.fixture
def staged(monkeypatch, clock, shown):
    """Put a stage on the screen whose runner is the one above."""
    monkeypatch.setattr(module, "Runner", Runner)
    return shown


@pytest.fixture
def stage(staged):
    """One that has had its first frame."""
    made = staged()
    made.runner.answer()
    return made
