"""Export of the picture on the stage, and of its run as an animation.

The pictures of an animation are composed and encoded in a thread, and painted in the window's thread.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QFileDialog, QWidget

from vizml.data.files import check_place, write_picture
from vizml.evaluate.diagnostics.last_test import legend_text
from vizml.field.cancellation import Cancelled, cancellable
from vizml.run.figures import Animation, FigureSource
from vizml.run.request import RunRequest
from vizml.run.runner import BackgroundQuery, query_worker
from vizml.scene import LIGHT
from vizml.scene.figure import RenderOptions
from vizml.ui.compare.stages import Stages
from vizml.ui.messages import Message, Messages
from vizml.ui.widget_helpers import beside
from vizml.workspace import Document
from vizml.workspace.preferences import Preferences

if TYPE_CHECKING:
    from vizml.paint.export import Painting, Paper
    from vizml.paint.film import Film

    Found: TypeAlias = tuple[Paper, Painting] | bytes | Exception | None
    """The next picture, the encoded file, or an error; None where the export was cancelled."""

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
        """Store the settings for the next export; title and scales are for one picture only."""
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

        beside(ExportDialog(self, self.settings(), self._window), self._window)

    def settings(self) -> ExportSettings:
        """Return the settings of the last export with the scales of the stage."""
        scales = self._document.work.scales
        return replace(ExportSettings.restored(self._preferences), equal=scales.equal, log=scales.log)

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
        chosen = options or self.settings()

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
        view = stage.canvas.bounds if options.log == stage.canvas.scales.log else None  # it may reach below 0
        equal = options.equal and not any(options.log)
        return FigureSource(
            run,
            shown,
            replace(options, width=width, height=height, look=look, view=view, type_scale=type_scale,
                    equal=equal, held=document.work.held),
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


KEY = "film"
KINDS = "GIF animations (*.gif);;WebP animations (*.webp)"


class AnimationExport(QObject):
    """Exports one animation at a time; a new export cancels the one before."""

    def __init__(
        self, export: FigureExport, preferences: Preferences, messages: Messages, window: QWidget
    ) -> None:
        super().__init__(window)
        self._export, self._preferences, self._messages = export, preferences, messages
        self._window = window
        self.film: Film | None = None
        """The animation that is being made."""
        self._animation: Animation | None = None
        self._path = Path()
        self._query = BackgroundQuery(self, query_worker("vizml-film"))
        self._query.answered.connect(self._go_on)

    def ask(self) -> None:
        """Ask for a file, and start."""
        folder = self._preferences.text("export/folder", str(Path.home()))
        suggested = str(Path(folder) / "vizml.gif")
        path, _ = QFileDialog.getSaveFileName(self._window, "Save the run as an animation", suggested, KINDS)
        if path:
            self.film_to(Path(path))

    def film_to(self, path: Path) -> None:
        """Start to export the present run in the format of the name, or as GIF."""
        from vizml.paint import film

        self.cancel()
        self._path = path if film.is_film(path) else path.with_name(f"{path.name}.gif")
        self._preferences.set_text("export/folder", str(self._path.parent))
        try:
            film.check(self._path)
            check_place(self._path)
            self._animation = self._export.animation(ExportSettings.restored(self._preferences))
            self.film = film.Film(len(self._animation))
        except (ValueError, OSError, MemoryError) as problem:
            self._fail(problem)
            return
        told = f"Making an animation of {self.film.count} pictures"
        self._messages.post(Message(text=told, kind="tip", key=KEY, choices=(("Cancel", self.cancel),)))
        self._ask(None)

    def cancel(self) -> None:
        """Stop, and write no file."""
        self.film = None
        self._query.cancel()
        self._messages.dismiss(KEY)

    def close_down(self) -> None:
        """Cancel, and end the thread before the window is closed."""
        self.cancel()
        self._query.close()

    def _ask(self, picture: QImage | None) -> None:
        """Append a picture, and request the next one."""
        film, animation = self.film, self._animation
        if film is not None and animation is not None:
            suffix = self._path.suffix.lower()
            self._query.ask(partial(_next, film, animation, picture, suffix, lambda: self.film is not film))

    @Slot(object)
    def _go_on(self, found: Found) -> None:
        from vizml.paint.export import image

        film, animation = self.film, self._animation
        if film is None or animation is None or found is None:
            return
        try:
            if isinstance(found, Exception):
                raise found
            if isinstance(found, bytes):
                self._finish(found)
            else:
                self._ask(image(*found))
                self._messages.advance(KEY, (film.made + 1) / film.count)
        except Exception as problem:  # noqa: BLE001 (a picture holds what a model of anyone's has to show)
            self._fail(problem)

    def _finish(self, raw: bytes) -> None:
        write_picture(self._path, raw)
        self.cancel()
        self._messages.info(f"Saved {self._path.name} in {self._path.parent}")

    def _fail(self, problem: Exception) -> None:
        self.cancel()
        self._messages.error(f"The animation could not be made: {problem}", key="export")


def _next(
    film: Film, animation: Animation, picture: QImage | None, suffix: str, unwanted: Callable[[], bool]
) -> Found:
    """Append a painted picture, then compose the next one or encode the file."""
    from vizml.paint.export import composed

    try:
        with cancellable(unwanted):
            if picture is not None:
                film.add(picture)
            return film.encoded(suffix) if film.complete else composed(animation.source_at(film.made))[:2]
    except Cancelled:
        return None
    except Exception as problem:
        logging.getLogger(__name__).exception("A picture of the animation could not be made")
        return problem
