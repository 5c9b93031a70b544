"""Log-likelihoods of linear and logistic regression: maximum, curvature and standard errors.

Gaussian noise: l(beta, sigma) = -n ln sigma - n/2 ln(2 pi) - RSS(beta) / (2 sigma^2).
Bernoulli: l(w) = -sum_i ln(1 + exp(-y_i w'x_i)) with y_i = -1 or 1.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise

import numpy as np

from vizml.field.arrays import Floats
from vizml.learn.linear_models.logistic_solver import LogLoss, LossPoint, newton_path

STEPS, TOLERANCE = 60, 1e-10
"""Largest number of steps of Newton's method, and the change of the log-likelihood that ends it."""
SEPARATED = 1e-6
"""Log-likelihood per point above minus this: the classes are separated, and there is no maximum."""


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
