"""The curse of dimensionality: distances, neighbours and corners of the L1 ball over the dimension."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import lgamma, log, pi

import numpy as np
from numpy.random import Generator

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.field.arrays import Floats, Ints
from vizml.field.distances import expanded_distances
from vizml.learn import CLASSIFY, CLUSTER, REGRESS, choice, integer
from vizml.scene import Axis, Chart, Rule, Series
from vizml.scene.typesetting import typeset

DIMENSIONS: Ints = np.array([1, 2, 3, 5, 7, 10, 20, 30, 50, 100, 200, 500, 1000])
QUERIES = 40
"""Number of random points from which distances are measured."""
BAND = 5, 95
"""Percentiles of the queries at the ends of the band."""
HALF = 0.5
"""Edge of the cube of neighbours and radius of their ball, as shares of the range of an input."""
FEWEST = 1e-12
"""Lowest share of neighbours that is shown."""
BUDGET = 0.5
"""Bound of the sum of absolute coefficients in the simulation of the lasso."""
MOST_FACES = 50
"""Highest dimension for which the faces of the L1 ball are counted."""


@diagnostic(
    "dimensionality", title="Dimensionality", tasks=(CLASSIFY, REGRESS, CLUSTER),
    synonyms=("curse of dimensionality", "high-dimensional", "L1 ball", "nearest and farthest distance"),
)  # fmt: skip
class Dimensionality(Diagnostic):
    """Simulation of random points in 1 to 1,000 dimensions, independent of the model and its data."""

    show: str = choice(
        "distances", ("distances", "neighbours", "corners"),
        help="Ratio of the nearest to the farthest distance, share of the points near the centre, or corners "
        "of the L1 ball of the lasso.",
    )  # fmt: skip
    points: int = integer(500, 10, 2000, help="Number of random points, uniform in the unit cube.")

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        rng = np.random.default_rng(subject.seed)
        charts: Mapping[str, Callable[[Generator, int], Chart]] = {
            "distances": _distances, "neighbours": _neighbours, "corners": _corners,
        }  # fmt: skip
        yield ChartResult(charts[self.show](rng, self.points))


def _chart(title: str, y: Axis, series: list[Series], note: str, rules: tuple[Rule, ...] = ()) -> Chart:
    """Return a chart over the dimension."""
    x = Axis(title="dimension d", log=True)
    return Chart(title=title, x=x, y=y, series=tuple(series), rules=rules, note=typeset(note))


def _distances(rng: Generator, points: int) -> Chart:
    """Return the chart of the nearest distance divided by the farthest one."""
    ratios = np.array([distance_ratios(rng, points, d) for d in DIMENSIONS])
    low, high = np.percentile(ratios, BAND, axis=1)
    mean = ratios.mean(axis=1)
    line = Series(name="nearest / farthest", x=DIMENSIONS.astype(float), y=mean, low=low, high=high)
    ends = ", ".join(f"{mean[k]:.2g} for d = {DIMENSIONS[k]:,}" for k in (1, 5, -1))
    note = f"mean of {QUERIES} queries: {ends}; at 1 all points are equally far away"
    rule = Rule(name="all equally far", y=1.0)
    return _chart(
        "Nearest and farthest distance", Axis(title="ratio", low=0.0, high=1.05), [line], note, (rule,)
    )


def distance_ratios(rng: Generator, points: int, d: int) -> Floats:
    """Return the nearest distance divided by the farthest, from random queries to random points."""
    X, Q = rng.random((points, d)), rng.random((QUERIES, d))
    squares = expanded_distances(Q, X)
    found: Floats = np.sqrt(squares.min(axis=1) / squares.max(axis=1))
    return found


def _neighbours(rng: Generator, points: int) -> Chart:
    """Return the chart of the share of points in the middle half of every input, and in the ball."""
    d = DIMENSIONS[ball_shares(DIMENSIONS) > FEWEST].astype(float)
    counted = np.array([_shares(rng, points, int(each)) for each in d])
    cube = Series(name="cube, 0.5ᵈ", x=d, y=HALF**d, ink=0)
    ball = Series(name="ball of radius 0.5", x=d, y=ball_shares(d), ink=1)
    dots = [
        Series(name=f"simulated {name}", x=d[share > 0], y=share[share > 0], kind="dots", ink=ink)
        for ink, (name, share) in enumerate(zip(("cube", "ball"), counted.T))
        if (share > 0).any()
    ]
    note = f"{points:,} points; a cube with half of each range has {100 * HALF**10:.2g} % of them for d = 10"
    return _chart(
        "Neighbours of the centre", Axis(title="share of the points", log=True), [cube, ball, *dots], note
    )


def _shares(rng: Generator, points: int, d: int) -> Floats:
    """Return the shares of random points in the cube and in the ball."""
    offsets = np.abs(rng.random((points, d)) - 0.5)
    inside = (offsets <= HALF / 2).all(axis=1), (offsets**2).sum(axis=1) <= HALF**2
    shares: Floats = np.array(inside).mean(axis=1)
    return shares


def ball_shares(dimensions: Ints | Floats) -> Floats:
    """Return the volume of the ball that touches the faces of the unit cube."""
    logs = [d / 2 * log(pi) - lgamma(d / 2 + 1) + d * log(HALF) for d in np.asarray(dimensions, float)]
    return np.exp(logs)


def _corners(rng: Generator, points: int) -> Chart:
    """Return the chart of corners and faces of the L1 ball, where coefficients are zero."""
    d = DIMENSIONS[DIMENSIONS <= MOST_FACES]
    zeros = {each: zero_share(rng, points, each) for each in (2, 10, 100, 1000)}
    x = d.astype(float)
    series = [
        Series(name="corners, 2d", x=x, y=2 * x, ink=0),
        Series(name="faces of every size, 3ᵈ − 1", x=x, y=3**x - 1, ink=1),
    ]
    shares = ", ".join(f"{100 * share:.0f} % for d = {each:,}" for each, share in zeros.items())
    note = f"zero coefficients: {shares} (lasso with |β|₁ ≤ {BUDGET:g}, least squares of length 1)"
    return _chart("Corners of the L1 ball", Axis(title="number", log=True), series, note)


def zero_share(rng: Generator, points: int, d: int) -> float:
    """Return the share of zero coefficients of the lasso for random least squares of length 1.

    With orthonormal inputs the lasso is the projection onto the L1 ball (Duchi et al., 2008): the
    coefficients b_j = sign(z_j) max(|z_j| - theta, 0).
    """
    Z = rng.normal(size=(points, d))
    sizes = -np.sort(-np.abs(Z) / np.linalg.norm(Z, axis=1, keepdims=True), axis=1)
    excess = (np.cumsum(sizes, axis=1) - BUDGET) / np.arange(1, d + 1)
    kept = (sizes > excess).sum(axis=1)
    return 1 - float(kept.mean()) / d
