"""Subset selection: exhaustive, forward, backward and forward stagewise search, and selection criteria."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from vizml.data.wording import plural
from vizml.field.arrays import Floats, Ints
from vizml.field.cancellation import check_cancelled
from vizml.learn.linear_models.basis_regression import information_criteria
from vizml.learn.linear_models.standardised import CUT, StandardisedProblem

Parents: TypeAlias = tuple[tuple[int, ...], ...]
"""The terms that each term requires; empty ones without the hierarchy principle."""
DEPENDENT = 1e-9
"""A term of which no larger share is orthogonal to the others adds nothing."""
MOST_TERMS = 16
"""The most terms whose subsets are searched exhaustively: 65,536 of them."""
PERFECT = 1e-24
"""An error below this share of the variance is rounding: a likelihood has no bound there."""
CRITERIA = {"adjr2": "adjusted R²", "aic": "AIC", "bic": "BIC", "cp": "Mallows' Cp", "cv": "cross-validation"}


@dataclass(frozen=True, eq=False)
class Subset:
    """Slopes (p,) of standardised terms, zero where a term is out, and the unexplained variance RSS / TSS."""

    slopes: Floats
    unexplained: float
    terms: tuple[int, ...]
    note: str

    @property
    def size(self) -> int:
        """The number of terms."""
        return len(self.terms)


def least_squares_on(problem: StandardisedProblem, terms: tuple[int, ...], note: str) -> Subset:
    """Fit the terms of a subset by least squares."""
    slopes = np.zeros(problem.size)
    if terms:
        chosen = list(terms)
        slopes[chosen] = np.linalg.lstsq(problem.R[:, chosen], problem.a, rcond=CUT)[0]
    return Subset(slopes, _unexplained(problem, slopes), terms, note)


def forward(problem: StandardisedProblem, most: int, *, parents: Parents) -> Iterator[Subset]:
    """Start without terms and add the one that reduces the RSS most."""
    here = least_squares_on(problem, (), "no term")
    yield here
    left = np.column_stack([problem.R, problem.a])
    least = DEPENDENT * np.linalg.norm(problem.R, axis=0)
    while here.size < most:
        check_cancelled()
        length = np.linalg.norm(left[:, :-1], axis=0)
        along = left[:, :-1] / np.where(length > np.maximum(least, 1e-300), length, np.inf)
        gain = (along.T @ left[:, -1]) ** 2
        out = [j for j in range(problem.size) if j not in here.terms and set(parents[j]) <= {*here.terms}]
        j = max(out, key=lambda j: float(gain[j]))
        here = least_squares_on(problem, tuple(sorted((*here.terms, j))), f"add {problem.names[j]}")
        left -= np.outer(along[:, j], along[:, j] @ left)
        yield here


def backward(problem: StandardisedProblem, most: int, *, parents: Parents) -> Iterator[Subset]:
    """Start with all terms (or as many as allowed) and drop the one that increases the RSS least."""
    here = least_squares_on(problem, tuple(range(most)), plural(most, "term"))
    yield here
    while here.size:
        check_cancelled()
        needed = {k for j in here.terms for k in parents[j]}
        tried = [
            least_squares_on(problem, tuple(k for k in here.terms if k != j), f"drop {problem.names[j]}")
            for j in here.terms if j not in needed
        ]  # fmt: skip
        here = min(tried, key=lambda subset: subset.unexplained)
        yield here


def best(problem: StandardisedProblem, most: int, *, parents: Parents) -> Iterator[Subset]:
    """Yield the subset of least RSS of each size."""
    unexplained = every_subset(problem)
    masks = np.arange(len(unexplained))
    bits = (masks[:, None] >> np.arange(problem.size)) & 1
    size = bits.sum(axis=1)
    needed = np.array([sum(1 << k for k in above) for above in parents], dtype=np.int64)
    allowed = ((bits == 0) | (masks[:, None] & needed == needed)).all(axis=1)
    for count in range(most + 1):
        rows: Ints = np.flatnonzero(allowed & (size == count))
        terms = tuple(int(j) for j in np.flatnonzero(bits[rows[int(unexplained[rows].argmin())]]))
        names = ", ".join(problem.names[j] for j in terms)
        yield least_squares_on(problem, terms, f"best of {len(rows):,}: {names}" if terms else "no term")


def stagewise(problem: StandardisedProblem, most: int, step: float, rounds: int) -> Iterator[Subset]:
    """Move the slope of the term most correlated with the residual by small steps."""
    slopes, correlations = np.zeros(problem.size), problem.correlations.copy()
    yield Subset(slopes.copy(), _unexplained(problem, slopes), (), "no term")
    for _ in range(rounds if problem.size else 0):
        free = slopes != 0 if (slopes != 0).sum() >= most else np.ones(problem.size, dtype=bool)
        j = int(np.where(free, np.abs(correlations), -1.0).argmax())
        if abs(correlations[j]) <= step / 2:
            return
        move = step if correlations[j] > 0 else -step
        slopes[j] += move
        slopes[j] = 0.0 if abs(slopes[j]) < step / 2 else slopes[j]
        correlations -= move * problem.gram[j]
        terms = tuple(int(k) for k in np.flatnonzero(slopes))
        note = f"{'+' if move > 0 else '−'}{step:.3g} on {problem.names[j]}"
        yield Subset(slopes.copy(), _unexplained(problem, slopes), terms, note)


def every_subset(problem: StandardisedProblem) -> Floats:
    """Return the unexplained variance of every subset, indexed by its bit mask.

    Term after term is taken in or left out; the parts of later terms and of y that are orthogonal to the
    terms taken in are updated for all subsets at once.
    """
    left = np.column_stack([problem.R, problem.a])[None]
    whole = np.linalg.norm(problem.R, axis=0)
    for j in range(problem.size):
        first, rest = left[:, :, 0], left[:, :, 1:]
        length = np.sqrt(np.einsum("ij,ij->i", first, first))
        independent = length > DEPENDENT * max(float(whole[j]), 1e-300)
        unit = first / np.where(independent, length, np.inf)[:, None]
        taken = rest - unit[:, :, None] * np.matmul(unit[:, None, :], rest)
        left = np.concatenate([rest, taken])
    return np.asarray((left[:, :, 0] ** 2).sum(axis=1)) + 2 * problem.rest


METHODS: dict[str, Callable[..., Iterator[Subset]]] = {"best": best, "forward": forward, "backward": backward}


def criterion_score(criterion: str, problem: StandardisedProblem, subset: Subset, noise: float) -> float:
    """Return 1 - adjusted R2, AIC, BIC or Cp: lower is better."""
    n, p = problem.n, subset.size + 1
    if criterion == "adjr2":
        return subset.unexplained * (n - 1) / (n - p) if n > p else math.inf
    if criterion == "cp":
        return mallows_cp(n, subset, noise)
    variance = max(subset.unexplained, PERFECT) * problem.deviation**2
    return information_criteria(n, variance, p)[CRITERIA[criterion]]


def mallows_cp(n: int, subset: Subset, noise: float) -> float:
    """Return Cp = RSS / s^2 - n + 2 p, about p without bias; s^2 is the full model's noise variance."""
    return n * subset.unexplained / noise - n + 2 * (subset.size + 1)


def full_model_noise(problem: StandardisedProblem, most: int) -> float:
    """Return the noise variance of the largest model as a share of the variance of y; NaN if unknown."""
    if problem.n <= most + 1:
        return math.nan
    full = least_squares_on(problem, tuple(range(most)), "")
    return max(problem.n * full.unexplained / (problem.n - most - 1), PERFECT)


def _unexplained(problem: StandardisedProblem, slopes: Floats) -> float:
    return 2 * (float(problem.half_error(slopes)) + problem.rest)
