"""The run on the stage as a moving picture, made one picture at a time while the window lives on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QFileDialog, QWidget

from vizml.ui.preferences import Preferences
from vizml.ui.window.messages import Message, Messages
from vizml.ui.window.pictures import Options, Pictures

if TYPE_CHECKING:
    from vizml.ui.film import Film

KEY = "film"
KINDS = "GIF animations (*.gif);;WebP animations (*.webp)"


class Filming(QObject):
    """Makes at most one film at a time; asked again, it begins anew."""

    def __init__(
        self, pictures: Pictures, preferences: Preferences, messages: Messages, window: QWidget
    ) -> None:
        super().__init__(window)
        self._pictures, self._preferences, self._messages = pictures, preferences, messages
        self._window = window
        self._film: Film | None = None
        self._path = Path()
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._go_on)

    @property
    def busy(self) -> bool:
        """Whether a film is being made."""
        return self._timer.isActive()

    def ask(self) -> None:
        """Ask where to, and begin."""
        folder = self._preferences.text("export/folder", str(Path.home()))
        suggested = str(Path(folder) / "vizml.gif")
        path, _ = QFileDialog.getSaveFileName(self._window, "Save the run as an animation", suggested, KINDS)
        if path:
            self.film_to(Path(path))

    def film_to(self, path: Path) -> None:
        """Begin a film of the run, as it is now; the format is that of the name, or GIF."""
        from vizml.ui import film

        self.cancel()
        self._path = path if film.is_film(path) else path.with_name(f"{path.name}.gif")
        self._preferences.set_text("export/folder", str(self._path.parent))
        try:
            film.check(self._path)
            self._film = film.Film(self._pictures.reel(Options.kept(self._preferences)))
        except (ValueError, OSError, MemoryError) as problem:
            self._fail(problem)
            return
        told = f"Making an animation of {self._film.count} pictures"
        self._messages.post(Message(text=told, kind="tip", key=KEY, choices=(("Cancel", self.cancel),)))
        self._timer.start()

    def cancel(self) -> None:
        """Make no more pictures, and no file."""
        self._timer.stop()
        self._film = None
        self._messages.dismiss(KEY)

    def _go_on(self) -> None:
        film = self._film
        if film is None:
            return
        try:
            film.step()
            if film.whole:
                self._finish(film)
        except (ValueError, OSError, MemoryError) as problem:
            self._fail(problem)
            return

    def _finish(self, film: Film) -> None:
        from vizml.ui.export import put

        put(self._path, film.encoded(self._path.suffix.lower()))
        self.cancel()
        self._messages.info(f"Saved {self._path.name} in {self._path.parent}")

    def _fail(self, problem: Exception) -> None:
        self.cancel()
        self._messages.error(f"The animation could not be made: {problem}", key="export")
