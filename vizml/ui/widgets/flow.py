"""Widgets in lines, as many in each as fit: a row that never makes its window wider."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from vizml.ui.widgets.appearance import Appearance, Dressed, current


class Flow(Dressed, QWidget):
    """Places its widgets like words: left to right, then on the next line."""

    def __init__(self, gap: float = 8, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gap = gap
        self._held: list[QWidget] = []
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.redress()

    def hold(self, widgets: Sequence[QWidget]) -> None:
        """Have these from now on; those before go."""
        for widget in self._held:
            widget.hide()
            widget.deleteLater()
        self._held = list(widgets)
        for widget in self._held:
            widget.setParent(self)
            widget.show()
        self._place()

    def dress(self, look: Appearance) -> None:
        self._place()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return max((rect.bottom() + 1 for rect in self._rects(width)), default=0)

    def sizeHint(self) -> QSize:
        gaps = max(len(self._held) - 1, 0) * current().px(self._gap)
        hints = [widget.sizeHint() for widget in self._held]
        height = max((hint.height() for hint in hints), default=0)
        return QSize(sum(hint.width() for hint in hints) + gaps, height)

    def minimumSizeHint(self) -> QSize:
        widest = max((widget.minimumSizeHint().width() for widget in self._held), default=0)
        return QSize(widest, self.heightForWidth(max(self.width(), widest)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        for widget, rect in zip(self._held, self._rects(self.width()), strict=True):
            widget.setGeometry(rect)
        self.updateGeometry()

    def _rects(self, width: int) -> list[QRect]:
        """Where each widget is in a row of a width."""
        gap, at, foot = current().px(self._gap), QPoint(0, 0), 0
        found = []
        for widget in self._held:
            size = widget.sizeHint()
            if at.x() and at.x() + size.width() > width:
                at = QPoint(0, foot + gap)
            found.append(QRect(at, QSize(min(size.width(), max(width, 1)), size.height())))
            foot = max(foot, found[-1].bottom() + 1)
            at = QPoint(found[-1].right() + 1 + gap, at.y())
        return found
