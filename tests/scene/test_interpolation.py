"""Between two moments a model's own points slide smoothly from the old places to the new ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vizml.scene import Dots, Path, Rings, Scene
from vizml.scene.figure import interpolated, moving_dots

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
