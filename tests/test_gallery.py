"""What the gallery shows: every model, on data that there are, with settings that it takes."""

import sys
from pathlib import Path

import pytest

from vizml.data import load
from vizml.learn import CLASSIFY, models

sys.path.append(str(Path(__file__).parents[1] / "scripts"))
from gallery.models import EXHIBITS, exhibits

KINDS = {f"{kind.task.id}-{kind.id}": kind for kind in models()}


@pytest.mark.parametrize("name", KINDS)
def test_each_model_is_shown_and_classifiers_on_two_data_sets(name):
    kind = KINDS[name]
    shown = exhibits(kind)
    assert len({each.data for _, each in shown}) == (2 if kind.task is CLASSIFY else 1)
    for model, each in shown:
        assert type(model) is kind
        assert {key: model.values[key] for key in each.values} == each.values
        assert len(load(each.data)) >= 80


def test_nothing_is_said_of_models_that_there_are_not():
    assert {"-".join(key) for key in EXHIBITS} <= set(KINDS)
