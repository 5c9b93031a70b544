"""A work as a project and back: nothing is lost, and odd looks do no harm."""

import numpy as np
import pytest

from vizml.data import Dataset, Split, generate
from vizml.data.project import Project, StageSpec, dumps, loads
from vizml.learn import create
from vizml.scene import DARK, Look
from vizml.workspace import Experiment, Work
from vizml.workspace.projects import to_look, to_project, to_work

VIEW = (-1.5, 2.5, -3.0, 4.0)
POINTS = Dataset([[0, 1], [2, 3], [4, 5]], [0, 1, -1], ("left", "right"))


def through_a_file(work, look=None):
    return loads(dumps(to_project(work, [VIEW], look or Look())))


@pytest.mark.parametrize(
    "model,task,values",
    [("svm", "classify", {"C": 0.03}), ("knn", "regress", {"k": 2}), ("kmeans", "cluster", {})],
)
def test_a_work_comes_back_through_a_file(model, task, values):
    work = Work(
        POINTS,
        (Experiment(create(model, task, **values), 17, standardise=True),),
        Split(0.25, 9),
        "moons:n=3",
        held={"c": 0.25},
    )
    found = through_a_file(work)
    assert to_work(found) == work
    assert found.view == VIEW


def test_points_keep_their_ids_so_that_a_split_stays_what_it_was():
    moons = generate("moons", n=40, seed=1).take(np.arange(40) % 3 > 0)
    work = Work(moons, (Experiment(create("svm")),), Split(0.3, 2))
    found = to_work(through_a_file(work))
    assert found.dataset.ids.tolist() == moons.ids.tolist()


def test_a_project_without_models_has_that_of_a_fresh_start():
    work = to_work(Project(POINTS))
    assert work.experiments == Work.fresh().experiments
    assert work.dataset == POINTS


@pytest.mark.parametrize("name,values", [("nothing", {}), ("svm", {"nonsense": 1}), ("svm", {"C": -1})])
def test_what_this_program_does_not_know_is_refused_by_name(name, values):
    known = StageSpec("classify", "knn", {})
    with pytest.raises(ValueError, match=rf"^a\.vizml: stage 2: .*\b{next(iter(values), name)}\b"):
        to_work(Project(POINTS, stages=(known, StageSpec("classify", name, values))), "a.vizml")


def test_shading_and_layers_come_back_and_the_theme_is_the_users():
    look = Look(theme=DARK, shading="hard", hidden=frozenset({"Grid", "Legend"}), shown=frozenset({"Slack"}))
    found = through_a_file(Work.fresh(), look)
    mine = Look()
    seen = to_look(found, mine)
    assert (seen.shading, seen.hidden, seen.shown) == ("hard", look.hidden, look.shown)
    assert seen.theme is mine.theme
    assert to_look(found, look) == look


def test_a_look_with_no_layer_hidden_is_not_one_that_says_nothing():
    hidden = Look(hidden=frozenset({"Grid"}))
    assert to_look(through_a_file(Work.fresh(), Look(hidden=frozenset())), hidden).hidden == frozenset()
    assert to_look(Project(POINTS), hidden) == hidden


@pytest.mark.parametrize(
    "odd",
    [
        {"shading": "striped"},
        {"shading": 3},
        {"hidden": "Grid"},
        {"shown": None},
        {"hidden": {"a": 1}},
        {"more": 1},
    ],
)
def test_what_is_said_oddly_stays_as_it_is(odd):
    look = Look(shading="hard", hidden=frozenset({"Grid"}))
    assert to_look(Project(POINTS, look=odd), look) == look


def test_of_odd_layers_the_names_are_taken():
    assert to_look(Project(POINTS, look={"hidden": ["Grid", 3, None, "Slack"]}), Look()).hidden == {
        "Grid",
        "Slack",
    }


def test_the_same_look_is_the_same_text_whatever_the_order_of_its_layers():
    names = ["Grid", "Slack", "Legend", "Contours", "Margin"]
    texts = {
        dumps(to_project(Work(POINTS, Work.fresh().experiments), [VIEW], Look(hidden=frozenset(order))))
        for order in (names, names[::-1], sorted(names))
    }
    assert len(texts) == 1
