"""Labels with more text than there may be room for."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy

from vizml.scene.typesetting import typeset
from vizml.ui.widgets.appearance import role


def section_heading(text: str) -> QLabel:
    """Return the heading of a group of controls."""
    label = QLabel(text, indent=0)
    role(label, "section")
    return label


class ElidedLabel(QLabel):
    """A text that is typeset and elided to the width of the label, which does not depend on it."""

    def __init__(self, *, lines: int = 1) -> None:
        super().__init__(textFormat=Qt.TextFormat.PlainText)
        self.full_text = ""
        self._lines, self._least, self._used_lines = lines, 1, 1
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def set_full_text(self, text: str) -> None:
        """Show another text."""
        if text != self.full_text:
            self.full_text = text
            self._fit()

    def reserve_lines(self, lines: int) -> None:
        """Break the text into so many lines, with constant room for all of them."""
        self._lines = self._least = self._used_lines = lines
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        """Break and elide the text; its height shrinks only when it is empty, or it would flicker."""
        metrics = self.fontMetrics()
        shown = wrapped(typeset(self.full_text), metrics, self.contentsRect().width() - 2, self._lines)
        self._used_lines = max(self._used_lines, len(shown)) if self.full_text else self._least
        self.setMinimumHeight(self._used_lines * metrics.lineSpacing() if self._lines > 1 else 0)
        self.setText("\n".join(shown))


class Remarks(QLabel):
    """Sentences that a link shows and hides."""

    sentences: tuple[str, ...] = ()

    def __init__(self, link: str) -> None:
        super().__init__(textFormat=Qt.TextFormat.RichText, wordWrap=True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.LinksAccessibleByMouse)
        role(self, "muted")
        self._link, self._open = link, False
        self.linkActivated.connect(self.toggle)

    def set_sentences(self, sentences: tuple[str, ...]) -> None:
        """Show or hide other sentences."""
        self.sentences = sentences
        self._write()

    def toggle(self) -> None:
        """Show the sentences, or hide them."""
        self._open = not self._open
        self._write()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.sentences:
            self._write()

    def _write(self) -> None:
        accent = self.palette().link().color().name()  # a label ignores an equal text
        lines = [f'<a href="#" style="color: {accent}">{self._link} {"▼" if self._open else "▶"}</a>']
        lines += [escape(sentence) for sentence in self.sentences if self._open]
        self.setText("".join(f'<p style="margin: 0 0 4px 0">{line}</p>' for line in lines))
        self.setToolTip("" if self._open else "".join(f"<p>{escape(each)}</p>" for each in self.sentences))
        self.setAccessibleDescription(" ".join(self.sentences))


class Note(ElidedLabel):
    """An elided text of which tooltip, clipboard and screen readers have all."""

    def __init__(self, *, lines: int = 1) -> None:
        super().__init__(lines=lines)
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._show_menu)

    def set_full_text(self, text: str) -> None:
        if text != self.full_text:
            super().set_full_text(text)
            self.setToolTip(f"<p>{escape(text)}</p>" if text else "")
            self.setAccessibleName(text)

    def copy(self) -> None:
        """Copy the selected part, or the whole text including what is elided."""
        selected = self.selectedText()
        whole = not selected or selected == self.text()
        QGuiApplication.clipboard().setText(self.full_text if whole else selected)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    def _show_menu(self) -> None:
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.addAction("Copy note").triggered.connect(self.copy)
        menu.popup(self.cursor().pos())


def wrapped(text: str, metrics: QFontMetrics, width: int, count: int) -> list[str]:
    """Break a text into at most `count` lines and elide the last one."""
    lines: list[str] = []
    rest = text
    while len(lines) < count - 1 and metrics.horizontalAdvance(rest) > width:
        ends = [position for position, letter in enumerate(rest) if letter == " "]
        fitting = [end for end in ends if metrics.horizontalAdvance(rest[:end]) <= width]
        if not fitting:
            break
        lines.append(rest[: fitting[-1]])
        rest = rest[fitting[-1] + 1 :]
    return [*lines, metrics.elidedText(rest, Qt.TextElideMode.ElideRight, width)]
