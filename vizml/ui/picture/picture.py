"""All that a picture shows, and the painting of it in the layers that a canvas keeps apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter

from vizml.data import Dataset
from vizml.data.dataset import Mask
from vizml.learn import Task
from vizml.scene import Look, Mark, Scene, Theme
from vizml.ui.picture.geometry import Geometry


@dataclass(frozen=True, eq=False)
class Picture:
    """Points, the scene of a model under them, and how it is all to look."""

    dataset: Dataset
    held: Mask
    scene: Scene | None
    look: Look
    task: Task
    scores: tuple[str, ...] = ()
    title: str = ""
    selected: Mask | None = None


def paint(painter: QPainter, geometry: Geometry, picture: Picture) -> None:
    """All of it."""
    paint_under(painter, geometry, picture)
    paint_points(painter, geometry, picture)
    paint_over(painter, geometry, picture)


def paint_under(painter: QPainter, geometry: Geometry, picture: Picture) -> None:
    """Ground, region, grid, and the marks that points lie on."""
    painter.fillRect(0, 0, int(geometry.width), int(geometry.height), QColor(*picture.look.theme.ground))


def paint_points(painter: QPainter, geometry: Geometry, picture: Picture) -> None:
    """The points of the data set; held-out ones hollow, selected ones ringed."""
    painter.setPen(Qt.PenStyle.NoPen)
    for (x, y), label in zip(geometry.to_pixels(picture.dataset.points), picture.dataset.labels.tolist()):
        painter.setBrush(QColor(*picture.look.theme.colour(label)))
        painter.drawEllipse(QPointF(x, y), 4.5, 4.5)


def paint_over(painter: QPainter, geometry: Geometry, picture: Picture) -> None:
    """The marks that stand out from points, axes, legend and scores."""
    painter.setPen(QColor(*picture.look.theme.line))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(geometry.plot)


def paint_marks(painter: QPainter, geometry: Geometry, theme: Theme, marks: Iterable[Mark]) -> None:
    """Marks on their own, for ghosts and probes."""
