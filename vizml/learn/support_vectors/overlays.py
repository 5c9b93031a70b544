"""What is drawn over the regions of a margin classifier: margins, support vectors by their alpha, slack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vizml.data.dataset import Mask
from vizml.learn.state import Floats, Ints
from vizml.learn.support_vectors.kernels import Kernel, Linear
from vizml.learn.support_vectors.machine import TINY, Machine
from vizml.scene import Levels, Mark, Rings, Segments

MARGINS, SUPPORT, BOUNDED, SLACK = "Margins", "Support vectors", "Bounded support vectors", "Slack"
SMALLEST, LARGEST = 6.0, 11.0
"""Radii in pixels of the least and the greatest alpha."""
WORK = 200_000
MOST, LEAST = 400, 60
"""Lines to draw, less where each costs more: with more points inside the margin those of the deepest."""
ROUNDS = 5
BOUNDLESS = 1e300
NEAR = 0.05
"""How far from its margin a slack line may end."""


def margins(classes: Ints) -> tuple[Mark, ...]:
    """Where the best class leads by a margin: f = -1 and 1 for two classes, score 1 of each for more."""
    if len(classes) == 2:
        return (Levels(layer=MARGINS, plane=1, values=(-1.0, 1.0), stroke="dash", legend="margin"),)
    return tuple(
        Levels(
            layer=MARGINS, plane=plane, values=(1.0,), stroke="dash", ink=int(label), width=1.0,
            legend="" if plane else "margin",
        )
        for plane, label in enumerate(classes)
    )  # fmt: skip


def support_rings(points: Floats, machines: Sequence[Machine]) -> tuple[Mark, ...]:
    """A ring around each support vector, its area rising with alpha; those at C apart."""
    alpha, bounded = np.zeros(len(points)), np.zeros(len(points), dtype=bool)
    for machine in machines:
        rows = machine.task.rows
        alpha[rows] = np.maximum(alpha[rows], machine.alpha)
        bounded[rows] |= machine.alpha >= machine.C
    size = np.sqrt(alpha / max(float(alpha.max()), TINY))
    radii = SMALLEST + (LARGEST - SMALLEST) * size
    free = (alpha > 0) & ~bounded
    return (
        Rings(layer=SUPPORT, points=points[free], radii=radii[free], legend="support vector"),
        Rings(
            layer=BOUNDED, points=points[bounded], radii=radii[bounded],
            stroke="dot", width=1.0, ink="muted", legend="support vector at C",
        ),
    )  # fmt: skip


def slack_lines(points: Floats, machines: Sequence[Machine], kernel: Kernel) -> tuple[Mark, ...]:
    """A line from each point inside its margin, or beyond, to that margin."""
    ends = [_slack(points, machine, kernel, WORK // len(machines)) for machine in machines]
    return (Segments(layer=SLACK, ends=np.concatenate(ends), ink="muted", legend="slack", quiet=True),)


def _slack(points: Floats, machine: Machine, kernel: Kernel, work: int) -> Floats:
    """Segments (m, 2, 2) of the deepest points."""
    slack, rows = machine.slack, machine.task.rows
    f = _Decision.of(points, machine, kernel)
    most = min(max(work // max(len(f.centres), 1), LEAST), MOST)
    deepest = np.argsort(-slack, kind="stable")[:most]
    deepest = deepest[slack[deepest] > NEAR]
    start = points[rows[deepest]]
    end, reached = _to_level(start, machine.task.y[deepest], f)
    return np.asarray(np.stack([start, end], axis=1)[reached])


@dataclass(frozen=True, eq=False)
class _Decision:
    """f of one machine, and its gradient."""

    kernel: Kernel
    centres: Floats
    weights: Floats
    bias: float

    @classmethod
    def of(cls, points: Floats, machine: Machine, kernel: Kernel) -> _Decision:
        held = machine.alpha > 0
        return cls(kernel, points[machine.task.rows[held]], machine.weights[held], machine.bias)

    @property
    def reach(self) -> float:
        """The longest step to trust: gradients vanish far out, unless f is linear."""
        if isinstance(self.kernel, Linear) or not len(self.centres):
            return BOUNDLESS
        return max(float(np.ptp(self.centres, axis=0).max()) / 4, TINY)

    def __call__(self, X: Floats) -> Floats:
        return self.kernel.sums(X, self.centres, self.weights[None], np.array([self.bias]))[:, 0]

    def slope(self, X: Floats) -> Floats:
        return self.kernel.gradient(X, self.centres, self.weights)


def _to_level(start: Floats, level: Floats, f: _Decision) -> tuple[Floats, Mask]:
    """Newton's steps along the gradient to f = level, and which of them came near.

    Where f is linear the first step ends at the perpendicular foot.
    """
    end, reach = start.copy(), f.reach
    for _ in range(ROUNDS):
        slope = f.slope(end)
        steep = np.maximum((slope * slope).sum(axis=1), TINY)
        move = slope * ((level - f(end)) / steep)[:, None]
        length = np.hypot(move[:, 0], move[:, 1])
        end += move * (reach / np.maximum(length, reach))[:, None]
    return end, np.asarray(np.abs(level - f(end)) < NEAR)
