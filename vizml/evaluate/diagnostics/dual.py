"""Primal and dual objective over the steps of a solver: by weak duality their gap is never negative."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.field.arrays import evenly_spaced
from vizml.learn import CLASSIFY, REGRESS
from vizml.scene import Axis, Chart, Series

MOST = 200
"""Recorded steps that are evaluated at most."""
PRIMAL, DUAL = "primal objective", "dual objective"
"""Names of both among the metrics of a state; the dual one is minimised there."""


@diagnostic(
    "dual", title="Primal and dual objective", tasks=(CLASSIFY, REGRESS),
    synonyms=("duality gap", "weak duality", "strong duality", "Lagrangian", "SMO", "KKT"),
)  # fmt: skip
class DualityGap(Diagnostic):
    """Primal and dual objective of a support vector machine at each step, with the gap between them."""

    live = True
    whole_run = True

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        history = subject.history
        if not history:
            raise ValueError("there are no steps yet: train a model")
        if DUAL not in history[-1].metrics():
            raise ValueError(f"{subject.model.title} has no dual objective: choose a support vector machine")
        rows = evenly_spaced(len(history), MOST)
        figures = [history[row].metrics() for row in rows.tolist()]
        primal, dual = (np.array([each[name] for each in figures]) for name in (PRIMAL, DUAL))
        primal[~np.isfinite(primal)] = np.nan  # points violate a hard margin
        steps = np.asarray(subject.steps)[rows].astype(np.float64)
        gap = primal + dual
        series = (
            Series(name="primal (minimised)", x=steps, y=primal, ink=1),
            Series(name="dual (maximised)", x=steps, y=-dual, ink=0),
            Series(name="gap", x=steps, y=gap, ink="muted", stroke="dash"),
        )
        end = f"primal {primal[-1]:.5g}, dual {-dual[-1]:.5g}"
        note = (
            f"{end}, gap {max(gap[-1], 0.0):.2g}" if np.isfinite(gap[-1]) else "a point violates the margin"
        )
        yield ChartResult(
            Chart(
                title="Primal and dual objective", x=Axis(title="step"), y=Axis(title="objective"),
                series=series, cursor="step", note=note,
            )
        )  # fmt: skip
