"""The formula card: what a model minimises or computes, set from TeX and painted as outlines."""

from __future__ import annotations

import logging
import math
import re
import warnings
from dataclasses import dataclass
from functools import cache, lru_cache, partial
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

from vizml.run.runner import BackgroundQuery
from vizml.ui.widgets.appearance import Appearance, FollowsAppearance, colour, current, hexed

log = logging.getLogger(__name__)
CRAMPED = 0.8
"""A line that would be made smaller than this is broken after a comma, where it has one."""
BREAK = re.compile(r"(?<=,)\s*\\q?quad\s*")
TALLEST = 6
"""Times the type's size; what is taller has been set wrongly."""


@dataclass(frozen=True)
class FormulaLine:
    """A line as it was written, and its outlines with their width; none where it cannot be set."""

    tex: str
    svg: bytes = b""
    width: float = 0.0

    def scale(self, room: float) -> float:
        """How much of its own size it may have in some room."""
        return min(1.0, room / max(self.width, 1.0))


def broken(tex: str, ink: str, size: int, room: float) -> tuple[FormulaLine, ...]:
    """A line in as many pieces as it takes to be read."""
    line = set_line(tex, ink, size)
    if line.scale(room) >= CRAMPED:
        return (line,)
    parts = BREAK.split(tex)
    for count in range(len(parts) - 1, 0, -1):
        first = set_line(r" \quad ".join(parts[:count]), ink, size)
        if count == 1 or first.scale(room) >= 1.0:
            return first, *broken(r" \quad ".join(parts[count:]), ink, size, room)
    return (line,)


@lru_cache(maxsize=256)
def set_line(tex: str, ink: str, size: int) -> FormulaLine:
    """A line in an ink, its letters of some size."""
    try:
        formula = _setter()(tex, size=size, color=ink)
        _, height = formula.getsize()
        svg = formula.svg()
        width = float(svg.split('width="', 1)[1].split('"', 1)[0])
    except Exception:  # a formula of another package may hold anything; the card shows its text
        log.exception("The formula cannot be set: %s", tex)
        return FormulaLine(tex)
    return FormulaLine(tex, svg.encode(), width) if height <= TALLEST * size else FormulaLine(tex)


@cache
def _setter() -> Any:
    """What sets formulas, loaded when the first one is wanted: that takes a while."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it finds its font in an old way
        from ziamath.config import config
        from ziamath.zmath import Latex
    config.svg2 = False  # its other kind of SVG consists of symbols, which Qt does not draw
    return Latex


SIZE, PAD, GAP, GUESS = 17, 12, 8, 30
SOON = 150
"""Milliseconds until the first formula is set: its library is slow to load, and the picture comes first."""


class FormulaCard(FollowsAppearance, QWidget):
    """Lines of TeX on a card: they are set in another thread and appear one by one, long ones in pieces."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[str, ...] = ()
        self._rows: list[tuple[FormulaLine, QSvgRenderer | None]] = []
        self._waiting: list[str] = []
        self._query = BackgroundQuery(self)
        self._query.answered.connect(self._put)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._ask)
        self.setAccessibleName("formula")
        self.update_appearance()

    @property
    def complete(self) -> bool:
        """Whether every line is there."""
        return not self._waiting

    def close_down(self) -> None:
        """End the thread, as a window does before it goes."""
        self._timer.stop()
        self._query.close()

    def set_lines(self, lines: tuple[str, ...]) -> None:
        """Show other formulas."""
        if lines != self._lines:
            self._lines = lines
            self.setAccessibleDescription("; ".join(lines))
            self.setVisible(bool(lines))
            self.apply_appearance(current())

    def apply_appearance(self, look: Appearance) -> None:
        self._rows, self._waiting = [], list(self._lines)
        self._query.cancel()
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
        busy = self._query.waiting or self._timer.isActive()
        if self._waiting and self.isVisible() and not busy:
            self._timer.start(0 if set_line.cache_info().currsize else SOON)

    def _ask(self) -> None:
        """Have the next line set."""
        if self._waiting:
            look = current()
            ink, size = hexed(look.theme.text), look.px(SIZE)
            self._query.ask(partial(broken, self._waiting[0], ink, size, self._room))

    def _put(self, lines: tuple[FormulaLine, ...]) -> None:
        """A line has been set, in so many pieces."""
        del self._waiting[0]
        self._rows.extend((line, self._drawing(line)) for line in lines)
        self._fit()
        self._later()

    def _drawing(self, line: FormulaLine) -> QSvgRenderer | None:
        return QSvgRenderer(QByteArray(line.svg), self) if line.svg else None

    @property
    def _room(self) -> int:
        return max(self.width() - 2 * current().px(PAD), 1)

    def _fit(self) -> None:
        boxes = self._boxes()
        gaps = max(len(boxes) - 1, 0) * current().px(GAP)
        self.setFixedHeight(math.ceil(sum(height for _, height in boxes)) + gaps + 2 * current().px(PAD))
        self.update()

    def _boxes(self) -> list[tuple[float, float]]:
        """The width and height of each line: its own, less where the card is narrow; a guess before."""
        guess = float(self._room), float(current().px(GUESS))
        there = [self._box(line, drawing) if drawing else guess for line, drawing in self._rows]
        return there + [guess] * len(self._waiting)

    def _box(self, line: FormulaLine, drawing: QSvgRenderer) -> tuple[float, float]:
        size = drawing.viewBoxF().size() * line.scale(self._room)
        return size.width(), size.height()

    def paintEvent(self, event: QPaintEvent) -> None:
        look = current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(colour(look.theme.line))
        painter.setBrush(colour(look.theme.ground))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), look.px(6), look.px(6))
        top: float = look.px(PAD)
        for (line, drawing), (width, height) in zip(self._rows, self._boxes()):
            self._paint_line(painter, look, drawing, line.tex, QRectF(look.px(PAD), top, width, height))
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
