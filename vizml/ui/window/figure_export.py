"""Export of the picture on the stage to files and to the clipboard, composed at the requested size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from vizml.data.files import write_picture
from vizml.evaluate.diagnostics.last_test import legend_text
from vizml.run.figures import Animation, FigureSource
from vizml.run.request import RunRequest
from vizml.scene import LIGHT
from vizml.scene.figure import RenderOptions
from vizml.ui.compare.stages import Stages
from vizml.ui.messages import Messages
from vizml.ui.widget_helpers import beside
from vizml.workspace import Document
from vizml.workspace.preferences import Preferences

FORMATS = ("png", "svg", "pdf")
LARGEST = 8000
"""Most logical pixels in width and in height."""
KEPT = ("format", "width", "height", "scale", "transparent", "light")
"""Settings that are stored in the preferences."""


@dataclass(frozen=True)
class ExportSettings(RenderOptions):
    """Stored settings of the export dialog. A width or height of 0 is that of the stage."""

    width: int = 0
    height: int = 0
    scale: float = 2.0
    format: str = "png"
    light: bool = False
    """Whether the light theme replaces that of the window."""

    @classmethod
    def restored(cls, preferences: Preferences) -> ExportSettings:
        """Return the settings of the last export."""
        plain = cls()
        width, height = (round(preferences.number(f"export/{side}", 0)) for side in ("width", "height"))
        format = preferences.text("export/format", plain.format)
        return cls(
            format=format if format in FORMATS else plain.format,
            width=min(max(width, 0), LARGEST),
            height=min(max(height, 0), LARGEST),
            scale=min(max(preferences.number("export/scale", plain.scale), 1.0), 8.0),
            transparent=preferences.flag("export/transparent"),
            light=preferences.flag("export/light"),
        )

    def store(self, preferences: Preferences) -> None:
        """Store the settings for the next export; a title is for one picture only."""
        for name in KEPT:
            preferences.set_text(f"export/{name}", str(getattr(self, name)).lower())


class FigureExport(QObject):
    """Exports the state that the stage shows, without training again."""

    def __init__(
        self,
        stages: Stages,
        document: Document,
        preferences: Preferences,
        messages: Messages,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._stages, self._document = stages, document
        self._preferences, self._messages = preferences, messages
        self._window = window

    def size(self, options: ExportSettings) -> tuple[int, int]:
        """Return width and height in logical pixels."""
        canvas = self._stages.active.canvas
        return options.width or canvas.width(), options.height or canvas.height()

    def ask(self) -> None:
        """Open the export dialog."""
        from vizml.ui.window.export_dialog import ExportDialog

        beside(ExportDialog(self, ExportSettings.restored(self._preferences), self._window), self._window)

    def choose_and_save(self, options: ExportSettings, parent: QWidget) -> bool:
        """Ask for a file, and save the picture."""
        folder = self._preferences.text("export/folder", str(Path.home()))
        suggested = str(Path(folder) / f"vizml.{options.format}")
        path, _ = QFileDialog.getSaveFileName(parent, "Save the picture", suggested, _filter(options.format))
        return bool(path) and self.save_to(Path(path), options)

    def save_to(self, path: Path, options: ExportSettings) -> bool:
        """Write the picture in the format of the name, or else of the options."""
        if path.suffix.lower().lstrip(".") not in FORMATS:
            path = path.with_name(f"{path.name}.{options.format}")
        options.store(self._preferences)
        self._preferences.set_text("export/folder", str(path.parent))

        def write() -> None:
            from vizml.paint.export import encoded_figure

            write_picture(path, encoded_figure(path.suffix.lower(), self.source(options)))

        return self._try(write, f"Saved {path.name} in {path.parent}")

    def copy(self, options: ExportSettings | None = None) -> bool:
        """Copy the picture to the clipboard."""
        chosen = options or ExportSettings.restored(self._preferences)

        def put() -> None:
            from vizml.paint.export import copy_figure

            copy_figure(self.source(chosen))

        return self._try(put, "The picture is on the clipboard")

    def animation(self, options: ExportSettings) -> Animation:
        """Return the run on the stage as an animation; ValueError where there is none."""
        frame = self._stages.active.frame
        if frame is None or not frame.states or not len(self._document.dataset):
            raise ValueError("there is no run on the stage yet")
        source = self.source(replace(options, scale=1.0, transparent=False))
        return Animation.of(source, frame.states, frame.steps.tolist())

    def source(self, options: ExportSettings) -> FigureSource:
        """Return the figure on the stage, to be composed at the size of the options."""
        document, stage = self._document, self._stages.active
        experiment, frame = document.experiment(stage.index), stage.frame
        model, seed, standardise = experiment.model, experiment.seed, experiment.standardise
        run = RunRequest(document.dataset, model, seed, document.split, standardise)
        shown = frame.shown if frame is not None and len(document.dataset) else None
        look = replace(stage.look, theme=LIGHT) if options.light else stage.look
        width, height = self.size(options)
        type_scale = 1.0 if options.width else self._preferences.type_scale
        bounds = stage.canvas.bounds
        return FigureSource(
            run,
            shown,
            replace(options, width=width, height=height, look=look, view=bounds, type_scale=type_scale),
            node=stage.node,
            layers=stage.layers,
            test_name=legend_text(document.test_set_views.count(document.work)),
            trained_on=stage.learned,
        )  # fmt: skip

    def _try(self, make: Callable[[], None], done: str) -> bool:
        QGuiApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
        try:
            make()
        except (ValueError, OSError, MemoryError) as problem:
            self._messages.error(f"The picture could not be made: {problem}", key="export")
            return False
        finally:
            QGuiApplication.restoreOverrideCursor()
        self._messages.info(done)
        return True


def _filter(format: str) -> str:
    kinds = {"png": "PNG pictures (*.png)", "svg": "SVG drawings (*.svg)", "pdf": "PDF documents (*.pdf)"}
    return ";;".join([kinds.pop(format), *kinds.values()])
