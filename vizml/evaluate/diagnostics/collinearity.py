"""Collinearity of inputs: correlations, and variance inflation factors 1 / (1 - R^2) of coefficients."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostic_charts import dots_by_name
from vizml.field.arrays import Floats
from vizml.learn import CLASSIFY, CLUSTER, DENSITY, REGRESS
from vizml.learn.scaling import OneHotCoding, Standardisation
from vizml.learn.training_data import TrainingData
from vizml.scene import Axis, Chart, HeatMap, Rule

DEPENDENT = 1e-12
"""A share of unexplained variance below it is rounding: the input depends linearly on the others."""
LIMITS = (5.0, 10.0)
"""Usual limits of variance inflation."""


def numeric_inputs(data: TrainingData) -> tuple[tuple[str, ...], Floats]:
    """Return the names and values (n, m) of numeric inputs and indicators of categories but the first."""
    if len(data) < 2:
        raise ValueError("correlations need at least two points")
    if not any(data.categories):
        return data.columns, data.X
    coding = OneHotCoding(data.categories, reference=True)
    return coding.columns(data.columns), coding.transform(data.X)


def correlations(columns: Floats) -> Floats:
    """Return Pearson's correlations (m, m) of columns (n, m); NaN for a column of equal values."""
    z = Standardisation.of(columns).transform(columns)
    z[:, np.ptp(columns, axis=0) == 0] = np.nan
    return np.clip(z.T @ z / max(len(z), 1), -1.0, 1.0)


def variance_inflation(columns: Floats) -> Floats:
    """Return 1 / (1 - R²) of each column (n, m) regressed on the others; infinite where they determine it.

    NaN for a column of equal values.
    """
    z = Standardisation.of(columns).transform(columns)
    found = np.full(z.shape[1], np.nan)
    for j in np.flatnonzero(np.ptp(columns, axis=0) > 0):
        others = np.delete(z, j, axis=1)
        left = z[:, j] - others @ np.linalg.lstsq(others, z[:, j], rcond=None)[0]
        unexplained = float(left @ left) / float(z[:, j] @ z[:, j])
        found[j] = 1 / unexplained if unexplained > DEPENDENT else np.inf
    return found


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
