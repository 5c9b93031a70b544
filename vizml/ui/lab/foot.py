"""The line below a diagnostic: what it is doing, how far it has come, and a way to stop it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from vizml.ui.widgets.appearance import role
from vizml.ui.widgets.boxes import Box, Direction
from vizml.ui.widgets.buttons import IconButton
from vizml.ui.widgets.progress import Progress


class Foot(Box):
    """Hidden while there is nothing to say."""

    cancel_asked = Signal()
    again_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Direction.LeftToRight, 8, (4, 0, 0, 0), parent)
        self.words = QLabel()
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.words.setWordWrap(True)
        role(self.words, "muted")
        self.progress = Progress()
        self.progress.setAccessibleName("progress of the diagnostic")
        self.cancel = IconButton("cancel", "Stop finding out; what was found stays", size=24)
        self.again = IconButton("reset", "Find it out once more", size=24)
        for widget in (self.words, self.progress, self.cancel, self.again):
            self.box.addWidget(widget, int(widget is self.words))
        self.cancel.clicked.connect(self.cancel_asked)
        self.again.clicked.connect(self.again_asked)
        self.say("")

    def say(self, words: str, *, running: bool = False, stopped: bool = False) -> None:
        """Tell what is going on; a run moves the bar on each time."""
        self.words.setText(words)
        self.words.setToolTip(words)
        self.progress.setVisible(running)
        self.progress.show_run(running=running, progress=None)
        self.cancel.setVisible(running)
        self.again.setVisible(stopped)
        self.setVisible(bool(words) or running or stopped)
