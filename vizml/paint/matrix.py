"""Painting of a matrix of figures with headings of its rows and columns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from vizml.paint.export import FORMATS, ComposableFigure, Painting, Paper, application, composed
from vizml.paint.geometry import SNAP, Margins
from vizml.paint.pens import colour, draw_text, font
from vizml.scene.figure import RenderOptions
from vizml.scene.typesetting import typeset

HEAD, LABEL = 26, 13
"""Logical pixels of the margins with headings and titles, and of their type."""
TICKS, GAP = (44, 24), 8
"""Logical pixels left of the first column and below the last row, for numbers, and between figures."""
LEAST = 30
"""Least logical pixels of a figure in width and in height."""
EQUALS = " = "
"""Sign between the name and the value in a heading."""


class FigureMatrix(Protocol):
    """Rows and columns of figures."""

    @property
    def options(self) -> RenderOptions: ...

    @property
    def axes(self) -> tuple[str, str]: ...

    @property
    def columns(self) -> Sequence[str]: ...

    @property
    def rows(self) -> Sequence[str]: ...

    def cell(self, row: int, column: int, width: int, height: int) -> ComposableFigure: ...


@dataclass(frozen=True)
class _Grid:
    """Places of plots of equal size, in logical pixels; the first column and the last row have numbers."""

    columns: int
    rows: int
    head: int
    gap: int
    ticks: tuple[int, int]
    """Widths of the margins left of the first column and below the last row."""
    wide: int
    high: int

    @classmethod
    def of(cls, paper: Paper, columns: int, rows: int, k: float) -> _Grid:
        """Return the grid that fills a paper; ValueError where there is not enough room."""
        head, gap, left, below = (SNAP * math.ceil(length * k / SNAP) for length in (HEAD, GAP, *TICKS))
        wide = (paper.width - 2 * head - left - (columns - 1) * gap) // columns // SNAP * SNAP
        high = (paper.height - 2 * head - below - (rows - 1) * gap) // rows // SNAP * SNAP
        if min(wide, high) < LEAST * k:
            raise ValueError(f"a picture of {paper.width}x{paper.height} pixels is too small for a matrix")
        return cls(columns, rows, head, gap, (left, below), wide, high)

    def margins(self, row: int, column: int) -> Margins:
        """Return the margins of a plot."""
        below = self.ticks[1] if row == self.rows - 1 else 0
        return Margins(0 if column else self.ticks[0], 0, 0, below)

    def size(self, row: int, column: int) -> tuple[int, int]:
        """Return the size of a figure with its margins."""
        around = self.margins(row, column)
        return round(self.wide + around.left), round(self.high + around.bottom)

    def corner(self, row: int, column: int) -> QPointF:
        """Return the upper left corner of a figure."""
        left = self.ticks[0] if column else 0
        return QPointF(
            self.head + left + column * (self.wide + self.gap), self.head + row * (self.high + self.gap)
        )

    @property
    def middles(self) -> tuple[list[float], list[float]]:
        """The middles of the columns, and those of the rows as coordinates that fall downwards."""
        start = self.head + self.ticks[0] + self.wide / 2
        across = [start + column * (self.wide + self.gap) for column in range(self.columns)]
        down = [-(self.head + self.high / 2 + row * (self.high + self.gap)) for row in range(self.rows)]
        return across, down


def fits(matrix: FigureMatrix) -> bool:
    """Whether the size of a matrix has room for its plots."""
    options = matrix.options
    paper = Paper(options.width, options.height, options.scale, options.transparent)
    with suppress(ValueError):
        _Grid.of(paper, len(matrix.columns), len(matrix.rows), options.type_scale)
        return True
    return False


def composed_matrix(matrix: FigureMatrix, *, vectorial: bool = False) -> tuple[Paper, Painting]:
    """Compose the figures of a matrix, with common axes; return its paper and a function that paints it."""
    options, columns, rows, k = matrix.options, matrix.columns, matrix.rows, matrix.options.type_scale
    paper = Paper(options.width, options.height, options.scale, options.transparent)
    grid = _Grid.of(paper, len(columns), len(rows), k)
    parts = [
        (
            grid.corner(row, column),
            composed(
                matrix.cell(row, column, *grid.size(row, column)),
                vectorial=vectorial, margins=grid.margins(row, column),
            )[1],
        )
        for row in range(len(rows))
        for column in range(len(columns))
    ]  # fmt: skip

    def painting(painter: QPainter) -> None:
        if not options.transparent:
            painter.fillRect(QRectF(0, 0, paper.width, paper.height), colour(options.look.theme.ground))
        for corner, paint in parts:
            painter.save()
            painter.translate(corner)
            paint(painter)
            painter.restore()
        across, down = grid.middles
        _paint_headings(
            painter, options, across, columns, matrix.axes[0], paper.height - grid.head / 2, grid.wide
        )
        painter.rotate(-90)
        _paint_headings(painter, options, down, rows, matrix.axes[1], paper.width - grid.head / 2, grid.high)
        painter.rotate(90)

    return paper, painting


def encoded_matrix(suffix: str, matrix: FigureMatrix) -> bytes:
    """Compose a matrix, and return it in the format of a file's ending."""
    with application():
        paper, painting = composed_matrix(matrix, vectorial=suffix != ".png")
        return FORMATS[suffix](paper, painting, matrix.options.title, "Matrix of sections")


def _paint_headings(
    painter: QPainter, options: RenderOptions, places: Sequence[float], texts: Sequence[str], title: str,
    far: float, room: float,
) -> None:  # fmt: skip
    """Draw headings on one side and the title of the axis on the other: columns have it below, rows left."""
    near = HEAD * options.type_scale / 2
    heads, foot = (near, far) if places[0] > 0 else (far, near)
    for place, text in zip(places, texts):
        _paint_heading(painter, options, QPointF(place, heads), text, room)
    _paint_heading(painter, options, QPointF(places[len(places) // 2], foot), title, room * len(places))


def _paint_heading(
    painter: QPainter, options: RenderOptions, centre: QPointF, text: str, room: float
) -> None:
    """Draw a text around a centre, or only the value that it ends with where there is not enough room."""
    face, shown = font(LABEL, options.type_scale), typeset(text)
    metrics = QFontMetricsF(face)
    if metrics.horizontalAdvance(shown) > room:
        shown = shown.rpartition(EQUALS)[2]
    left = centre.x() - min(metrics.horizontalAdvance(shown), room) / 2
    at = QPointF(left, centre.y() + metrics.capHeight() / 2)
    draw_text(painter, face, options.look.theme.text, at, shown, room)
