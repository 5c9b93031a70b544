"""Marginal and conditional densities of two inputs, integrated over a grid."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, Overlay, diagnostic
from vizml.field.arrays import Floats
from vizml.learn import DENSITY, Density, choice, real
from vizml.scene import Axis, Chart, Segments, Series
from vizml.scene.typesetting import typeset

CELLS = 200
"""Number of grid points along each input."""
MARGIN = 0.75
"""Share of the range of the points by which the grid is larger on each side."""


@diagnostic(
    "conditional",
    title="Marginal and conditional density",
    tasks=(DENSITY,),
    synonyms=("joint density", "marginal distribution", "Bayes rule", "independence", "sum rule"),
)  # fmt: skip
class ConditionalDensity(Diagnostic):
    """Density of one input, alone and where the other one has a value: p(y | x) = p(x, y) / p(x)."""

    live = True
    given: str = choice(
        "x", ("x", "y"), labels={"x": "horizontal axis", "y": "vertical axis"}, help="Input that has a value."
    )
    at: float = real(
        0.5, 0.0, 1.0, title="position", help="Position of the value in the range of the points."
    )

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        state = subject.state
        if not isinstance(state, Density) or len(state.space.names) != 2:
            raise ValueError("a conditional density needs a density of two inputs: choose two in Columns")
        X, known = subject.parts()["train"].X, int(self.given == "y")
        low, high = X.min(axis=0), X.max(axis=0)
        width = np.where(high > low, high - low, 1.0)
        axes = np.linspace(low - MARGIN * width, high + MARGIN * width, CELLS)
        value = float(low[known] + self.at * (high - low)[known])
        joint = _density(state, axes[:, known], axes[:, 1 - known], known)
        marginal: Floats = np.trapezoid(joint, axes[:, known], axis=0)
        section = _density(state, np.array([value]), axes[:, 1 - known], known)[0]
        evidence = float(np.trapezoid(section, axes[:, 1 - known]))
        name, other = state.space.names[known], state.space.names[1 - known]
        if not evidence > 0:
            raise ValueError(f"the density is 0 where {name} = {value:.4g}: choose another position")
        chart = Chart(
            title="Marginal and conditional density",
            x=Axis(title=other),
            y=Axis(title="density", low=0.0),
            series=(
                Series(name=f"p({other})", x=axes[:, 1 - known], y=marginal, ink="muted", stroke="dash"),
                Series(name=f"p({other} | {name} = {value:.3g})", x=axes[:, 1 - known], y=section / evidence),
            ),
            note=typeset(
                f"p({name} = {value:.4g}) = {evidence:.4g} divides the joint density; "
                "equal curves at every position would mean independence"
            ),
        )
        yield ChartResult(chart, Overlay(marks=(_line(value, known, axes),)))


def _density(state: Density, given: Floats, other: Floats, known: int) -> Floats:
    """Return the joint density (values of the known input, values of the other one)."""
    points = np.empty((len(given), len(other), 2))
    points[..., known], points[..., 1 - known] = given[:, None], other
    found: Floats = np.exp(state.predict(points.reshape(-1, 2))).reshape(len(given), len(other))
    return found


def _line(value: float, known: int, axes: Floats) -> Segments:
    """Return the line on the stage where the known input has its value."""
    ends = np.empty((1, 2, 2))
    ends[..., known], ends[0, :, 1 - known] = value, axes[[0, -1], 1 - known]
    return Segments(layer="Given value", ends=ends, ink="text", width=1.5, legend="given value")
