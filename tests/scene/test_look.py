"""Layers of a look, and scenes that are blended into each other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vizml.scene import Dots, Look, Path, Rings, Scene
from vizml.scene.figure import (
    BOUNDARIES,
    CONTOURS,
    GRID,
    HELD,
    LEGEND,
    POINTS,
    REGIONS,
    SCORES,
    interpolated,
    moving_dots,
)

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


places = arrays(np.float64, (3, 2), elements=st.floats(-1e3, 1e3))


def scene(points, layer="c", **facts):
    return Scene(marks=(Dots(layer=layer, points=np.asarray(points, dtype=float)),), **facts)


def at(old, new, share):
    return interpolated(scene(old), scene(new), share).marks[0].points


@given(places, places, st.floats(0, 1))
def test_a_dot_is_on_the_straight_line_between_its_places(old, new, share):
    now = at(old, new, share)
    assert (now >= np.minimum(old, new) - 1e-9).all()
    assert (now <= np.maximum(old, new) + 1e-9).all()


@given(places, places, st.floats(0, 1))
def test_the_way_back_is_the_way_there_in_reverse(old, new, share):
    np.testing.assert_allclose(at(old, new, share), at(new, old, 1 - share), atol=1e-6)


def test_a_slide_starts_and_ends_gently():
    """Smoothstep: 3 s^2 - 2 s^3, no speed at either end and 1.5 times the even one in the middle."""
    moved = np.array([at([[0.0, 0.0]], [[1.0, 0.0]], share)[0, 0] for share in np.linspace(0, 1, 1001)])
    speed = np.diff(moved) * 1000
    assert speed[0] < 0.01
    assert speed[-1] < 0.01
    assert speed.max() == pytest.approx(1.5, abs=1e-3)
    assert (speed >= 0).all()


def test_dots_that_stay_are_left_as_they_are():
    new = scene([[1.0, 2.0]])
    assert not moving_dots(scene([[1.0, 2.0]]), new)
    assert interpolated(scene([[1.0, 2.0]]), new, 0.5).marks[0] is new.marks[0]


def test_other_layers_and_other_marks_do_not_slide():
    assert not moving_dots(scene([[0.0, 0.0]], "a"), scene([[1.0, 1.0]], "b"))
    line = Scene(marks=(Path(layer="c", lines=(np.zeros((2, 2)),)),))
    assert not moving_dots(line, scene([[1.0, 1.0]]))
    assert not moving_dots(scene([[1.0, 1.0]]), line)
    rings = [
        Scene(marks=(Rings(layer="c", points=np.full((1, 2), v), radii=np.ones(1)),)) for v in (0.0, 1.0)
    ]
    assert not moving_dots(*rings)


def test_everything_but_the_places_is_that_of_the_new_scene():
    tags = (np.array([0]), np.array([1]))
    new = Scene(
        marks=(Path(layer="p", lines=()), Dots(layer="c", points=np.ones((1, 2)), inks=(3,), size=20.0)),
        tags=tags,
        exact=False,
    )
    now = interpolated(scene([[0.0, 0.0]]), new, 0.25)
    assert now.marks[0] is new.marks[0]
    assert (now.marks[1].inks, now.marks[1].size) == ((3,), 20.0)
    assert now.tags is tags
    assert not now.exact
    assert new.marks[1].points.tolist() == [[1.0, 1.0]]


def test_without_a_scene_before_it_is_there_at_once():
    new = scene([[1.0, 1.0]])
    assert interpolated(None, new, 0.0) is new
    assert interpolated(scene([[0.0, 0.0]]), new, 2.0) is new
