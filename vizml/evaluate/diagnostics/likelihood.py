"""The log-likelihood of linear or logistic regression over one parameter, with its maximum and curvature.

Gaussian noise: l(beta, sigma) = -n ln sigma - n/2 ln(2 pi) - RSS(beta) / (2 sigma^2).
Bernoulli: l(w) = -sum_i ln(1 + exp(-y_i w'x_i)) with y_i = -1 or 1.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostic_charts import name_field, position
from vizml.evaluate.objectives import LogLossObjective, objective_of
from vizml.field.arrays import Floats
from vizml.learn import CLASSIFY, REGRESS, Regressor
from vizml.learn.linear_models.basis_regression import BasisRegressionState
from vizml.learn.linear_models.logistic_solver import LogLoss, LossPoint, newton_path
from vizml.scene import Axis, Chart, Rule, Series
from vizml.scene.typesetting import typeset

STEPS, TOLERANCE = 60, 1e-10
"""Largest number of steps of Newton's method, and the change of the log-likelihood that ends it."""
SEPARATED = 1e-6
"""Log-likelihood per point above minus this: the classes are separated, and there is no maximum."""
POINTS = 161
REACH = 4.0
"""Half of the range in standard errors."""
SIGMA = "σ"
LEAST = 0.05
"""Lowest standard deviation that is shown, as a share of the estimate."""


@dataclass(frozen=True, eq=False)
class Likelihood(ABC):
    """The log-likelihood of parameters, from the rows (n, p) of a design with targets (n,)."""

    names: tuple[str, ...]
    design: Floats
    target: Floats

    @property
    @abstractmethod
    def estimate(self) -> Floats:
        """The parameters of maximum likelihood."""

    @property
    @abstractmethod
    def hessian(self) -> Floats:
        """Second derivatives at the estimate."""

    @abstractmethod
    def at(self, parameters: Floats) -> Floats:
        """Return l (m,) of parameters (m, p)."""

    def over(self, j: int, values: Floats) -> Floats:
        """Return l with parameter j at each value and the others at their estimates."""
        parameters = np.tile(self.estimate, (len(values), 1))
        parameters[:, j] = values
        return self.at(parameters)

    def error_alone(self, j: int) -> float:
        """Return the standard error 1 / sqrt(-l'') of a parameter where the others are known."""
        return 1 / math.sqrt(-self.hessian[j, j])

    def error(self, j: int) -> float:
        """Return the standard error of a parameter where the others are estimated as well."""
        return math.sqrt(float(np.linalg.inv(-self.hessian)[j, j]))


class GaussianLikelihood(Likelihood):
    """Parameters beta and, last, the standard deviation sigma of the noise."""

    @cached_property
    def estimate(self) -> Floats:
        """The least squares estimate and sqrt(RSS / n)."""
        beta, *_ = np.linalg.lstsq(self.design, self.target, rcond=None)
        residuals = self.target - self.design @ beta
        return np.append(beta, math.sqrt(float(residuals @ residuals) / len(residuals)))

    @cached_property
    def hessian(self) -> Floats:
        p, sigma = self.design.shape[1], self.estimate[-1]
        out = np.zeros((p + 1, p + 1))
        out[:p, :p] = -self.design.T @ self.design / sigma**2
        out[p, p] = -2 * len(self.target) / sigma**2
        return out

    def at(self, parameters: Floats) -> Floats:
        beta, sigma = parameters[:, :-1], parameters[:, -1]
        rss = ((self.target - beta @ self.design.T) ** 2).sum(axis=1)
        n = len(self.target)
        return np.asarray(-n * np.log(sigma) - n / 2 * math.log(2 * math.pi) - rss / (2 * sigma**2))


class LogisticLikelihood(Likelihood):
    """Parameters w of P(y = 1) = 1 / (1 + exp(-w'x))."""

    @cached_property
    def estimate(self) -> Floats:
        """The end of Newton's method; ValueError where the classes are separated."""
        for before, here in pairwise(islice(newton_path(self._loss), STEPS)):
            if here.loss < SEPARATED * len(self.target):
                raise ValueError("the classes are separated: the likelihood rises forever and has no maximum")
            if before.loss - here.loss <= TOLERANCE:
                break
        return np.asarray(here.weights[0])

    @cached_property
    def hessian(self) -> Floats:
        return -LossPoint(self._loss, self.estimate[None]).hessian()

    @cached_property
    def _loss(self) -> LogLoss:
        """Minus the log-likelihood."""
        labels, unit = (self.target > 0).astype(np.int64), np.eye(self.design.shape[1])
        return LogLoss.of(self.design, labels, np.arange(2), unit, 0.0, 0.0)

    def at(self, parameters: Floats) -> Floats:
        return -np.logaddexp(0.0, -self.target * (parameters @ self.design.T)).sum(axis=1)  # type: ignore[no-any-return]


@diagnostic(
    "likelihood", title="Likelihood of a parameter", tasks=(CLASSIFY, REGRESS),
    synonyms=(
        "log-likelihood", "maximum likelihood", "MLE", "Fisher information", "curvature", "standard error",
        "Hessian", "least squares under Gaussian noise", "negative definite",
    ),
)  # fmt: skip
class ParameterLikelihood(Diagnostic):
    """Log-likelihood over one parameter of a linear or logistic regression, the others at their estimates,
    with its maximum and the parabola of the same curvature l″; the standard error is 1/√(−l″).
    """

    live = True
    parameter: str = name_field(
        "Coefficient, or σ for the standard deviation of the noise; empty for the first slope.",
        "a coefficient, σ",
    )

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        found, current = likelihood_of(subject)
        if not (np.linalg.eigvalsh(found.hessian) < 0).all():
            raise ValueError("the Hessian is singular: the data do not determine all parameters")
        place = position(found.names, self.parameter, min(1, len(found.names) - 1), "parameter")
        yield ChartResult(_chart(found, place, current))


def likelihood_of(subject: DiagnosticSubject) -> tuple[Likelihood, Floats]:
    """Return the log-likelihood of the training data without penalty, and the model's own parameters."""
    state = subject.inner
    if isinstance(state, Regressor):
        return _gaussian(state)
    objective = objective_of(subject.model, subject.train) if subject.model.id == "logistic" else None
    if not isinstance(objective, LogLossObjective):
        raise ValueError("choose linear or logistic regression: other models have no such parameters")  # noqa: TRY004 (a refusal)
    found = LogisticLikelihood(objective.names, objective.design, objective.target)
    return found, objective.weights(subject.classifier())


def _gaussian(state: Regressor) -> tuple[Likelihood, Floats]:
    """Return the likelihood of the terms of a regression under Gaussian noise of standard deviation sigma."""
    if not isinstance(state, BasisRegressionState) or not state.basis.has_powers:
        raise ValueError("choose linear regression on polynomials: its coefficients are the parameters")
    design = np.linalg.solve(state.basis.conversion().T, state.basis.design(state.X).T).T
    names = ("intercept", *state.basis.term_names(), SIGMA)
    found = GaussianLikelihood(names, np.asarray(design), state.y)
    if len(state.y) <= design.shape[1] or found.estimate[-1] <= 0:
        raise ValueError("the fit is exact: the likelihood has no maximum over σ")
    own = np.append(state.coefficients, np.sqrt(np.mean((state.y - state.expected(state.X)) ** 2)))
    return found, own


def _chart(found: Likelihood, j: int, current: Floats) -> Chart:
    """Return the chart of the log-likelihood over parameter j."""
    best, error, name = float(found.estimate[j]), found.error_alone(j), found.names[j]
    low = best - REACH * error
    low = max(low, LEAST * best) if name == SIGMA else low
    x = np.linspace(low, best + REACH * error, POINTS)
    top = float(found.over(j, np.array([best]))[0])
    likelihood, parabola = found.over(j, x), top - ((x - best) / error) ** 2 / 2
    own = float(current[j])
    near = x[0] <= own <= x[-1] and abs(own - best) > error / POINTS
    ends = np.array([best - error, best + error])
    return Chart(
        title="Likelihood of a parameter", x=Axis(title=name),
        y=Axis(title="log-likelihood", low=min(likelihood.min(), top - REACH**2 / 2)),
        series=(
            Series(name="log-likelihood", x=x, y=likelihood, ink="text"),
            Series(name="parabola with the same l″", x=x, y=parabola, ink=1, stroke="dash"),
            Series(name="± 1 standard error", x=ends, y=np.full(2, top - 0.5)),
            Series(name="maximum", x=np.array([best]), y=np.array([top]), kind="dots", ink="text"),
        ),
        rules=(Rule(name="model", x=own),) if near else (), note=typeset(_note(found, j, top)),
    )  # fmt: skip


def _note(found: Likelihood, j: int, top: float) -> str:
    """Return the maximum, the curvature with its standard error, and the eigenvalues of the Hessian."""
    eigenvalues = np.linalg.eigvalsh(found.hessian)
    how = ""
    if isinstance(found, GaussianLikelihood):
        how = ", σ² = RSS/n" if found.names[j] == SIGMA else ", that of least squares"
    return (
        f"maximum {found.estimate[j]:.5g}{how}; standard error 1/√(−l″) = {found.error_alone(j):.4g}, with "
        f"the other parameters unknown {found.error(j):.4g}; l = {top:.5g}, l″ = {found.hessian[j, j]:.4g}; "
        f"eigenvalues of the Hessian {eigenvalues[0]:.3g} to {eigenvalues[-1]:.3g}: negative definite"
    )
