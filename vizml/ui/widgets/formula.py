"""The formula card: what a model minimises or computes, set from TeX and painted as outlines."""

from __future__ import annotations

import math
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
TALLEST = 6
"""Times the type's size; what is taller has been set wrongly."""


class FormulaCard(Dressed, QWidget):
    """Lines of TeX on a card; they appear one by one while nothing else is to do."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[str, ...] = ()
        self._drawings: list[QSvgRenderer | None] = []
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._draw_next)
        self.setAccessibleName("formula")
        self.redress()

    @property
    def complete(self) -> bool:
        """Whether every line is there."""
        return len(self._drawings) == len(self._lines)

    def set_lines(self, lines: tuple[str, ...]) -> None:
        """Show other formulas."""
        if lines != self._lines:
            self._lines = lines
            self.setAccessibleDescription("; ".join(lines))
            self.setVisible(bool(lines))
            self.dress(current())

    def dress(self, look: Appearance) -> None:
        self._drawings = []
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
        look, line = current(), self._lines[len(self._drawings)]
        svg = svg_of(line, hexed(look.theme.text), look.px(SIZE))
        self._drawings.append(QSvgRenderer(QByteArray(svg), self) if svg else None)
        self._fit()
        self._later()

    def _fit(self) -> None:
        height = sum(self._box(place)[1] for place in range(len(self._lines)))
        gaps = max(len(self._lines) - 1, 0) * current().px(GAP)
        self.setFixedHeight(math.ceil(height) + gaps + 2 * current().px(PAD))
        self.update()

    def _box(self, place: int) -> tuple[float, float]:
        """The width and height of a line: its own, or less where the card is narrow."""
        room = max(self.width() - 2 * current().px(PAD), 1)
        drawing = self._drawings[place] if place < len(self._drawings) else None
        if drawing is None:
            return room, current().px(GUESS)
        size = drawing.viewBoxF().size()
        scale = min(1.0, room / max(size.width(), 1))
        return size.width() * scale, size.height() * scale

    def paintEvent(self, event: QPaintEvent) -> None:
        look = current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(colour(look.theme.line))
        painter.setBrush(colour(look.theme.ground))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), look.px(6), look.px(6))
        top: float = look.px(PAD)
        for place, line in enumerate(self._lines):
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
