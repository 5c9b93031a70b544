"""Views of density-based clusterings: neighbourhoods and core points, windows and modes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vizml.data.wording import plural
from vizml.field import Field, Raster
from vizml.field.arrays import Floats
from vizml.field.discs import disc_field
from vizml.learn.clusters.views import centroid_field
from vizml.learn.line_views import SIDES, ClusterLineView, interval_marks
from vizml.learn.outlines import circle
from vizml.learn.view import PlaneView
from vizml.scene import Dots, Mark, Path, Rings, Segments, TextLabels

if TYPE_CHECKING:
    from vizml.learn.clusters.dbscan import DbscanState
    from vizml.learn.clusters.mean_shift import MeanShiftState, ShiftingState, Shifts  # noqa: F401

MAX_CIRCLES, CIRCLE_CORNERS = 80, 72
"""Circles of eps drawn around the last core points, and their corners."""
MAX_PATHS = 1000
"""Paths of mean shift that are drawn."""


class DbscanView(PlaneView["DbscanState"]):
    """Discs of radius eps around core points, core and noise points, and the frontier of the expansion."""

    def field(self, raster: Raster) -> Field:
        core, labels = self.state.reached_core
        points, beside = self.section.project(core)
        skew = self.section.skew
        return disc_field(raster, points, labels, self.state.eps, self.state.clusters, beside, skew)

    def whole_marks(self) -> tuple[Mark, ...]:
        state, X = self.state, self.state.X
        core = X[state.core]
        noise = X[state.labels < 0] if state.progress == 1.0 else X[:0]
        frontier = X[state.frontier[state.core[state.frontier]]][:MAX_CIRCLES]
        circles = tuple(circle(point, state.eps, CIRCLE_CORNERS) for point in frontier)
        return (
            Path(layer="Front", lines=circles, closed=True, ink="accent", width=1.0, opacity=0.6, fill=0.04),
            core_rings(core),
            Dots(layer="Noise", points=noise, size=7.0, ink="muted", legend="noise"),
        )  # fmt: skip

    def whole_probe(self, point: Floats) -> tuple[Mark, ...]:
        lines, text = (circle(point, self.state.eps, CIRCLE_CORNERS),), neighbours_text(self.state, point)
        return (
            Path(layer="Neighbourhood", lines=lines, closed=True, ink="accent", fill=0.06),
            TextLabels(layer="Neighbourhood", points=point[None], texts=(text,)),
        )


class DbscanLineView(ClusterLineView["DbscanState"]):
    """Membership, with rings around core points."""

    def marks(self) -> tuple[Mark, ...]:
        return (core_rings(self.places[self.state.core]),)

    def whole_probe(self, point: Floats) -> tuple[Mark, ...]:
        text = neighbours_text(self.state, point[:1])
        return interval_marks("Neighbourhood", point, point[0] + self.state.eps * SIDES, text)


def core_rings(points: Floats) -> Rings:
    """Return rings around core points."""
    radii = np.full(len(points), 7.0)
    return Rings(layer="Core points", points=points, radii=radii, width=1.0, opacity=0.7, legend="core point")


def neighbours_text(state: DbscanState, point: Floats) -> str:
    """Return the number of neighbours of a point (d,), and what it belongs to."""
    count = int((((state.X - point) ** 2).sum(axis=1) <= state.eps**2).sum())
    return f"{plural(count, 'point')} within {state.eps:.3g}: {state.description(point)}"


def window_marks(shifts: Shifts, point: Floats) -> tuple[Mark, ...]:
    """The kernel's window around a point and the shift to its weighted mean."""
    means, total = shifts.means(point[None])
    ends = np.stack([point, means[0]])
    return (
        Path(layer="Window", lines=(circle(point, shifts.bandwidth),), closed=True, ink="accent", fill=0.06),
        Segments(layer="Window", ends=ends[None], ink="accent", width=2.0),
        TextLabels(layer="Window", points=point[None], texts=(f"weight {total[0]:.3g}",)),
    )


def path_lines(shifts: Shifts, which: Floats | slice) -> tuple[Floats, ...]:
    """Paths of some of the points that move."""
    return tuple(np.stack([positions[which] for positions in shifts.path], axis=1))


class ShiftingView(PlaneView["ShiftingState"]):
    """Points on their way to the modes, with the paths that they have come."""

    def field(self, raster: Raster) -> Field:
        return np.full((1, *raster.shape), -1.0, dtype=np.float32)

    def whole_marks(self) -> tuple[Mark, ...]:
        shifts = self.state.shifts
        lines = path_lines(shifts, slice(MAX_PATHS))
        return (
            Path(layer="Paths", lines=lines, ink="muted", width=1.0, opacity=0.6, legend="path"),
            Dots(layer="Walkers", points=shifts.path[-1], size=6.0, shape="circle", ink="accent"),
        )

    def whole_probe(self, point: Floats) -> tuple[Mark, ...]:
        return window_marks(self.state.shifts, point)


class MeanShiftView(PlaneView["MeanShiftState"]):
    """Cells of the nearest mode, modes and the paths that led to them."""

    def field(self, raster: Raster) -> Field:
        return centroid_field(self.state.centred_modes, self.state.centre, self.section, raster)

    def whole_marks(self) -> tuple[Mark, ...]:
        shifts, drawn = self.state.shifts, np.arange(len(self.state.shifts.rows))[:MAX_PATHS]
        own = self.state.labels[shifts.rows[drawn]]
        inks = tuple(range(self.state.clusters))
        paths = (
            Path(layer="Paths", lines=path_lines(shifts, drawn[own == k]), ink=k, width=1.0, opacity=0.6)
            for k in inks
        )
        return (*paths, Dots(layer="Modes", points=self.state.modes, inks=inks, legend="mode"))

    def whole_probe(self, point: Floats) -> tuple[Mark, ...]:
        return window_marks(self.state.shifts, point)


class ShiftingLineView(ClusterLineView["ShiftingState"]):
    """Points on their way to the modes, at the height of their class."""

    def marks(self) -> tuple[Mark, ...]:
        shifts = self.state.shifts
        start = self.places[shifts.rows]
        now = np.column_stack([self.section.project(shifts.path[-1])[0][:, 0], start[:, 1]])
        return (
            Segments(
                layer="Paths", ends=np.stack([start, now], axis=1)[:MAX_PATHS], ink="muted", width=1.0,
                opacity=0.6, legend="path",
            ),
            Dots(layer="Walkers", points=now, size=6.0, shape="circle", ink="accent"),
        )  # fmt: skip

    def whole_probe(self, point: Floats) -> tuple[Mark, ...]:
        return window_interval(self.state.shifts, point)


class MeanShiftLineView(ClusterLineView["MeanShiftState"]):
    """Membership, with the modes."""

    def marks(self) -> tuple[Mark, ...]:
        return self.uprights(self.state.modes, "Modes", "mode", range(self.state.clusters))

    def whole_probe(self, point: Floats) -> tuple[Mark, ...]:
        return window_interval(self.state.shifts, point)


def window_interval(shifts: Shifts, point: Floats) -> tuple[Mark, ...]:
    """Return the kernel's window around a place on the only input, and the shift to its weighted mean."""
    means, total = shifts.means(point[None, :1])
    ends = np.stack([point, [means[0, 0], point[1]]])
    shift = Segments(layer="Window", ends=ends[None], ink="accent", width=2.0)
    window = point[0] + shifts.bandwidth * SIDES
    return (*interval_marks("Window", point, window, f"weight {total[0]:.3g}"), shift)
