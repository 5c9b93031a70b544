"""What a regression leaves: residuals against fitted values, and their quantiles beside those of a normal."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vizml.learn.neighbours.smoothing import Smoother
from vizml.scene import Axis, Chart, Rule, Series

if TYPE_CHECKING:
    from vizml.data import Dataset
    from vizml.learn import Regressor

Floats = NDArray[np.float64]
ACROSS = 61
WIDTH = 0.2
"""The bandwidth of the trend, as a share of the range of the fitted values."""


def residuals_chart(state: Regressor, data: Dataset, held: Dataset | None = None) -> Chart:
    """Residuals against fitted values with their local trend: a bend in it is what the curve has missed."""
    fitted, left = _left(state, data)
    series = [_dots("residual", fitted, left)]
    if held is not None and len(held):
        series.append(_dots("held out", *_left(state, held), ink=1))
    if np.ptp(fitted) > 0:
        at = np.linspace(fitted.min(), fitted.max(), ACROSS)
        trend = Smoother(fitted[:, None], left, "tricube", WIDTH * float(np.ptp(fitted)), 0).predict(
            at[:, None]
        )
        series.append(Series(name="trend", x=at, y=trend, ink="text", width=1.5))
    return Chart(
        title="Residuals against fitted",
        x=Axis(title="fitted value"),
        y=Axis(title="residual"),
        series=tuple(series),
        rules=(Rule(y=0.0),),
        note=f"deviation {left.std():.4g}; a bend is what the curve misses",
    )


def normal_chart(state: Regressor, data: Dataset) -> Chart:
    """Quantiles of the residuals against those of a normal distribution: on the line if they are normal."""
    left = np.sort(_left(state, data)[1])
    normal = normal_scores(len(left))
    ends = normal[[0, -1]]
    return Chart(
        title="Normal Q-Q of the residuals",
        x=Axis(title="quantile of the normal distribution"),
        y=Axis(title="residual"),
        series=(
            _dots("residual", normal, left),
            Series(name="normal", x=ends, y=left.mean() + left.std() * ends, ink="muted", width=1.5),
        ),
        note="heavy tails leave the line at its ends",
    )


def normal_scores(n: int) -> Floats:
    """Where n sorted values of a standard normal are expected, by Blom's formula."""
    quantile = NormalDist().inv_cdf
    return np.array([quantile((i - 0.375) / (n + 0.25)) for i in range(1, n + 1)])


def _left(state: Regressor, data: Dataset) -> tuple[Floats, Floats]:
    if not len(data):
        raise ValueError("there are no points, so there are no residuals")
    fitted = state.predict(data.x)
    return fitted, data.y - fitted


def _dots(name: str, x: Floats, y: Floats, ink: int | None = None) -> Series:
    return Series(
        name=name, x=x, y=y, kind="dots", width=4.0, opacity=0.7, ink="accent" if ink is None else ink
    )
