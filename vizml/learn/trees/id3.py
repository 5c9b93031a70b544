"""ID3: a branch for each bin of the axis that gains most, H(S) - sum_v n_v/n H(S_v)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.field import Field, Raster
from vizml.learn import CLASSIFY, Classifier, Model, integer, register
from vizml.learn.state import Floats, Focus, Ints
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.branches import Branch, Cells, branch_diagram
from vizml.scene import Diagram, Mark, Path, Segments, Words


@dataclass(frozen=True, eq=False, kw_only=True)
class Branched(Classifier):
    """Each cell of bins has the shares of the branch that it is in; the loss is the mean entropy."""

    cells: Cells
    branches: tuple[Branch, ...]
    """The root and all that has been branched off, in the order of their making."""
    names: tuple[str, ...]
    axes: tuple[str, str]

    @cached_property
    def _inside(self) -> Ints:
        """The last branch that holds each cell (bins of x, bins of y)."""
        out = np.zeros(self.cells.counts.shape[:2], dtype=np.int64)
        for number, branch in enumerate(self.branches):
            out[branch.cells] = number
        return out

    @cached_property
    def _shares(self) -> Floats:
        """(bins of x, bins of y, K)"""
        return np.array([branch.shares for branch in self.branches])[self._inside]

    def scores(self, X: ArrayLike) -> Floats:
        column, row = self.cells.places(np.asarray(X, dtype=np.float64))
        scores: Floats = self._shares[column, row]
        return scores

    def field(self, raster: Raster) -> Field:
        columns, rows = self.cells.bins(0, raster.x), self.cells.bins(1, raster.y)
        table = np.ascontiguousarray(self._shares.astype(np.float32).transpose(2, 1, 0))
        return table.take(columns, axis=2).take(rows, axis=1)

    def marks(self) -> tuple[Mark, ...]:
        ends = [self.cells.lines(branch) for branch in self.branches if branch.axis is not None]
        found = np.concatenate([np.empty((0, 2, 2)), *ends])
        return (Segments(layer="Splits", ends=found, ink="text", opacity=0.5, legend="split"),)

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        branch = self._branch_at(point)
        told = ", ".join(f"{name} {n:g}" for name, n in zip(self.names, branch.counts) if n) or "no point"
        return (*self._outlined(branch), Words(layer="Leaf", points=point[None, :], texts=(told,)))

    def diagram(self) -> Diagram:
        return branch_diagram(self.branches, self.axes, self.names, self.classes)

    def focus(self, node: str) -> Focus:
        return Focus(self._outlined(self.branches[int(node)]))

    def trail(self, point: Floats) -> tuple[str, ...]:
        column, row = (int(place[0]) for place in self.cells.places(point[None, :]))
        inside = (number for number, branch in enumerate(self.branches) if branch.holds(column, row))
        return tuple(str(number) for number in inside)

    def metrics(self) -> Mapping[str, float]:
        leaves = [branch for branch in self.branches if branch.axis is None]
        wrong = sum(branch.counts.sum() - branch.counts.max() for branch in leaves)
        return {
            "entropy": self.loss,
            "training error": float(wrong / self.cells.counts.sum()),
            "leaves": float(len(leaves)),
            "depth": float(max(branch.depth for branch in self.branches)),
        }

    def _branch_at(self, point: Floats) -> Branch:
        column, row = self.cells.places(point[None, :])
        return self.branches[int(self._inside[column[0], row[0]])]

    def _outlined(self, branch: Branch) -> tuple[Mark, ...]:
        left, right, bottom, top = self.cells.box(branch)
        corners = np.array([(left, bottom), (right, bottom), (right, top), (left, top)])
        return (Path(layer="Leaf", lines=(corners,), ink="accent", width=2.0, closed=True),)


@register(
    "id3",
    task=CLASSIFY,
    family="Trees",
    title="ID3",
    about="Cuts the axes into bins and branches once for each bin, first on the axis that tells most.",
    formula=(
        r"H(S) = -\sum_c p_c \log_2 p_c",
        r"\mathrm{gain}(S, A) = H(S) - \sum_{v \in A} \frac{|S_v|}{|S|}\, H(S_v)",
    ),
)
@dataclass(frozen=True)
class ID3(Model):
    bins: int = integer(5, 2, 30, help="the equal parts that each axis is cut into")
    max_depth: int = integer(0, 0, 2, help="the most branchings on the way to a leaf; 0 is no limit")

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[Branched]:
        del rng
        cells = Cells.of(data, self.bins)
        branches: tuple[Branch, ...] = (cells.root(),)
        names = tuple(data.name(int(label)) for label in data.present)
        planned = cells.planned(self.max_depth or 2)
        note = f"start: all {len(data):,} points together, entropy {branches[0].entropy:.3g} bits"
        if not planned:
            note += "; no axis tells anything about the class"
        for number in range(len(planned) + 1):
            if number:
                branches, note = cells.branched(branches, planned[number - 1], data.axes)
                note = f"split {number}: {note}"
            mixed = sum(branch.counts.sum() * branch.entropy for branch in branches if branch.axis is None)
            yield Branched(
                classes=data.present, cells=cells, branches=branches, names=names, axes=data.axes,
                loss=float(mixed / len(data)), note=note, progress=number / max(len(planned), 1),
            )  # fmt: skip
