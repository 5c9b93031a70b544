"""Views of support vector machines: margins, support vectors and slack; the tube of a regression."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Ints, Mask
from vizml.field.polynomial import affine_field, opposed_field, smooth_curve
from vizml.field.raster import Section
from vizml.learn.line_views import ClassLineView
from vizml.learn.support_vectors.binary import BinarySvm
from vizml.learn.support_vectors.kernels import KernelFunction, KernelSums, LaplaceKernel, LinearKernel
from vizml.learn.view import CurveView, FittedMapView, PlaneView, numbered_rings
from vizml.scene import FunctionBand, LazyLines, Levels, Mark, Rings, Segments

if TYPE_CHECKING:
    from vizml.learn.support_vectors.linear_svm import LinearSvmState
    from vizml.learn.support_vectors.svm import SvmState
    from vizml.learn.support_vectors.svr import SvrState

MARGINS, SUPPORT, BOUNDED, SLACK = "Margins", "Support vectors", "Bounded support vectors", "Slack"
PAIR, PAIR_LEGEND = "Pair", "pair of the step"
SMALLEST, LARGEST = 6.0, 11.0
"""Radii in pixels of the rings for the smallest and the largest multiplier."""
BAND = 96
"""Rows of a field at a time, where there are many pairs of classes."""
WORK = 200_000
"""Slack lines times support vectors: more lines take too long."""
MOST, LEAST = 400, 60
"""Largest number of slack lines, and the number that is always drawn: those of the deepest points."""
ROUNDS = 5
"""Newton steps to the margin."""
NEAR = 0.05
"""Distance from the margin, in units of f, at which a slack line may end."""
TINY, BOUNDLESS = 1e-300, 1e300


@dataclass(frozen=True, eq=False)
class SvmPlaneView(PlaneView[Any]):
    """Scores of all classes, with margins, support vectors and slack."""

    state: SvmState

    def field(self, raster: Raster) -> Field:
        state, section = self.state, self.section
        if len(state.classes) == 2:
            return state.class_scores(state.kernel.field(raster, section, state.sums))
        out = np.empty((len(state.classes), *raster.shape), dtype=np.float32)
        for rows, band in raster.bands(BAND):
            out[:, rows] = state.class_scores(state.kernel.field(band, section, state.sums))
        return out

    def marks(self) -> tuple[Mark, ...]:
        state, section = self.state, self.section
        slack = LazyLines(
            layer=SLACK, lines=self._slack_lines, ink="muted", legend="slack", off_by_default=True
        )
        points = (state.X - section.origin) @ section.basis.T
        slacks = (slack,) if section.whole else ()
        return (*margins(state.classes), *slacks, *support_rings(state, points))

    def _slack_lines(self) -> Iterator[Floats]:
        """Yield a line from each point within its margin, or beyond, to that margin."""
        machines = self.state.machines
        for machine in machines:
            yield from _slack_of(self.state.X, machine, self.state.kernel, WORK // len(machines))


class SvmLineView(ClassLineView["SvmState"]):
    """Decision values, with margins and rings around the support vectors."""

    def marks(self) -> tuple[Mark, ...]:
        return (*margins(self.state.classes), *support_rings(self.state, self.places))


class LinearSvmLineView(ClassLineView["LinearSvmState"]):
    """Decision values, with margins."""

    def marks(self) -> tuple[Mark, ...]:
        return margins(self.state.classes)


@dataclass(frozen=True, eq=False)
class LinearSvmPlaneView(PlaneView[Any]):
    """Scores of all classes, with margins and slack."""

    state: LinearSvmState

    def field(self, raster: Raster) -> Field:
        w, centre, levels = self.state.coefficients, self.state.centre, self.state.levels
        slopes = w @ self.section.basis.T
        if not self.section.whole:
            levels, centre = levels + w @ (self.section.origin - centre), np.zeros(2)
        if len(slopes) > 1:
            return affine_field(slopes, levels, raster, centre)
        return opposed_field(slopes[0], float(levels[0]), raster, centre)

    def marks(self) -> tuple[Mark, ...]:
        if not self.section.whole:
            return margins(self.state.classes)
        slack = Segments(layer=SLACK, ends=self._slack_lines(), ink="muted", legend="slack")
        return (*margins(self.state.classes), slack)

    def _slack_lines(self) -> Floats:
        """Return lines (m, 2, 2) from the points deepest within their margin straight to it."""
        state, own = self.state, np.arange(len(self.state.X))
        row = state.y.argmax(axis=0)
        slack = state.slack[row, own]
        deepest = np.argsort(-slack, kind="stable")[:MOST]
        deepest = deepest[slack[deepest] > NEAR]
        slopes = state.coefficients[row[deepest]]
        steep = np.maximum((slopes * slopes).sum(axis=1), TINY)
        start = state.X[deepest]
        ends = np.stack(
            [start, start + slopes * ((state.y[row, own] * slack)[deepest] / steep)[:, None]], axis=1
        )
        return np.asarray(ends[np.isfinite(ends).all(axis=(1, 2))])


class SvrMapView(FittedMapView["SvrState"]):
    """Predictions of a support vector regression, with the residuals."""

    def field(self, raster: Raster) -> Field:
        state, shifted = self.state, Section(self.section.origin - self.state.shift, self.section.basis)
        return state.kernel.field(raster, shifted, state.sums)


@dataclass(frozen=True, eq=False)
class SvrCurveView(CurveView[Any]):
    """The curve with its tube, support vectors and slack."""

    state: SvrState

    def curve(self, x: Floats) -> Floats:
        def predicted(x: Floats) -> Floats:
            return self.state.expected(self.section.lift(x[:, None]))

        if isinstance(self.state.kernel, LaplaceKernel) or not len(x):
            return predicted(x)
        return smooth_curve(predicted, x, self.state.largest_term)

    def marks(self) -> tuple[Mark, ...]:
        tube = FunctionBand(
            layer="Tube", edges=self._tube, ink="accent", opacity=0.12, width=1.0, stroke="dash",
            legend="ε-tube (no loss)",
        )  # fmt: skip
        return (tube, *super().marks())

    def whole_marks(self) -> tuple[Mark, ...]:
        state = self.state
        size, points = np.abs(state.weights), np.column_stack([state.X[:, 0], state.y])
        mentioned = np.unique(np.array(state.pair, dtype=np.int64))
        pair = numbered_rings(points[mentioned], mentioned, PAIR, PAIR_LEGEND) if state.pair else ()
        return (self._slack(), *rings(points, size, size >= state.C), *pair)

    def _tube(self, x: Floats) -> tuple[Floats, Floats]:
        middle = self.curve(x)
        return middle - self.state.epsilon, middle + self.state.epsilon

    def _slack(self) -> Mark:
        """Return the lines from each point outside the tube to the tube."""
        x, y, residuals = self.state.X[:, 0], self.state.y, self.state.residuals
        over = np.abs(residuals) - self.state.epsilon
        ends = np.stack([x, y, x, y - np.sign(residuals) * over], axis=1).reshape(-1, 2, 2)[over > 0]
        return Segments(layer=SLACK, ends=ends, ink="muted", opacity=0.6, legend="slack")


def margins(classes: Ints) -> tuple[Mark, ...]:
    """Return the lines f = -1 and 1 for two classes, score 1 of each class for more."""
    if len(classes) == 2:
        return (Levels(layer=MARGINS, plane=1, values=(-1.0, 1.0), stroke="dash", legend="margin"),)
    return tuple(
        Levels(
            layer=MARGINS, plane=plane, values=(1.0,), stroke="dash", ink=int(label), width=1.0,
            legend="" if plane else "margin",
        )
        for plane, label in enumerate(classes)
    )  # fmt: skip


def support_rings(state: SvmState, points: Floats) -> tuple[Mark, ...]:
    """Return rings by the largest multiplier of a point in any machine; the pair of a step has numbers."""
    alpha, bounded = np.zeros(len(state.X)), np.zeros(len(state.X), dtype=bool)
    for machine in state.machines:
        rows, own = machine.problem.rows, np.abs(machine.weights)
        alpha[rows] = np.maximum(alpha[rows], own)
        bounded[rows] |= own >= machine.C
    last = state.machines[-1]
    if last.step is None:
        return rings(points, alpha, bounded)
    pair = last.problem.rows[[last.step.i, last.step.j]]
    return (*rings(points, alpha, bounded), *numbered_rings(points[pair], pair, PAIR, PAIR_LEGEND))


def rings(points: Floats, alpha: Floats, bounded: Mask) -> tuple[Mark, ...]:
    """Return rings whose area grows with alpha; those of bounded support vectors apart."""
    radii = SMALLEST + (LARGEST - SMALLEST) * np.sqrt(alpha / max(float(alpha.max()), TINY))
    free = (alpha > 0) & ~bounded
    return (
        Rings(layer=SUPPORT, points=points[free], radii=radii[free], legend="support vector"),
        Rings(
            layer=BOUNDED, points=points[bounded], radii=radii[bounded],
            stroke="dot", width=1.0, ink="muted", legend="support vector, α = C",
        ),
    )  # fmt: skip


def _slack_of(X: Floats, machine: BinarySvm, kernel: KernelFunction, work: int) -> Floats:
    """Return the lines (m, 2, 2) of the deepest points: Newton's steps along the gradient to f = y.

    Where f is linear the first step ends at the foot of the perpendicular.
    """
    rows, slack, held = machine.problem.rows, machine.slack, machine.weights != 0
    centres, weights = X[rows[held]], machine.weights[held]
    most = min(max(work // max(len(centres), 1), LEAST), MOST)
    deepest = np.argsort(-slack, kind="stable")[:most]
    deepest = deepest[slack[deepest] > NEAR]
    start, level = X[rows[deepest]], machine.problem.y[deepest]
    bounded = len(centres) and not isinstance(kernel, LinearKernel)  # gradients vanish far out
    reach = max(float(np.ptp(centres, axis=0).max()) / 4, TINY) if bounded else BOUNDLESS

    sums = KernelSums(centres, weights[None], np.array([machine.bias]))

    def missing(places: Floats) -> Floats:
        return level - kernel.values(places, sums)[:, 0]

    end = start.copy()
    for _ in range(ROUNDS):
        slope = kernel.gradient(end, centres, weights)
        move = slope * (missing(end) / np.maximum((slope * slope).sum(axis=1), TINY))[:, None]
        end += move * (reach / np.maximum(np.hypot(*move.T), reach))[:, None]
    return np.asarray(np.stack([start, end], axis=1)[np.abs(missing(end)) < NEAR])
