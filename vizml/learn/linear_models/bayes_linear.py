"""Bayesian linear regression: w ~ N(0, 1/alpha), y = w . phi(x) + N(0, 1/beta), point after point."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.learn import REGRESS, Model, choice, flag, integer, real, register
from vizml.learn.linear_models.basis import LABELS, NAMES, basis_over
from vizml.learn.linear_models.fitted import FittedCurve, parts, sticks
from vizml.learn.linear_models.posterior import Posterior, most_evident, posteriors
from vizml.learn.linear_models.sums import Sums
from vizml.learn.linear_models.terms import Terms
from vizml.learn.state import Floats, Ints, abscissa
from vizml.learn.training_data import TrainingData
from vizml.scene import Between, Curves, Mark, Rings

SAMPLES = 8
ONE_BY_ONE, GROWTH = 20, 1.5
"""So many points are taken one at a time; then the next share of them all."""
SIGMAS = 2.0
FAINT, ALIKE = 1e-12, 1e-6
"""The least precision of the prior, as a share of the data's; terms that differ less rely on it."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Belief(FittedCurve):
    """What is believed of the weights after some points; the curve is their mean."""

    terms: Terms
    level: float
    """What was taken from y, so that large levels cost no digits."""
    posterior: Posterior
    alpha: float
    beta: float
    prior: Floats
    """The precision of each slope before any point, in units of its standardised term."""
    normals: Floats
    """Standard normal numbers (SAMPLES, p + 1), the same at each step: samples move and do not jump."""

    def deviation(self, x: Floats) -> Floats:
        """The deviation of the curve itself."""
        return np.asarray(np.sqrt(((self._features(x) @ self.posterior.root) ** 2).sum(axis=1)))

    def band(self, x: ArrayLike) -> tuple[Floats, Floats, Floats]:
        """Two deviations of a new y: of the curve and the noise."""
        at = abscissa(x)
        mean = self.curve(at)
        wide = SIGMAS * np.sqrt(self.deviation(at) ** 2 + 1 / self.beta)
        return mean, mean - wide, mean + wide

    @cached_property
    def freedom(self) -> float:
        """The intercept, and how many slopes are known from the data rather than from the prior."""
        own = (self.posterior.root[1:] ** 2).sum(axis=1)
        return 1.0 + float((1 - own * self.prior).sum())

    @cached_property
    def coefficients(self) -> Floats:
        return self.terms.coefficients(self.posterior.mean[1:], self.level + self.posterior.mean[0])

    def marks(self) -> tuple[Mark, ...]:
        return (
            Between(
                layer="Uncertainty of the curve", edges=self._of_the_curve, ink="accent", opacity=0.25,
                legend="the curve itself, 95 %",
            ),
            Curves(layer="Samples", values=self.samples, ink="accent", opacity=0.4, legend="sample"),
            parts(self.basis, self.weights),
            *self._seen(),
        )  # fmt: skip

    def _of_the_curve(self, x: Floats) -> tuple[Floats, Floats]:
        mean, wide = self.curve(x), SIGMAS * self.deviation(x)
        return mean - wide, mean + wide

    def samples(self, x: Floats) -> Floats:
        """Curves (s, n) that the posterior holds for as likely as their share of it."""
        return self.curve(x) + self.normals @ (self._features(x) @ self.posterior.root).T

    def _seen(self) -> tuple[Mark, ...]:
        """The points so far, with the newest in a ring while there are more to come."""
        seen = self.posterior.seen
        newest = slice(seen - 1, seen) if 0 < seen < len(self.x) else slice(0)
        points = np.column_stack([self.x[newest], self.y[newest]])
        return (
            sticks(self.x[:seen], self.y[:seen], self.residuals[:seen]),
            Rings(
                layer="Newest point", points=points, radii=np.full(len(points), 9.0), legend="newest point"
            ),
        )

    def metrics(self) -> Mapping[str, float]:
        found = {"α": self.alpha, "β": self.beta, "noise deviation": 1 / math.sqrt(self.beta)}
        if self.posterior.seen:
            found["log evidence"] = self.posterior.evidence
        return {**found, **super().metrics()}

    def _features(self, x: Floats) -> Floats:
        return np.concatenate([np.ones((len(x), 1)), self.terms.columns(x)], axis=1)


@register(
    "bayes_linear",
    task=REGRESS,
    family="Bayes",
    title="Bayesian linear regression",
    about="Keeps all curves that the points allow, weighed by a Gaussian prior, narrowing point by point.",
    formula=(
        r"w \sim \mathcal{N}(0,\, \alpha^{-1} I), \quad y \sim \mathcal{N}(w^{\top} \varphi(x), \beta^{-1})",
        r"p(w \mid \mathcal{D}) = \mathcal{N}(m, S), \quad S^{-1} = \alpha I + \beta\, \Phi^{\top} \Phi",
        r"m = \beta\, S\, \Phi^{\top} y, \quad \sigma^2(x) = \beta^{-1} + \varphi(x)^{\top} S\, \varphi(x)",
    ),
)
@dataclass(frozen=True)
class BayesianLinear(Model):
    basis: str = choice(
        "polynomial", NAMES, labels=LABELS, help="the functions that are added up", symbol="φ"
    )
    degree: int = integer(
        9, 1, 15, help="the highest power, or the number of waves, bumps or pieces", symbol="d"
    )
    alpha: float | str = real(
        "evidence",
        1e-9,
        1e9,
        log=True,
        words=("evidence",),
        symbol="α",
        title="prior precision",
        help="how sure one is that slopes are near 0; 'evidence' takes what makes the data likeliest",
    )
    beta: float | str = real(
        "evidence",
        1e-9,
        1e9,
        log=True,
        words=("evidence",),
        symbol="β",
        title="noise precision",
        help="1 / variance of the noise of y; 'evidence' takes what makes the data likeliest",
    )
    standardise: bool = flag(
        True, help="a prior on slopes of terms with variance 1: the unit of x does not matter"
    )  # fmt: skip

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[Belief]:
        functions = basis_over(self.basis, self.degree, data.x)
        sums, columns = Sums.with_columns(functions, data.x, data.y, standardise=self.standardise)
        given = [None if isinstance(value, str) else value for value in (self.alpha, self.beta)]
        alpha, beta = most_evident(sums, *given)
        prior, words = _firm(alpha * sums.price**2, beta, sums)
        chosen = f"; α = {alpha:.3g} and β = {beta:.3g} have the most evidence" if None in given else ""
        n, normals = len(data), rng.standard_normal((SAMPLES, sums.size + 1))
        before = Posterior(
            0, np.zeros(sums.size + 1), np.diag(np.append(0.0, prior**-0.5)), math.nan, math.nan
        )
        found = posteriors(columns, data.y - sums.mean, prior, beta, _counts(n))
        path = [before, *found]
        means = np.stack([posterior.mean for posterior in path])
        weights = sums.terms.weights(means[:, 1:], sums.mean + means[:, 0])
        for posterior, own in zip(path, weights):
            over = posterior.seen == n
            yield Belief(
                basis=functions, x=data.x, y=data.y, terms=sums.terms, level=sums.mean, posterior=posterior,
                weights=own, alpha=alpha, beta=beta, prior=prior, normals=normals,
                progress=posterior.seen / n, note=_note(posterior, n) + (chosen + words if over else ""),
            )  # fmt: skip


def _firm(prior: Floats, beta: float, sums: Sums) -> tuple[Floats, str]:
    """The precisions, none so low that rounding decides about terms that are alike; what to say of it."""
    floor = max(FAINT * beta * sums.n, 1e-300)
    alike = sums.size - int(np.linalg.matrix_rank(sums.triangle, tol=ALIKE))
    if not alike or (prior >= floor).all():
        return np.maximum(prior, floor), ""
    words = f"; {alike} terms are too like others for so flat a prior, which was made a little firmer"
    return np.maximum(prior, floor), words


def _counts(n: int) -> Ints:
    """After how many points there is a step."""
    counts = list(range(1, min(n, ONE_BY_ONE) + 1))
    while counts[-1] < n:
        counts.append(min(n, max(counts[-1] + 1, int(counts[-1] * GROWTH))))
    return np.array(counts, dtype=np.int64)


def _note(found: Posterior, n: int) -> str:
    if not found.seen:
        return "before any point: slopes by the prior alone, drawn at the mean of y"
    evidence = f"log evidence {found.evidence:.4g}"
    return f"{found.seen:,} of {n:,} points: deviation of the weights {found.width:.3g}, {evidence}"
