"""Correlations of the inputs, and of the target of a regression, as a heat map."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.evaluate.collinearity import correlations, numeric_inputs
from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.learn import CLASSIFY, CLUSTER, DENSITY, REGRESS
from vizml.scene import Axis, Chart, HeatMap


@diagnostic(
    "correlation", title="Correlations", tasks=(CLASSIFY, REGRESS, CLUSTER, DENSITY),
    synonyms=("collinearity", "correlation matrix"),
)  # fmt: skip
class CorrelationMatrix(Diagnostic):
    """Correlation coefficients of all pairs of columns."""

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        data = subject.model.task.training_data(subject.train)
        names, columns = numeric_inputs(data)
        if len(data.y):
            names, columns = (*names, data.target), np.column_stack([columns, data.y])
        found = correlations(columns)
        heat = HeatMap(
            values=found, rows=names, columns=names, shades=np.abs(found),
            texts=tuple(tuple("" if np.isnan(r) else f"{r:z.2f}" for r in row) for row in found.tolist()),
        )  # fmt: skip
        note = "Pearson's r; the darker or brighter, the larger its absolute value"
        yield ChartResult(
            Chart(title="Correlations", x=Axis(title=""), y=Axis(title=""), heat=heat, note=note)
        )
