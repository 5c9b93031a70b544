"""Bagging for curves: the mean of one model's curves on B bootstrap samples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.random import Generator

from vizml.learn import REGRESS, Model, Regressor, register, text
from vizml.learn.ensembles import settings, shown
from vizml.learn.ensembles.bags import Bag, Tally, bootstrap, out_of_bag_chart, spread, variance_chart
from vizml.learn.ensembles.curve_strip import columns, curve_strip
from vizml.learn.ensembles.ensemble import Ensemble
from vizml.learn.ensembles.members import parse_curve
from vizml.learn.ensembles.step_curve import CurveForest
from vizml.learn.model import run
from vizml.learn.state import Floats, Focus
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.grower import GrowthLimits
from vizml.learn.trees.tree import RegressionTree
from vizml.scene import Chart, Curves, Diagram, Mark, Path, Segments

LINE = 200
"""Points of the curve of a member that is pointed at."""


@dataclass(frozen=True, eq=False, kw_only=True)
class MeanCurve(Regressor):
    """The mean of the members' curves; the loss is its mean square out of bag."""

    members: tuple[Regressor, ...]
    x: Floats
    y: Floats
    bags: tuple[Bag, ...]

    def curve(self, x: Floats) -> Floats:
        total: Floats = np.sum([member.curve(x) for member in self.members], axis=0)
        return total / len(self.members)

    def marks(self) -> tuple[Mark, ...]:
        ends = np.stack([self.x, self.y, self.x, self.curve(self.x)], axis=1).reshape(-1, 2, 2)
        return (
            Curves(layer="Members", values=self._latest, ink="muted", opacity=0.35, quiet=True),
            Segments(layer="Residuals", ends=ends, ink="muted", opacity=0.6, legend="residual"),
        )

    def _latest(self, x: Floats) -> Floats:
        return np.stack([member.curve(x) for member in self.members[-shown.FAINT :]])

    def diagram(self) -> Diagram:
        numbers, at = shown.chosen(len(self.members)), columns(self.x)
        curves = [self.members[number].curve(at) for number in numbers]
        texts = [(f"member {number + 1}",) for number in numbers]
        return curve_strip("Members", texts, numbers, curves, self.x, self.y)

    def focus(self, node: str) -> Focus:
        number = int(node)
        if not 0 <= number < len(self.members):
            return Focus()
        at = np.linspace(self.x.min(), self.x.max(), LINE)
        line = np.column_stack([at, self.members[number].curve(at)])
        return Focus(marks=(Path(layer="Member", lines=(line,), ink="accent", width=2.5),))

    def charts(self) -> tuple[Chart, ...]:
        error = out_of_bag_chart(self.bags, len(self.bags), "members", share=False)
        return error, variance_chart(spread(self.bags, len(self.bags)))

    def metrics(self) -> Mapping[str, float]:
        apart = self.y - self.curve(self.x)
        found = {"RSS": float(apart @ apart), "members": float(len(self.members))}
        if np.isfinite(self.loss):
            figures = spread(self.bags, len(self.bags))
            found |= {
                "OOB mean square": self.loss,
                "ρ": float(figures.rho[-1]),
                "σ²": float(figures.sigma2[-1]),
            }
        return found


@register(
    "bagging",
    task=REGRESS,
    family="Ensembles",
    title="Bagging",
    about="Fits one model to many samples of the points, drawn with replacement, and averages the curves.",
    formula=(
        r"\hat y(x) = \frac{1}{B} \sum_{b=1}^{B} \hat y_b(x)",
        r"\mathrm{Var} = \rho\, \sigma^2 + \frac{1 - \rho}{B}\, \sigma^2",
    ),
)
@dataclass(frozen=True)
class BaggingCurve(Ensemble):
    base: str = text(
        "tree", parse_curve, "a model of curves, such as tree or linear(degree=5)",
        help="the model that is fitted again and again, with its parameters in brackets",
    )  # fmt: skip
    members: int = settings.members()
    share: float = settings.share()

    def joining(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[Regressor]:
        base = parse_curve(self.base)
        if isinstance(base, RegressionTree) and base.prune == "none":
            forest = CurveForest(
                trees=self.members,
                draw=partial(bootstrap, len(data), self.share, rng=rng),
                limits=GrowthLimits(
                    max_depth=base.max_depth, min_leaf=base.min_leaf, min_split=base.min_split
                ),
                absolute=base.loss == "absolute",
                sets="members",
            )
            return forest.steps(data, rng, every=every)
        return self._one_by_one(base, data, rng)

    def _one_by_one(self, base: Model, data: TrainingData, rng: Generator) -> Iterator[MeanCurve]:
        members: tuple[Regressor, ...] = ()
        bags: tuple[Bag, ...] = ()
        tally = Tally(data.y)
        for number in range(1, self.members + 1):
            drawn = bootstrap(len(data), self.share, 1, rng)
            rows = np.repeat(np.arange(len(data)), drawn[0])
            sample = TrainingData.curve(data.x[rows], data.y[rows])
            *_, last = run(base, sample, int(rng.integers(2**31)), watched=False)
            if not isinstance(last, Regressor):
                raise TypeError(f"{base.id} gives no curve")
            members = (*members, last)
            bags = (*bags, tally.add(drawn == 0, last.curve(data.x)[None]))
            error, out = float(bags[-1].errors[0]), int(np.count_nonzero(bags[-1].out))
            note = f"member {number}: {out:,} of {len(data):,} points left out"
            if np.isfinite(error):
                note += f"; mean square out of bag {error:.4g}"
            yield MeanCurve(
                members=members, x=data.x, y=data.y, bags=bags, loss=error, note=note,
                progress=number / self.members,
            )  # fmt: skip
