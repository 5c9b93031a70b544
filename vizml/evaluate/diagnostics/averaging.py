"""Expected error of the average of B estimators: bias^2 + rho sigma^2 + (1 - rho) sigma^2 / B + noise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.field.arrays import Floats
from vizml.learn import CLASSIFY, REGRESS, integer, real
from vizml.learn.ensembles.common import MeanState
from vizml.scene import Axis, Chart, Rule, Series

N = TypeVar("N", float, Floats)
LEAST_RANGE = 100
"""Number of members that is always shown."""


@diagnostic(
    "averaging", title="Error of an average", tasks=(CLASSIFY, REGRESS),
    synonyms=("ρσ² + (1 − ρ)σ²/B", "variance of bagging", "correlated estimators", "0.29 → 0.05"),
)  # fmt: skip
class ErrorOfAverage(Diagnostic):
    """Expected squared error bias² + ρσ² + (1 − ρ)σ²/B + noise of the average of B estimators, for figures of
    your choice, beside the measured variance of the ensemble shown.
    """

    live = True
    rho: float = real(0.0, 0.0, 1.0, symbol="ρ", title="correlation", help="Correlation of two estimators.")
    sigma2: float = real(
        0.25, 0.0, 10.0, symbol="σ²", title="variance", help="Variance of a single estimator."
    )
    bias2: float = real(0.04, 0.0, 10.0, title="bias²", help="Squared bias, which averaging leaves as it is.")
    noise: float = real(
        0.0, 0.0, 10.0, help="Variance of the noise, the irreducible part of the error of a prediction."
    )
    members: int = integer(25, 1, 1000, log=True, symbol="B", help="Number of estimators in the average.")

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        single, average = self.error(1.0), self.error(float(self.members))
        terms = f"bias² {self.bias2:g} + variance {average - self.bias2 - self.noise:.4g}"
        noise = f" + noise {self.noise:g}" if self.noise else ""
        notes = [f"single {single:.4g}; average of {self.members}: {average:.4g} = {terms}{noise}"]
        at = np.arange(1.0, max(LEAST_RANGE, 2 * self.members) + 1)
        chosen = np.array([1.0, float(self.members)])
        series = [
            Series(name="error", x=at, y=self.error(at)),
            Series(
                name=f"B = 1 and B = {self.members}", x=chosen, y=self.error(chosen), kind="dots", ink="text"
            ),
        ]
        state = subject.state
        if isinstance(state, MeanState) and state.bags:
            found, size = state.variance, np.array([float(state.size)])
            name = "measured variance of the ensemble"
            series.append(Series(name=name, x=size, y=found.measured[-1:].copy(), kind="dots", ink=1))
            figures = f"ρ = {found.rho[-1]:.3g}, σ² = {found.sigma2[-1]:.3g}"
            notes.append(f"{name}: {found.measured[-1]:.3g} with {figures}")
        limit = self.bias2 + self.noise + self.rho * self.sigma2
        chart = Chart(
            title="Error of an average", x=Axis(title="estimators B", log=True),
            y=Axis(title="expected squared error", low=0), series=tuple(series),
            rules=(Rule(name="limit for B → ∞", y=limit),), note="; ".join(notes),
        )  # fmt: skip
        yield ChartResult(chart)

    def error(self, members: N) -> N:
        """Return the expected squared error of the average of some estimators."""
        return self.bias2 + self.noise + self.rho * self.sigma2 + (1 - self.rho) * self.sigma2 / members
