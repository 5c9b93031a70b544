"""The lower bound of EM: log L(theta) and B(theta; theta_t) over one parameter of a Gaussian mixture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostic_charts import name_field, position
from vizml.field.arrays import Floats
from vizml.learn import CLUSTER, DENSITY, choice, integer
from vizml.learn.clusters.kmeans_solver import MAX_POSITIONS
from vizml.learn.gaussians import GaussianComponents, entropy
from vizml.learn.mixtures.em import e_step, expected_log_likelihood
from vizml.learn.mixtures.gmm import MixtureState
from vizml.scene import Axis, Chart, Rule, Series
from vizml.scene.typesetting import typeset

POINTS = 61
CELLS, ZOOMS = 11, 9
"""Values of a grid, and number of grids, each within two cells of the one before."""
LIKELIHOOD = "log-likelihood"
WIDER = 2.5
"""Half of the range that is shown, in units of the change that maximises B."""
LEAST = {"mean": 0.5, "weight": 0.3, "deviation": 0.3}
"""Least half of the range, as a share of the standard deviation or of the parameter."""
LOWEST = 0.02
"""Lowest weight, and share of the standard deviation, that is shown."""
BELOW = 1.2
"""Depth of the chart below the lowest log-likelihood, in units of the range of the log-likelihood."""


@diagnostic(
    "bound",
    title="Lower bound of EM",
    tasks=(CLUSTER, DENSITY),
    synonyms=(
        "EM algorithm", "lower bound B", "Q function", "Jensen's inequality", "evidence lower bound", "ELBO",
        "maximisation-maximisation", "F function",
    ),
)  # fmt: skip
class LowerBound(Diagnostic):
    """Log-likelihood ℓ and its lower bound B over one parameter of a Gaussian mixture, the others fixed
    at θₜ. The E-step moves B until it touches ℓ at θₜ, the M-step maximises B.
    """

    live = True
    parameter: str = choice(
        "mean", ("mean", "weight", "deviation"),
        labels={"mean": "mean μ", "weight": "weight π", "deviation": "standard deviation σ"},
        help="Parameter that varies. The other weights keep their ratios, deviations their correlations.",
    )  # fmt: skip
    component: int = integer(1, 1, MAX_POSITIONS, symbol="k", help="Number of the component.")
    input: str = name_field("Input of the mean or deviation; empty for the first.", "an input")

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        state = subject.inner
        if not isinstance(state, MixtureState):
            raise ValueError("EM fits Gaussian mixtures: choose this model")  # noqa: TRY004 (a refusal)
        k, count = self.component - 1, len(state.components)
        if k >= count:
            raise ValueError(f"there are {count} components: choose one of them")
        if self.parameter == "weight" and count == 1:
            raise ValueError("the weight of a single component is always 1")
        axis = position(state.space.names, self.input, 0, "input")
        yield ChartResult(EMSlice(state, self.parameter, k, axis).chart())


@dataclass(frozen=True, eq=False)
class EMSlice:
    """Log-likelihood and bound of a mixture over one parameter of component k."""

    state: MixtureState
    parameter: str
    k: int
    axis: int

    def value(self, components: GaussianComponents) -> float:
        """Return the parameter of a mixture."""
        if self.parameter == "weight":
            return float(components.weights[self.k])
        if self.parameter == "mean":
            return float(components.means[self.k, self.axis])
        return float(np.sqrt(components.covariances[self.k, self.axis, self.axis]))

    def at(self, value: float) -> GaussianComponents:
        """Return the mixture of theta_t with another value of the parameter."""
        start, k = self.state.expanded_at, self.k
        if self.parameter == "weight":
            weights = start.weights * (1 - value) / (1 - start.weights[k])
            weights[k] = value
            return replace(start, weights=weights)
        if self.parameter == "mean":
            means = start.means.copy()
            means[k, self.axis] = value
            return replace(start, means=means)
        kind, scales = self.state.covariance, np.ones(start.means.shape)
        components = slice(None) if kind == "tied" else k
        inputs = slice(None) if kind == "spherical" else self.axis
        scales[components, inputs] = value / self.value(start)
        return replace(start, covariances=start.covariances * scales[:, :, None] * scales[:, None, :])

    def bound(self, values: Floats) -> Floats:
        """Return B = Q + H at values of the parameter."""
        X, r = self.state.trained_on.X, self.state.responsibilities
        expected = [expected_log_likelihood(X, r, self.at(value)) for value in values.tolist()]
        return np.array(expected) + entropy(r)

    def log_likelihood(self, values: Floats) -> Floats:
        """Return l at values of the parameter."""
        return np.array([e_step(self.state.trained_on.X, self.at(value))[1] for value in values.tolist()])

    def possible(self) -> tuple[float, float]:
        """Return the lowest and the highest value that B may be maximised by."""
        column = self.state.trained_on.X[:, self.axis]
        if self.parameter == "weight":
            return LOWEST**3, 1 - LOWEST**3
        if self.parameter == "mean":
            return float(column.min()), float(column.max())
        return LOWEST * self.value(self.state.expanded_at), float(np.ptp(column)) or 1.0

    def maximum(self) -> float:
        """Return the value that maximises B, which has one maximum, by a grid around the best of a grid."""
        low, high = self.possible()
        for _ in range(ZOOMS):
            values = np.linspace(low, high, CELLS)
            best = int(self.bound(values).argmax())
            low, high = float(values[max(best - 1, 0)]), float(values[min(best + 1, CELLS - 1)])
        return (low + high) / 2

    def range(self, best: float) -> tuple[float, float]:
        """Return the ends of the chart, around theta_t and the maximum of B."""
        start = self.state.expanded_at
        here = self.value(start)
        deviation = float(np.sqrt(start.covariances[self.k, self.axis, self.axis]))
        unit = deviation if self.parameter == "mean" else here
        reach = max(WIDER * abs(best - here), LEAST[self.parameter] * unit)
        low, high = (here + best) / 2 - reach, (here + best) / 2 + reach
        if self.parameter == "mean":
            return low, high
        top = 1 - LOWEST * (1 - here) if self.parameter == "weight" else high
        return max(low, LOWEST * here), min(high, top)

    def chart(self) -> Chart:
        """Return l and B, the point where they touch, and the maximum of B."""
        state, here, best = self.state, self.value(self.state.expanded_at), self.maximum()
        moved = state.components is not state.expanded_at
        marked = np.array([here, best])
        x = np.sort(np.append(np.linspace(*self.range(best), POINTS), marked))
        likelihood, bound = self.log_likelihood(x), self.bound(x)
        tops = self.bound(marked)
        depth = likelihood.min() - BELOW * float(np.ptp(likelihood))
        dots = (
            Series(name="B touches ℓ at θₜ", x=marked[:1], y=tops[:1], kind="dots", ink="text"),
            Series(name="maximum of B", x=marked[1:], y=tops[1:], kind="dots", ink=1),
        )  # fmt: skip
        now = self.value(state.components)
        phase = f"M-step: θₜ₊₁ = {now:.4g}" if moved else f"E-step: B touches ℓ at θₜ = {here:.4g}"
        found = state.metrics()
        Q, H = found["Q"], found["entropy H"]
        note = f"{phase}; Q {Q:.5g}, H {H:.5g}, F {Q + H:.5g}, log-likelihood {found[LIKELIHOOD]:.5g}"
        return Chart(
            title="Lower bound of EM", x=Axis(title=self.name), y=Axis(title="log-likelihood", low=depth),
            series=(
                Series(name="log-likelihood ℓ", x=x, y=likelihood, ink="text"),
                Series(name="lower bound B", x=x, y=bound, ink=1),
                *dots,
            ),
            rules=(Rule(name="θₜ₊₁" if moved else "θₜ", x=now),),
            note=typeset(note),
        )  # fmt: skip

    @property
    def name(self) -> str:
        """The parameter with its component and input, for the axis."""
        if self.parameter == "weight":
            return f"weight π of component {self.k + 1}"
        word = {"mean": "mean μ", "deviation": "standard deviation σ"}[self.parameter]
        return f"{word} of component {self.k + 1}, {self.state.space.names[self.axis]}"
