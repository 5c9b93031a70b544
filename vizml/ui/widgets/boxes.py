"""Layouts whose gaps grow with the type."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QLayout, QWidget

from vizml.ui.widgets.appearance import Appearance, Dressed

Direction = QBoxLayout.Direction


class Box(Dressed, QWidget):
    """A row or a column of widgets, with a gap between them and margins (left, top, right, bottom)."""

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
        self.redress()

    def dress(self, look: Appearance) -> None:
        self.box.setSpacing(look.px(self.gap))
        self.box.setContentsMargins(*(look.px(m) for m in self.margins))


def stacked(direction: Direction, *widgets: QWidget, gap: float = 4) -> Box:
    """Widgets beside or below one another, from the start."""
    made = Box(direction, gap)
    start = Qt.AlignmentFlag.AlignLeft if direction is Direction.TopToBottom else Qt.AlignmentFlag(0)
    for widget in widgets:
        greedy = widget.sizePolicy().expandingDirections() & Qt.Orientation.Horizontal
        made.box.addWidget(widget, 0, Qt.AlignmentFlag(0) if greedy else start)
    return made


def emptied(layout: QLayout) -> None:
    """Take out all widgets and let them go."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
