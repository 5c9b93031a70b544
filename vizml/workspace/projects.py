"""Projects and sessions: the work of a project file, the one that a start opens and a clean end remembers."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path

from vizml.data import Bounds, generate, project
from vizml.data.files import remove_stale_parts
from vizml.data.project import SUFFIX, Project, StageSpec
from vizml.data.project_parts import Plain, remove_attached
from vizml.learn import create
from vizml.scene import Look
from vizml.workspace.preferences import Preferences
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


log = logging.getLogger(__name__)
UNSAVED = f"session{SUFFIX}"
"""Name of the file with work that belongs to no file of the user."""


@dataclass(frozen=True)
class Opening:
    """The work that a window starts with."""

    work: Work
    path: Path | None = None
    project: Project | None = None
    """The project that the work comes from, whose view and layers are restored."""
    complaint: str = ""
    """Reason why the expected work is not opened."""
    first: bool = False
    """Whether this is the first start."""
    table: Path | None = None
    """A table to import once the window exists."""


def opening(preferences: Preferences, folder: Path, file: str | None = None) -> Opening:
    """Return the file that was asked for, else the last session, else the demonstration."""
    if file is not None and Path(file).suffix.lower() != SUFFIX:
        return Opening(Work.fresh(), table=Path(file).absolute())
    if file is not None:
        return _open(Path(file).absolute(), Work.fresh())
    last = preferences.text("session/path")
    if last:
        return _open(Path(last), demonstration())
    remove_stale_parts(folder / UNSAVED)
    if (folder / UNSAVED).exists():
        found = _open(folder / UNSAVED, demonstration())
        return Opening(found.work, None, found.project)
    return Opening(demonstration(), first=not preferences.flag("session/started"))


def demonstration() -> Work:
    """Return two moons and a support vector machine."""
    return Work(generate("moons"), (Experiment(create("svm", "classify")),), generator="moons")


def remember(preferences: Preferences, folder: Path, path: Path | None, unsaved: Project | None) -> None:
    """Remember the project file, or else the work that belongs to no file, at a clean end."""
    preferences.set_flag("session/started", True)
    preferences.set_text("session/path", str(path or ""))
    try:
        if unsaved is None:
            (folder / UNSAVED).unlink(missing_ok=True)
            remove_attached(folder / UNSAVED)
        else:
            folder.mkdir(parents=True, exist_ok=True)
            project.save(unsaved, folder / UNSAVED)
    except OSError as problem:
        log.warning("The session cannot be remembered: %s", problem)


def _open(path: Path, otherwise: Work) -> Opening:
    remove_stale_parts(path)
    try:
        found = project.load(path)
        return Opening(to_work(found, path.name), path, found)
    except ValueError as problem:
        return Opening(otherwise, complaint=str(problem))
