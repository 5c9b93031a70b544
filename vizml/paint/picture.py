"""All that a picture shows, and the painting of it in the layers that a canvas keeps apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from vizml.data import Dataset
from vizml.data.dataset import Floats, Ints, Mask
from vizml.learn import Task
from vizml.paint.axes import paint_axes, paint_grid, paint_heading
from vizml.paint.captions import paint_captions
from vizml.paint.clip import box_of
from vizml.paint.clip import inside as within
from vizml.paint.geometry import Geometry
from vizml.paint.marks import paint_mark, rim, stands_out
from vizml.paint.pens import colour
from vizml.paint.points import kinds_of, paint_placed, placed
from vizml.paint.region import paint_region
from vizml.paint.symbols import PLAIN, SIZE, Inside
from vizml.paint.words import Room, paint_words
from vizml.scene import Dots, Lens, Look, Mark, Scene, Theme, Words
from vizml.scene.scene import GRID, HELD, POINTS, REGIONS, TESTED


@dataclass(frozen=True, eq=False)
class Picture:
    """Points, the scene of a model under them, and how it is all to look."""

    dataset: Dataset
    held: Mask
    """The points that were not learned from."""
    scene: Scene | None
    look: Look
    task: Task
    scores: tuple[str, ...] = ()
    title: str = ""
    selected: Mask | None = None
    tested: Mask | None = None
    """Those of the held points that are kept for the last test, and what the legend calls them."""
    test: str = "test"

    @cached_property
    def marks(self) -> list[Mark]:
        """The marks of the layers that are switched on."""
        return [] if self.scene is None else [mark for mark in self.scene.marks if self.look.draws(mark)]

    @cached_property
    def seen_through(self) -> Lens | None:
        """The lens whose colours are to be seen."""
        scene = self.scene
        return (
            scene.lens
            if scene is not None and scene.region is not None and self.look.shows(REGIONS)
            else None
        )

    @cached_property
    def lines(self) -> list[Mark]:
        """The marks that points lie on; on a map of colours, their rims before them."""
        lines = [mark for mark in self.marks if not stands_out(mark)]
        mapped = self.seen_through is not None and not self.seen_through.rising
        return [*filter(None, map(rim, lines)), *lines] if mapped else lines

    @cached_property
    def kinds(self) -> Ints:
        """The class, or cluster, whose symbol each point has."""
        return kinds_of(self.dataset, self.scene, self.task)

    @cached_property
    def present(self) -> tuple[int, ...]:
        """Which of these kinds there are."""
        return tuple((np.flatnonzero(np.bincount(self.kinds - PLAIN)) + PLAIN).tolist())

    @property
    def groups(self) -> str:
        """What the colours of the points tell apart; empty for classes."""
        if self.scene is not None and self.scene.tags is not None:
            return self.scene.tagged
        return "cluster" if self.task is Task.CLUSTER else ""

    @cached_property
    def count(self) -> int:
        """How many groups the colours of the points tell apart."""
        tags = None if self.scene is None else self.scene.tags
        return int(tags[1].max(initial=-1)) + 1 if tags is not None else 0

    @cached_property
    def inside(self) -> Ints:
        """The Inside of each point."""
        held = np.where(self.held, Inside.HOLLOW, Inside.FILLED)
        return held if self.tested is None else np.where(self.tested, Inside.DOTTED, held)

    @cached_property
    def symbols(self) -> tuple[bytes, ...]:
        """How each point is drawn, to tell pictures by whose points look alike."""
        each = [self.kinds, self.inside] + ([] if self.selected is None else [self.selected])
        return tuple(facts.astype(np.int8).tobytes() for facts in each)

    @cached_property
    def parts(self) -> tuple[Inside, ...]:
        """Which kinds of Inside there are."""
        return tuple(Inside(found) for found in np.flatnonzero(np.bincount(self.inside)).tolist())

    @property
    def drawn_parts(self) -> tuple[Inside, ...]:
        """Those whose points are on a layer that is switched on."""
        layers = {Inside.FILLED: POINTS, Inside.HOLLOW: HELD, Inside.DOTTED: TESTED}
        return tuple(inside for inside in self.parts if self.look.shows(layers[inside]))

    @cached_property
    def drawn(self) -> Mask | slice:
        """Which points these are; of all, a slice, which costs no copy."""
        if self.drawn_parts == self.parts:
            return slice(None)
        return np.isin(self.inside, self.drawn_parts)


def paint(painter: QPainter, geometry: Geometry, picture: Picture) -> None:
    """All of it."""
    paint_under(painter, geometry, picture)
    paint_points(painter, geometry, picture)
    paint_over(painter, geometry, picture)


def paint_under(painter: QPainter, geometry: Geometry, picture: Picture, part: QRectF | None = None) -> None:
    """Ground, region, grid, and the marks that points lie on, or those that reach a part of the plot."""
    theme, look, scene = picture.look.theme, picture.look, picture.scene
    with _kept(painter):
        if not look.transparent:
            painter.fillRect(QRectF(0, 0, geometry.width, geometry.height), colour(theme.ground))
        if scene is not None and scene.region is not None and look.shows(REGIONS):
            paint_region(painter, geometry, scene.region, part)
        if look.shows(GRID):
            paint_grid(painter, geometry, theme)
        _paint_all(painter, geometry, theme, picture.lines, part)


def paint_points(painter: QPainter, geometry: Geometry, picture: Picture) -> None:
    """The points of the data set; others than those learned from hollow, selected ones ringed."""
    with _kept(painter):
        drawn, dataset = picture.drawn, picture.dataset
        chosen = np.zeros(len(dataset), dtype=bool) if picture.selected is None else picture.selected
        points = placed(
            geometry, dataset.points[drawn], picture.kinds[drawn], picture.inside[drawn], chosen[drawn]
        )
        paint_placed(painter, geometry, picture.look.theme, points)


def paint_over(painter: QPainter, geometry: Geometry, picture: Picture) -> None:
    """The marks that stand out from points, axes, legend, scores and words."""
    theme = picture.look.theme
    with _kept(painter):
        for mark in filter(stands_out, picture.marks):
            _paint_all(painter, geometry, theme, filter(None, (rim(mark), mark)))
        paint_axes(painter, geometry, theme, ("", "") if geometry.low else picture.dataset.axes)
        if picture.title:
            paint_heading(painter, geometry, theme, picture.title)
        obstacles = _obstacles(geometry, picture)
        room = Room(geometry.plot, obstacles, SIZE / 2 * geometry.symbol_scale + geometry.type_scale)
        for rect in paint_captions(painter, geometry, picture, obstacles):
            room.take(rect)
        paint_words(painter, geometry, theme, [m for m in picture.marks if isinstance(m, Words)], room)


def paint_marks(painter: QPainter, geometry: Geometry, theme: Theme, marks: Iterable[Mark]) -> None:
    """Marks on their own, for ghosts and probes; their words dodge one another."""
    given = list(marks)
    words = [mark for mark in given if isinstance(mark, Words)]
    with _kept(painter):
        _paint_all(painter, geometry, theme, given)
        if words:
            paint_words(painter, geometry, theme, words, Room(geometry.plot, np.empty((0, 2)), 0.0))


def _paint_all(
    painter: QPainter, geometry: Geometry, theme: Theme, marks: Iterable[Mark], part: QRectF | None = None
) -> None:
    for mark in marks:
        paint_mark(painter, geometry, theme, mark, part)


def _obstacles(geometry: Geometry, picture: Picture) -> Floats:
    """What nothing should be written on, in pixels: the points in sight, and the model's own."""
    groups = [picture.dataset.points[picture.drawn]]
    groups += [mark.points.reshape(-1, 2) for mark in picture.marks if isinstance(mark, Dots)]
    places = geometry.to_pixels(np.concatenate(groups))
    return np.asarray(places[within(places, box_of(geometry.plot))])


@contextmanager
def _kept(painter: QPainter) -> Iterator[None]:
    """Leave the painter as it was; lines are smooth in between."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    try:
        yield
    finally:
        painter.restore()
