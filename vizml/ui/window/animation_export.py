"""Export of a run as an animation: pictures are composed and encoded in a thread, and painted in this one."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog, QWidget

from vizml.data.files import check_place, write_picture
from vizml.field.cancellation import Cancelled, cancellable
from vizml.run.runner import BackgroundQuery, query_worker
from vizml.ui.messages import Message, Messages
from vizml.ui.window.figure_export import ExportSettings, FigureExport
from vizml.workspace.preferences import Preferences

if TYPE_CHECKING:
    from vizml.paint.export import Painting, Paper
    from vizml.paint.film import Film
    from vizml.run.figures import Animation

    Found: TypeAlias = tuple[Paper, Painting] | bytes | Exception | None
    """The next picture, the encoded file, or an error; None where the export was cancelled."""

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
        self._film: Film | None = None
        self._animation: Animation | None = None
        self._path = Path()
        self._query = BackgroundQuery(self, query_worker("vizml-film"))
        self._query.answered.connect(self._go_on)

    @property
    def busy(self) -> bool:
        """Whether an export is running."""
        return self._film is not None

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
            self._film = film.Film(len(self._animation))
        except (ValueError, OSError, MemoryError) as problem:
            self._fail(problem)
            return
        told = f"Making an animation of {self._film.count} pictures"
        self._messages.post(Message(text=told, kind="tip", key=KEY, choices=(("Cancel", self.cancel),)))
        self._ask(None)

    def cancel(self) -> None:
        """Stop, and write no file."""
        self._film = None
        self._query.cancel()
        self._messages.dismiss(KEY)

    def close_down(self) -> None:
        """Cancel, and end the thread before the window is closed."""
        self.cancel()
        self._query.close()

    def _ask(self, picture: QImage | None) -> None:
        """Append a picture, and request the next one."""
        film, animation = self._film, self._animation
        if film is not None and animation is not None:
            suffix = self._path.suffix.lower()
            self._query.ask(partial(_next, film, animation, picture, suffix, lambda: self._film is not film))

    @Slot(object)
    def _go_on(self, found: Found) -> None:
        from vizml.paint.export import image

        film, animation = self._film, self._animation
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
