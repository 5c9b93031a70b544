"""Between what a window works on and what a project file holds."""

from __future__ import annotations

from vizml.data import Bounds
from vizml.data.node import Plain
from vizml.data.project import Project, Spec
from vizml.learn import create
from vizml.scene import Look
from vizml.ui.document import Experiment, Work


def to_project(work: Work, view: Bounds, look: Look) -> Project:
    """All of a work as plain values."""
    hidden: list[Plain] = [*sorted(look.hidden)]
    return Project(
        dataset=work.dataset,
        split=work.split,
        experiments=tuple(_spec(experiment) for experiment in work.experiments),
        view=view,
        look={"shading": look.shading, "hidden": hidden},
    )


def to_work(project: Project) -> Work:
    """The work of a project; ValueError names a model or parameter that this program does not know."""
    experiments = tuple(
        Experiment(create(spec.model, spec.task, **spec.params), spec.seed) for spec in project.experiments
    )
    return Work(project.dataset, experiments or Work.fresh().experiments, project.split)


def to_look(project: Project, look: Look) -> Look:
    """The shading and the layers of a project; what it does not say, or says oddly, stays as it is."""
    hidden, shading = project.look.get("hidden"), project.look.get("shading")
    if isinstance(hidden, list):
        look = Look(look.theme, look.shading, frozenset(layer for layer in hidden if isinstance(layer, str)))
    if shading in ("soft", "hard"):
        look = Look(look.theme, "hard" if shading == "hard" else "soft", look.hidden)
    return look


def _spec(experiment: Experiment) -> Spec:
    model = experiment.model
    return Spec(model.task.value, model.id, model.values, experiment.seed)
