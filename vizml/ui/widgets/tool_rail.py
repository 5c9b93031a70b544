"""Tool rail at the left of the stage: tools and classes, each with its key."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from html import escape

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QLabel, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from vizml.data import MAX_CLASSES, Dataset
from vizml.data.dataset import LONGEST_NAME
from vizml.paint.pens import colour
from vizml.paint.symbols import paint_symbol, style_of
from vizml.ui.canvas.canvas import Canvas
from vizml.ui.canvas.tools import Tool
from vizml.ui.widget_helpers import listen
from vizml.ui.widgets.appearance import MUTED, Appearance, FollowsAppearance, current, role
from vizml.ui.widgets.buttons import IconButton
from vizml.ui.widgets.focus import native_keys
from vizml.ui.widgets.layouts import Box, Direction
from vizml.workspace.work import Change

WIDTH, GAP = 200, 8


class ClassNameField(FollowsAppearance, QWidget):
    """Popup field for the name of a class: Enter or a click elsewhere applies it, Escape cancels."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._apply: Callable[[str], None] | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        role(self, "popup")
        self.title, self.name, self.problem = QLabel(), QLineEdit(), QLabel()
        self.name.setMaxLength(LONGEST_NAME)
        self.name.returnPressed.connect(self._submit)
        self.name.textEdited.connect(self.problem.hide)
        self.problem.setWordWrap(True)
        role(self.title, "muted")
        role(self.problem, "danger")
        self._column = QVBoxLayout(self)
        for widget in (self.title, self.name, self.problem):
            self._column.addWidget(widget)
        self.update_appearance()

    def ask(self, corner: QPoint, title: str, name: str, apply: Callable[[str], None]) -> None:
        """Ask for another name; `apply` sets it, or raises a ValueError that is shown."""
        self._apply = apply
        self.title.setText(title)
        self.name.setAccessibleName(title)
        self.name.setText(name)
        self.name.selectAll()
        self.problem.hide()
        self.adjustSize()
        screen = self.screen().availableGeometry()
        self.move(corner.x(), min(corner.y(), screen.bottom() - self.height()))
        self.show()
        self.name.setFocus()

    def apply_appearance(self, look: Appearance) -> None:
        self._column.setContentsMargins(*(look.px(GAP),) * 4)
        self._column.setSpacing(look.px(GAP / 2))
        self.setFixedWidth(look.px(WIDTH))
        self.name.setFixedHeight(look.px(28))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._apply = None
        super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Keep all keys from the shortcuts of the window."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Apply the name; an error cannot be shown any more."""
        super().hideEvent(event)
        self._apply_name()

    def _submit(self) -> None:
        if problem := self._apply_name():
            self.problem.setText(problem)
            self.problem.show()
            self.adjustSize()
        else:
            self.hide()

    def _apply_name(self) -> str:
        """Apply the name once; return the error."""
        apply, self._apply = self._apply, None
        if apply is not None:
            try:
                apply(self.name.text())
            except ValueError as refused:
                self._apply = apply
                return str(refused)
        return ""


SIDE, LEAST = 40, 28
RENAME_TIP = "Double click to rename."


class KeyButton(IconButton):
    """A square button with its key in the corner."""

    def __init__(self, name: str, tip: str, key: str) -> None:
        self.key, self._height = key, 0
        super().__init__(name, tip, size=SIDE, checkable=True)

    def apply_appearance(self, look: Appearance) -> None:
        super().apply_appearance(look)
        self.fit(look, self._height)

    def fit(self, look: Appearance, height: int) -> None:
        """Set the height, or a square for 0; the rail and its buttons may call this in any order."""
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
        """Paint a symbol in corner of an icon."""


class ClassButton(KeyButton):
    """Button of a class with its symbol; a double click renames the class."""

    rename_requested = Signal()

    def __init__(self, label: int) -> None:
        self.label = label
        super().__init__("", "", str(label + 1))

    def name(self, name: str) -> None:
        """Show the name of the class."""
        self.setToolTip(f"<p><b>Class {escape(name)}</b> ({self.key})</p><p>{RENAME_TIP}</p>")
        self.setAccessibleName(f"class {name}")

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self.rename_requested.emit()

    def apply_appearance(self, look: Appearance) -> None:
        self.fit(look, self._height)

    def paint_symbol(self, painter: QPainter, look: Appearance) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = QRect(0, 0, self.width(), self.height()).center()
        paint_symbol(painter, style_of(self.label, look.theme), middle.x(), middle.y(), 1.5 * look.type_scale)


class ToolRail(Box):
    """Buttons for the tools and classes of a canvas."""

    classes_renamed = Signal()
    """The names of the classes have changed."""

    def __init__(self, canvas: Canvas) -> None:
        self.tools = {tool.name: _tool_button(tool) for tool in canvas.tools.values()}
        self.classes = [ClassButton(label) for label in range(MAX_CLASSES)]
        super().__init__(Direction.TopToBottom, 0, (4, 8, 4, 8))
        self.canvas, self.field = canvas, ClassNameField(self)
        self.setAccessibleName("tools and classes")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self._arrange()
        for name, button in self.tools.items():
            button.clicked.connect(lambda _on=False, name=name: canvas.set_tool(name))
        for button in self.classes:
            button.clicked.connect(lambda _on=False, label=button.label: canvas.set_label(label))
            button.rename_requested.connect(partial(self.rename, button.label))
        canvas.tool_changed.connect(self._show)
        canvas.label_changed.connect(self._show)
        listen(canvas.document.changed, self._name, to=Change.CLASSES)
        self._show()
        self._name()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def apply_appearance(self, look: Appearance) -> None:
        super().apply_appearance(look)
        self.setMinimumHeight(look.px(24) + LEAST * self.count)
        self._fit()

    def rename(self, label: int) -> None:
        """Ask for another name of a class beside its button; in full screen, at the corner of the canvas."""
        document, button = self.canvas.document, self.classes[label]
        anchor: QWidget = button if button.isVisible() else self.canvas
        corner = QPoint(button.width() + 4, 0) if anchor is button else QPoint(0, 0)
        title, name = f"Name of class {label + 1}", document.dataset.name(label)
        self.field.ask(anchor.mapToGlobal(corner), title, name, partial(document.rename_class, label))

    @property
    def count(self) -> int:
        """Number of buttons."""
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

    def _add(self, buttons: Iterable[KeyButton]) -> None:
        group = QButtonGroup(self)
        for button in buttons:
            group.addButton(button)
            self.box.addWidget(button)

    def _fit(self) -> None:
        """Reduce the buttons where not all fit, as in large type on a small screen."""
        look = current()
        side = min(look.px(SIDE), max((self.height() - look.px(34)) // self.count, LEAST))
        for button in (*self.tools.values(), *self.classes):
            button.fit(look, side)

    def _show(self) -> None:
        self.tools[self.canvas.tool].setChecked(True)
        self.classes[self.canvas.label].setChecked(True)

    @Slot()
    def _name(self) -> None:
        dataset: Dataset = self.canvas.document.dataset
        for button in self.classes:
            button.name(dataset.name(button.label))
        self.classes_renamed.emit()


def _tool_button(tool: Tool) -> KeyButton:
    tip = f"<p><b>{tool.title}</b> ({tool.key})</p><p>{native_keys(tool.hint)}</p>"
    button = KeyButton(tool.name, tip, tool.key)
    button.setAccessibleName(tool.title)
    return button
