"""The posterior of weights with a Gaussian prior: N(m, S), S^-1 = alpha I + beta T'T, m = beta S T'y.

The intercept has a flat prior, so that the mean is ridge's: where y = 0 lies must not matter.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from vizml.learn.linear_models.sums import Sums
from vizml.learn.linear_models.tall import triangle_of
from vizml.learn.state import Floats, Ints

ROUNDS, STILL = 200, 1e-10
"""Of the climb of the evidence: the most, and the relative change that ends it."""
FEW = 24
"""So many points make systems that are small enough to be reduced all at once."""
FLOOR, CEILING = 1e-9, 1e12
"""Precisions stay between these, in units of the variances of terms and y: a perfect fit has no noise."""


class Posterior(NamedTuple):
    """After `seen` points: the mean (p + 1,) and a root S = R R' (p + 1, p + 1), the intercept first."""

    seen: int
    mean: Floats
    root: Floats
    width: float
    """The root mean square of the deviations of all weights."""
    evidence: float
    """The log density of those points, given the first of them."""


def posteriors(columns: Floats, y: Floats, prior: Floats, beta: float, counts: Ints) -> list[Posterior]:
    """After the first so many points, for each of rising counts; prior (p,) is the precision of each slope.

    A QR of the triangle so far and the new rows: precisions are never squared.
    """
    p = columns.shape[1]
    rows = math.sqrt(beta) * np.column_stack([np.ones(len(y)), columns, y])
    first = np.zeros((p + 2, p + 2))
    first[:p, 1:-1] = np.diag(np.sqrt(prior))
    few = int(np.searchsorted(counts, FEW, side="right"))
    systems = np.empty((len(counts), p + 2, p + 2))
    systems[:few] = _beginnings(first, rows, counts[:few])
    done, system = (int(counts[few - 1]), systems[few - 1]) if few else (0, first)
    for place, count in enumerate(counts[few:].tolist(), start=few):
        system = triangle_of(np.concatenate([system, rows[done:count]]))
        systems[place], done = system, count
    triangles = systems[:, :-1, :-1]
    roots = np.linalg.inv(triangles)
    means = (roots @ systems[:, :-1, -1:])[:, :, 0]
    heavy = np.log(np.abs(np.diagonal(triangles, axis1=1, axis2=2))).sum(axis=1) - 0.5 * np.log(prior).sum()
    noise = 0.5 * counts * math.log(beta / (2 * math.pi)) + 0.5 * math.log(2 * math.pi)
    evidence = noise - heavy - 0.5 * systems[:, -1, -1] ** 2
    widths = np.sqrt((roots**2).sum(axis=(1, 2)) / (p + 1)).tolist()
    return [Posterior(*each) for each in zip(counts.tolist(), means, roots, widths, evidence.tolist())]


def _beginnings(first: Floats, rows: Floats, counts: Ints) -> Floats:
    """The triangles (k, p + 2, p + 2) of the prior and the first so many rows, for few counts at once."""
    most = int(counts[-1]) if len(counts) else 0
    taken = np.where(np.arange(most)[:, None] < counts[:, None, None], rows[:most], 0.0)
    before = np.broadcast_to(first, (len(counts), *first.shape))
    return np.asarray(np.linalg.qr(np.concatenate([before, taken], axis=1), mode="r"))


def most_evident(sums: Sums, alpha: float | None, beta: float | None) -> tuple[float, float]:
    """The precisions of prior and noise that make the data likeliest; those that are given stay.

    alpha = g / |b|^2 and beta = (n - 1 - g) / RSS, where g of the slopes are known from the data.
    """
    least = float(sums.price.min())  # that of a far power may be 1e-90: all is told beside it
    left, size, _ = np.linalg.svd(sums.triangle / (sums.price / least))
    known = (left.T @ sums.answer)[: len(size)]
    bend, n, unit = sums.n * size**2, sums.n, sums.spread**2
    square = max(least**2, 1e-300)
    a, b = alpha * unit * square if alpha else 1.0, beta * unit if beta else 10.0
    answers = known * known
    longest = np.divide(answers, size * size, out=np.zeros(len(size)), where=size > 0)
    for _ in range(ROUNDS):
        before = (a, b)
        share = b * bend / (a + b * bend)
        left_out = 1 - share
        g = float(share.sum())
        rss = 2 * n * sums.rest + n * float((left_out * left_out) @ answers)
        a = a if alpha else _bounded(g, float((share * share) @ longest))
        b = b if beta else _bounded(n - 1 - g, rss)
        if abs(a - before[0]) <= STILL * a and abs(b - before[1]) <= STILL * b:
            break
    return alpha or a / unit / square, beta or b / unit


def _bounded(freedom: float, squares: float) -> float:
    return min(max(freedom / max(squares, 1e-300), FLOOR), CEILING)
