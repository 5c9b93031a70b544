"""Bayesian linear regression: w ~ N(0, 1/alpha), y = w . phi(x) + N(0, 1/beta), sample after sample.

The posterior is w ~ N(m, S), S^-1 = alpha I + beta T'T, m = beta S T'y. The intercept has a flat prior, so
that the mean is ridge's and does not depend on the origin of y.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from vizml.data.wording import plural
from vizml.field.arrays import Floats, Ints
from vizml.learn import REGRESS, CannotLearn, flag, real, register, varied
from vizml.learn.learned import Learned
from vizml.learn.linear_models import FAMILY
from vizml.learn.linear_models.basis_regression import BasisCurveView, BasisRegression, TermRegressionState
from vizml.learn.linear_models.inference import HatMatrix
from vizml.learn.linear_models.standardised import StandardisedProblem, qr_triangle
from vizml.learn.model import WatchedModel
from vizml.learn.training_data import TrainingData
from vizml.learn.view import residual_lines
from vizml.scene import Curves, FunctionBand, Mark, Rings

SAMPLES = 8
"""Curves drawn from the posterior."""
ONE_BY_ONE, GROWTH = 20, 1.5
"""So many points are taken one at a time; then the number of points grows by this factor."""
SIGMAS = 2.0
"""Standard deviations to each side of the bands."""
FAINT, ALIKE = 1e-12, 1e-6
"""The least precision of the prior as a share of the data's, and the tolerance of collinear terms."""
ROUNDS, CONVERGED = 200, 1e-10
"""Most iterations of evidence maximisation, and the relative change that ends it."""
FLOOR, CEILING = 1e-9, 1e12
"""Range of the precisions in units of the variances of terms and y: a perfect fit has no noise."""


class WeightPosterior(NamedTuple):
    """After `seen` samples: the mean (p + 1,) and a root S = U U' (p + 1, p + 1), the intercept first."""

    seen: int
    mean: Floats
    root: Floats
    deviation: float
    """The root mean square of the standard deviations of all weights."""
    evidence: float
    """The log density of those samples, given the first of them."""


class BayesianCurveView(BasisCurveView["BayesianRegressionState"]):
    """The credible band of the mean, curves drawn from the posterior, and the samples so far."""

    def marks(self) -> tuple[Mark, ...]:
        band = FunctionBand(
            layer="Credible band", edges=lambda x: self.state.credible_interval(self.inputs(x)),
            ink="accent", opacity=0.25, legend="credible band",
        )  # fmt: skip
        samples = Curves(
            layer="Samples", values=lambda x: self.state.samples(self.inputs(x)), ink="accent", opacity=0.4,
            legend="posterior sample",
        )  # fmt: skip
        return (band, samples, *super().marks())

    def whole_marks(self) -> tuple[Mark, ...]:
        """Return the residuals of the points so far, and a ring around the newest while there are more."""
        state, seen = self.state, self.state.posterior.seen
        newest = slice(seen - 1, seen) if 0 < seen < len(state.y) else slice(0)
        points = np.column_stack([state.X[newest, 0], state.y[newest]])
        radii = np.full(len(points), 9.0)
        ring = Rings(layer="Newest point", points=points, radii=radii, legend="newest point")
        return (*residual_lines(self, state, slice(seen)), ring)


@dataclass(frozen=True, eq=False, kw_only=True)
class BayesianRegressionState(TermRegressionState):
    """The posterior of the weights after some samples; the curve is its mean."""

    curve_view_class = BayesianCurveView
    posterior: WeightPosterior
    alpha: float
    beta: float
    prior: Floats
    """The prior precision of each slope, in units of its standardised term."""
    normals: Floats
    """Standard normal numbers (SAMPLES, p + 1), the same at each step: drawn curves move continuously."""

    def deviation(self, X: Floats) -> Floats:
        """Return the posterior standard deviation (m,) of the mean of y."""
        return np.asarray(np.sqrt(((self._features(X) @ self.posterior.root) ** 2).sum(axis=1)))

    def interval(self, X: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the mean and two standard deviations of a new y to each side."""
        mean = self.expected(X)
        wide = SIGMAS * np.sqrt(self.deviation(X) ** 2 + 1 / self.beta)
        return mean, mean - wide, mean + wide

    def credible_interval(self, X: Floats) -> tuple[Floats, Floats]:
        """Return two standard deviations of the mean to each side of it."""
        mean, wide = self.expected(X), SIGMAS * self.deviation(X)
        return mean - wide, mean + wide

    def samples(self, X: Floats) -> Floats:
        """Return curves (SAMPLES, m) drawn from the posterior."""
        return self.expected(X) + self.normals @ (self._features(X) @ self.posterior.root).T

    @cached_property
    def degrees_of_freedom(self) -> float:
        """The intercept, and the number of slopes that the data determine rather than the prior."""
        own = (self.posterior.root[1:] ** 2).sum(axis=1)
        return 1.0 + float((1 - own * self.prior).sum())

    @cached_property
    def hat(self) -> HatMatrix:
        return HatMatrix(self.posterior.root * math.sqrt(self.beta), self.degrees_of_freedom)

    def hat_design(self, X: Floats) -> Floats:
        return self._features(X)

    def learned(self) -> Learned:
        """Return the posterior mean m of the coefficients, and the precisions alpha and beta."""
        return {"m": self.coefficients, "alpha": self.alpha, "beta": self.beta}

    def learned_axes(self) -> Mapping[str, tuple[Sequence[str], ...]]:
        return {"m": (("intercept", *self.basis.term_names()),)}

    def metrics(self) -> Mapping[str, float]:
        found = {"α": self.alpha, "β": self.beta, "noise deviation": 1 / math.sqrt(self.beta)}
        if self.posterior.seen:
            found["log evidence"] = self.posterior.evidence
        return {**found, **super().metrics()}

    def _features(self, X: Floats) -> Floats:
        return np.concatenate([np.ones((len(X), 1)), self.problem.columns(X)], axis=1)


@register(
    "bayes_linear", REGRESS, FAMILY, "Bayesian linear regression",
    symbols={
        "σ": ("Standard deviation of the prediction.", "Credible band"),
        "m": ("Posterior mean of the weights.", "Curve"),
    },
    remarks=(
        ("Convention: α and β are precisions, 1 / variance. The posterior mean is that of ridge regression "
        "with λ = α/β. Note 004 writes 1/σ² for β and Σ⁻¹ for αI."),
    ),
    synonyms=("MAP", "Gaussian prior", "Bayesian ridge"),
)  # fmt: skip
class BayesianLinearRegression(BasisRegression, WatchedModel):
    r"""Linear regression with a Gaussian prior on the weights; computes their posterior point by point.

    .. math::
        w \sim \mathcal{N}(0,\, \alpha^{-1} I), \quad y \sim \mathcal{N}(w^{\top} \varphi(x), \beta^{-1})
        p(w \mid \mathcal{D}) = \mathcal{N}(m, S), \quad S^{-1} = \alpha I + \beta\, \Phi^{\top} \Phi
        m = \beta\, S\, \Phi^{\top} y, \quad \sigma^2(x) = \beta^{-1} + \varphi(x)^{\top} S\, \varphi(x)
    """

    alpha: float | str = real(
        "evidence", 1e-9, 1e9, log=True, words=("evidence",), symbol="α", title="prior precision",
        help="Precision of the Gaussian prior on the slopes; the λ of ridge regression is α/β. "
        "'evidence' maximises the marginal likelihood.",
    )  # fmt: skip
    beta: float | str = varied(
        alpha, symbol="β", title="noise precision",
        help="Precision (1 / variance) of the noise of y. 'evidence' maximises the marginal likelihood.",
    )  # fmt: skip
    standardise: bool = flag(
        True, help="Put the prior on standardised terms (unit variance), independent of the units of x."
    )

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[BayesianRegressionState]:
        """Yield the prior and the posterior after growing numbers of points, or after all."""
        problem = self.problem(data, standardise=self.standardise)
        given = [None if isinstance(value, str) else value for value in (self.alpha, self.beta)]
        alpha, beta = maximise_evidence(problem, *given)
        prior, remark = _regular_prior(alpha * problem.penalty_scale**2, beta, problem)
        if not np.isfinite([alpha, beta, *prior]).all():
            raise CannotLearn("powers of these inputs overflow: lower the degree or standardise the terms")
        n, normals = len(data), rng.standard_normal((SAMPLES, problem.size + 1))
        root = np.diag(np.append(0.0, prior**-0.5))
        before = WeightPosterior(0, np.zeros(problem.size + 1), root, math.nan, math.nan)
        targets = data.y - problem.mean
        counts = _counts(n) if every else np.array([n])
        path = [before, *posteriors(problem.columns(data.X), targets, prior, beta, counts)]
        if None in given:
            remark = f"; α = {alpha:.3g} and β = {beta:.3g} maximise the evidence{remark}"
        for posterior in path:
            shift, slopes = float(posterior.mean[0]), posterior.mean[1:] / problem.deviation
            yield BayesianRegressionState(
                X=data.X, y=data.y, problem=problem, slopes=slopes, shift=shift, posterior=posterior,
                alpha=alpha, beta=beta, prior=prior, normals=normals, progress=posterior.seen / n,
                note=_note(posterior, n) + (remark if posterior.seen == n else ""),
            )  # fmt: skip


def posteriors(columns: Floats, y: Floats, prior: Floats, beta: float, counts: Ints) -> list[WeightPosterior]:
    """Return the posterior after each of rising counts of samples; prior (p,) is the precision of each slope.

    By QR of the triangle so far and the new rows: precisions are never squared. QR leaves the signs of the
    triangle's rows open; with a positive diagonal it is the Cholesky factor of the precision, and the root,
    its inverse, changes little with each sample.
    """
    p = columns.shape[1]
    rows = math.sqrt(beta) * np.column_stack([np.ones(len(y)), columns, y])
    first = np.zeros((p + 2, p + 2))
    first[:p, 1:-1] = np.diag(np.sqrt(prior))
    systems, system, done = np.empty((len(counts), p + 2, p + 2)), first, 0
    for k, count in enumerate(counts.tolist()):
        systems[k] = system = qr_triangle(np.concatenate([system, rows[done:count]]))
        done = count
    triangles = systems[:, :-1, :-1]
    roots, diagonals = np.linalg.inv(triangles), np.diagonal(triangles, axis1=1, axis2=2)
    means = (roots @ systems[:, :-1, -1:])[:, :, 0]
    log_det = np.log(np.abs(diagonals)).sum(axis=1) - 0.5 * np.log(prior).sum()
    noise = 0.5 * counts * math.log(beta / (2 * math.pi)) + 0.5 * math.log(2 * math.pi)
    evidence = (noise - log_det - 0.5 * systems[:, -1, -1] ** 2).round(12).tolist()
    deviations = np.sqrt((roots**2).sum(axis=(1, 2)) / (p + 1)).tolist()
    parts = zip(counts.tolist(), means, roots * np.sign(diagonals)[:, None], deviations, evidence)
    return [WeightPosterior(*part) for part in parts]


def maximise_evidence(
    problem: StandardisedProblem, alpha: float | None, beta: float | None
) -> tuple[float, float]:
    """Return the precisions of prior and noise that maximise the evidence; given ones are kept.

    alpha = g / |b|^2 and beta = (n - 1 - g) / RSS, where g is the effective number of slopes.
    """
    least = float(problem.penalty_scale.min())  # that of a far power may be 1e-90: all is relative to it
    left, size, _ = np.linalg.svd(problem.R / (problem.penalty_scale / least))
    projections = ((left.T @ problem.a)[: len(size)]) ** 2
    curvature, n, unit = problem.n * size**2, problem.n, problem.deviation**2
    square = max(least**2, 1e-300)
    a, b = alpha * unit * square if alpha else 1.0, beta * unit if beta else 10.0
    unpenalised = np.divide(projections, size * size, out=np.zeros(len(size)), where=size > 0)
    for _ in range(ROUNDS):
        before = (a, b)
        share = b * curvature / (a + b * curvature)
        g = float(share.sum())
        rss = 2 * n * problem.rest + n * float(((1 - share) ** 2) @ projections)
        a = a if alpha else _bounded(g, float((share * share) @ unpenalised))
        b = b if beta else _bounded(n - 1 - g, rss)
        if abs(a - before[0]) <= CONVERGED * a and abs(b - before[1]) <= CONVERGED * b:
            break
    return alpha or a / unit / square, beta or b / unit


def _bounded(freedom: float, squares: float) -> float:
    return min(max(freedom / max(squares, 1e-300), FLOOR), CEILING)


def _regular_prior(prior: Floats, beta: float, problem: StandardisedProblem) -> tuple[Floats, str]:
    """Raise precisions so low that rounding would decide between collinear terms, with a remark on it."""
    floor = max(FAINT * beta * problem.n, 1e-300)
    alike = problem.size - int(np.linalg.matrix_rank(problem.R, tol=ALIKE))
    if not alike or (prior >= floor).all():
        return np.maximum(prior, floor), ""
    terms = f"{plural(alike, 'term is', 'terms are')} collinear with others"
    remark = f"; {terms}, so the flat prior was made slightly stronger"
    return np.maximum(prior, floor), remark


def _counts(n: int) -> Ints:
    """Return the numbers of points after which there is a step."""
    counts = list(range(1, min(n, ONE_BY_ONE) + 1))
    while counts[-1] < n:
        counts.append(min(n, max(counts[-1] + 1, int(counts[-1] * GROWTH))))
    return np.array(counts, dtype=np.int64)


def _note(found: WeightPosterior, n: int) -> str:
    if not found.seen:
        return "prior: no points yet, slopes by the prior alone, drawn at the mean of y"
    evidence = f"log evidence {found.evidence:.4g}"
    return (
        f"{found.seen:,} of {plural(n, 'point')}: deviation of the weights {found.deviation:.3g}, {evidence}"
    )
