"""Collinearity of inputs: correlations, and variance inflation factors of coefficients."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.evaluate.collinearity import correlations, numeric_inputs, variance_inflation
from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostic_charts import dots_by_name
from vizml.learn import CLASSIFY, CLUSTER, DENSITY, REGRESS
from vizml.scene import Axis, Chart, HeatMap, Rule

LIMITS = (5.0, 10.0)
"""Usual limits of variance inflation."""


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
        yield ChartResult(Chart(title="Correlations", heat=heat, note=note))


@diagnostic(
    "vif", title="Variance inflation factors", tasks=(CLASSIFY, REGRESS),
    synonyms=("VIF", "collinearity", "multicollinearity"),
)  # fmt: skip
class VarianceInflationPlot(Diagnostic):
    """Factor by which collinearity increases the variance of each coefficient."""

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        data = subject.model.task.training_data(subject.train)
        names, columns = numeric_inputs(data)
        found = variance_inflation(columns)
        determined = [name for name, factor in zip(names, found) if np.isinf(factor)]
        note = "1 / (1 − R²) of a regression on the other inputs; above 5: collinear"
        if determined:
            note = f"infinite: {', '.join(determined)}, linear in the other inputs"
        title = "Variance inflation factors"
        axis, series = dots_by_name(names, {title: found})
        x = Axis(title="variance inflation factor", log=True, low=0.9)
        rules = tuple(Rule(x=limit, name=f"{limit:g}") for limit in LIMITS)
        yield ChartResult(Chart(title=title, x=x, y=axis, series=series, rules=rules, note=note))
