"""A subset of terms at a moment, the path of subsets that led there, and the score of each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from vizml.learn.linear_models import criteria
from vizml.learn.linear_models.fitted import FittedCurve
from vizml.learn.linear_models.search import Candidate, Route
from vizml.learn.linear_models.sums import Sums
from vizml.learn.state import Floats, Ints
from vizml.scene import Axis, Chart, Heat, Rule, Series

COLUMNS = 24
"""The most columns of the chart of terms."""


@dataclass(frozen=True, eq=False, kw_only=True)
class SubsetCurve(FittedCurve):
    """Least squares on some terms; its loss is the score, lower the better."""

    sums: Sums
    path: Route
    """All that will be looked at."""
    scores: Floats
    seen: int = 0
    """How many of them have been."""
    place: int = 0
    """Which of them is shown."""
    criterion: str
    steps_apart: bool
    """Whether the path goes in small steps, of which many have the same terms."""

    def at(self, place: int, note: str, progress: float) -> SubsetCurve:
        """The same at another place on the path."""
        weights = self.sums.terms.weights(self.path[place].slopes * self.sums.spread, self.sums.mean)
        loss = float(self.scores[place]) if len(self.scores) else math.nan
        return replace(
            self, place=place, seen=max(self.seen, place + 1), weights=weights, loss=loss, note=note,
            progress=progress,
        )  # fmt: skip

    @property
    def chosen(self) -> Candidate:
        """What is shown."""
        return self.path[self.place]

    @property
    def freedom(self) -> float:
        return 1.0 + self.chosen.size

    @cached_property
    def coefficients(self) -> Floats:
        return self.sums.terms.coefficients(self.chosen.slopes * self.sums.spread, self.sums.mean)

    def metrics(self) -> Mapping[str, float]:
        found = {"terms": float(self.chosen.size)}
        full, n = max(self.path, key=lambda candidate: candidate.size), len(self.x)
        if n > full.size + 1:
            unit = n * self.sums.spread**2
            noise = unit * full.share / (n - full.size - 1)
            found["Cp"] = criteria.mallows(unit * self.chosen.share, n, self.chosen.size + 1, noise)
        if len(self.scores) and self.criterion == "cv":
            found["CV error"] = float(self.scores[self.place])
        return {name: value for name, value in found.items() if math.isfinite(value)} | dict(
            super().metrics()
        )

    def charts(self) -> tuple[Chart, ...]:
        sizes = np.array([candidate.size for candidate in self.path], dtype=np.int64)
        across = np.arange(len(self.path)) if self.steps_apart else sizes
        order = np.argsort(across[: self.seen], kind="stable")
        title = Axis(title="small steps" if self.steps_apart else "terms in the model")
        found = [self._terms(order, across, title)]
        return (self._score(order, across, title), *found) if len(self.scores) else tuple(found)

    def _score(self, order: Ints, across: Ints, title: Axis) -> Chart:
        line = Series(
            name=criteria.LABELS[self.criterion], x=across[order].astype(np.float64), y=self.scores[order]
        )
        at = int(across[self.place])
        return Chart(
            title="Score against size", x=title, y=Axis(title=criteria.AXES[self.criterion]), series=(line,),
            rules=(Rule(name=f"shown: {at}", x=float(at), ink="text"),), note="Lower is better.",
        )  # fmt: skip

    def _terms(self, order: Ints, across: Ints, title: Axis) -> Chart:
        """Which terms are in at each size."""
        picked = order[np.unique(np.linspace(0, len(order) - 1, COLUMNS).astype(np.int64))].tolist()
        inside = np.stack([self.path[i].slopes != 0 for i in picked], axis=1).astype(np.float64)
        heat = Heat(values=inside, rows=self.sums.terms.names, columns=tuple(str(across[i]) for i in picked))
        return Chart(title="Terms in the model", x=title, y=Axis(title="term"), heat=heat)
