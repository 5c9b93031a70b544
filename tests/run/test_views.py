"""Two views are the same where they ask for the same picture."""

from dataclasses import replace

import numpy as np
import pytest

from tests.run.fakes import Halves
from vizml.evaluate.diagnostic import Overlay
from vizml.run.company import Company
from vizml.run.frame import View
from vizml.scene import DARK, Look

BOUNDS = (-2.0, 2.0, -1.0, 1.0)


def state():
    return Halves(classes=np.array([0, 1]), weights=np.zeros(1))


VIEW = View(BOUNDS, 60, 40, Look(), overlay=Overlay(groups=(np.arange(3), np.arange(3))), rival=state())


def test_a_view_that_is_made_once_more_is_the_same():
    assert VIEW.same(VIEW)
    assert VIEW.same(replace(VIEW, bounds=tuple(BOUNDS), look=Look()))
    assert not VIEW.same(None)


@pytest.mark.parametrize(
    "change",
    [
        {"bounds": (-2.0, 2.0, -1.0, 1.1)}, {"width": 61}, {"height": 39}, {"look": Look(DARK)},
        {"moment": 0}, {"node": "1"}, {"overlay": Overlay(groups=(np.arange(3), np.arange(3)))},
        {"rival": state()}, {"company": Company("own", ())},
    ],
    ids=lambda change: next(iter(change)),
)  # fmt: skip
def test_any_other_is_another(change):
    other = replace(VIEW, **change)
    assert not VIEW.same(other)
    assert not other.same(VIEW)
