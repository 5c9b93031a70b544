"""Residuals of a regression: against fitted values, and a normal Q-Q plot."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import NormalDist

import numpy as np

from vizml.data import Dataset
from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.field.arrays import Floats
from vizml.learn import REGRESS, Regressor
from vizml.learn.neighbours.smoothing import Smoother
from vizml.scene import Axis, Chart, Ink, Rule, Series
from vizml.scene.typesetting import without_rounding

TREND_POINTS = 61
TREND_WIDTH = 0.2
"""Bandwidth of the trend, as a share of the range of the fitted values."""


@diagnostic(
    "residuals", title="Residuals", tasks=(REGRESS,), synonyms=("residual plot", "heteroscedasticity")
)
class ResidualPlot(Diagnostic):
    """Residuals by fitted value."""

    live = True

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        state = _regressor(subject)
        fitted, left = residuals(state, subject.train)
        series = [_dots("residual", fitted, left)]
        if len(subject.held):
            series.append(_dots("held out", *residuals(state, subject.held), ink=1))
        if np.ptp(fitted) > 0:
            at = np.linspace(fitted.min(), fitted.max(), TREND_POINTS)
            smoother = Smoother(fitted[:, None], left, "tricube", TREND_WIDTH * float(np.ptp(fitted)), 0)
            trend = without_rounding(smoother.predict(at[:, None]), fitted)
            series.append(Series(name="trend", x=at, y=trend, ink="text", width=1.5))
        chart = Chart(
            title="Residuals against fitted values",
            x=Axis(title="fitted value"),
            y=Axis(title="residual"),
            series=tuple(series),
            rules=(Rule(y=0.0),),
            note=f"standard deviation {left.std():.4g}; a curved trend shows underfitting",
        )
        yield ChartResult(chart)


@diagnostic("normal", title="Normal Q-Q", tasks=(REGRESS,), synonyms=("QQ plot", "normality"))
class NormalQuantilePlot(Diagnostic):
    """Ordered residuals against the quantiles of a normal distribution."""

    live = True

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        left = np.sort(residuals(_regressor(subject), subject.train)[1])
        normal = normal_scores(len(left))
        ends = normal[[0, -1]]
        chart = Chart(
            title="Normal Q-Q plot of the residuals",
            x=Axis(title="quantile of the normal distribution"),
            y=Axis(title="residual"),
            series=(
                _dots("residual", normal, left),
                Series(name="normal", x=ends, y=left.mean() + left.std() * ends, ink="muted", width=1.5),
            ),
            note="heavy tails leave the line at its ends",
        )
        yield ChartResult(chart)


def residuals(state: Regressor, data: Dataset) -> tuple[Floats, Floats]:
    """Return fitted values and residuals."""
    known = state.training_data(data)
    if not len(known):
        raise ValueError("there are no points, so there are no residuals")
    fitted = without_rounding(state.predict(known.X), known.y)
    return fitted, without_rounding(known.y - fitted, known.y)


def normal_scores(n: int) -> Floats:
    """Return the expected values of n sorted standard normal variables, by Blom's formula."""
    quantile = NormalDist().inv_cdf
    return np.array([quantile((i - 0.375) / (n + 0.25)) for i in range(1, n + 1)])


def _regressor(subject: DiagnosticSubject) -> Regressor:
    if not isinstance(subject.state, Regressor):
        raise ValueError("there is no regression yet: train on some points")  # noqa: TRY004 (shown to users)
    return subject.state


def _dots(name: str, x: Floats, y: Floats, ink: Ink = "accent") -> Series:
    return Series(name=name, x=x, y=y, kind="dots", width=4.0, opacity=0.7, ink=ink)
