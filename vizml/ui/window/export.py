"""Export of the picture on the stage, and of its run as an animation.

Pictures are composed, painted, encoded and written in a thread.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from vizml.data.files import check_place, write_picture
from vizml.evaluate.diagnostics.last_test import legend_text
from vizml.run.figures import Animation, FigureSource
from vizml.run.request import RunRequest
from vizml.scene import LIGHT
from vizml.scene.figure import RenderOptions
from vizml.ui.compare.stages import Stages
from vizml.ui.export_queue import Export, ExportQueue
from vizml.ui.messages import Messages
from vizml.ui.widget_helpers import beside
from vizml.workspace import Document
from vizml.workspace.preferences import Preferences

if TYPE_CHECKING:
    from vizml.paint.film import Film

FORMATS = ("png", "svg", "pdf")
LARGEST = 8000
"""Most logical pixels in width and in height."""
KEPT = ("format", "width", "height", "scale", "transparent", "light")
"""Settings that are stored in the preferences."""
ANIMATION = "animation"
"""Key of the message about an animation that is being made."""


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
        self.queue = ExportQueue("picture", messages, self)

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
        """Ask for a file, and save the picture; False where none was chosen."""
        folder = self._preferences.text("export/folder", str(Path.home()))
        suggested = str(Path(folder) / f"vizml.{options.format}")
        path, _ = QFileDialog.getSaveFileName(parent, "Save the picture", suggested, _filter(options.format))
        if path:
            self.save_to(Path(path), options)
        return bool(path)

    def save_to(self, path: Path, options: ExportSettings) -> None:
        """Write the picture in the format of the name, or else of the options."""
        if path.suffix.lower().lstrip(".") not in FORMATS:
            path = path.with_name(f"{path.name}.{options.format}")
        options.store(self._preferences)
        self._preferences.set_text("export/folder", str(path.parent))
        self.queue.add(_save(path, self.source(options)), "Making the picture")

    def copy(self, options: ExportSettings | None = None) -> None:
        """Copy the picture to the clipboard."""
        self.queue.add(_copy(self.source(options or self.settings())), "Making the picture")

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


def _save(path: Path, source: FigureSource) -> Export:
    """Write a picture."""
    from vizml.paint import export

    check_place(path)
    raw = yield partial(export.encoded_figure, path.suffix.lower(), source)
    yield partial(write_picture, path, raw)
    return f"Saved {path.name} in {path.parent}"


def _copy(source: FigureSource) -> Export:
    """Put a picture on the clipboard."""
    from vizml.paint import export

    paper, painting, figure = yield partial(export.composed, source)
    pixels = yield partial(export.image, paper, painting)
    title = figure.title or figure.description
    vectors = yield partial(export.svg, paper, painting, title, figure.description)
    export.put_on_clipboard(pixels, vectors)
    return "The picture is on the clipboard"


def _filter(format: str) -> str:
    kinds = {"png": "PNG pictures (*.png)", "svg": "SVG drawings (*.svg)", "pdf": "PDF documents (*.pdf)"}
    return ";;".join([kinds.pop(format), *kinds.values()])


KINDS = "GIF animations (*.gif);;WebP animations (*.webp)"


class AnimationExport(QObject):
    """Exports one animation at a time; a new export cancels the one before."""

    def __init__(
        self, export: FigureExport, preferences: Preferences, messages: Messages, window: QWidget
    ) -> None:
        super().__init__(window)
        self._export, self._preferences, self._messages = export, preferences, messages
        self._window = window
        self.queue = ExportQueue(ANIMATION, messages, self)

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

        self.queue.cancel()
        path = path if path.suffix.lower() in film.FORMATS else path.with_name(f"{path.name}.gif")
        self._preferences.set_text("export/folder", str(path.parent))
        self.queue.add(self._film(path), "Making an animation")

    def _film(self, path: Path) -> Export:
        """Write an animation, picture by picture."""
        from vizml.paint.film import Film

        check_place(path)
        animation = self._export.animation(ExportSettings.restored(self._preferences))
        film = Film(len(animation))
        for index in range(film.count):
            yield partial(_paint, film, animation.source_at(index))
            self._messages.advance(ANIMATION, film.made / film.count)
        raw = yield partial(film.encoded, path.suffix.lower())
        yield partial(write_picture, path, raw)
        return f"Saved {path.name} in {path.parent}"


def _paint(film: Film, source: FigureSource) -> None:
    """Add a picture to a film."""
    from vizml.paint import export

    paper, painting, _ = export.composed(source)
    film.add(export.image(paper, painting))
