"""Distributions in the window: samples snap to the support, and what has no meaning for them is hidden."""

import numpy as np
import pytest

from vizml.data import generate
from vizml.learn import create
from vizml.workspace import Experiment


@pytest.fixture
def coin(window):
    window.generators.draw("coin")
    return window


def test_a_sample_brings_its_distribution(coin):
    assert coin.document.experiment().model == create("bernoulli")
    coin.generators.draw("gamma")
    assert coin.document.dataset == generate("gamma")
    coin.document.undo()
    coin.document.undo()
    assert coin.document.experiment().model.task.id == "classify"


def test_clicks_and_drags_land_on_the_support(coin):
    document = coin.document
    document.add([[0.8, 0.4], [-3.0, 0.2]], 0)
    assert document.dataset.x[-2:].tolist() == [1.0, 0.0]
    last = np.arange(len(document.dataset)) == len(document.dataset) - 1
    document.move(last, [[0.7, 0.0]])
    assert document.dataset.x[-1] == 1.0
    document.set_model(create("gaussian", "distribute"))
    document.add([[0.83, 0.4]], 0)
    assert document.dataset.x[-1] == 0.83


def test_roles_that_one_column_does_not_have_are_hidden(coin):
    panel = coin.panel
    assert panel.standardise.isHidden()
    assert panel.columns.isHidden()
    coin.commands["columns"].trigger()
    assert not panel.columns.axes[0].isHidden()
    assert panel.columns.axes[1].isHidden()
    assert panel.columns.classes.isHidden()
    coin.document.set_model(create("svm"))
    assert not panel.standardise.isHidden()
    assert not panel.columns.axes[1].isHidden()


def test_standardised_experiments_describe_the_values_as_they_are(coin, qtbot):
    coin.document.set_standardise(True)
    coin.document.set_model(create("gaussian", "distribute"))
    document = coin.document
    qtbot.waitUntil(lambda: coin.stage.state is not None and coin.stage.state.learned().get("mu") is not None)
    assert coin.stage.state.learned()["mu"] == pytest.approx(0.7)
    assert document.experiment() == Experiment(create("gaussian", "distribute"), standardise=True)
