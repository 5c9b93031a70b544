"""The task of optimisers in the window: starts by clicks, files, undo, and controls that it does not have."""

import pytest

from vizml.data import Dataset, Split, generate, load_project, project
from vizml.learn import create
from vizml.learn.model import run
from vizml.scene import Look
from vizml.ui.window.render_command import generator_arguments
from vizml.workspace.projects import to_project, to_work


@pytest.fixture
def surface(window):
    window.generators.draw("rosenbrock")
    return window


def test_points_are_starts_and_clearing_keeps_the_surface(surface):
    document = surface.document
    document.add([[1.0, 2.5]], 0)
    assert document.dataset.points.tolist() == [[-1.2, 1.0], [1.0, 2.5]]
    assert document.work.bounds == document.dataset.surface.bounds
    surface.clear()
    assert len(document.dataset) == 0
    assert document.dataset.surface == generate("rosenbrock").surface
    document.undo()
    assert len(document.dataset) == 2


def test_controls_of_data_that_are_learned_from_are_hidden(surface):
    panel = surface.panel
    assert [row.isVisibleTo(panel) for row in (panel.standardise, panel.share, panel.test)] == [False] * 3
    surface.generators.draw("moons")
    assert [row.isVisibleTo(panel) for row in (panel.standardise, panel.share, panel.test)] == [True] * 3


def test_no_start_is_held_out(surface):
    document = surface.document
    document.set_split(Split(0.5, 1))
    document.add([[0.5, 0.5], [0.0, 0.0]], 0)
    assert document.split.share == 0
    assert len(document.split.parts(document.dataset)[0]) == 3


def test_a_project_keeps_the_surface(surface, tmp_path):
    saved = to_project(surface.document.work, [surface.canvas.bounds], Look())
    project.save(saved, tmp_path / "valley.vizml")
    work = to_work(load_project(tmp_path / "valley.vizml"))
    assert work.dataset == surface.document.dataset
    assert work.dataset.surface == surface.document.dataset.surface


@pytest.mark.parametrize(
    "change, sentence",
    [
        (('"(1 - w1)^2 + 100*(w2 - w1^2)^2"', '"import os"'), "surface.formula: character 1 of 'import os' "),
        (('"start": [-1.2, 1.0]', '"start": [-1.2]'), "surface.start must"),
        (('"start": [-1.2, 1.0]', '"start": [-1.2, 1.0], "code": "1"'), "surface.code is unknown"),
    ],
)
def test_an_invalid_surface_of_a_project_is_refused(surface, change, sentence):
    text = project.dumps(to_project(surface.document.work, [surface.canvas.bounds], Look()))
    assert change[0] in text
    with pytest.raises(project.ProjectError) as caught:
        project.loads(text.replace(*change))
    assert sentence in str(caught.value)


def test_a_surface_brings_an_optimiser_that_a_command_names_and_undo_brings_the_classifier_back(surface):
    assert surface.document.experiment().model.task.id == "descend"
    surface.document.set_model(create("adam", "descend", rate=0.05))
    words = generator_arguments(surface.document.work, 0)
    assert words == ["--data", "rosenbrock", "--model", "adam", "--task", "descend", "--set", "rate=0.05"]
    surface.document.undo()
    surface.document.undo()
    assert surface.document.experiment().model.id == "svm"


def test_points_of_data_are_starts_on_a_plain_bowl():
    dataset = Dataset([[1.0, 2.0]], [0])
    assert next(run(create("newton", "descend"), dataset)).loss == 2.5
