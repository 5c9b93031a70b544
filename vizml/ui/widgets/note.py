"""A line of words that gives way where it is narrow, and can be read and copied in full."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QWidget


class Note(QLabel):
    """Elided on screen; the tooltip, the clipboard and a screen reader have all of it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._offer)

    @property
    def words(self) -> str:
        return self._words

    def say(self, words: str) -> None:
        """Show another line."""
        if words != self._words:
            self._words = words
            self.setToolTip(f"<p>{escape(words)}</p>" if words else "")
            self.setAccessibleName(words)
            self._fit()

    def copy(self) -> None:
        """All of it to the clipboard, whatever is to be seen."""
        chosen = self.selectedText()
        whole = not chosen or chosen == self.text()
        QGuiApplication.clipboard().setText(self._words if whole else chosen)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    def _fit(self) -> None:
        shown = self.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideRight, self.width() - 2)
        if shown != self.text():
            self.setText(shown)

    def _offer(self) -> None:
        menu = QMenu(self)
        menu.addAction("Copy note").triggered.connect(self.copy)
        menu.exec(self.cursor().pos())
