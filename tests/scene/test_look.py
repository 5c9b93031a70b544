"""Layers are switched one by one; layers off by default wait until they are switched on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vizml.scene import Dots, Look, Path, Scene
from vizml.scene.figure import BOUNDARIES, CONTOURS, GRID, HELD, LEGEND, POINTS, REGIONS, SCORES

KNOWN = (REGIONS, BOUNDARIES, CONTOURS, POINTS, HELD, LEGEND, SCORES, GRID)
layers = st.sampled_from((*KNOWN, "Support vectors"))
looks = st.builds(Look, hidden=st.frozensets(layers), shown=st.frozensets(layers))


def dots(layer, *, off_by_default=False):
    return Dots(layer=layer, points=np.zeros((1, 2)), off_by_default=off_by_default)


def test_at_first_contours_and_grid_are_off_and_all_else_is_on():
    assert [layer for layer in KNOWN if not Look().shows(layer)] == [CONTOURS, GRID]
    assert Look().shows("a layer that only one model has")
    assert not Look().shows("a layer that only one model has", off_by_default=True)


@given(looks, layers, st.booleans(), st.booleans())
def test_a_layer_is_as_it_was_switched_by_default_off_or_not(look, layer, on, off_by_default):
    assert look.switched(layer, on).shows(layer, off_by_default=off_by_default) is on


@given(looks, layers, layers, st.booleans(), st.booleans())
def test_no_other_layer_is_touched(look, layer, other, on, off_by_default):
    if other != layer:
        assert look.switched(layer, on).shows(other, off_by_default=off_by_default) is look.shows(
            other, off_by_default=off_by_default
        )


@given(looks, layers, st.booleans())
def test_a_mark_is_drawn_where_its_layer_is_shown(look, layer, off_by_default):
    assert look.draws(dots(layer, off_by_default=off_by_default)) is look.shows(
        layer, off_by_default=off_by_default
    )


def test_a_scene_lists_its_layers_once_each_from_the_lowest_to_the_highest():
    scene = Scene(marks=(dots("b"), dots("a"), dots("b"), dots("c")))
    assert scene.layers == ("b", "a", "c")
    assert Scene().layers == ()


@pytest.mark.parametrize(
    "marks, off_by_default",
    [
        ((), False),
        (("a", False), False),
        (("a", True), True),
        (("a", True, "a", True), True),
        (("a", True, "a", False), False),
        (("b", True), False),
        (("a", True, "b", False), True),
    ],
)
def test_a_layer_is_off_by_default_where_all_its_marks_are(marks, off_by_default):
    pairs = zip(marks[::2], marks[1::2], strict=True)
    assert (
        Scene(marks=tuple(dots(layer, off_by_default=q) for layer, q in pairs)).off_by_default("a")
        is off_by_default
    )


def test_a_layer_with_nothing_to_draw_is_listed_all_the_same():
    """Else the list of layers would flicker while a model learns."""
    assert Scene(marks=(Path(layer="Margins", lines=()),)).layers == ("Margins",)
