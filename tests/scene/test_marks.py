"""Marks say whether there is anything to draw, and can not be changed on their way to the painter."""

import dataclasses

import numpy as np
import pytest

from vizml import scene
from vizml.scene import (
    Band,
    Borders,
    Curves,
    Dots,
    FunctionBand,
    LazyLines,
    Levels,
    Mark,
    Path,
    Profile,
    Rings,
    Segments,
    TextLabels,
    ViewDependent,
)
from vizml.scene.marks import PointMark

POINT, NONE = np.zeros((1, 2)), np.empty((0, 2))
ROW = np.array([0.0, 1.0])

FULL = {
    "path": Path(layer="a", lines=(NONE, np.zeros((2, 2)))),
    "segments": Segments(layer="a", ends=np.zeros((1, 2, 2))),
    "rings": Rings(layer="a", points=POINT, radii=np.ones(1)),
    "dots": Dots(layer="a", points=POINT),
    "words": TextLabels(layer="a", points=POINT, texts=("k",)),
    "band": Band(layer="a", x=ROW, low=ROW, high=ROW + 1),
    "levels": Levels(layer="a", plane=0, values=(0.0,)),
    "borders": Borders(layer="a", field=lambda raster: np.zeros((2, *raster.shape), np.float32)),
    "lazy lines": LazyLines(layer="a", lines=lambda: [np.zeros((2, 2))]),
    "curves": Curves(layer="a", values=lambda x: x[None]),
    "between": FunctionBand(layer="a", edges=lambda x: (x, x + 1)),
    "profile": Profile(layer="a", axis="x", at=ROW, heights=ROW, peak=1.0),
}
EMPTY = {
    "path without lines": Path(layer="a", lines=()),
    "path of empty lines": Path(layer="a", lines=(NONE, NONE)),
    "segments": Segments(layer="a", ends=np.empty((0, 2, 2))),
    "rings": Rings(layer="a", points=NONE, radii=np.empty(0)),
    "dots": Dots(layer="a", points=NONE),
    "words": TextLabels(layer="a", points=NONE, texts=()),
}


@pytest.mark.parametrize("mark", FULL.values(), ids=FULL)
def test_what_has_something_to_draw_is_not_empty(mark):
    assert mark.empty is False


@pytest.mark.parametrize("mark", EMPTY.values(), ids=EMPTY)
def test_what_has_nothing_to_draw_is_empty(mark):
    assert mark.empty is True


def test_every_kind_of_mark_is_looked_at_here_and_given_by_the_room():
    general = ViewDependent, PointMark
    kinds = {kind for base in (Mark, *general) for kind in base.__subclasses__()} - {*general}
    assert {type(mark) for mark in FULL.values()} == kinds
    assert {kind.__name__ for kind in kinds} < set(scene.__all__)


@pytest.mark.parametrize("mark", FULL.values(), ids=FULL)
def test_marks_are_themselves_however_alike(mark):
    """Their arrays have no single truth; lines are kept by the mark that asked for them."""
    twin = dataclasses.replace(mark)
    assert mark == mark  # noqa: PLR0124
    assert twin != mark
    assert len({mark: 1, twin: 2}) == 2
