"""Command line that renders the picture on the stage, for scripts."""

from __future__ import annotations

import shlex
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from vizml.data.params import Value
from vizml.data.split import Split
from vizml.learn import Model
from vizml.ui.messages import Messages
from vizml.ui.stage import Stage
from vizml.ui.window.files import Files
from vizml.workspace import Document, Work
from vizml.workspace.preferences import Preferences

SAVE_FIRST = "Save the project first: a command cannot hold these points, but it can name their file"


class RenderCommand(QObject):
    """Copies the command to the clipboard."""

    def __init__(
        self,
        stage: Stage,
        document: Document,
        files: Files,
        preferences: Preferences,
        messages: Messages,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._stage, self._document, self._files = stage, document, files
        self._preferences, self._messages = preferences, messages

    def set_stage(self, stage: Stage) -> None:
        """Switch to another stage."""
        self._stage = stage

    def copy(self) -> None:
        """Copy the command of the stage, or show what it needs."""
        path = None if self._document.modified else self._files.path
        source = source_arguments(self._document.work, self._stage.index, path)
        if source is None:
            self._messages.error(SAVE_FIRST, key="command")
            return
        canvas = self._stage.canvas
        words = [
            "vizml",
            "render",
            *source,
            *self._step_arguments(),
            "--size",
            f"{canvas.width()}x{canvas.height()}",
        ]
        if self._preferences.look.theme.name == "dark":
            words += ["--theme", "dark"]
        line = shlex.join([*words, "-o", "picture.svg"])
        QGuiApplication.clipboard().setText(line)
        self._messages.info(f"On the clipboard: {line}")

    def _step_arguments(self) -> list[str]:
        """Arguments for the step that is shown, where it is not the last."""
        frame = self._stage.frame
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
