"""Formula card: the objective of a model, laid out from TeX and painted as outlines."""

from __future__ import annotations

import logging
import math
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any, TypeAlias

from PySide6.QtCore import QByteArray, QEvent, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QGuiApplication,
    QHelpEvent,
    QHideEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from vizml.paint.pens import colour
from vizml.run.runner import BackgroundQuery
from vizml.ui.widgets.appearance import Appearance, FollowsAppearance, current, hexed

log = logging.getLogger(__name__)
LEAST_SCALE = 0.8
"""A line that would be scaled to less is broken after a comma, where it has one."""
BREAK = re.compile(r"(?<=,)\s*\\q?quad\s*")
TALLEST = 6
"""Greatest height as a multiple of the type size; higher formulas have been laid out wrongly."""


Box: TypeAlias = tuple[float, float, float, float]


@dataclass(frozen=True)
class FormulaLine:
    """A line of TeX and its outlines with their width; no outlines where it cannot be laid out."""

    tex: str
    svg: bytes = b""
    width: float = 0.0
    letters: tuple[tuple[str, Box], ...] = ()
    """Letters with left, top, right and bottom in the units of the outlines."""

    def scale(self, room: float) -> float:
        """Return the scale at which it fits into a width."""
        return min(1.0, room / max(self.width, 1.0))


def wrapped_lines(tex: str, ink: str, size: int, room: float) -> tuple[FormulaLine, ...]:
    """Lay out a line, broken into as many lines as it takes to be legible."""
    line = render_line(tex, ink, size)
    if line.scale(room) >= LEAST_SCALE:
        return (line,)
    parts = BREAK.split(tex)
    for count in range(len(parts) - 1, 0, -1):
        first = render_line(r" \quad ".join(parts[:count]), ink, size)
        if count == 1 or first.scale(room) >= 1.0:
            return first, *wrapped_lines(r" \quad ".join(parts[count:]), ink, size, room)
    return (line,)


@lru_cache(maxsize=256)
def render_line(tex: str, ink: str, size: int) -> FormulaLine:
    """Lay out a line in a colour and a type size."""
    try:
        formula = _latex()(tex, size=size, color=ink)
        _, height = formula.getsize()
        svg = formula.svg()
        width = float(svg.split('width="', 1)[1].split('"', 1)[0])
    except Exception:  # a formula of another package may hold anything; the card shows its text
        log.exception("The formula cannot be set: %s", tex)
        return FormulaLine(tex)
    if height > TALLEST * size:
        return FormulaLine(tex)
    return FormulaLine(tex, svg.encode(), width, tuple(_letters(formula.node)))


def _letters(node: Any, x: float = 0.0, y: float = 0.0) -> Iterator[tuple[str, Box]]:
    """Yield the letters below a node at a position, each with its box."""
    for (dx, dy), part in zip(getattr(node, "nodexy", ()), getattr(node, "nodes", ())):
        text = getattr(part, "string", "")
        if text and not part.style.mathvariant.normal:  # words are set upright
            box = part.bbox
            yield text, (x + dx + box.xmin, y + dy - box.ymax, x + dx + box.xmax, y + dy - box.ymin)
        yield from _letters(part, x + dx, y + dy)


@cache
def _latex() -> Any:
    """Import ziamath for the first formula: that takes a while."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it finds its font by a deprecated function
        from ziamath.config import config
        from ziamath.zmath import Latex
    config.svg2 = False  # SVG 2 consists of symbols, which Qt does not draw
    return Latex


SIZE, MARGIN, GAP, EXPECTED_HEIGHT = 17, 12, 8, 30
FIRST_DELAY = 150
"""Milliseconds until the first layout: its library is slow to load, and the stage comes first."""


class FormulaCard(FollowsAppearance, QWidget):
    """Lines of TeX on a card, laid out one by one in the background; letters are explained at the pointer."""

    pointed = Signal(str)
    """The letter at the pointer that has an explanation, or an empty string."""
    clicked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.lines: tuple[str, ...] = ()
        self.rows: list[tuple[FormulaLine, QSvgRenderer | None]] = []
        self._waiting: list[str] = []
        self._explained: Mapping[str, str] = {}
        self._letter = ""
        self.setMouseTracking(True)
        self._query = BackgroundQuery(self)
        self._query.answered.connect(self._put)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._ask)
        self.setAccessibleName("formula")
        self.update_appearance()

    @property
    def complete(self) -> bool:
        """Whether all lines have been laid out."""
        return not self._waiting

    def close_down(self) -> None:
        """Stop timer and query."""
        self._timer.stop()
        self._query.close()

    def set_lines(self, lines: tuple[str, ...]) -> None:
        """Show other formulas."""
        if lines != self.lines:
            self.lines = lines
            self.setAccessibleDescription("; ".join(lines))
            self.setVisible(bool(lines))
            self.apply_appearance(current())

    def explain(self, letters: Mapping[str, str]) -> None:
        """Set the explanations of letters."""
        self._explained = letters
        self._point_at("")

    def letter_at(self, position: QPointF) -> str:
        """Return the letter with an explanation at a position, or an empty string."""
        for (line, drawing), box in zip(self.rows, self._places()):
            if drawing is not None and box.contains(position):
                view = drawing.viewBoxF()
                x = view.x() + (position.x() - box.x()) * view.width() / box.width()
                y = view.y() + (position.y() - box.y()) * view.height() / box.height()
                for text, (left, top, right, bottom) in line.letters:
                    if text in self._explained and left <= x <= right and top <= y <= bottom:
                        return text
        return ""

    def _point_at(self, letter: str) -> None:
        if letter != self._letter:
            self._letter = letter
            self.setCursor(Qt.CursorShape.WhatsThisCursor if letter else Qt.CursorShape.ArrowCursor)
            self.pointed.emit(letter)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point_at(self.letter_at(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()

    def leaveEvent(self, event: QEvent) -> None:
        self._point_at("")

    def event(self, event: QEvent) -> bool:
        """Explain the letter at the pointer, or all letters where there is none."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            letter = self.letter_at(QPointF(event.pos()))
            text = self._explained.get(letter) or "".join(self._explained.values())
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def apply_appearance(self, look: Appearance) -> None:
        self.rows, self._waiting = [], list(self.lines)
        self._query.cancel()
        self._fit()
        self._ask_later()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask_later()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.addAction("Copy as TeX").triggered.connect(self.copy)
        menu.popup(event.globalPos())

    def copy(self) -> None:
        """Copy the TeX source."""
        QGuiApplication.clipboard().setText("\n".join(self.lines))

    def _ask_later(self) -> None:
        busy = self._query.waiting or self._timer.isActive()
        if self._waiting and self.isVisible() and not busy:
            self._timer.start(0 if render_line.cache_info().currsize else FIRST_DELAY)

    def _ask(self) -> None:
        """Lay out the next line."""
        if self._waiting:
            look = current()
            ink, size = hexed(look.theme.text), look.px(SIZE)
            self._query.ask(partial(wrapped_lines, self._waiting[0], ink, size, self._room))

    def _put(self, lines: tuple[FormulaLine, ...]) -> None:
        """Show a line that has been laid out."""
        del self._waiting[0]
        for line in lines:
            self.rows.append((line, QSvgRenderer(QByteArray(line.svg)) if line.svg else None))
        self._fit()
        self._ask_later()

    @property
    def _room(self) -> int:
        return max(self.width() - 2 * current().px(MARGIN), 1)

    def _fit(self) -> None:
        boxes = self.boxes()
        gaps = max(len(boxes) - 1, 0) * current().px(GAP)
        self.setFixedHeight(math.ceil(sum(height for _, height in boxes)) + gaps + 2 * current().px(MARGIN))
        self.update()

    def boxes(self) -> list[tuple[float, float]]:
        """Return width and height of each line, scaled to a narrow card; an estimate before the layout."""
        guess = float(self._room), float(current().px(EXPECTED_HEIGHT))
        found = []
        for line, drawing in self.rows:
            size = drawing.viewBoxF().size() * line.scale(self._room) if drawing else None
            found.append((size.width(), size.height()) if size else guess)
        return found + [guess] * len(self._waiting)

    def _places(self) -> list[QRectF]:
        """Return the rectangle of each line."""
        look, places = current(), list[QRectF]()
        top: float = look.px(MARGIN)
        for width, height in self.boxes():
            places.append(QRectF(look.px(MARGIN), top, width, height))
            top += height + look.px(GAP)
        return places

    def paintEvent(self, event: QPaintEvent) -> None:
        look = current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(colour(look.theme.line))
        painter.setBrush(colour(look.theme.ground))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), look.px(6), look.px(6))
        for (line, drawing), place in zip(self.rows, self._places()):
            self._paint_line(painter, look, drawing, line.tex, place)
        painter.end()

    def _paint_line(
        self, painter: QPainter, look: Appearance, drawing: QSvgRenderer | None, line: str, box: QRectF
    ) -> None:
        if drawing is not None:
            drawing.render(painter, box)
            return
        painter.setPen(colour(look.theme.text))
        text = self.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, int(box.width()))
        painter.drawText(box, text)
