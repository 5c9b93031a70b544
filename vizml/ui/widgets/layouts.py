"""Layouts with gaps that scale with the type size."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLayout, QScrollArea, QSizePolicy, QWidget

from vizml.ui.widgets.appearance import Appearance, FollowsAppearance, current

Direction = QBoxLayout.Direction


class Box(FollowsAppearance, QWidget):
    """A row or column of widgets with a gap between them and margins (left, top, right, bottom)."""

    def __init__(
        self,
        direction: Direction,
        gap: float = 4,
        margins: tuple[float, float, float, float] = (0, 0, 0, 0),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.gap, self.margins = gap, margins
        self.box = QBoxLayout(direction, self)
        self.update_appearance()

    def apply_appearance(self, look: Appearance) -> None:
        self.box.setSpacing(look.px(self.gap))
        self.box.setContentsMargins(*(look.px(m) for m in self.margins))


def box_of(direction: Direction, *widgets: QWidget, gap: float = 4) -> Box:
    """Return a box of widgets, aligned to the left unless they expand."""
    made = Box(direction, gap)
    left = Qt.AlignmentFlag.AlignLeft if direction is Direction.TopToBottom else Qt.AlignmentFlag(0)
    for widget in widgets:
        expands = widget.sizePolicy().expandingDirections() & Qt.Orientation.Horizontal
        made.box.addWidget(widget, 0, Qt.AlignmentFlag(0) if expands else left)
    return made


class StableScrollArea(QScrollArea):
    """Scroll area that ignores the changes of size that it makes to its content itself.

    Qt answers each with another layout; where two sizes cause each other, that would never end.
    """

    _resizing = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.Resize:
            return super().eventFilter(watched, event)
        if self._resizing:
            return False
        self._resizing = True
        try:
            return super().eventFilter(watched, event)
        finally:
            self._resizing = False


def clear_layout(layout: QLayout) -> None:
    """Remove and delete all widgets of a layout."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()


def keep_room(widget: QWidget) -> None:
    """Let a widget keep its place in a layout while it is hidden."""
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    widget.setSizePolicy(policy)


class FlowBox(FollowsAppearance, QWidget):
    """Widgets in lines, as many in each as fit: from left to right, then on the next line."""

    def __init__(self, gap: float = 8, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gap = gap
        self._widgets: list[QWidget] = []
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.update_appearance()

    def hold(self, widgets: Sequence[QWidget]) -> None:
        """Show these widgets and delete the former ones."""
        for widget in self._widgets:
            widget.hide()
            widget.deleteLater()
        self._widgets = list(widgets)
        for widget in self._widgets:
            widget.setParent(self)
            widget.show()
        self._place()

    def apply_appearance(self, look: Appearance) -> None:
        self._place()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return max((rect.bottom() + 1 for rect in self._rects(width)), default=0)

    def sizeHint(self) -> QSize:
        gaps = max(len(self._widgets) - 1, 0) * current().px(self._gap)
        hints = [widget.sizeHint() for widget in self._widgets]
        height = max((hint.height() for hint in hints), default=0)
        return QSize(sum(hint.width() for hint in hints) + gaps, height)

    def minimumSizeHint(self) -> QSize:
        widest = max((widget.minimumSizeHint().width() for widget in self._widgets), default=0)
        return QSize(widest, self.heightForWidth(max(self.width(), widest)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        for widget, rect in zip(self._widgets, self._rects(self.width()), strict=True):
            widget.setGeometry(rect)
        self.updateGeometry()

    def _rects(self, width: int) -> list[QRect]:
        """Return the rectangle of each widget in lines of a width."""
        gap, at, foot = current().px(self._gap), QPoint(0, 0), 0
        rects = []
        for widget in self._widgets:
            size = widget.sizeHint()
            if at.x() and at.x() + size.width() > width:
                at = QPoint(0, foot + gap)
            rects.append(QRect(at, QSize(min(size.width(), max(width, 1)), size.height())))
            foot = max(foot, rects[-1].bottom() + 1)
            at = QPoint(rects[-1].right() + 1 + gap, at.y())
        return rects
