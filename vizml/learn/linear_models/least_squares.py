"""Least squares as a classifier: the least sum_i |c(y_i) - W x_i - b|^2 to codes c, and why that fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.field import Field, Raster
from vizml.field.linear import affine_field
from vizml.learn import CLASSIFY, Classifier, Model, Scale, choice, register
from vizml.learn.frame import Frame
from vizml.learn.state import Floats, Ints
from vizml.learn.training_data import TrainingData
from vizml.scene import Axis, Chart, Lens, Levels, Mark, Rule, Series
from vizml.scene.lens import Plane

RANK = 1e-10
"""Directions in which the points spread less than this share of their widest count as none."""
TERMS = ("the constant alone", "with x", "with x and y")


@dataclass(frozen=True, eq=False, kw_only=True)
class FittedCodes(Classifier):
    """A plane over x and y for each class (0/1 codes), or one for all (codes 1..K); the loss is the RSS."""

    scale: ClassVar[Scale] = Scale.MARGIN
    frame: Frame
    weights: Floats
    """(rows, 3) on 1 and the coordinates of the frame."""
    ordinal: bool
    points: Floats
    codes: Ints
    """The place of each point's label in `classes`."""
    names: tuple[str, ...]
    total: float
    """The sum of squares around the mean codes."""

    def fitted(self, X: ArrayLike) -> Floats:
        """The fitted codes (n, rows)."""
        inside = self.frame.inside(np.asarray(X, dtype=np.float64))
        return np.asarray(inside @ self.weights[:, 1:].T + self.weights[:, 0])

    def scores(self, X: ArrayLike) -> Floats:
        """The fitted codes; of the codes 1..K the nearest has the highest 2 k f - k^2."""
        values = self.fitted(X)
        if not self.ordinal:
            return values
        codes = self._codes
        return values * (2.0 * codes) - codes**2

    def field(self, raster: Raster) -> Field:
        slopes, levels = self.weights[:, 1:] / self.frame.spread, self.weights[:, 0]
        if self.ordinal:
            codes = self._codes
            slopes, levels = 2.0 * codes[:, None] * slopes, 2.0 * codes * levels - codes**2
        return affine_field(slopes, levels, raster, self.frame.centre)

    def marks(self) -> tuple[Mark, ...]:
        if self.ordinal:
            # plane 0 holds 2 f - 1
            values = tuple(2.0 * code - 1.0 for code in self._codes.tolist())
            return (Levels(layer="Codes", plane=0, values=values, stroke="dash", legend="a code met"),)
        planes = [1] if len(self.classes) == 2 else range(len(self.classes))
        return tuple(
            Levels(
                layer="Codes", plane=plane, values=(0.0, 1.0), stroke="dash", width=1.0,
                ink="text" if len(self.classes) == 2 else int(self.classes[plane]),
                legend="" if place else "fitted 0 and 1",
            )
            for place, plane in enumerate(planes)
        )  # fmt: skip

    def lenses(self) -> tuple[Lens, ...]:
        low, high = self._range
        ends = (1.0, float(len(self.classes))) if self.ordinal else (0.0, 1.0)
        names = ("Fitted code",) if self.ordinal else tuple(f"Fitted value of {name}" for name in self.names)
        return tuple(
            Lens(
                name=name, plane=partial(self._plane, row), low=min(low, ends[0]), high=max(high, ends[1]),
                levels=tuple(self._codes.tolist()) if self.ordinal else (0.0, 0.5, 1.0),
            )
            for row, name in enumerate(names)
        )  # fmt: skip

    def charts(self) -> tuple[Chart, ...]:
        """The fitted codes at the points, seen along their widest direction: masking shows there."""
        along = self.frame.inside(self.points) @ self._widest * self.frame.spread
        values = self.fitted(self.points)
        inks = [int(label) for label in self.classes]
        if self.ordinal:
            own = [self.codes == k for k in range(len(inks))]
            series = [
                Series(name=name, x=along[mine], y=values[mine, 0], ink=ink, kind="dots")
                for name, mine, ink in zip(self.names, own, inks)
            ]
            ends = [Rule(name=name, y=float(code)) for name, code in zip(self.names, self._codes)]
        else:
            series = [
                Series(name=f"code of {name}", x=along, y=column, ink=ink, kind="dots")
                for name, column, ink in zip(self.names, values.T, inks)
            ]
            ends = [Rule(y=0.0), Rule(y=1.0)]
        return (
            Chart(
                title="Fitted codes", x=Axis(title="along the widest direction"), y=Axis(title="fitted code"),
                series=tuple(series), rules=tuple(ends), note="a class that is never the highest is masked",
            ),
        )  # fmt: skip

    def metrics(self) -> Mapping[str, float]:
        low, high = self._range
        return {
            "RSS": self.loss,
            "R²": 1.0 - self.loss / self.total if self.total else 1.0,
            "lowest fitted": low,
            "highest fitted": high,
            "points outside the codes": float(self.outside),
            "masked classes": float(len(self.masked)),
        }

    @cached_property
    def masked(self) -> tuple[str, ...]:
        """The classes that win at none of the points."""
        winners = set(self.predict(self.points).tolist())
        return tuple(name for name, label in zip(self.names, self.classes.tolist()) if label not in winners)

    @cached_property
    def outside(self) -> int:
        """At how many points a fitted code lies outside the range of codes."""
        values = self.fitted(self.points)
        low, high = (1.0, len(self.classes)) if self.ordinal else (0.0, 1.0)
        return int(np.count_nonzero(((values < low) | (values > high)).any(axis=1)))

    @cached_property
    def _range(self) -> tuple[float, float]:
        values = self.fitted(self.points)
        return float(values.min()), float(values.max())

    @property
    def _codes(self) -> Floats:
        return np.arange(1.0, len(self.classes) + 1.0)

    @property
    def _widest(self) -> Floats:
        inside = self.frame.inside(self.points)
        return np.asarray(np.linalg.eigh(inside.T @ inside)[1][:, -1])

    def _plane(self, row: int, raster: Raster) -> Plane:
        weights = self.weights[row : row + 1]
        plane: Plane = affine_field(
            weights[:, 1:] / self.frame.spread, weights[:, 0], raster, self.frame.centre
        )[0]
        return plane


@register(
    "least_squares",
    task=CLASSIFY,
    family="Linear",
    title="Regression on codes",
    about="Fits planes by least squares to numbers for the classes: quick, often wrong, and shows why.",
    formula=(
        r"\min_{W, b} \; \sum_{i=1}^{n} \| c(y_i) - W x_i - b \|^2",
        r"\hat{y} = \arg\max_k \; (W x + b)_k",
    ),
)
@dataclass(frozen=True)
class LeastSquares(Model):
    coding: str = choice(
        "onehot", ("onehot", "ordinal"), symbol="c",
        labels={"onehot": "0 or 1 for each class", "ordinal": "one number, 1 to K"},
        help="what stands for a class: numbers 1 to K claim that the classes have an order",
    )  # fmt: skip

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[FittedCodes]:
        del rng
        frame = Frame.of(data.points)
        design = np.column_stack([np.ones(len(data)), frame.inside(data.points)])
        codes = np.searchsorted(data.present, data.labels)
        ordinal, K = self.coding == "ordinal", len(data.present)
        target = np.asarray(codes[:, None] + 1.0 if ordinal else np.eye(K)[codes], dtype=np.float64)
        total = float(((target - target.mean(axis=0)) ** 2).sum())
        rss = total
        for terms, words in enumerate(TERMS, start=1):
            weights, rank = _solved(design[:, :terms], target)
            residuals = target - design @ weights.T
            before, rss = rss, float((residuals * residuals).sum())
            state = FittedCodes(
                classes=data.present, frame=frame, weights=weights, ordinal=ordinal, points=data.points,
                codes=codes, names=tuple(data.name(int(label)) for label in data.present),
                total=total, loss=rss, progress=terms / 3,
                note=f"{words}: RSS {before:.4g} → {rss:.4g}" if terms > 1 else f"{words}: RSS {rss:.4g}",
            )  # fmt: skip
            yield state if terms < 3 else replace(state, note=state.note + _findings(state, rank))


def _solved(design: Floats, target: Floats) -> tuple[Floats, int]:
    """The weights (rows, 3), those of terms that are left out 0, and the rank; by the pseudo-inverse."""
    found, _, rank, _ = np.linalg.lstsq(design, target, rcond=RANK)
    weights = np.zeros((target.shape[1], 3))
    weights[:, : len(found)] = found.T
    return weights, int(rank)


def _findings(state: FittedCodes, rank: int) -> str:
    """What is wrong with the whole fit."""
    found = []
    if rank < 3:
        found.append("the points lie on a line, so of all equal fits the one with the least weights is taken")
    if state.outside:
        span = f"1 to {len(state.classes)}" if state.ordinal else "0 to 1"
        found.append(f"{state.outside} of {len(state.points)} points have a fitted code outside {span}")
    if state.masked:
        found.append(f"{', '.join(state.masked)} masked, highest at no point")
    return "".join(f"; {words}" for words in found)
