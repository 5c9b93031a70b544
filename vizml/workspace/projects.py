"""Conversion between the work of a window and a project file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from vizml.data import Bounds
from vizml.data.json_node import Plain
from vizml.data.project import Project, StageSpec
from vizml.learn import create
from vizml.scene import Look
from vizml.workspace.work import Experiment, Work


def to_project(work: Work, views: Sequence[Bounds], look: Look, active: int = 0) -> Project:
    """Return a work as plain values, with the view of each stage and the index of the active one."""
    return Project(
        dataset=work.dataset,
        split=work.split,
        stages=tuple(
            StageSpec(each.model.task.id, each.model.id, each.model.values, each.seed, view, each.standardise)
            for each, view in zip_longest(work.experiments, views[: len(work.experiments)])
        ),
        active=min(active, len(work.experiments) - 1),
        look={"shading": look.shading, "hidden": [*sorted(look.hidden)], "shown": [*sorted(look.shown)]},
        generator=work.generator,
        equal=work.equal,
        log=work.log,
        held=work.held,
    )


def to_work(project: Project, name: str = "the project") -> Work:
    """Return the work of a project; ValueError names a model or parameter that is not known."""
    experiments = []
    for number, stage in enumerate(project.stages, 1):
        try:
            experiments.append(
                Experiment(create(stage.model, stage.task, **stage.params), stage.seed, stage.standardise)
            )
        except ValueError as problem:
            raise ValueError(f"{name}: stage {number}: {problem}") from None
    return Work(
        project.dataset, tuple(experiments) or Work.fresh().experiments, project.split, project.generator,
        project.equal, project.log, project.held,
    )  # fmt: skip


def to_look(project: Project, look: Look) -> Look:
    """Return a look with the shading and the layers of a project where it has valid ones."""
    shading, hidden, shown = (project.look.get(name) for name in ("shading", "hidden", "shown"))
    if isinstance(hidden, list):
        look = replace(look, hidden=_names(hidden))
    if isinstance(shown, list):
        look = replace(look, shown=_names(shown))
    if shading in ("soft", "hard"):
        look = replace(look, shading="hard" if shading == "hard" else "soft")
    return look


def _names(layers: list[Plain]) -> frozenset[str]:
    return frozenset(layer for layer in layers if isinstance(layer, str))
