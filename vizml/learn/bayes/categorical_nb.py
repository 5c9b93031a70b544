"""Categorical naive Bayes on axes cut into bins: p(bin | k) = (count + eps) / (n_k + eps bins)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.random import Generator

from vizml.learn import CLASSIFY, Model, integer, real, register
from vizml.learn.bayes.naive import NaiveClasses, class_shares, listed, log_loss
from vizml.learn.bayes.tables import counted, log_shares
from vizml.learn.priors import class_priors
from vizml.learn.state import Floats, Ints
from vizml.learn.training_data import TrainingData
from vizml.scene import Axis, Chart, Heat, Mark, Segments, Words


@dataclass(frozen=True, eq=False, kw_only=True)
class BinnedClasses(NaiveClasses):
    """Counts (2, K, bins) of the bins of each axis in each class; the outer bins have no outer edge."""

    edges: Floats
    """(2, bins + 1) from the lowest to the highest value of each axis."""
    counts: Ints
    smoothing: float
    names: tuple[str, ...]
    axis_names: tuple[str, str]

    def bins(self, axis: int, values: Floats) -> Ints:
        """The bin of each value; one on an edge belongs to the bin above it."""
        return np.searchsorted(self.edges[axis, 1:-1], values, side="right")

    def log_likelihoods(self, axis: int, values: Floats) -> Floats:
        return self._logs[axis][:, self.bins(axis, values)]

    def marks(self) -> tuple[Mark, ...]:
        cuts = [_lines(self.edges[axis, 1:-1], axis) for axis in range(self.axes)]
        ends = np.concatenate([np.empty((0, 2, 2)), *cuts])
        return (Segments(layer="Bins", ends=ends, ink="muted", opacity=0.5, legend="edge of a bin"),)

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        texts = [self._counted(axis, float(point[axis])) for axis in range(self.axes)]
        return (Words(layer="Counts", points=point[None], texts=("; ".join(texts),)),) if texts else ()

    def charts(self) -> tuple[Chart, ...]:
        return tuple(self._table(axis) for axis in range(self.axes))

    def metrics(self) -> Mapping[str, float]:
        empty = int((self.counts[: self.axes] == 0).sum())
        return {
            "log-loss": self.loss,
            "log-loss per point": self.loss / int(self.counts[0].sum()),
            "empty cells": empty,
        }

    @cached_property
    def _logs(self) -> list[Floats]:
        return [log_shares(table, self.smoothing) for table in self.counts]

    def _table(self, axis: int) -> Chart:
        low, high = self.edges[axis, :-1], self.edges[axis, 1:]
        return Chart(
            title=f"Counts along {self.axis_names[axis]}",
            x=Axis(title=self.axis_names[axis]),
            y=Axis(title="class"),
            heat=Heat(
                values=self.counts[axis].astype(np.float64),
                rows=self.names,
                columns=tuple(f"{a:.3g} to {b:.3g}" for a, b in zip(low, high)),
                texts=tuple(tuple(str(count) for count in row) for row in self.counts[axis].tolist()),
            ),
            note=f"share of a bin: (count + {self.smoothing:g}) / (row + {self.smoothing:g} × {len(low)})",
        )

    def _counted(self, axis: int, value: float) -> str:
        column = self.counts[axis][:, self.bins(axis, np.array([value]))[0]]
        each = ", ".join(f"{name} {count}" for name, count in zip(self.names, column))
        return f"{self.axis_names[axis]}: {each}"


@register(
    "categorical_nb",
    task=CLASSIFY,
    family="Bayes",
    title="Categorical naive Bayes",
    about="Cuts the axes into bins and multiplies the shares that each class has of a bin of x and one of y.",
    formula=(
        r"\ln p(k \mid x) = \ln \pi_k + \sum_{j=1}^{2} \ln p(x_j \mid k) + \mathrm{const}",
        r"p(x_j \mid k) = \frac{\mathrm{count}(x_j, k) + \epsilon}{n_k + \epsilon B}",
    ),
)
@dataclass(frozen=True)
class CategoricalNaiveBayes(Model):
    bins: int = integer(8, 2, 50, symbol="B", help="into how many equal parts each axis is cut")
    smoothing: float = real(
        1.0,
        0.0,
        100.0,
        symbol="\\epsilon",
        help="added to each count, so that what was never seen is not impossible; 1 is Laplace's rule",
    )
    priors: str = class_priors()

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[BinnedClasses]:
        del rng
        priors, K = class_shares(data, self.priors), len(data.present)
        codes = np.searchsorted(data.present, data.labels)
        edges = np.array([_edges(values, self.bins) for values in data.points.T])
        binned = [np.searchsorted(cuts[1:-1], v, side="right") for cuts, v in zip(edges, data.points.T)]
        start = BinnedClasses(
            classes=data.present, priors=priors, axes=0, edges=edges,
            counts=np.array([counted(bins, codes, self.bins, K) for bins in binned]),
            smoothing=self.smoothing, names=tuple(data.name(int(label)) for label in data.present),
            axis_names=data.axes,
        )  # fmt: skip
        for axes in range(3):
            state = replace(start, axes=axes)
            loss = log_loss(state, data)
            note = f"start: only how common the classes are, {listed(data, priors)}"
            if axes:
                note = _told(start, axes - 1)
            yield replace(state, loss=loss, note=f"{note}; log-loss {loss:.4g}", progress=axes / 2)


def _edges(values: Floats, bins: int) -> Floats:
    low, high = float(values.min()), float(values.max())
    if not low < high:
        low, high = low - 0.5, high + 0.5
    return np.linspace(low, high, bins + 1)


def _lines(cuts: Floats, axis: int) -> Floats:
    """Segments (n, 2, 2) across the whole view at these values of an axis."""
    ends = np.empty((len(cuts), 2, 2))
    ends[:, :, axis] = cuts[:, None]
    ends[:, :, 1 - axis] = -np.inf, np.inf
    return ends


def _told(state: BinnedClasses, axis: int) -> str:
    each = (
        f"{name} {' '.join(map(str, row))}" for name, row in zip(state.names, state.counts[axis].tolist())
    )
    width = state.edges[axis, 1] - state.edges[axis, 0]
    note = f"axis {state.axis_names[axis]}, bins of {width:.3g}: {', '.join(each)}"
    empty = int((state.counts[axis] == 0).sum())
    if empty and not state.smoothing:
        return f"{note}; {empty} counts of 0 rule their class out"
    return note
