"""Linear support vector machine by its primal: the least lam/2 |w|^2 + mean_i max(0, 1 - y_i (w.x_i + b))."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.field import Field, Raster
from vizml.field.linear import affine_field, opposed_field
from vizml.learn import CLASSIFY, Classifier, Model, Scale, flag, integer, real, register
from vizml.learn.frame import Frame
from vizml.learn.state import Floats
from vizml.learn.support_vectors.overlays import MOST, NEAR, SLACK, margins
from vizml.learn.support_vectors.pegasos import Pegasos
from vizml.learn.training_data import TrainingData
from vizml.scene import Mark, Segments

TINY = 1e-300
WORK = 25_000
"""Steps of all machines between two looks: some milliseconds of work."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Hinges(Classifier):
    """A machine for two classes, or one for each of more against the rest; the loss is the objective."""

    scale: ClassVar[Scale] = Scale.MARGIN
    frame: Frame
    weights: Floats
    """(rows, 3): w in the coordinates of the frame, and b."""
    points: Floats
    y: Floats
    """1 or -1 for each point in each machine (rows, n)."""
    lam: float
    """What it is in the frame."""

    def decisions(self, X: ArrayLike) -> Floats:
        """f (n, rows) of each machine."""
        return np.asarray(self.frame.inside(np.asarray(X, dtype=np.float64)) @ self._slopes.T + self._levels)

    def scores(self, X: ArrayLike) -> Floats:
        f = self.decisions(X)
        return np.concatenate([-f, f], axis=1) if len(self.weights) == 1 else f

    def field(self, raster: Raster) -> Field:
        slopes = self._slopes / self.frame.spread
        if len(slopes) > 1:
            return affine_field(slopes, self._levels, raster, self.frame.centre)
        return opposed_field(slopes[0], float(self._levels[0]), raster, self.frame.centre)

    def marks(self) -> tuple[Mark, ...]:
        return (
            *margins(self.classes),
            Segments(layer=SLACK, ends=self._slack_lines(), ink="muted", legend="slack"),
        )

    def metrics(self) -> Mapping[str, float]:
        lengths = np.hypot(*self._slopes.T) / self.frame.spread
        figures = {
            "objective": self.loss,
            "mean hinge": float(self._slack.mean(axis=1).sum()),
            "points within the margin": float(np.count_nonzero(self._slack.max(axis=0) > 0)),
        }
        if len(self.weights) == 1:
            slope = self._slopes[0] / self.frame.spread
            figures["margin width"] = 2.0 / max(float(lengths[0]), TINY)
            figures["intercept"] = float(self._levels[0] - slope @ self.frame.centre)
            figures |= {"x": float(slope[0]), "y": float(slope[1])}
        return figures

    @property
    def _slopes(self) -> Floats:
        return self.weights[:, :2]

    @property
    def _levels(self) -> Floats:
        return self.weights[:, 2]

    @cached_property
    def _slack(self) -> Floats:
        """max(0, 1 - y f(x)) of each point in each machine (rows, n)."""
        return np.asarray(np.maximum(0.0, 1.0 - self.y * self.decisions(self.points).T))

    def _slack_lines(self) -> Floats:
        """From the points deepest within the margin of their class, or beyond, straight to it (m, 2, 2)."""
        row = self.y.argmax(axis=0)
        own = np.arange(len(row))
        slack = self._slack[row, own]
        deepest = np.argsort(-slack, kind="stable")[:MOST]
        deepest = deepest[slack[deepest] > NEAR]
        slope = self._slopes[row[deepest]]
        steep = np.maximum((slope * slope).sum(axis=1), TINY)
        move = slope * (self.y[row, own] * slack)[deepest, None] / steep[:, None]
        start = self.points[deepest]
        ends = np.stack([start, start + move * self.frame.spread], axis=1)
        return np.asarray(ends[np.isfinite(ends).all(axis=(1, 2))])


@register(
    "linear_svm",
    task=CLASSIFY,
    family="Margins",
    title="Linear SVM by gradient descent",
    about="Gives way to each point that is not beyond the margin, ever less, until the margin is the best.",
    formula=(
        r"\min_{w, b} \tfrac{\lambda}{2} \|w\|^2 + \frac{1}{n} \sum_{i=1}^{n} \max(0,\, 1 - y_i f(x_i))",
        r"w \leftarrow (1 - \eta_t \lambda)\, w + \eta_t\, y_i x_i\, [y_i f(x_i) < 1]",
        r"\eta_t = \frac{1}{\lambda (t + t_0)}",
    ),
)
@dataclass(frozen=True)
class LinearSupportVectors(Model):
    lam: float = real(
        0.01,
        1e-6,
        1e3,
        log=True,
        symbol="\\lambda",
        title="lambda",
        help="what |w|² costs: a wide margin, many points within it; it is 1 / (n C) of an SVM's cost C",
    )
    epochs: int = integer(20, 1, 2000, log=True, help="how often all points are gone through")
    average: bool = flag(
        True, help="take the average over the later half of the steps: calmer than the latest line"
    )  # fmt: skip

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[Hinges]:
        return self._run(data, rng, watched=True)

    def strides(self, data: TrainingData, rng: Generator) -> Iterator[Hinges]:
        return self._run(data, rng, watched=False)

    def _run(self, data: TrainingData, rng: Generator, *, watched: bool) -> Iterator[Hinges]:
        """Unwatched, only the end of a block is told."""
        frame, n = _standard(data.points), len(data)
        inside, lam = frame.inside(data.points), self.lam / frame.spread**2
        lifted = np.vstack([inside.T, np.ones(n)])
        present = data.present[1:] if len(data.present) == 2 else data.present
        y = np.where(data.labels == present[:, None], 1.0, -1.0)
        machines = [Pegasos(inside, row, lam) for row in y]
        before = float(len(y))
        for stretches in _blocks(n, self.epochs, WORK // len(y), cut=watched or self.epochs == 1):
            orders = {stretch.epoch: rng.permutation(n) for stretch in stretches if stretch.stop == n}
            for machine in machines:
                for epoch, start, stop in stretches:
                    machine.run(orders[epoch][start:stop])
            told = stretches if watched else stretches[-1:]
            lines = np.stack([m.weights(len(told), average=self.average) for m in machines], axis=1)
            slack = np.maximum(1.0 - y * (lines @ lifted), 0.0)
            losses = lam / 2 * np.square(lines[..., :2]).sum(axis=(1, 2)) + slack.sum(axis=(1, 2)) / n
            within = np.count_nonzero(slack.any(axis=1), axis=1)
            for stretch, weights, loss, deep in zip(told, lines, losses.tolist(), within.tolist()):
                taken = stretch.epoch * n + stretch.stop
                yield Hinges(
                    classes=data.present, frame=frame, weights=weights, points=data.points, y=y, lam=lam,
                    loss=loss, progress=taken / (self.epochs * n),
                    note=(
                        f"{stretch.words(n)}: objective {before:.4g} → {loss:.4g}, {deep} of {_points(n)}"
                        f" within the margin, rate {1.0 / (1.0 + lam * taken):.2g}"
                    ),
                )  # fmt: skip
                before = loss


class Stretch(NamedTuple):
    """Steps at the points start to stop of an epoch's order, after which there is something to see."""

    epoch: int
    start: int
    stop: int

    def words(self, n: int) -> str:
        """When it ends."""
        return f"epoch {self.epoch + 1}" if self.stop == n else f"epoch 1, {_points(self.stop)}"


def _blocks(n: int, epochs: int, work: int, *, cut: bool) -> Iterator[list[Stretch]]:
    """The stretches of a run in blocks of whole epochs that take so many steps at the most, or one epoch.

    The first epoch may be cut to be seen after 1, 2, 4, ... points.
    """
    ends = [*(2**k for k in range((n - 1).bit_length() if cut else 0)), n]
    together = max(work // n, 1)
    for first in range(0, epochs, together):
        whole = [Stretch(epoch, 0, n) for epoch in range(max(first, 1), min(first + together, epochs))]
        yield whole if first else [*(Stretch(0, *ends) for ends in pairwise([0, *ends])), *whole]


def _standard(points: Floats) -> Frame:
    """The middle at 0, a standard deviation of 1 along the axes, on average."""
    centre = points.mean(axis=0)
    spread = float(np.sqrt(((points - centre) ** 2).mean()))
    return Frame(centre=centre, spread=spread or 1.0)


def _points(count: int) -> str:
    return f"{count:,} point" + ("" if count == 1 else "s")
