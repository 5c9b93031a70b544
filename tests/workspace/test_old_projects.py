"""Projects in format 1, written at a0a4334, open in the present version and look the same.

The two pictures of ensembles were drawn again with the bundled font: their scores cover 2 % of the pixels.
"""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vizml.commands.render import render_file
from vizml.data import load_project
from vizml.data.project import dumps, loads
from vizml.run.request import RunRequest
from vizml.scene import Look
from vizml.scene.figure import RenderOptions
from vizml.workspace.projects import to_look, to_work

FOLDER = Path(__file__).parents[1] / "data" / "projects"
PICTURES = sorted(FOLDER.glob("*.png"))
CHANGED, SHARE, MEAN = 48, 0.02, 4.0
"""Tolerance: at most 2 % of the pixels differ by more than 48 of 255 levels, and on average by 4.

The pictures are stored with 96 colours, and marks and texts may move by a pixel.
"""


def colours(path):
    return np.asarray(Image.open(path).convert("RGB"), float)


@pytest.mark.parametrize("picture", PICTURES, ids=lambda path: path.stem)
def test_a_stage_looks_the_same(qapp, tmp_path, picture):
    name, stage = picture.stem.rsplit("-", 1)
    project = load_project(FOLDER / f"{name}.vizml")
    work, number = to_work(project), int(stage) - 1
    experiment = work.experiments[number]
    request = RunRequest(work.dataset, experiment.model, experiment.seed, work.split)
    options = RenderOptions(240, 180, look=to_look(project, Look()), view=project.stages[number].view)
    render_file(tmp_path / "now.png", request, options)
    away = np.abs(colours(tmp_path / "now.png") - colours(picture)).max(axis=2)
    assert (away > CHANGED).mean() <= SHARE
    assert away.mean() <= MEAN


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.vizml")), ids=lambda path: path.stem)
def test_a_project_is_the_same_after_an_upgrade(path):
    project = load_project(path)
    upgraded = loads(dumps(project))
    assert upgraded == project
    assert np.array_equal(upgraded.dataset.ids, project.dataset.ids)


def test_every_task_and_stage_has_a_picture():
    projects = [load_project(path) for path in FOLDER.glob("*.vizml")]
    assert len(projects) == 13
    assert sum(len(project.stages) for project in projects) == len(PICTURES) + 1  # nothing on the empty one
    tasks = {spec.task for project in projects for spec in project.stages}
    assert tasks == {"classify", "regress", "cluster", "density"}
