"""Layers: overlays of diagnostics, differences from another model, curves of other models."""

from dataclasses import replace

import numpy as np
import pytest

from tests.run.composing import composed, layered
from vizml import data, learn
from vizml.evaluate import bayes
from vizml.evaluate.diagnostic import Overlay
from vizml.field import Raster
from vizml.field.cancellation import Cancelled, cancellable
from vizml.learn import CLASSIFY, CLUSTER, REGRESS
from vizml.run.curves import CURVE
from vizml.run.layers import (
    BAYES,
    MOST_LINES,
    OTHER_FITS,
    OTHER_MODEL,
    OTHER_MODELS,
    CurvesLayer,
    DifferenceLayer,
    LineCache,
    OverlayLayer,
    agreement,
    bayes_boundary,
    generator_layers,
)
from vizml.scene import Look, Scene
from vizml.scene.palette import FoldInk

RASTER = Raster.over((-2.0, 3.0, -2.0, 2.0), 240, 180)


@pytest.fixture
def fits():
    points = data.generate("linear", n=40, seed=0)
    model = learn.create("logistic")
    return tuple(learn.fit_data(model, points.take(np.arange(40) % 4 != i)) for i in range(4))


def over(overlay, look=None, raster=RASTER, cache=None):
    state = overlay.states[0]
    return layered(Scene(), state, raster, OverlayLayer(overlay), look=look, cache=cache)


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
    assert [mark.ink for mark in scene.marks] == [FoldInk(k) for k in range(4)]


def test_lines_are_kept_until_the_view_moves(fits):
    cache = LineCache()
    first, again = (over(Overlay(fits), cache=cache).marks for _ in range(2))
    assert all(one.lines is other.lines for one, other in zip(first, again, strict=True))
    moved = over(Overlay(fits), raster=Raster.over((0.0, 1.0, 0.0, 1.0), 240, 180), cache=cache).marks
    assert all(one.lines is not other.lines for one, other in zip(first, moved, strict=True))


def test_no_more_than_can_be_told_apart_and_none_that_nobody_wants(fits):
    many = tuple(replace(fits[0]) for _ in range(MOST_LINES + 5))
    assert len(over(Overlay(many)).marks) == MOST_LINES
    with pytest.raises(Cancelled), cancellable(lambda: True):
        over(Overlay(fits))
    assert over(Overlay(fits), Look().switched(OTHER_FITS, False)).marks == ()


# another model for comparison

PLANE = Raster.over((-3.0, 4.0, -3.0, 3.0), 120, 90)
BLOBS = data.generate("blobs", n=90, classes=3, seed=1)


def fitted(id, task=CLASSIFY, points=BLOBS, **values):
    return learn.fit_data(learn.create(id, task, **values), points)


def compared(state, other, points=BLOBS):
    scene = composed(points, state, PLANE)
    return scene, layered(scene, state, PLANE, DifferenceLayer(other))


@pytest.mark.parametrize("points", [BLOBS, data.generate("moons", n=90, noise=0.3)])
def test_pixels_that_differ_go_dark_and_others_pale(points):
    state, rival = fitted("tree", points=points), fitted("logistic", points=points)
    before, after = compared(state, rival, points=points)
    grid = np.stack(np.meshgrid(PLANE.x, PLANE.y), axis=-1).reshape(-1, 2)
    differ = (state.predict(grid) != rival.predict(grid)).reshape(PLANE.shape)
    darker = after.region.image[..., :3].sum(-1).astype(int) < before.region.image[..., :3].sum(-1)
    assert differ.any()
    assert np.mean(darker == differ) > 0.999  # a tie on a pixel's centre may fall either way
    (line,) = (mark for mark in after.marks if mark.layer == OTHER_MODEL)
    assert line.legend == f"differs on {100 * differ.mean():.1f} %"


def test_a_model_differs_from_itself_nowhere():
    state = fitted("svm")
    _, after = compared(state, state)
    assert [mark.legend for mark in after.marks if mark.layer == OTHER_MODEL] == ["differs on 0.0 %"]


def test_curves_lie_over_one_another():
    points = data.generate("sine", n=40)
    line, wave = (fitted("linear", REGRESS, points, degree=degree) for degree in (1, 5))
    _, after = compared(line, wave, points=points)
    np.testing.assert_allclose(after.marks[-1].lines[0][:, 1], wave.predict(PLANE.x))


def test_what_cannot_be_compared_stays_as_it_is():
    state, other = fitted("knn"), fitted("kmeans", "cluster")
    before, after = compared(state, other)
    assert after is before


def test_models_of_former_inputs_are_not_compared():
    """They are trained anew soon; a scene of one input has no values for them."""
    rows = data.Dataset(BLOBS.points, BLOBS.labels, chosen_inputs=("x",))
    state, former = learn.fit_data(learn.create("lda"), rows), fitted("lda")
    scene = composed(rows, state, RASTER)
    for layer in (DifferenceLayer(former), OverlayLayer(Overlay((former,)))):
        assert layered(scene, state, RASTER, layer) is scene


def test_a_comparison_that_nobody_waits_for_ends():
    with pytest.raises(Cancelled), cancellable(lambda: True):
        compared(fitted("knn"), fitted("tree"))


def test_agreement_is_the_share_of_equal_answers():
    state, rival = fitted("tree"), fitted("logistic")
    same = np.mean(state.predict(BLOBS.points) == rival.predict(BLOBS.points))
    assert agreement(state, rival, BLOBS.points) == pytest.approx(same)
    assert agreement(state, rival, np.vstack([BLOBS.points, [np.nan, 0.0]])) == pytest.approx(same)
    assert agreement(state, fitted("kmeans", "cluster"), BLOBS.points) is None
    assert agreement(state, rival, np.empty((0, 2))) is None
    assert agreement(state, rival, BLOBS.points[:, :1]) is None


# curves of other models

SINE = data.generate("sine", n=50, seed=2)
WIDE = Raster.over((-4.0, 4.0, -2.0, 2.0), 200, 100)
IDS = ("linear", "lasso", "gp", "knn", "tree")


def curve(id):
    return fitted(id, REGRESS, SINE)


STATES = {id: curve(id) for id in IDS}


def named(*ids):
    return CurvesLayer("1 Ridge", tuple((f"{i} {id}", STATES[id]) for i, id in enumerate(ids, 2)))


def scene_of(state, beside):
    scene = composed(SINE, state, WIDE)
    return scene, layered(scene, state, WIDE, beside)


def test_each_curve_is_its_models_and_has_its_name():
    _, scene = scene_of(curve("ridge"), named(*IDS))
    lines = [mark for mark in scene.marks if mark.layer == OTHER_MODELS]
    assert [line.legend for line in lines] == [f"{i} {id}" for i, id in enumerate(IDS, 2)]
    for line, id in zip(lines, IDS, strict=True):
        assert np.array_equal(line.lines[0][:, 0], WIDE.x)
        assert np.allclose(line.lines[0][:, 1], STATES[id].predict(WIDE.x))


def test_no_two_curves_have_one_colour():
    _, scene = scene_of(curve("ridge"), named(*IDS))
    inks = [mark.ink for mark in scene.marks if mark.layer in (OTHER_MODELS, CURVE)]
    assert len(set(inks)) == len(inks) == len(IDS) + 1


def test_the_legend_has_the_stages_own_name_first_and_then_those_of_the_others():
    before, scene = scene_of(curve("ridge"), named("linear", "gp"))
    assert [mark.legend for mark in scene.marks if mark.legend] == ["1 Ridge", "2 linear", "3 gp"]
    assert [mark.layer for mark in scene.marks[:-2]] == [mark.layer for mark in before.marks]
    assert scene.marks[-3].layer == CURVE


def test_what_is_no_curve_keeps_away():
    moons = data.generate("moons", n=40)
    classifier = fitted("knn", points=moons)
    _, scene = scene_of(
        curve("ridge"), CurvesLayer("1 Ridge", (("2 kNN", classifier), ("3 GP", STATES["gp"])))
    )
    assert [mark.legend for mark in scene.marks if mark.layer == OTHER_MODELS] == ["3 GP"]
    plane = composed(moons, classifier, WIDE)
    assert layered(plane, classifier, WIDE, named("gp")) is plane


@pytest.mark.parametrize(
    "other, same",
    [
        (named("gp", "knn"), True),
        (named("knn", "gp"), False),
        (named("gp"), False),
        (CurvesLayer("4 Ridge", named("gp", "knn").others), False),
        (CurvesLayer("1 Ridge", (("2 gp", STATES["gp"]), ("3 knn", STATES["tree"]))), False),
        (None, False),
    ],
)
def test_companies_are_the_same_by_names_and_states(other, same):
    assert (named("gp", "knn") == other) is same


OVERLAPPING = "blobs:classes=2,noise=1,seed=3"


def with_bayes(spec, model="lda", look=None, task=CLASSIFY):
    state = learn.fit_data(learn.create(model, task), data.load(spec))
    return layered(Scene(), state, RASTER, *generator_layers(spec), look=look)


def test_the_bayes_boundary_is_where_the_classes_are_equally_probable():
    shown = Look().switched(BAYES, on=True)
    for spec in (OVERLAPPING, "linear:noise=0.5", "anisotropic:classes=2"):
        (mark,) = with_bayes(spec, look=shown).marks
        np.testing.assert_allclose(bayes(spec).proba(np.concatenate(mark.lines)), 0.5, atol=0.01)
        assert sum(map(len, mark.lines)) > 50
        assert mark.legend == f"Bayes boundary, error {100 * bayes(spec).error:.2g} %"


def test_the_bayes_boundary_is_off_by_default():
    scene = with_bayes(OVERLAPPING)
    assert scene.off_by_default(BAYES)
    assert scene.marks[0].empty


@pytest.mark.parametrize("spec", ["iris", "moons:noise=0"])
def test_without_known_densities_there_is_no_bayes_boundary(spec):
    assert generator_layers(spec) == ()


def test_the_bayes_boundary_ends_where_differences_are_rounding_errors():
    for size, drawn in ((1e6, True), (1e18, False)):
        lines = bayes_boundary(OVERLAPPING, (-size, size, -size, size), 60, 40)
        assert bool(lines) == drawn


def test_other_tasks_have_no_bayes_boundary():
    assert not with_bayes(OVERLAPPING, "gmm", task=CLUSTER).marks
