"""Other fits lie faintly over a scene, are kept while nobody moves, and part the points by group."""

from dataclasses import replace

import numpy as np
import pytest

from vizml import data, learn
from vizml.evaluate.diagnostic import Overlay
from vizml.field import Raster
from vizml.field.cancellation import Cancelled, cancellable
from vizml.learn import REGRESS
from vizml.run.others import MOST, OTHERS, Others
from vizml.scene import Look, Scene

RASTER = Raster.over((-2.0, 3.0, -2.0, 2.0), 240, 180)


@pytest.fixture
def fits():
    points = data.generate("linear", n=40, seed=0)
    model = learn.create("logistic")
    return tuple(learn.fit_data(model, points.take(np.arange(40) % 4 != i)) for i in range(4))


def over(overlay, look=None, raster=RASTER, others=None):
    return (others or Others()).over(Scene(), overlay, raster, look or Look())


def test_the_boundary_of_each_fit_is_where_its_scores_meet(fits):
    marks = over(Overlay(fits)).marks
    assert len(marks) == 4
    for state, mark in zip(fits, marks, strict=True):
        points = np.concatenate(mark.lines)
        lead = np.diff(state.scores(points[np.isfinite(points).all(axis=1)]))[:, 0]
        assert np.abs(lead).max() < 1e-4
    assert [mark.legend for mark in marks] == ["other fits", "", "", ""]


def test_a_threshold_moves_them_all(fits):
    (mark,) = over(Overlay(fits[:1]), Look(threshold=1.5)).marks
    lead = np.diff(fits[0].scores(np.concatenate(mark.lines)))[:, 0]
    np.testing.assert_allclose(lead, 1.5, atol=1e-4)


def test_curves_of_a_regression():
    state = learn.fit_data(learn.create("linear", REGRESS), data.generate("sine", n=30))
    (mark,) = over(Overlay((state,))).marks
    np.testing.assert_allclose(mark.lines[0][:, 1], state.predict(mark.lines[0][:, 0]))


def test_groups_colour_points_and_lines(fits):
    groups = np.arange(40), np.arange(40) % 4
    scene = over(Overlay(fits, groups))
    assert scene.tags is groups
    assert scene.tagged == "fold"
    assert [mark.ink for mark in scene.marks] == [0, 1, 2, 3]


def test_lines_are_kept_until_the_view_moves(fits):
    others = Others()
    first, again = (over(Overlay(fits), others=others).marks for _ in range(2))
    assert all(one.lines is other.lines for one, other in zip(first, again, strict=True))
    moved = over(Overlay(fits), raster=Raster.over((0.0, 1.0, 0.0, 1.0), 240, 180), others=others).marks
    assert all(one.lines is not other.lines for one, other in zip(first, moved, strict=True))


def test_no_more_than_can_be_told_apart_and_none_that_nobody_wants(fits):
    many = tuple(replace(fits[0]) for _ in range(MOST + 5))
    assert len(over(Overlay(many)).marks) == MOST
    with pytest.raises(Cancelled), cancellable(lambda: True):
        over(Overlay(fits))
    assert over(Overlay(fits), Look().switched(OTHERS, False)).marks == ()


def test_an_empty_overlay_leaves_the_scene_as_it_is():
    scene = Scene()
    assert Others().over(scene, Overlay(), RASTER, Look()) is scene
