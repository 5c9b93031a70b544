"""What a start opens: the file asked for, else what was there at the end of the last one, else moons."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from vizml.data import generate, project
from vizml.learn import create
from vizml.ui.preferences import Preferences
from vizml.ui.window.files import SUFFIX
from vizml.workspace import Experiment, Work
from vizml.workspace.projects import to_work

UNSAVED = f"session{SUFFIX}"
"""Work that no file of the user holds, as a clean end left it."""


@dataclass(frozen=True)
class Opening:
    """What a window starts with. `complaint` says why it is not what was expected."""

    work: Work
    path: Path | None = None
    project: project.Project | None = None
    """The project that the work comes from, whose view and layers are restored."""
    complaint: str = ""
    first: bool = False
    table: Path | None = None
    """A table to import once the window is there."""


def opening(preferences: Preferences, folder: Path, file: str | None = None) -> Opening:
    """What to start with; it never fails."""
    if file is not None and Path(file).suffix.lower() != SUFFIX:
        return Opening(Work.fresh(), table=Path(file).absolute())
    if file is not None:
        return _from(Path(file).absolute(), Work.fresh())
    last = preferences.text("session/path")
    if last:
        return _from(Path(last), demonstration())
    if (folder / UNSAVED).exists():
        found = _from(folder / UNSAVED, demonstration())
        return Opening(found.work, None, found.project)
    return Opening(demonstration(), first=not preferences.flag("session/started"))


def demonstration() -> Work:
    """Two moons and a support vector machine, so that the window is alive at once."""
    return Work(generate("moons"), (Experiment(create("svm", "classify")),), generator="moons")


def remember(
    preferences: Preferences, folder: Path, path: Path | None, unsaved: project.Project | None
) -> None:
    """At a clean end: the project file, or the work that is in none."""
    preferences.set_flag("session/started", True)
    preferences.set_text("session/path", str(path or ""))
    with suppress(OSError):
        if unsaved is None:
            (folder / UNSAVED).unlink(missing_ok=True)
        else:
            folder.mkdir(parents=True, exist_ok=True)
            project.save(unsaved, folder / UNSAVED)


def _from(path: Path, otherwise: Work) -> Opening:
    try:
        found = project.load(path)
        return Opening(to_work(found, path.name), path, found)
    except ValueError as problem:
        return Opening(otherwise, complaint=str(problem))
