"""Bayesian linear regression: w ~ N(m, S), S^-1 = alpha I + beta T'T, m = beta S T'y, and its evidence.

The intercept has a flat prior, so that the mean is ridge's and does not depend on the origin of y.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from vizml.field.arrays import Floats, Ints
from vizml.learn.linear_models.standardised import StandardisedProblem, qr_triangle

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
    evidence = noise - log_det - 0.5 * systems[:, -1, -1] ** 2
    deviations = np.sqrt((roots**2).sum(axis=(1, 2)) / (p + 1)).tolist()
    parts = zip(counts.tolist(), means, roots * np.sign(diagonals)[:, None], deviations, evidence.tolist())
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
