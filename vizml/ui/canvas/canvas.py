"""Canvas: the view of a document with tools that edit it by mouse, touch pad and keyboard."""

from __future__ import annotations

from pathlib import Path

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QMimeData, QPointF, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QToolTip, QWidget

from vizml.data.pictures import SUFFIXES
from vizml.data.wording import plural
from vizml.learn.layers import LAYERS
from vizml.paint.legend import LegendEntry
from vizml.scene.figure import Figure
from vizml.ui.canvas.canvas_painter import CanvasPainter
from vizml.ui.canvas.document_view import DocumentView
from vizml.ui.canvas.keyboard_input import Crosshair, key_action
from vizml.ui.canvas.pointer_input import LEFT, MIDDLE, PointerInput
from vizml.ui.canvas.tools import TOOLS, Tool
from vizml.ui.canvas.tools.anchors import AnchorDrag, AnchorTool
from vizml.workspace import Document

DROPPED = (".csv", ".tsv", ".txt", ".vizml", *SUFFIXES)
"""Files that can be dropped onto the canvas."""
INPUT = frozenset(
    {
        QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease, QEvent.Type.MouseButtonDblClick,
        QEvent.Type.MouseMove, QEvent.Type.KeyPress, QEvent.Type.KeyRelease, QEvent.Type.Leave,
        QEvent.Type.FocusIn, QEvent.Type.FocusOut,
    }
)  # fmt: skip
"""Events that may change the pointer, and whose edits never move the view."""


def dropped(mime: QMimeData) -> list[Path]:
    """Return the dropped files that can be opened."""
    local = [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()]
    return [path for path in local if path.suffix.lower() in DROPPED]


def explanation(entry: LegendEntry | None, figure: Figure) -> str:
    """Explain an entry of the legend."""
    if entry is None:
        return ""
    if entry.mark is not None:
        return f"<p>{LAYERS.get(entry.mark.layer, entry.text)}</p>"
    return f"{entry.text}: {plural(len(entry.emphasis.of(figure).points.positions), 'point')}"


class Canvas(DocumentView):
    """The picture of one stage, and the tools that edit it."""

    pointer_moved = Signal(object)
    """Position of the pointer in data units (x, y), or None."""
    tool_changed = Signal(str)
    options_changed = Signal()
    """An option of the current tool has changed."""
    files_dropped = Signal(object)
    """A list of paths."""
    arrow_keys_changed = Signal()
    """The arrow keys move something else."""
    menu_requested = Signal(int)
    """Id of the point under the pointer whose menu is wanted."""
    space_tapped = Signal()
    """The space bar was pressed and released without a drag."""

    def __init__(self, document: Document, index: int = 0, parent: QWidget | None = None) -> None:
        super().__init__(document, index, parent)
        self.tools: dict[str, Tool] = {kind.name: kind(self) for kind in TOOLS}
        self.active = next(iter(self.tools.values()))
        self.pointer, self.crosshair = PointerInput(self), Crosshair(self)
        self.drop_names = ""
        self.point: tuple[float, float] | None = None
        """Position of the pointer in data units; None outside the plot."""
        self.arrow_keys = ""
        """What the arrow keys move: 'selection', 'cross-hair', or an empty string for the timeline."""
        self._painter = CanvasPainter(self)
        self.selection.changed.connect(self._update_arrow_keys)
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(160, 120)
        self.setAccessibleName("Canvas")

    def close_down(self) -> None:
        """End the thread of the probe."""
        self._painter.probe.close_down()

    # -- tool and class ------------------------------------------------------------------------------------

    @property
    def tool(self) -> str:
        return self.active.name

    @property
    def drags_anchor(self) -> bool:
        """Whether a part of the model is being dragged, from which training continues."""
        stroke = self.pointer.stroke
        return isinstance(stroke, AnchorTool) and isinstance(stroke.held, AnchorDrag)

    def set_tool(self, name: str) -> None:
        """Activate another tool, and end the stroke of the former one."""
        if name not in self.tools:
            raise ValueError(f"there is no tool '{name}'; there are {', '.join(self.tools)}")
        self.pointer.end()
        if name != self.tool:
            self.active = self.tools[name]
            self.tool_changed.emit(name)
            self.options_changed.emit()
        self._show_pointer()

    def set_tool_option(self, name: str, value: object) -> None:
        """Set an option of the current tool; ValueError where the value is not allowed."""
        self.active.set_option(name, value)
        self._on_option()

    def scale_option(self, name: str, factor: float) -> bool:
        """Multiply an option of the current tool; False where the tool has none of that name."""
        found = self.active.scale_option(name, factor)
        if found:
            self._on_option()
        return found

    def _on_option(self) -> None:
        self.options_changed.emit()
        self.update()

    def set_label(self, label: int) -> None:
        """Set the class of new points; with the select tool, of the selected points as well."""
        self.take_label(label)
        if self.tool == "select" and len(self.selection.ids):
            self.selection.relabel(label)

    def zoom(self, factor: float) -> None:
        """Magnify the view about its centre."""
        self.pointer.zoom(factor, self.plot_geometry.plot.center())

    def update_view(self) -> None:
        super().update_view()
        self.pointer.update_position()
        self._show_pointer()

    # -- events --------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        if event.type() in INPUT:
            self._editing = True
            try:
                return super().event(event)
            finally:
                self._editing = False
                self._show_pointer()
        if (
            isinstance(event, QtGui.QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and (event.key() == Qt.Key.Key_Space or key_action(self, event))
        ):
            event.accept()
            return True
        if event.type() == QEvent.Type.NativeGesture and isinstance(event, QtGui.QNativeGestureEvent):
            return self.pointer.gesture(event)
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QtGui.QHelpEvent):
            entry = self._painter.entry_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), explanation(entry, self.figure), self)
            return True
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.update_view()
        return super().event(event)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        if self.index < len(self.document.work.experiments):  # else the canvas is about to be deleted
            self._painter.paint()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        self.update_view()

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        self.crosshair.visible = False
        self.pointer.press(event)

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        self.pointer.press(event, double=True)

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        self.pointer.move(event)
        entry = None if self.pointer.stroke else self._painter.entry_at(event.position())
        self.set_emphasis(entry.emphasis if entry is not None else None)

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        if event.button() in (LEFT, MIDDLE):
            self.pointer.end()

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        self.pointer.wheel(event)
        event.accept()

    def contextMenuEvent(self, event: QtGui.QContextMenuEvent) -> None:
        if event.reason() == event.Reason.Keyboard:  # a click has arrived as a press
            self.pointer.request_menu()

    def leaveEvent(self, event: QEvent) -> None:
        self.pointer.leave()
        self.set_emphasis(None)

    def hideEvent(self, event: QtGui.QHideEvent) -> None:
        self.pointer.end()

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            self.pointer.press_space(event)
        elif action := key_action(self, event):
            action()
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.pointer.release_space(event):
            self.space_tapped.emit()

    def focusInEvent(self, event: QtGui.QFocusEvent) -> None:
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.crosshair.show()

    def focusOutEvent(self, event: QtGui.QFocusEvent) -> None:
        self.crosshair.visible = False
        self.pointer.space = False

    def dragEnterEvent(self, event: QtGui.QDragEnterEvent) -> None:
        self.drop_names = ", ".join(path.name for path in dropped(event.mimeData()))
        if self.drop_names:
            event.acceptProposedAction()
        self.update()

    def dragLeaveEvent(self, event: QtGui.QDragLeaveEvent) -> None:
        self.drop_names = ""
        self.update()

    def dropEvent(self, event: QtGui.QDropEvent) -> None:
        """Emit the files after the drop has ended: opening them may show a dialog."""
        paths, self.drop_names = dropped(event.mimeData()), ""
        event.acceptProposedAction()
        QTimer.singleShot(0, self, lambda: self.files_dropped.emit(paths))
        self.update()

    def _show_pointer(self) -> None:
        at = self.pointer.at
        self.setCursor(self.pointer.tool.cursor(at) if at else Qt.CursorShape.ArrowCursor)
        point = at.point if at else None
        if point != self.point:
            self.point = point
            self.pointer_moved.emit(point)
        self._update_arrow_keys()
        self.update()

    @Slot()
    def _update_arrow_keys(self) -> None:
        moved = "selection" if len(self.selection.ids) else "cross-hair" if self.crosshair.visible else ""
        if moved != self.arrow_keys:
            self.arrow_keys = moved
            self.arrow_keys_changed.emit()
