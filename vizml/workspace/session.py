"""The session: the work that a start opens, and the one that a clean end remembers."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

from vizml.data import generate, project
from vizml.data.attached import remove_attached
from vizml.data.files import remove_stale_parts
from vizml.data.project import SUFFIX, Project
from vizml.learn import create
from vizml.workspace.preferences import Preferences
from vizml.workspace.projects import to_work
from vizml.workspace.work import Experiment, Work

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
