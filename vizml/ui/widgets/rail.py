"""The rail at the left of the stage: tools and classes, each with its key."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from html import escape

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QSizePolicy, QWidget

from vizml.data import MAX_CLASSES, Dataset
from vizml.paint.symbols import paint_symbol, style_of
from vizml.ui.canvas.canvas import Canvas
from vizml.ui.canvas.tools import Tool
from vizml.ui.widgets.appearance import MUTED, Appearance, colour, current, role
from vizml.ui.widgets.boxes import Box, Direction
from vizml.ui.widgets.buttons import IconButton
from vizml.ui.widgets.class_name import ClassName
from vizml.ui.widgets.keys import told

SIDE, LEAST = 40, 28
RENAME = "A double click renames it."
KEYS = {"point": "P", "brush": "B", "move": "M", "erase": "E", "select": "S", "pan": "Z"}


class RailButton(IconButton):
    """A square button with the letter of its key in the corner."""

    def __init__(self, name: str, tip: str, key: str) -> None:
        self.key, self._height = key, 0
        super().__init__(name, tip, size=SIDE, checkable=True)

    def dress(self, look: Appearance) -> None:
        super().dress(look)
        self.fit(look, self._height)

    def fit(self, look: Appearance, height: int) -> None:
        """Be so high, or as high as wide for 0, in whatever order a rail and its buttons are dressed."""
        self._height = height
        self.setFixedSize(look.px(SIDE), height or look.px(SIDE))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        look = current()
        font = painter.font()
        font.setPixelSize(look.px(MUTED - 2))
        painter.setFont(font)
        painter.setPen(colour(look.theme.muted))
        box = self.rect().adjusted(0, 0, -look.px(4), -look.px(2))
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom, self.key)
        self.paint_symbol(painter, look)
        painter.end()

    def paint_symbol(self, painter: QPainter, look: Appearance) -> None:
        """What there is besides the icon."""


class ClassButton(RailButton):
    """A class: its colour and shape; a double click asks for another name."""

    rename_asked = Signal()

    def __init__(self, label: int) -> None:
        self.label = label
        super().__init__("", "", str(label + 1))

    def name(self, name: str) -> None:
        """Say which class it is."""
        self.setToolTip(f"<p><b>Class {escape(name)}</b> ({self.key})</p><p>{RENAME}</p>")
        self.setAccessibleName(f"class {name}")

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self.rename_asked.emit()

    def dress(self, look: Appearance) -> None:
        self.fit(look, self._height)

    def paint_symbol(self, painter: QPainter, look: Appearance) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = QRect(0, 0, self.width(), self.height()).center()
        paint_symbol(painter, style_of(self.label, look.theme), middle.x(), middle.y(), 1.5 * look.type_scale)


class Rail(Box):
    """Follows a canvas, and tells it what was picked."""

    named = Signal()
    """The classes have other names."""

    def __init__(self, canvas: Canvas, parent: QWidget | None = None) -> None:
        self.tools = {tool.name: _tool_button(tool) for tool in canvas.tools.values()}
        self.classes = [ClassButton(label) for label in range(MAX_CLASSES)]
        super().__init__(Direction.TopToBottom, 0, (4, 8, 4, 8), parent)
        self.canvas, self.field = canvas, ClassName(self)
        self.setAccessibleName("tools and classes")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self._arrange()
        for name, button in self.tools.items():
            button.clicked.connect(lambda _on=False, name=name: canvas.set_tool(name))
        for button in self.classes:
            button.clicked.connect(lambda _on=False, label=button.label: canvas.set_label(label))
            button.rename_asked.connect(partial(self.rename, button.label))
        canvas.tool_changed.connect(self._show)
        canvas.label_changed.connect(self._show)
        canvas.document.changed.connect(self._name)
        self._show()
        self._called: tuple[str, ...] | None = None
        self._name()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def dress(self, look: Appearance) -> None:
        super().dress(look)
        self.setMinimumHeight(look.px(24) + LEAST * self.count)
        self._fit()

    def rename(self, label: int) -> None:
        """Ask for another name of a class, beside its button; in full screen, where the stage begins."""
        document, button = self.canvas.document, self.classes[label]
        anchor: QWidget = button if button.isVisible() else self.canvas
        corner = QPoint(button.width() + 4, 0) if anchor is button else QPoint(0, 0)
        title, name = f"Name of class {label + 1}", document.dataset.name(label)
        self.field.ask(anchor.mapToGlobal(corner), title, name, partial(document.rename_class, label))

    @property
    def count(self) -> int:
        """How many buttons there are."""
        return len(self.tools) + len(self.classes)

    def _arrange(self) -> None:
        rule = QFrame()
        role(rule, "rule")
        self._add(self.tools.values())
        self.box.addSpacing(4)
        self.box.addWidget(rule)
        self.box.addSpacing(4)
        self._add(self.classes)
        self.box.addStretch(1)

    def _add(self, buttons: Iterable[RailButton]) -> None:
        group = QButtonGroup(self)
        for button in buttons:
            group.addButton(button)
            self.box.addWidget(button)

    def _fit(self) -> None:
        """Smaller buttons where not all would fit, as in large type on a small screen."""
        look = current()
        side = min(look.px(SIDE), max((self.height() - look.px(34)) // self.count, LEAST))
        for button in (*self.tools.values(), *self.classes):
            button.fit(look, side)

    def _show(self) -> None:
        self.tools[self.canvas.tool].setChecked(True)
        self.classes[self.canvas.label].setChecked(True)

    def _name(self) -> None:
        dataset: Dataset = self.canvas.document.dataset
        if dataset.classes != self._called:
            self._called = dataset.classes
            for button in self.classes:
                button.name(dataset.name(button.label))
            self.named.emit()


def _tool_button(tool: Tool) -> RailButton:
    key = KEYS.get(tool.name, "")
    button = RailButton(tool.name, f"<p><b>{tool.title}</b> ({key})</p><p>{told(tool.hint)}</p>", key)
    button.setAccessibleName(tool.title)
    return button
