"""A diagram in a dock: point at a node to see it on the canvas, turn the wheel to zoom, drag the cut."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from vizml.paint.pens import colour, pen
from vizml.scene import Diagram
from vizml.ui.canvas.sheet import Sheet
from vizml.ui.charts.blank import paint_blank
from vizml.ui.charts.cut import grabbed, value_at
from vizml.ui.charts.diagram import draft, paint_moving, paint_still
from vizml.ui.charts.nodes import Standing
from vizml.ui.charts.sketch import Aim, Sketch
from vizml.ui.widgets.appearance import Appearance, Dressed, current
from vizml.ui.widgets.keys import ARROWS, KeepsKeys

SMALLEST = QSize(160, 120)
STEP, FARTHEST = 1.2, 60.0
"""How much closer a notch of the wheel comes, and how close one can come."""
STILL = 4.0
"""Pixels that a click may move."""
WAYS = {
    Qt.Key.Key_Left: (-1.0, 0.0),
    Qt.Key.Key_Right: (1.0, 0.0),
    Qt.Key.Key_Up: (0.0, -1.0),
    Qt.Key.Key_Down: (0.0, 1.0),
}


class DiagramView(KeepsKeys, Dressed, QWidget):
    """Shows one diagram, fitted at first."""

    pointed = Signal(object)
    """The id of the node to be seen on the canvas: that under the pointer, else the chosen one, or None."""
    cut = Signal(object)
    """A mapping of parameters to the values that the dragged line gives them."""
    released = Signal()
    """The drag of the line is over: what it set is one thing done."""
    menu_asked = Signal(object)
    """Where on the screen a menu of ways to save is wanted."""

    kept = ARROWS | {Qt.Key.Key_Escape}

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._diagram: Diagram | None = None
        self._words = ""
        self._aim = Aim()
        self._laid: Sketch | None = None
        self._standing = Standing()
        self._told: str | None = None
        self._press: QPointF | None = None
        self._from = Aim()
        self._held: float | None = None
        self._on_cut = False
        self._sheet = Sheet(self)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMinimumSize(SMALLEST)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Diagram")
        self.redress()

    @property
    def diagram(self) -> Diagram | None:
        return self._diagram

    @property
    def standing(self) -> Standing:
        """The nodes that stand out."""
        return self._standing

    @property
    def laid(self) -> Sketch | None:
        """Where the nodes lie."""
        if self._laid is None and self._diagram is not None:
            self._laid = draft(self._diagram, QSizeF(self.size()), current().type_scale, self._aim)
        return self._laid

    def set_diagram(self, diagram: Diagram | None, words: str = "") -> None:
        """Show another diagram; without one, words that say why. Nodes that it still has still stand out."""
        if diagram is self._diagram and words == self._words:
            return
        if diagram is None or (self._diagram is not None and diagram.title != self._diagram.title):
            self._aim = Aim()
        self._diagram, self._words, self._laid = diagram, words, None
        known = {node.id for node in diagram.nodes} if diagram else set()
        standing = self._standing
        self._stand(
            hover=standing.hover if standing.hover in known else None,
            chosen=standing.chosen if standing.chosen in known else None,
        )
        self.setAccessibleDescription(f"{diagram.title}. {diagram.note}" if diagram else words)
        self.update()

    def highlight(self, ids: Iterable[str]) -> None:
        """Let nodes stand out that something elsewhere is on, and the links between them."""
        self._stand(others=frozenset(ids))

    def let_go(self) -> None:
        """Let no node stand out."""
        self._stand(hover=None, chosen=None, others=frozenset())

    def fit(self) -> None:
        """Look at all of it."""
        self._look(Aim())

    def dress(self, look: Appearance) -> None:
        self._laid = None
        self.update()

    # -- the hand ------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton or self.laid is None:
            return
        at = event.position()
        self._press, self._from = at, self._aim
        if self._grabs(at):
            self._held = self.laid.height_at(at.y())
            self._drag_cut(at)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._held is not None:
            self._drag_cut(at)
        elif self._press is not None and (at - self._press).manhattanLength() > STILL:
            moved = at - self._press
            self._look(replace(self._from, dx=self._from.dx + moved.x(), dy=self._from.dy + moved.y()))
        elif self._press is None:
            self._point_at(at)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton or self._press is None:
            return
        at, start, self._press = event.position(), self._press, None
        if self._held is not None:
            self._held = None
            self.released.emit()
        elif (at - start).manhattanLength() <= STILL:
            node = self.laid.node_at(at.x(), at.y()) if self.laid else None
            self._stand(hover=node, chosen=None if node == self._standing.chosen else node)
        self._point_at(at)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.accept()
        notches = event.angleDelta().y() / 120
        if notches and self.laid is not None:
            self._zoom(STEP**notches, event.position())

    def leaveEvent(self, event: QEvent) -> None:
        self._on_cut = False
        self._stand(hover=None)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self._diagram is not None:
            self.menu_asked.emit(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in WAYS and self.laid is not None and self.laid.placed:
            self._stand(chosen=self._towards(self.laid, WAYS[key]))
        elif key == Qt.Key.Key_Escape and self._standing.chosen is not None:
            self._stand(chosen=None)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus) and self.laid is not None:
            factor = STEP if key != Qt.Key.Key_Minus else 1 / STEP
            self._zoom(factor, QRectF(self.rect()).center())
        elif key == Qt.Key.Key_0:
            self.fit()
        else:
            super().keyPressEvent(event)

    def _point_at(self, at: QPointF) -> None:
        laid = self.laid
        if laid is None:
            return
        self._on_cut = self._grabs(at)
        node = None if self._on_cut else laid.node_at(at.x(), at.y())
        shape = Qt.CursorShape.PointingHandCursor if node else Qt.CursorShape.ArrowCursor
        self.setCursor(Qt.CursorShape.SizeVerCursor if self._on_cut else shape)
        self._stand(hover=node)
        self.update()

    def _grabs(self, at: QPointF) -> bool:
        return self.laid is not None and grabbed(self.laid, at.y())

    def _drag_cut(self, at: QPointF) -> None:
        laid = self.laid
        if laid is None or laid.diagram.cut is None:
            return
        self._held = min(max(laid.height_at(at.y()), 0.0), 1.0)
        self.update()
        cut = laid.diagram.cut
        self.cut.emit({cut.sets: value_at(laid, self._held), **dict(cut.also)})

    def _towards(self, laid: Sketch, way: tuple[float, float]) -> str:
        """The nearest node in a direction from the chosen one; the first of all if there is none."""
        ids, chosen = list(laid.placed), self._standing.chosen
        if chosen is None:
            return ids[0]
        apart = laid.places - laid.places[ids.index(chosen)]
        along, aside = apart @ np.array(way), np.abs(apart @ np.array(way[::-1]))
        cost = np.where(along > 1.0, along + 2 * aside, np.inf)
        nearest = int(np.argmin(cost))
        return ids[nearest] if np.isfinite(cost[nearest]) else chosen

    def _stand(self, **changes: object) -> None:
        """Let other nodes stand out, and say which one is to be seen on the canvas."""
        standing = replace(self._standing, **changes)  # type: ignore[arg-type]
        if standing != self._standing:
            self._standing = standing
            self.update()
        shown = standing.hover or standing.chosen
        if shown != self._told:
            self._told = shown
            self.pointed.emit(shown)

    # -- what is looked at ---------------------------------------------------------------------------------

    def _zoom(self, factor: float, about: QPointF) -> None:
        """Come closer to a place, which stays where it is."""
        laid, aim = self.laid, self._aim
        if laid is None:
            return
        zoom = min(max(aim.zoom * factor, 1.0), FARTHEST)
        middle, ratio = laid.inner.center(), zoom / aim.zoom
        x, y = about.x() - middle.x(), about.y() - middle.y()
        self._look(Aim(zoom, x - (x - aim.dx) * ratio, y - (y - aim.dy) * ratio))

    def _look(self, aim: Aim) -> None:
        """Look at another part; it never leaves the view, and all of it stays in the middle."""
        laid = self.laid
        if laid is None:
            return
        across, up = ((aim.zoom - 1) / 2 * length for length in (laid.inner.width(), laid.inner.height()))
        self._aim = Aim(aim.zoom, min(max(aim.dx, -across), across), min(max(aim.dy, -up), up))
        self._laid = None
        self.update()

    # -- the picture ---------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        return QSize(320, 240) * current().type_scale

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._laid = None

    def paintEvent(self, event: QPaintEvent) -> None:
        look, laid = current(), self.laid
        painter = QPainter(self)
        painter.fillRect(self.rect(), colour(look.theme.ground))
        if laid is None or not laid.placed:
            paint_blank(painter, QRectF(self.rect()), look, self._words)
        else:
            self._sheet.put(painter, (laid, look.theme), partial(_still, laid, look))
            strong = self._on_cut or self._held is not None
            paint_moving(painter, laid, look.theme, self._standing, self._held, strong=strong)
        if self.hasFocus():
            _paint_focus(painter, QRectF(self.rect()), look)
        painter.end()


def _paint_focus(painter: QPainter, rect: QRectF, look: Appearance) -> None:
    """A frame that says that keys go here; the mouse leaves the focus where it was."""
    width = 2.0 * look.type_scale
    painter.setPen(pen(look.theme.accent, width))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    inset = width / 2
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), look.px(5), look.px(5))


def _still(laid: Sketch, look: Appearance, painter: QPainter) -> None:
    paint_still(painter, laid, look.theme, titled=False)
