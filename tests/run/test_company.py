"""Several regressions on one stage: a curve for each, in colours of their own, with names in the legend."""

import numpy as np
import pytest

from vizml import data, learn
from vizml.evaluate.diagnostic import NOTHING
from vizml.field import Raster
from vizml.learn import REGRESS
from vizml.run.company import COMPANY, Company, joined
from vizml.run.compose import compose
from vizml.run.curves import CURVE
from vizml.run.others import Others
from vizml.run.staged import staged
from vizml.scene import Look

POINTS = data.generate("sine", n=50, seed=2)
RASTER = Raster.over((-4.0, 4.0, -2.0, 2.0), 200, 100)
IDS = ("linear", "lasso", "gp", "knn", "tree")


def fit(id, task=REGRESS, points=POINTS):
    return learn.fit_data(learn.create(id, task), points)


STATES = {id: fit(id) for id in IDS}


def company(*ids):
    return Company("1 Ridge", tuple((f"{i} {id}", STATES[id]) for i, id in enumerate(ids, 2)))


def scene_of(state, beside):
    scene = compose(POINTS, state, RASTER, Look())
    return scene, joined(scene, state, beside, RASTER)


def test_each_curve_is_its_models_and_has_its_name():
    _, scene = scene_of(fit("ridge"), company(*IDS))
    lines = [mark for mark in scene.marks if mark.layer == COMPANY]
    assert [line.legend for line in lines] == [f"{i} {id}" for i, id in enumerate(IDS, 2)]
    for line, id in zip(lines, IDS, strict=True):
        assert np.array_equal(line.lines[0][:, 0], RASTER.x)
        assert np.allclose(line.lines[0][:, 1], STATES[id].predict(RASTER.x))


def test_no_two_curves_have_one_colour():
    _, scene = scene_of(fit("ridge"), company(*IDS))
    inks = [mark.ink for mark in scene.marks if mark.layer in (COMPANY, CURVE)]
    assert len(set(inks)) == len(inks) == len(IDS) + 1


def test_the_legend_has_the_stages_own_name_first_and_then_those_of_the_others():
    before, scene = scene_of(fit("ridge"), company("linear", "gp"))
    assert [mark.legend for mark in scene.marks if mark.legend] == ["1 Ridge", "2 linear", "3 gp"]
    assert [mark.layer for mark in scene.marks[:-2]] == [mark.layer for mark in before.marks]
    assert scene.marks[-3].layer == CURVE


def test_what_is_no_curve_keeps_away():
    moons = data.generate("moons", n=40)
    classifier = fit("knn", learn.CLASSIFY, moons)
    _, scene = scene_of(fit("ridge"), Company("1 Ridge", (("2 kNN", classifier), ("3 GP", STATES["gp"]))))
    assert [mark.legend for mark in scene.marks if mark.layer == COMPANY] == ["3 GP"]
    plane = compose(moons, classifier, RASTER, Look())
    assert joined(plane, classifier, company("gp"), RASTER) is plane


def test_a_stage_shows_its_company_with_all_else():
    state, look = fit("ridge"), Look()
    scene = compose(POINTS, state, RASTER, look)
    shown = staged(scene, state, RASTER, look, NOTHING, None, Others(), company=company("gp", "knn"))
    assert sum(mark.layer == COMPANY for mark in shown.marks) == 2
    assert staged(scene, state, RASTER, look, NOTHING, None, Others()) is scene


@pytest.mark.parametrize(
    "other, same",
    [
        (company("gp", "knn"), True),
        (company("knn", "gp"), False),
        (company("gp"), False),
        (Company("4 Ridge", company("gp", "knn").others), False),
        (Company("1 Ridge", (("2 gp", STATES["gp"]), ("3 knn", STATES["tree"]))), False),
        (None, False),
    ],
)
def test_companies_are_the_same_by_names_and_states(other, same):
    assert company("gp", "knn").same(other) is same
