"""Command line that renders the picture on the stage, for scripts."""

from __future__ import annotations

import hashlib
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from vizml.data import Project, load_project, project
from vizml.data.files import error_text
from vizml.data.params import Value
from vizml.data.project import SUFFIX
from vizml.data.split import Split
from vizml.evaluate.metrics import binary_classifier, threshold_at
from vizml.learn import Model
from vizml.run.figures import COMMON, layer_names, lens_names
from vizml.run.request import Frame
from vizml.scene import Look
from vizml.scene.viewport import Scales
from vizml.ui.stage import Stage
from vizml.workspace import Work
from vizml.workspace.projects import to_look

if TYPE_CHECKING:
    from vizml.ui.window.window import Window

SHOWN = 100
"""Characters of a command that the message repeats."""


def copy_command(window: Window) -> None:
    """Copy the command of the active stage to the clipboard; a project holds points that it cannot name."""
    stage, type_scale = window.stage, window.preferences.type_scale
    source, look, output = generator_arguments(window.document.work, stage.index), Look(), Path("picture.svg")
    if source is None or _saved(window):
        try:
            path, look = _project_file(window)
        except OSError as problem:
            window.messages.error(f"The points cannot be saved: {error_text(problem)}", key="command")
            return
        output = path.parent / output
        source = ["--data", str(path), *(["--stage", str(stage.index + 1)] if stage.index else [])]
    words = [*source, *_step_arguments(stage.frame), *_look_arguments(stage, look)]
    words += _scale_arguments(window.document.work.scales)
    words += ["--type-scale", f"{type_scale:g}"] if type_scale != 1.0 else []
    line = shlex.join(["vizml", "render", *words, "-o", str(output)])
    QGuiApplication.clipboard().setText(line)
    shown = line if len(line) <= SHOWN else f"{line[:SHOWN]}…"
    window.messages.info(f"On the clipboard: {shown}")


def _saved(window: Window) -> bool:
    """Whether the file of the document holds the work as it is."""
    path = window.files.path
    return path is not None and path.exists() and not window.document.modified


def _project_file(window: Window) -> tuple[Path, Look]:
    """Return a project that holds the work and its look: the file of the document, or a new one beside it."""
    path = window.files.path
    if path is None or not _saved(window):
        found: Project = window.files.project()
        folder = path.parent if path else Path(window.preferences.text("export/folder", str(Path.home())))
        name = hashlib.sha256(project.dumps(found).encode()).hexdigest()[:8]
        path = folder / f"picture-{name}{SUFFIX}"
        project.save(found, path)
    return path, to_look(load_project(path), Look())


def _step_arguments(frame: Frame | None) -> list[str]:
    """Arguments for the step that is shown, where it is not the last."""
    if frame is None or frame.shown is None or frame.shown.index == frame.count - 1:
        return []
    return ["--step", str(frame.steps[frame.shown.index])]


def _look_arguments(stage: Stage, base: Look) -> list[str]:
    """Arguments for the view, and for the appearance where it differs from another."""
    canvas, look = stage.canvas, stage.look
    own, lenses = (layer_names(canvas.view), lens_names(canvas.view)) if canvas.view else ((), ())
    known = {*COMMON, *own}
    words = ["--size", f"{canvas.width()}x{canvas.height()}", "--view=" + ",".join(map(str, canvas.bounds))]
    words += ["--theme", "dark"] if look.theme.name == "dark" else []
    words += ["--shading", look.shading] if look.shading != base.shading else []
    hide = (look.hidden - base.hidden) | (base.shown - look.shown)
    show = (base.hidden - look.hidden) | (look.shown - base.shown)
    words += [word for layer in sorted(hide & known - look.shown) for word in ("--hide", layer)]
    words += [word for layer in sorted(show & known - look.hidden) for word in ("--show", layer)]
    words += ["--lens", look.lens] if look.lens in lenses else []
    if look.threshold and (state := binary_classifier(stage.state)):
        words.append(f"--threshold={threshold_at(state, look.threshold)}")
    return words


def _scale_arguments(scales: Scales) -> list[str]:
    log = "".join(name for name, on in zip("xy", scales.log) if on)
    return ["--log", log] if log else ["--equal" if scales.equal else "--no-equal"]


def generator_arguments(work: Work, index: int) -> list[str] | None:
    """Arguments for generated points, the model and the split of a stage; None where no command has them."""
    experiment, split = work.experiments[index], work.used_split
    if not work.generator or split.test or (split.share and split.seed != experiment.seed):
        return None
    model = experiment.model
    found = [
        "--data", work.generator, "--model", model.id, "--task", model.task.id, *_parameter_arguments(model),
    ]  # fmt: skip
    standardised = ["--standardise"] if experiment.standardise else []
    held = _held_arguments(work, model)
    return [*found, *standardised, *held, *_seed_arguments(experiment.seed, split)]


def _held_arguments(work: Work, model: Model) -> list[str]:
    """Arguments for the values of inputs that are not shown, where these are not the medians."""
    found = list[str]()
    for name in model.task.canvas_axes(work.dataset).held:
        if name in work.held:
            categories, value = work.dataset.column(name).categories, work.held[name]
            text = f"{name}={categories[round(value)] if categories else _value_text(value)}"
            found += ["--at", f'"{text}"' if "," in text else text]
    return found


def _parameter_arguments(model: Model) -> list[str]:
    plain = type(model)().values
    changed = {name: value for name, value in model.values.items() if value != plain[name]}
    return [word for name, value in changed.items() for word in ("--set", f"{name}={_value_text(value)}")]


def _seed_arguments(seed: int, split: Split) -> list[str]:
    found = ["--seed", str(seed)] if seed else []
    last = ["--last"] if split.last else []
    return [*found, "--holdout", _value_text(split.share), *last] if split.share else found


def _value_text(value: Value) -> str:
    """Return the shortest text that gives the same value."""
    return f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value)
