"""Linear regression: the minimum of RSS(w) = |y - Phi w|^2 solves the normal equation Phi'Phi w = Phi'y."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.random import Generator

from vizml.data.wording import plural
from vizml.field.arrays import Floats, Ints
from vizml.learn import REGRESS, choice, integer, register, varied
from vizml.learn.gradient_descent import CONSTANT, LOWER_RATE, UPDATES, Iterate, Optimiser, descend, reported
from vizml.learn.iterative_training import DECAY, DECAYING, LEARNING_RATE, SCHEDULE, Schedule
from vizml.learn.learned import Learned
from vizml.learn.linear_models import FAMILY
from vizml.learn.linear_models.basis import AdditiveBasis, Basis, basis_over
from vizml.learn.linear_models.basis_regression import DEGREE, PERFECT, BasisRegression, BasisRegressionState
from vizml.learn.linear_models.inference import f_p_value, student_p_value
from vizml.learn.linear_models.reports import coefficient_table, rss_chart
from vizml.learn.linear_models.standardised import qr_reduced
from vizml.learn.training_data import TrainingData
from vizml.scene import Chart

DESCENT = ("gd", "sgd")
SIGMAS = 2.0
"""Standard errors to each side of the band."""
FULL = 15
"""The degree of the full model whose residuals estimate the noise variance of Mallows' Cp."""
SINGULAR = 1e-12
"""A diagonal of R below this share of its largest is singular."""
FLAT = 1e-9
"""A gradient so much smaller than that of the start is zero."""


@dataclass(frozen=True, eq=False)
class SquaredError:
    """RSS / 2n of weights on a design matrix (n, p), for gradient descent."""

    design: Floats
    y: Floats

    def __len__(self) -> int:
        return len(self.y)

    def shuffled(self, order: Ints) -> SquaredError:
        """Return the loss with its samples in another order."""
        return SquaredError(self.design[order], self.y[order])

    def batch_gradient(self, weights: Floats, batch: slice) -> Floats:
        """Return the gradient of the mean over a batch."""
        design = self.design[batch]
        return np.asarray((design @ weights - self.y[batch]) @ design / len(design))

    def path(
        self, rate: float, batch: int, rng: Generator, schedule: Schedule = CONSTANT
    ) -> Iterator[Iterate]:
        """Yield the iterates of gradient descent from zero, with their RSS."""
        start = np.zeros(self.design.shape[1])
        optimiser = Optimiser("gd", rate, start.shape, schedule=schedule)
        for epoch, weights in descend(self, start, optimiser, batch, rng):
            residuals = self.y - self.design @ weights
            norm = float(np.linalg.norm(self.batch_gradient(weights, slice(None))))
            yield Iterate(epoch, weights, float(residuals @ residuals), norm)

    @property
    def highest_rate(self) -> float:
        """The learning rate above which gradient descent diverges: 2 by the largest curvature."""
        return 2 * len(self) / float(np.linalg.norm(self.design, ord=2)) ** 2


@dataclass(frozen=True, eq=False, kw_only=True)
class LinearRegressionState(BasisRegressionState):
    """Weights, the triangle R of their design and a, so that RSS = |a - R w|^2 + constant: the loss."""

    basis: Basis
    weights: Floats
    kind: str
    """The kind of the basis."""
    R: Floats
    a: Floats
    descent: Floats
    """The first two weights (t, 2) of each step of a descent; none where the weights minimise the RSS."""

    @cached_property
    def covariance_root(self) -> Floats | None:
        """U with U U' the covariance of the weights; None without spare points or where R is singular."""
        size = np.abs(np.diag(self.R))
        if len(self.descent) or len(self.y) <= self.basis.size or size.min() <= SINGULAR * size.max():
            return None
        return np.asarray(np.linalg.solve(self.R, np.eye(self.basis.size)) * self.residual_error)

    @property
    def residual_error(self) -> float:
        """The residual standard error."""
        return math.sqrt(self.rss / max(len(self.y) - self.basis.size, 1))

    @cached_property
    def standard_errors(self) -> Floats | None:
        """The standard error of each coefficient."""
        if self.covariance_root is None:
            return None
        return np.asarray(np.hypot.reduce(self.basis.conversion() @ self.covariance_root, axis=1))

    @cached_property
    def significance(self) -> dict[str, list[float]]:
        """Standard error, t and p value of each coefficient; none where the errors are not known."""
        errors = self.standard_errors
        if errors is None:
            return {}
        with np.errstate(divide="ignore", invalid="ignore"):  # a perfect fit has no errors
            t = self.coefficients / errors
        p = student_p_value(t, len(self.y) - self.basis.size)
        return {"SE": errors.tolist(), "t": t.tolist(), "p": p.tolist()}

    def interval(self, X: Floats) -> tuple[Floats, Floats, Floats] | None:
        """Return the mean and two standard errors of a new y to each side."""
        if self.covariance_root is None:
            return None
        design = self.basis.design(X)
        own = ((design @ self.covariance_root) ** 2).sum(axis=1)
        mean, wide = design @ self.weights, SIGMAS * np.sqrt(own + self.residual_error**2)
        return mean, mean - wide, mean + wide

    def sample_gradients(self) -> Floats:
        design = self.basis.design(self.X)
        return np.asarray((design @ self.weights - self.y)[:, None] * design)

    def learned(self) -> Learned:
        errors = self.standard_errors
        known = super().learned()
        return known if errors is None else known | {"se": errors, "sigma": self.residual_error}

    @cached_property
    def cp(self) -> float:
        """Mallows' Cp = RSS / s^2 - n + 2 p, with s of the same kind of basis at its highest degree."""
        interactions = isinstance(self.basis, AdditiveBasis) and bool(self.basis.pairs)
        n, full = len(self.y), basis_over(self.kind, FULL, self.X, interactions=interactions)
        if n < 2 * full.size:
            return math.nan
        R, a, rest = qr_reduced(full.design(self.X), self.y)
        residual = a - R @ np.linalg.lstsq(R, a, rcond=1e-12)[0]
        noise = (rest + float(residual @ residual)) / (n - full.size)
        exact = noise <= SINGULAR**2 * float(self.y @ self.y)
        return math.nan if exact else self.rss / noise - n + 2 * self.basis.size

    def metrics(self) -> Mapping[str, float]:
        found = {**super().metrics(), "Cp": self.cp}
        found |= self._f_test()
        for figure, values in self.significance.items():
            found |= {f"{figure} of {name}": value for name, value in zip(self.coefficient_names, values)}
        return {name: value for name, value in found.items() if math.isfinite(value)}

    def _f_test(self) -> dict[str, float]:
        """Return F and its p value, under the hypothesis that all coefficients but the intercept are 0."""
        n, p = len(self.y), self.basis.size
        explained = float(((self.y - self.y.mean()) ** 2).sum()) - self.rss
        if not self.significance or p < 2 or not 0 < explained < math.inf or self.rss <= PERFECT * explained:
            return {}
        ratio = explained / (p - 1) / self.residual_error**2
        return {"F": ratio, "p of F": f_p_value(ratio, p - 1, n - p)}

    def charts(self) -> tuple[Chart, ...]:
        names = self.basis.term_names()
        found = list[Chart]()
        if self.basis.size > 1:  # inputs of one category have no functions
            pair = (names[0], names[1]) if len(names) == self.basis.size else ("the constant", names[0])
            found.append(rss_chart(self.R, self.a, self.descent, pair))
        if self.significance and self.coefficient_names:
            figures = {"coefficient": self.coefficients.tolist(), **self.significance}
            found.append(coefficient_table(self.coefficient_names, figures))
        return tuple(found)


@register(
    "linear", REGRESS, FAMILY, "Linear regression",
    remarks=(
        "Note 002 (8.10) steps by −α (y − f(x)) x; correct is +α (y − f(x)) x, against the gradient.",
    ),
    symbols={
        "w": ("Weight of a basis function.", "Basis functions"),
        "φ": ("Basis function.", "Basis functions"),
        "y": ("Target of a point; its distance from the prediction is the residual.", "Residuals"),
    },
    synonyms=(
        "ordinary least squares", "OLS", "normal equation", "polynomial regression", "RSS", "pseudo-inverse",
    ),
)  # fmt: skip
class LinearRegression(BasisRegression):
    r"""Fits a weighted sum of basis functions by ordinary least squares.

    .. math::
        \hat y(x) = \sum_{j} w_j\, \varphi_j(x)
        \mathrm{RSS}(w) = \sum_{i=1}^{n} ( y_i - \hat y(x_i) )^2
        \Phi^{\top} \Phi\, w = \Phi^{\top} y
        \mathrm{BIC} = -2 \ln L + (p + 1) \ln n
        \mathrm{AIC} = -2 \ln L + 2 (p + 1)
    """

    takes_reference = True
    degree: int = varied(DEGREE, default=1)
    solver: str = choice(
        "exact", ("exact", *DESCENT), help="Optimiser of the residual sum of squares.",
        labels={"exact": "exact (normal equation)", "gd": "gradient descent",
                "sgd": "stochastic gradient descent"},
    )  # fmt: skip
    rate: float = varied(LEARNING_RATE, default=0.3, hi=10.0, when={"solver": DESCENT})
    schedule: str = varied(SCHEDULE, when={"solver": DESCENT})
    decay: float = varied(DECAY, when={"solver": DESCENT, "schedule": DECAYING})
    epochs: int = integer(
        100, 1, 5000, log=True, when={"solver": DESCENT},
        help="Maximum number of epochs (passes over the data).",
    )  # fmt: skip

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[LinearRegressionState]:
        basis = self.basis_of(data)
        loss = SquaredError(basis.design(data.X), data.y)
        R, a, _ = qr_reduced(loss.design, data.y)
        batch = 1 if self.solver == "sgd" else len(data)
        trail = np.empty((1 + self.epochs * -(-len(data) // (batch * UPDATES)), 2))
        state = LinearRegressionState(
            kind=self.basis, basis=basis, X=data.X, y=data.y, weights=np.zeros(basis.size), R=R, a=a,
            descent=trail[:0],
        )  # fmt: skip
        if self.solver == "exact":
            yield exact(state)
            return
        advice = LOWER_RATE
        if self.solver == "gd":
            advice = f"gradient descent diverges at learning rates above {loss.highest_rate:.3g}"
        path = loss.path(self.rate, batch, rng, Schedule(self.schedule, self.decay))
        steps = reported(path, self.epochs, self.reason, name="RSS", advice=advice)
        for count, (here, note, progress) in enumerate(steps):
            trail[count] = here.weights[:2]
            yield replace(
                state, weights=here.weights, loss=here.loss, note=note, progress=progress,
                descent=trail[: count + 1],
            )  # fmt: skip

    def reason(self, first: Iterate, _: Iterate, here: Iterate) -> str:
        """Return the reason why the descent ends at an iterate, or nothing."""
        if here.gradient_norm <= FLAT * first.gradient_norm:
            return ": converged"
        return ": maximum number of epochs" if here.epoch >= self.epochs else ""


def exact(state: LinearRegressionState) -> LinearRegressionState:
    """Minimise the RSS by singular values; of many equally good weights, take the shortest."""
    n, p = len(state.y), state.basis.size
    weights, _, rank, _ = np.linalg.lstsq(state.R, state.a, rcond=max(n, p) * np.finfo(float).eps)
    state = replace(state, weights=np.asarray(weights, dtype=np.float64), progress=1.0)
    note = f"{plural(p, 'coefficient')} from {plural(n, 'point')}"
    if rank < p:
        note += f", of which {rank} are identifiable (minimum-norm solution of the pseudo-inverse)"
    return replace(state, loss=state.rss, note=f"{note}: RSS {state.rss:.4g}")
