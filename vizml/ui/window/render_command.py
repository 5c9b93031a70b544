"""Command line that renders the picture on the stage, for scripts."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from vizml.data.params import Value
from vizml.data.split import Split
from vizml.learn import Model
from vizml.run.frame import Frame
from vizml.workspace import Work

if TYPE_CHECKING:
    from vizml.ui.window.window import Window

SAVE_FIRST = "Save the project first: a command cannot hold these points, but it can name their file"


def copy_command(window: Window) -> None:
    """Copy the command of the active stage to the clipboard, or show what it needs."""
    document, stage = window.document, window.stage
    source = source_arguments(document.work, stage.index, None if document.modified else window.files.path)
    if source is None:
        window.messages.error(SAVE_FIRST, key="command")
        return
    size = f"{stage.canvas.width()}x{stage.canvas.height()}"
    words = ["vizml", "render", *source, *_step_arguments(stage.frame), "--size", size]
    if window.preferences.look.theme.name == "dark":
        words += ["--theme", "dark"]
    line = shlex.join([*words, "-o", "picture.svg"])
    QGuiApplication.clipboard().setText(line)
    window.messages.info(f"On the clipboard: {line}")


def _step_arguments(frame: Frame | None) -> list[str]:
    """Arguments for the step that is shown, where it is not the last."""
    if frame is None or frame.shown is None or frame.shown.index == frame.count - 1:
        return []
    return ["--step", str(int(frame.steps[frame.shown.index]))]


def source_arguments(work: Work, index: int, path: Path | None) -> list[str] | None:
    """Arguments for the points, the model and the split of a stage; None where no command can express them.

    A file that holds the work as it is says most: the view and the layers too.
    """
    if path is not None:
        return ["--data", str(path), *(["--stage", str(index + 1)] if index else [])]
    experiment, split = work.experiments[index], work.split
    if not work.generator or split.test or (split.share and split.seed != experiment.seed):
        return None
    model = experiment.model
    found = [
        "--data",
        work.generator,
        "--model",
        model.id,
        "--task",
        model.task.id,
        *_parameter_arguments(model),
    ]
    standardised = ["--standardise"] if experiment.standardise else []
    return [*found, *standardised, *_seed_arguments(experiment.seed, split)]


def _parameter_arguments(model: Model) -> list[str]:
    plain = type(model)().values
    changed = {name: value for name, value in model.values.items() if value != plain[name]}
    return [word for name, value in changed.items() for word in ("--set", f"{name}={_value_text(value)}")]


def _seed_arguments(seed: int, split: Split) -> list[str]:
    found = ["--seed", str(seed)] if seed else []
    return [*found, "--holdout", _value_text(split.share)] if split.share else found


def _value_text(value: Value) -> str:
    """Return the shortest text that gives the same value."""
    return f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value)
