"""The formula card: what a model minimises or computes, set from TeX and painted as outlines."""

from __future__ import annotations

import math
import re
import warnings
from functools import cache, lru_cache
from typing import Any

from PySide6.QtCore import QByteArray, QRectF, Qt, QTimer
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QGuiApplication,
    QHideEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QMenu, QWidget

from vizml.ui.widgets.appearance import Appearance, Dressed, colour, current, hexed

SIZE, PAD, GAP, GUESS = 17, 12, 8, 30
SOON = 150
"""Milliseconds until the first formula is set: its library is slow to load, and the picture comes first."""
CRAMPED = 0.8
"""A line that would be made smaller than this is broken after a comma, where it has one."""
BREAK = re.compile(r"(?<=,)\s*\\q?quad\s*")
TALLEST = 6
"""Times the type's size; what is taller has been set wrongly."""


class FormulaCard(Dressed, QWidget):
    """Lines of TeX on a card; they appear one by one while nothing else is to do, long ones in pieces."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[str, ...] = ()
        self._rows: list[str] = []
        self._drawings: list[QSvgRenderer | None] = []
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._draw_next)
        self.setAccessibleName("formula")
        self.redress()

    @property
    def complete(self) -> bool:
        """Whether every line is there."""
        return len(self._drawings) == len(self._rows)

    def set_lines(self, lines: tuple[str, ...]) -> None:
        """Show other formulas."""
        if lines != self._lines:
            self._lines = lines
            self.setAccessibleDescription("; ".join(lines))
            self.setVisible(bool(lines))
            self.dress(current())

    def dress(self, look: Appearance) -> None:
        self._rows, self._drawings = list(self._lines), []
        self._fit()
        self._later()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._later()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        copy = QAction("Copy as TeX", menu)
        copy.triggered.connect(self._copy)
        menu.addAction(copy)
        menu.exec(event.globalPos())

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(self._lines))

    def _later(self) -> None:
        if not self.complete and self.isVisible() and not self._timer.isActive():
            self._timer.start(0 if svg_of.cache_info().currsize else SOON)

    def _draw_next(self) -> None:
        if self.complete:
            return
        place = len(self._drawings)
        drawing = self._drawn(self._rows[place])
        pieces = self._pieces(self._rows[place]) if self._scale(drawing) < CRAMPED else ()
        if pieces:
            self._rows[place : place + 1] = pieces
        else:
            self._drawings.append(drawing)
        self._fit()
        self._later()

    def _drawn(self, line: str) -> QSvgRenderer | None:
        look = current()
        svg = svg_of(line, hexed(look.theme.text), look.px(SIZE))
        return QSvgRenderer(QByteArray(svg), self) if svg else None

    def _scale(self, drawing: QSvgRenderer | None) -> float:
        """How much of its own size a line may have on the card."""
        return min(1.0, self._room / max(drawing.viewBoxF().width(), 1)) if drawing is not None else 1.0

    def _pieces(self, line: str) -> tuple[str, ...]:
        """As much of a line as fits, and the rest of it; nothing where it cannot be broken."""
        parts = BREAK.split(line)
        for count in range(len(parts) - 1, 0, -1):
            first = r" \quad ".join(parts[:count])
            if count == 1 or self._scale(self._drawn(first)) >= 1.0:
                return first, r" \quad ".join(parts[count:])
        return ()

    @property
    def _room(self) -> int:
        return max(self.width() - 2 * current().px(PAD), 1)

    def _fit(self) -> None:
        height = sum(self._box(place)[1] for place in range(len(self._rows)))
        gaps = max(len(self._rows) - 1, 0) * current().px(GAP)
        self.setFixedHeight(math.ceil(height) + gaps + 2 * current().px(PAD))
        self.update()

    def _box(self, place: int) -> tuple[float, float]:
        """The width and height of a line: its own, or less where the card is narrow."""
        drawing = self._drawings[place] if place < len(self._drawings) else None
        if drawing is None:
            return self._room, current().px(GUESS)
        size = drawing.viewBoxF().size() * self._scale(drawing)
        return size.width(), size.height()

    def paintEvent(self, event: QPaintEvent) -> None:
        look = current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(colour(look.theme.line))
        painter.setBrush(colour(look.theme.ground))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), look.px(6), look.px(6))
        top: float = look.px(PAD)
        for place, line in enumerate(self._rows):
            width, height = self._box(place)
            box = QRectF(look.px(PAD), top, width, height)
            if place < len(self._drawings):
                self._paint_line(painter, look, self._drawings[place], line, box)
            top += height + look.px(GAP)
        painter.end()

    def _paint_line(
        self, painter: QPainter, look: Appearance, drawing: QSvgRenderer | None, line: str, box: QRectF
    ) -> None:
        if drawing is not None:
            drawing.render(painter, box)
            return
        painter.setPen(colour(look.theme.text))
        words = self.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, int(box.width()))
        painter.drawText(box, words)


@lru_cache(maxsize=256)
def svg_of(line: str, ink: str, size: int) -> bytes:
    """A line of TeX as SVG; empty where it cannot be set."""
    try:
        formula = _setter()(line, size=size, color=ink)
        _, height = formula.getsize()
    except Exception:  # noqa: BLE001 (a formula of another package may hold anything; the card shows its text)
        return b""
    return formula.svg().encode() if height <= TALLEST * size else b""


@cache
def _setter() -> Any:
    """What sets formulas, loaded when the first one is wanted."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it finds its font in an old way
        from ziamath.config import config
        from ziamath.zmath import Latex
    config.svg2 = False  # its other kind of SVG consists of symbols, which Qt does not draw
    return Latex
