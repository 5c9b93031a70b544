"""Between what a window works on and what a project file holds."""

from __future__ import annotations

from dataclasses import replace

from vizml.data import Bounds
from vizml.data.node import Plain
from vizml.data.project import Project, Spec
from vizml.learn import create
from vizml.scene import Look
from vizml.workspace import Experiment, Work


def to_project(work: Work, view: Bounds, look: Look) -> Project:
    """All of a work as plain values."""
    hidden: list[Plain] = [*sorted(look.hidden)]
    asked: list[Plain] = [*sorted(look.shown)]
    return Project(
        dataset=work.dataset,
        split=work.split,
        experiments=tuple(_spec(experiment) for experiment in work.experiments),
        view=view,
        look={"shading": look.shading, "hidden": hidden, "asked": asked},
        generator=work.generator,
    )


def to_work(project: Project, name: str = "the project") -> Work:
    """The work of a project; ValueError names a model or parameter that this program does not know."""
    experiments = []
    for place, spec in enumerate(project.experiments):
        try:
            experiments.append(Experiment(create(spec.model, spec.task, **spec.params), spec.seed))
        except ValueError as problem:
            raise ValueError(f"{name}: experiments[{place}]: {problem}") from None
    return Work(
        project.dataset, tuple(experiments) or Work.fresh().experiments, project.split, project.generator
    )


def to_look(project: Project, look: Look) -> Look:
    """The shading and the layers of a project; what it does not say, or says oddly, stays as it is."""
    shading, hidden, asked = (project.look.get(name) for name in ("shading", "hidden", "asked"))
    if isinstance(hidden, list):
        look = replace(look, hidden=_names(hidden))
    if isinstance(asked, list):
        look = replace(look, shown=_names(asked))
    if shading in ("soft", "hard"):
        look = replace(look, shading="hard" if shading == "hard" else "soft")
    return look


def _names(layers: list[Plain]) -> frozenset[str]:
    return frozenset(layer for layer in layers if isinstance(layer, str))


def _spec(experiment: Experiment) -> Spec:
    model = experiment.model
    return Spec(model.task.id, model.id, model.values, experiment.seed)
