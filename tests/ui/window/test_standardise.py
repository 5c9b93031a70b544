"""The switch of the side panel that standardises the inputs of a model, from the click to the figures."""

import numpy as np

from vizml import data, learn
from vizml.evaluate.diagnostics.descent import LearningRateCurve
from vizml.learn import create
from vizml.workspace import Experiment, Work


def test_the_switch_trains_on_standardised_inputs_and_can_be_undone(start, qtbot):
    moons = data.generate("moons", n=60, seed=3)
    stretched = data.Dataset(moons.points * [100.0, 1.0], moons.labels)
    window = start(Work(stretched, (Experiment(create("svm")),)))
    plain = learn.fit(create("svm"), stretched.points, stretched.labels)
    scaled = learn.fit(create("svm"), stretched.points, stretched.labels, standardise=True)
    assert not np.allclose(plain.scores(stretched.points), scaled.scores(stretched.points))

    def wait_for(expected):
        def agrees():
            stage = window.stage
            return stage.settled and np.array_equal(
                stage.state.scores(stretched.points), expected.scores(stretched.points)
            )

        qtbot.waitUntil(agrees)

    wait_for(plain)
    window.panel.standardise.control.check.click()
    wait_for(scaled)
    assert window.document.undo_label == "standardise inputs"
    window.stages.add()
    assert window.document.experiment(1).standardise
    window.commands["undo"].trigger()
    window.commands["undo"].trigger()
    wait_for(plain)
    assert not window.panel.standardise.control.check.isChecked()


def test_a_diagnostic_of_starts_of_a_path_knows_nothing_of_the_switch(start, qtbot):
    """A stage keeps the switch when its task changes to one that has no inputs to standardise."""
    work = Work(data.generate("rosenbrock"), (Experiment(create("gradient_descent"), standardise=True),))
    window = start(work)
    found = []
    window.diagnostic_docks.controller.found.connect(found.append)
    window.diagnostic_docks.controller.choose(LearningRateCurve())
    qtbot.waitUntil(lambda: bool(found) and found[-1].done)
    assert found[-1].failure is None
    assert found[-1].chart is not None
