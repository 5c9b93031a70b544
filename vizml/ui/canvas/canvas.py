"""The canvas: a board that a hand with a tool works on, by mouse, pad and keys."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QMetaMethod, QMimeData, Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from vizml.data import MAX_CLASSES
from vizml.data.params import Param, Value
from vizml.ui.canvas.canvas_painter import CanvasPainter
from vizml.ui.canvas.document_view import DocumentView
from vizml.ui.canvas.keyboard_input import Crosshair, KeyboardInput
from vizml.ui.canvas.pointer_input import PointerInput
from vizml.ui.canvas.tools import TOOLS, Tool
from vizml.workspace import Document

SUFFIXES = (".csv", ".tsv", ".txt", ".vizml")


def dropped(mime: QMimeData) -> list[Path]:
    """The files of a drop that can be opened."""
    local = [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()]
    return [path for path in local if path.suffix.lower() in SUFFIXES]


BY_HAND = frozenset(
    {
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseButtonRelease,
        QEvent.Type.MouseButtonDblClick,
        QEvent.Type.MouseMove,
        QEvent.Type.KeyPress,
    }
)
"""Events whose edits never move the view."""


class Canvas(DocumentView):
    """One stage's picture, and the tools to draw on it."""

    pointer_moved = Signal(object)
    """Where the pointer is in data units, (x, y), or None."""
    tool_changed = Signal(str)
    label_changed = Signal(int)
    options_changed = Signal()
    """An option of the current tool has another value."""
    files_dropped = Signal(object)
    """A list of paths."""
    space_tapped = Signal()
    """The space bar went down and up without a drag. It is taken only where this is connected."""

    def __init__(self, document: Document, index: int = 0, parent: QWidget | None = None) -> None:
        super().__init__(document, index, parent)
        self._label = 0
        self.tools: dict[str, Tool] = {made.name: made(self) for made in TOOLS}
        self.active = self.tools["point"]
        self.pointer, self.keyboard, self.crosshair = PointerInput(self), KeyboardInput(self), Crosshair(self)
        self.drop_names = ""
        self._painter = CanvasPainter(self)
        self._set_up()

    def _set_up(self) -> None:
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(160, 120)
        self.setAccessibleName("Canvas")

    # -- tool, class, selection ----------------------------------------------------------------------------

    @property
    def tool(self) -> str:
        return self.active.name

    def set_tool(self, name: str) -> None:
        """Take up another tool; what the one before was doing is done."""
        if name not in self.tools:
            raise ValueError(f"there is no tool '{name}'; there are {', '.join(self.tools)}")
        self.pointer.end()
        if name != self.tool:
            self.active = self.tools[name]
            self.tool_changed.emit(name)
            self.options_changed.emit()
        self._show_pointer()

    @property
    def tool_params(self) -> tuple[Param, ...]:
        """What the current tool can be set to."""
        return self.active.params

    @property
    def tool_options(self) -> Mapping[str, Value]:
        """What the current tool is set to."""
        return self.active.options()

    def set_tool_option(self, name: str, value: object) -> None:
        """Set an option of the current tool; ValueError where it is not allowed."""
        self.active.set_option(name, value)
        self.options_changed.emit()
        self.update()

    def scale_option(self, name: str, factor: float) -> bool:
        """Make an option of the current tool larger or smaller; False where it has none of that name."""
        found = self.active.scale_option(name, factor)
        if found:
            self.options_changed.emit()
            self.update()
        return found

    @property
    def label(self) -> int:
        return self._label

    def set_label(self, label: int) -> None:
        """Draw with another class from now on; in the select tool, what is selected joins it too."""
        if not 0 <= label < MAX_CLASSES:
            raise ValueError(f"a class must be from 0 to {MAX_CLASSES - 1}, not {label}")
        if self.tool == "select" and len(self.selection):
            self.selection.relabel(label)
        self.take_label(label)

    def take_label(self, label: int) -> None:
        """Draw with another class from now on, as another canvas does; nothing is relabelled."""
        if label != self._label:
            self._label = label
            self.label_changed.emit(label)
        self.update()

    def zoom(self, factor: float) -> None:
        """Make the view larger about its middle."""
        self.pointer.zoom(factor, self.plot_geometry.plot.center())

    def _on_view(self) -> None:
        super()._on_view()
        self.pointer.renew()
        self._show_pointer()

    # -- events --------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        if event.type() in BY_HAND:
            self._by_hand = True
            try:
                return super().event(event)
            finally:
                self._by_hand = False
        if event.type() == QEvent.Type.ShortcutOverride and self._wants(event):
            event.accept()
            return True
        if event.type() == QEvent.Type.NativeGesture and isinstance(event, QtGui.QNativeGestureEvent):
            return self.pointer.gesture(event)
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._on_view()
        return super().event(event)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        self._painter.paint()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        self._on_view()

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        self.crosshair.hide()
        self.pointer.press(event)
        self._show_pointer()

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        self.pointer.press(event, double=True)
        self._show_pointer()

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        self.pointer.move(event)
        self._show_pointer()

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        self.pointer.release(event)
        self._show_pointer()

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        self.pointer.wheel(event)
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self.pointer.leave()
        self._show_pointer()

    def hideEvent(self, event: QtGui.QHideEvent) -> None:
        self.pointer.end()

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self._takes_space():
            self.pointer.hold_space(event)
        elif not self.keyboard.press(event):
            super().keyPressEvent(event)
        self._show_pointer()

    def keyReleaseEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.pointer.drop_space(event):
            self.space_tapped.emit()
        self._show_pointer()

    def focusInEvent(self, event: QtGui.QFocusEvent) -> None:
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.crosshair.show()
        self._show_pointer()

    def focusOutEvent(self, event: QtGui.QFocusEvent) -> None:
        self.crosshair.hide()
        self.pointer.space = False
        self._show_pointer()

    def dragEnterEvent(self, event: QtGui.QDragEnterEvent) -> None:
        self.drop_names = ", ".join(path.name for path in dropped(event.mimeData()))
        if self.drop_names:
            event.acceptProposedAction()
        self.update()

    def dragLeaveEvent(self, event: QtGui.QDragLeaveEvent) -> None:
        self.drop_names = ""
        self.update()

    def dropEvent(self, event: QtGui.QDropEvent) -> None:
        """Let the drop end before what it brings is opened: that may ask something."""
        paths, self.drop_names = dropped(event.mimeData()), ""
        event.acceptProposedAction()
        QTimer.singleShot(0, self, lambda: self.files_dropped.emit(paths))
        self.update()

    def _wants(self, event: QEvent) -> bool:
        """Whether a key is for the canvas rather than for a shortcut of the window."""
        if not isinstance(event, QtGui.QKeyEvent):
            return False
        return self.keyboard.wants(event) or (event.key() == Qt.Key.Key_Space and self._takes_space())

    def _takes_space(self) -> bool:
        return self.isSignalConnected(QMetaMethod.fromSignal(self.space_tapped))

    def _show_pointer(self) -> None:
        at = self.pointer.at
        self.setCursor(self.pointer.cursor())
        self.pointer_moved.emit(at.point if at else None)
        self.update()
