"""Diagnostics of optimisers: the height over the steps, and the effect of the learning rate."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice
from typing import Literal, TypeAlias

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.field.arrays import Floats
from vizml.field.cancellation import check_cancelled
from vizml.learn import DESCEND, choice, integer
from vizml.learn.model import run
from vizml.learn.optimisers.descent import Descent
from vizml.scene import Axis, Chart, Ink, Rule, Series
from vizml.scene.typesetting import typeset

Measure: TypeAlias = Literal["f", "distance"]
DECADES = 2.0
"""Powers of ten between the lowest and the highest height from which the axis is logarithmic."""
RATES = np.logspace(-4, 1, 26)


@diagnostic(
    "objective",
    title="Objective over steps",
    tasks=(DESCEND,),
    synonyms=("loss curve", "convergence", "rate of convergence", "race"),
)
class ObjectiveCurve(Diagnostic):
    """Height f at each step of the newest path, for all optimisers shown side by side."""

    live = True
    whole_run = True
    compares = True
    measure: Measure = choice(
        "f", ("f", "distance"), labels={"f": "f", "distance": "distance to the minimum"},
        help="Height of the surface, or distance to the nearest known minimum.",
    )  # fmt: skip

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        compared = subject.compared or ((subject.model.short, subject.state),)
        found = [(name, self._curve(state)) for name, state in compared if isinstance(state, Descent)]
        inks: tuple[Ink, ...] = ("accent",) if len(found) == 1 else tuple(range(len(found)))
        series = tuple(
            Series(name=name, x=np.arange(float(len(curve))), y=curve, ink=ink)
            for (name, curve), ink in zip(found, inks)
        )
        if not series:
            raise ValueError("there is no path yet")
        values = np.concatenate([curve[np.isfinite(curve)] for _, curve in found])
        log = len(values) > 0 and values.min() > 0 and values.max() > 10**DECADES * values.min()
        ends = (f"{name} {curve[-1]:.3g} after {len(curve) - 1} steps" for name, curve in found)
        title = "f" if self.measure == "f" else "distance to the minimum"
        yield ChartResult(
            Chart(
                title="Objective over steps",
                x=Axis(title="step"),
                y=Axis(title=title, log=bool(log)),
                series=series,
                note=typeset("; ".join(ends)),
            )
        )

    def _curve(self, state: Descent) -> Floats:
        if self.measure == "f":
            return state.heights
        if not state.surface.minima:
            raise ValueError("no minimum of this surface is known: choose f")
        away = state.paths[-1][:, None] - np.array(state.surface.minima)
        return np.asarray(np.hypot(*np.moveaxis(away, -1, 0)).min(axis=1))


@diagnostic(
    "learning_rates",
    title="Learning rates",
    tasks=(DESCEND,),
    synonyms=("step size", "divergence", "too large", "too small"),
)
class LearningRateCurve(Diagnostic):
    """Final height f of runs with learning rates over five powers of ten; some diverge."""

    steps: int = integer(100, 1, 1000, log=True, help="Number of steps of each run.")

    def varies(self, model: object) -> tuple[str, ...]:
        return ("rate",)

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        if "rate" not in subject.model.values:
            raise ValueError(f"{subject.model.title} has no learning rate")
        heights = np.full(len(RATES), np.nan)
        first = math.nan
        for k, rate in enumerate(RATES):
            check_cancelled()
            states = run(subject.model.with_(rate=float(rate)), subject.train, subject.seed)
            *_, last = islice(states, self.steps + 1)
            if isinstance(last, Descent):
                first = float(last.heights[0])
                heights[k] = np.nan if last.ending == "diverged" else last.loss
            if k % 5 == 4 or k == len(RATES) - 1:
                yield ChartResult(self._chart(heights, first, k + 1))

    def _chart(self, heights: Floats, first: float, count: int) -> Chart:
        known = np.isfinite(heights)
        positive = known.any() and np.nanmin(heights) > 0
        log = bool(positive and np.nanmax(heights) > 10**DECADES * np.nanmin(heights))
        diverged = RATES[:count][~known[:count]]
        notes = ["click a value to set it"]
        if len(diverged):
            notes.insert(0, f"diverged from {diverged.min():.3g} on")
        if known.any():
            notes.insert(0, f"lowest f {np.nanmin(heights):.3g} at {RATES[np.nanargmin(heights)]:.3g}")
        return Chart(
            title="Final f by learning rate",
            x=Axis(title="learning rate", log=True),
            y=Axis(title=f"f after {self.steps} steps", log=log),
            series=(Series(name="f", x=RATES, y=heights),),
            rules=(Rule(name="start", y=first),) if first > 0 or not log else (),
            sets=("rate",),
            choices=(tuple(RATES.tolist()),),
            note=typeset("; ".join(notes)),
        )
