"""Ridge, lasso and elastic net: RSS + lam |b|^2, or RSS / 2n + lam (mix |b|_1 + (1 - mix) / 2 |b|^2).

Ridge has a closed form. The others are solved by coordinate descent, which crawls where terms are alike, as
powers of x are, and exactly by active sets: with the signs of b known, what is left is a linear system; the
signs are found one at a time, each move lowering the objective.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from vizml.field.arrays import Floats, Mask
from vizml.learn.linear_models.standardised import StandardisedProblem

RIDGE = 1e-13
"""Added to the diagonal, where G has ones: repeated terms leave no direction without a minimum."""
SLACK = 1e-11
"""Tolerance of the optimality conditions; the correlation of a term with y is at most 1."""
MOST_MOVES = 400
"""Most moves of the active-set method: several times the number of terms."""
LOWEST, HIGHEST = 1e-9, 1e9
"""The range of all strengths that are tried."""
COUNT = 60
"""The number of strengths on a path."""
DEPTH = 1e-4
"""The weakest penalty on |b| that is tried, as a share of the one that leaves nothing."""
WEAK, STRONG = 1e-7, 1e2
"""The same for a penalty on |b|^2, as shares of n: from almost none to almost zero slopes."""


TINY = float(np.finfo(np.float64).tiny)
"""Smallest square of a scale: those of extreme units underflow to 0."""


class Sweep(NamedTuple):
    """The slopes after one pass over all coordinates."""

    slopes: Floats
    change: float
    """The largest change of a slope."""


def coordinate_descent(
    gram: Floats, c: Floats, l1: Floats, l2: Floats, start: Floats | None = None
) -> Iterator[Sweep]:
    """Minimise 1/2 b'Gb - c'b + sum_j l1_j |b_j| + 1/2 sum_j l2_j b_j^2 from a start, sweep by sweep.

    Each step is b_j <- soft(c_j - sum_(k != j) G_jk b_k, l1_j) / (G_jj + l2_j).

    >>> first = next(coordinate_descent(np.eye(2), np.array([3.0, -0.5]), np.ones(2), np.zeros(2)))
    >>> first.slopes.tolist()
    [2.0, 0.0]
    """
    matrix = gram + np.diag(l2)
    begin = np.zeros(len(c)) if start is None else start
    system, b, slope, cost = matrix.tolist(), begin.tolist(), (c - matrix @ begin).tolist(), l1.tolist()
    while True:
        change = 0.0
        for j, row in enumerate(system):
            if not (curvature := row[j]) > 0:
                continue
            partial = slope[j] + curvature * b[j]
            after = math.copysign(max(abs(partial) - cost[j], 0.0) / curvature, partial)
            move = after - b[j]
            if move:
                # a few dozen numbers: lists of them are faster than arrays
                slope = [here - move * entry for here, entry in zip(slope, row)]
                b[j] = after
                change = max(change, abs(move))
        yield Sweep(np.array(b), change)


def active_set(gram: Floats, c: Floats, l1: Floats, l2: Floats, start: Floats | None = None) -> Floats:
    """Return the minimum of the same objective, faster from a nearer start."""
    system = gram + np.diag(l2 + RIDGE)
    b = np.zeros(len(c)) if start is None else start.copy()
    signs = np.sign(b)
    optimal_for_signs = not signs.any()
    for _ in range(MOST_MOVES):
        if optimal_for_signs:
            slope = c - system @ b
            violation = np.where(signs == 0, np.abs(slope) - l1, 0.0)
            j = int(violation.argmax())
            if violation[j] <= SLACK:
                break
            signs[j] = np.sign(slope[j])
        b, optimal_for_signs = _move(system, c, l1, b, signs)
        signs = np.sign(b)
    return b


def _move(system: Floats, c: Floats, l1: Floats, b: Floats, signs: Floats) -> tuple[Floats, bool]:
    """Return the minimum for these signs and True, or the best point up to a change of sign and False."""
    (active,) = signs.nonzero()
    goal = np.linalg.solve(system[active][:, active], (c - l1 * signs)[active])
    if (goal * signs[active] > 0).all():
        out = np.zeros_like(b)
        out[active] = goal
        return out, True
    here = b[active]
    way = goal - here
    crossing = np.where(goal * here < 0, here / np.where(way == 0, 1.0, -way), 2.0)
    stops = np.append(np.unique(crossing[(crossing > 0) & (crossing < 1)]), 1.0)
    points = np.zeros((len(stops), len(b)))
    points[:, active] = here + stops[:, None] * way
    points[:, active] *= np.abs(stops[:, None] - crossing) > 0
    value = (0.5 * (points @ system) * points - points * c + np.abs(points) * l1).sum(axis=1)
    return points[int(value.argmin())], False


@dataclass(frozen=True)
class Penalty:
    """The share `mix` of |b|_1 in the penalty; `plain` is ridge, whose strength is not relative to n."""

    mix: float
    plain: bool = False

    def strengths_of(self, problem: StandardisedProblem, lam: float) -> tuple[Floats, Floats]:
        """Return the factors (p,) of |b_j| and of b_j^2 / 2 for slopes of a standardised problem."""
        scale = problem.penalty_scale
        if self.plain:
            return np.zeros(problem.size), lam / problem.n * scale**2
        return lam * self.mix * scale / problem.deviation, lam * (1 - self.mix) * scale**2

    def objective(self, problem: StandardisedProblem, slopes: Floats, lam: float) -> Floats:
        """Return the objective in data units at slopes (..., p)."""
        l1, l2 = self.strengths_of(problem, lam)
        cost = np.abs(slopes) @ l1 + 0.5 * slopes**2 @ l2
        unit = problem.deviation**2 * (2 * problem.n if self.plain else 1.0)
        return np.asarray(unit * (problem.half_error(slopes) + problem.rest + cost))

    def minimum(self, problem: StandardisedProblem, lam: float, start: Floats | None = None) -> Floats:
        """Return the slopes (p,) that minimise the objective."""
        l1, l2 = self.strengths_of(problem, lam)
        if not l1.any():
            return np.asarray(problem.ridge_operator(l2) @ problem.a)
        return active_set(problem.gram, problem.correlations, l1, l2, start)

    def path(self, problem: StandardisedProblem, lams: Floats) -> Floats:
        """Return the slopes (L, p) for each of falling strengths."""
        if self.plain or self.mix == 0:
            l2 = np.stack([self.strengths_of(problem, float(lam))[1] for lam in lams])
            return np.asarray(problem.ridge_operator(l2) @ problem.a)
        slopes, found = np.zeros(problem.size), []
        for lam in lams:
            slopes = self.minimum(problem, float(lam), slopes)
            found.append(slopes)
        return np.stack(found)

    def grid(self, problem: StandardisedProblem) -> Floats:
        """Return falling strengths, from (almost) zero slopes to almost no penalty."""
        scale = problem.penalty_scale
        if self.plain or self.mix < 0.05:
            n = problem.n if self.plain else 1.0
            squares = np.maximum(scale**2, TINY)
            high, low = STRONG * n / float(squares.min()), WEAK * n / float(squares.max())
        else:
            largest = float((np.abs(problem.correlations) / scale).max())
            high = largest * problem.deviation / self.mix or 1.0
            low = DEPTH * high
        high = float(np.clip(high, 1e3 * LOWEST, HIGHEST))
        return np.geomspace(high, float(np.clip(low, LOWEST, high / 10)), COUNT)


class LambdaValidation(NamedTuple):
    """The mean squared error (folds, L) of each fold so far at each strength."""

    lams: Floats
    errors: Floats

    @property
    def mean(self) -> Floats:
        """The mean over folds."""
        return np.asarray(self.errors.mean(axis=0))

    @property
    def standard_error(self) -> Floats:
        """The standard error of that mean."""
        folds = len(self.errors)
        return np.asarray(self.errors.std(axis=0, ddof=1) / math.sqrt(folds) if folds > 1 else 0 * self.lams)

    @property
    def best(self) -> float:
        """The strength of the least mean error, of equals the strongest."""
        return float(self.lams[int(self.mean.argmin())])

    @property
    def one_standard_error(self) -> float:
        """The strongest within one standard error of the best."""
        mean, least = self.mean, int(self.mean.argmin())
        return float(self.lams[int(np.argmax(mean <= mean[least] + self.standard_error[least]))])


def assigned_folds(n: int, folds: int, rng: Generator) -> list[Mask]:
    """Assign n samples to folds at random, of sizes that differ by at most 1; return the mask of each."""
    return list(rng.permutation(np.arange(n) % folds) == np.arange(folds)[:, None])


def cross_validate_lambda(
    penalty: Penalty,
    whole: StandardisedProblem,
    X: Floats,
    y: Floats,
    folds: list[Mask],
    *,
    standardise: bool,
) -> Iterator[LambdaValidation]:
    """Yield the errors as fold after fold is left out; terms are standardised without it."""
    lams, errors = penalty.grid(whole), []
    for out in folds:
        kept = StandardisedProblem.over(whole.basis, X[~out], y[~out], standardise=standardise)
        errors.append(kept.squared_errors(X[out], y[out], penalty.path(kept, lams)).mean(axis=0))
        yield LambdaValidation(lams, np.stack(errors))
