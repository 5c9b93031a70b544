"""Probabilities and deviations of Gaussian processes on a raster, from the nodes of adaptive tiles."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TypeAlias

import numpy as np

from vizml.field.arrays import Floats, Ints, Mask
from vizml.field.cancellation import check_cancelled
from vizml.field.raster import ORTHOGONAL
from vizml.field.tiles import PLACES, TiledField
from vizml.learn.gaussian_processes.covariance import Covariance, Real
from vizml.learn.gaussian_processes.posterior import (
    ExactPosterior,
    Posterior,
    mean_logistic,
    root_of,
    triangular_inverse,
)

WIDEST = 2.5
"""Widest tile in lengths near a point: a bump could hide between the nodes of a wider one."""
REACH = {"rbf": 7.0, "matern52": 13.0, "matern32": 16.0}
"""Lengths after which a covariance is below 1e-10 of the variance."""
HEARD, SHARE = 0.06, 0.006
"""Covariances below this, and below this share of the variance, explain next to none of a variance; inducing
points are an exception, as their weights nearly cancel.
"""
PAIRS = 1 << 18
"""Covariances of points and places at a time: they stay in the cache."""
TOLERANCE = 1.5e-4
"""Error allowed in a probability: a 25th of a shade of 8 bits."""
BOUNDARY = 0.25
"""Error allowed in the position of a boundary, in pixels."""
FLOOR = 4e-7
"""Error of probabilities in single precision."""
ROUNDING, QUIET = 2.0**-24, 5e-5
"""Relative error of single precision, which is used where it moves no probability by `QUIET`."""
BY_VARIANCE = 0.03
"""Largest derivative of a probability by the variance (by the mean it is 1/4)."""
FIRST, MOST = 64, 0.6
"""First number of directions, and the share of all points beyond which fewer do not pay."""
STRONG = 1e4
"""Sum of the eigenvalues of S above which its directions are found in double precision."""
PROBES = 64
"""Points beside which the variance by few directions is checked."""
SLIGHT = 7e-3
"""Variance that may be missed at a probe: it moves a probability by a hundredth of that at the most."""
FALL, LEAST = 4.0, 8
"""The missed variance falls with this power of the number of directions; so many are added at least."""


class PosteriorField:
    """The posteriors of one process for each class or for one of two classes, on a plane of the input space.

    The plane is origin + u basis[0] + v basis[1].
    """

    def __init__(self, posteriors: Sequence[Posterior], origin: Floats, basis: Floats) -> None:
        groups = [PlaneCovariances.of(group, origin, basis) for group in _alike(posteriors)]
        error = 5.0 * TOLERANCE * math.sqrt(groups[0].covariance.variance)
        hides = partial(_hides, groups)
        self.probabilities = TiledField(len(posteriors), partial(_chances, groups), _steady, hides)
        """The probabilities (K, H, W) of the processes."""
        self.deviation = TiledField(len(posteriors), partial(_deviations, groups), lambda *_: error, hides)
        """The standard deviation of f (1, H, W) of a single process."""


@dataclass(frozen=True, eq=False)
class PlaneCovariances:
    """Covariances of a plane with the points of posteriors that have points and covariance in common."""

    covariance: Covariance
    exact: bool
    """Whether the points are all training points."""
    coordinates: Floats
    """Orthogonal coordinates (2, n) of the feet of the points on the plane, in lengths."""
    aside: Floats
    """Squared distances (n,) of the points from the plane, in lengths."""
    scale: tuple[float, float, float]
    """The coordinates of (u, v), in lengths, are scale[0] u + scale[1] v and scale[2] v."""
    means: Real
    """Weights (n, K) of the covariances in the means."""
    roots: Sequence[Real]
    """H of each posterior, for covariances of variance 1."""

    @classmethod
    def of(cls, posteriors: Sequence[Posterior], origin: Floats, basis: Floats) -> PlaneCovariances:
        first, variance = posteriors[0], posteriors[0].covariance.variance
        frame = np.linalg.cholesky(basis @ basis.T)  # directions in orthogonal ones
        directions = np.linalg.solve(frame, basis)
        apart = (first.points - origin) / first.covariance.length
        coordinates = directions @ apart.T
        rest = apart - coordinates.T @ directions
        along, shear, across = (frame[[0, 1, 1], [0, 0, 1]] / first.covariance.length).tolist()
        means = variance * np.stack([each.a for each in posteriors], axis=1)
        beside = first.points[:: max(len(first.points) // PROBES, 1)] + first.covariance.length / 100.0
        strength = max(float(p.roots @ p.roots) if isinstance(p, ExactPosterior) else 0.0 for p in posteriors)
        kind = np.float64 if variance * strength > STRONG else np.float32
        K: Real = first.covariance(first.points, first.points).astype(kind)
        probes: Real = first.covariance(beside, first.points).astype(kind)
        roots = [variance * few_directions(each, K, probes) for each in posteriors]
        lost = max(float(np.abs(R).sum(axis=0).max(initial=0.0)) * math.sqrt(R.shape[1]) for R in roots)
        errors = np.abs(means).sum(axis=0).max(initial=0.0) / 4, BY_VARIANCE * 2 * math.sqrt(variance) * lost
        single = ROUNDING * max(errors) <= QUIET
        dtype = np.float32 if single else np.float64
        return cls(
            first.covariance, all(isinstance(each, ExactPosterior) for each in posteriors),
            coordinates, (rest * rest).sum(axis=1),
            (along, shear if abs(shear) > ORTHOGONAL * along else 0.0, across), means.astype(dtype),
            [R.astype(dtype) for R in roots],
        )  # fmt: skip

    def moments(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Return means and variances (t, K, b, a) on the grids of tiles with x (t, a) and y (t, b)."""
        count, (reach, short) = len(self.roots), self._reaches
        out: Real = np.zeros((len(x), y.shape[1] * x.shape[1], 2 * count), dtype=self.means.dtype)
        for tiles in self._neighbourhoods(x, y, short / 2.0):
            away = self._distances(x[tiles], y[tiles])
            near = np.argsort(away)[: np.count_nonzero(away <= reach)]
            close = near[: np.count_nonzero(away <= short)]
            weights, places = self.means[near], out.shape[1]
            roots = [R[close] for R in self.roots]
            step = max(PAIRS // (places * max(len(near), 1)), 1)
            for start in range(0, len(tiles) if len(near) else 0, step):
                check_cancelled()
                part = tiles[start : start + step]
                k = self._unit(x[part], y[part], near)
                squares = (np.square(k[:, : len(close)] @ R).sum(axis=1, keepdims=True) for R in roots)
                out[part] = np.hstack([k @ weights, *squares]).reshape(len(part), -1, 2 * count)
        grids = np.moveaxis(out.astype(np.float64).reshape(len(x), y.shape[1], x.shape[1], -1), 3, 1)
        return grids[:, :count], np.maximum(self.covariance.variance - grids[:, count:], 0.0)

    def hides(self, x: Floats, y: Floats) -> Mask:
        """Whether tiles with ends x and y (t, 2) are too wide for the bumps of points near them."""
        ends = self._box(x, y)
        wide = np.maximum(*(np.ptp(each, axis=1) for each in ends))
        if wide.max() <= WIDEST:
            return np.zeros(len(x), dtype=bool)
        squares = np.tile(self.aside, (len(x), 1))
        for each, at in zip(ends, self.coordinates):
            low, high = (end(axis=1, keepdims=True) for end in (each.min, each.max))
            squares += np.square(np.maximum(np.maximum(low - at, at - high), 0.0))
        away = np.sqrt(squares.min(axis=1))
        return np.asarray((away < REACH[self.covariance.names[0]]) & (wide > WIDEST * (1.0 + np.sqrt(away))))

    @cached_property
    def _reaches(self) -> tuple[float, float]:
        """Return the distances in length scales up to which points contribute to means and to variances."""
        names, variance = self.covariance.names, self.covariance.variance
        away = np.linspace(0.0, REACH[names[0]], 200)
        heard = Covariance(names, 1.0, 1.0).of_squares(away**2) > (
            min(HEARD / variance, SHARE) if self.exact else 0.0
        )
        return float(away[-1]), float(away[heard].max())

    def _unit(self, x: Floats, y: Floats, near: Ints) -> Real:
        """Return covariances (t * b * a, m) of variance 1 of all places of tiles with some points."""
        covariance = Covariance(self.covariance.names, 1.0, 1.0)
        across, down = (  # (t, 1 or b, a, m) and (t, b, 1, m)
            np.square(grid[..., None] - at[near]).astype(self.means.dtype)
            for grid, at in zip(self._places(x, y), self.coordinates)
        )
        down += self.aside[near].astype(self.means.dtype)
        if covariance.names == ("rbf",):
            down, across = covariance.of_squares(down), covariance.of_squares(across)
            return np.asarray((down * across).reshape(-1, len(near)))
        return covariance.of_squares(down + across).reshape(-1, len(near))

    def _places(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Return the coordinates (t, 1 or b, a) and (t, b, 1) of grids with x (t, a) and y (t, b)."""
        along, shear, across = self.scale
        u, v = along * x[:, None], y[:, :, None]
        return u + shear * v if shear else u, across * v

    def _box(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Return the coordinates (t, m) of grids along either axis."""
        across, down = self._places(x, y)
        return across.reshape(len(x), -1), down.reshape(len(x), -1)

    def _neighbourhoods(self, x: Floats, y: Floats, side: float) -> Iterator[Ints]:
        """Group tiles by squares of a side in lengths."""
        middle = np.column_stack([each.mean(axis=1) for each in self._box(x, y)])
        cell = np.floor((middle - middle.min(axis=0, initial=np.inf)) / side)
        order = np.lexsort(cell.T)
        yield from np.split(order, np.flatnonzero(np.diff(cell[order], axis=0).any(axis=1)) + 1)

    def _distances(self, x: Floats, y: Floats) -> Floats:
        """Return the distances (n,) of the points from a box around tiles, in lengths."""
        squares = self.aside.copy()
        for grid, at in zip(self._places(x, y), self.coordinates):
            squares += np.square(np.maximum(np.maximum(grid.min() - at, at - grid.max()), 0.0))
        return np.sqrt(squares)


Groups: TypeAlias = Sequence[PlaneCovariances]


def _chances(groups: Groups, x: Floats, y: Floats) -> Floats:
    chances = mean_logistic(*_moments(groups, x, y))
    total = chances.sum(axis=1, keepdims=True) if chances.shape[1] > 1 else 1.0
    return np.asarray(chances / total)


def _deviations(groups: Groups, x: Floats, y: Floats) -> Floats:
    return np.sqrt(_moments(groups, x, y)[1])


def _moments(groups: Groups, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    means, variances = (
        np.concatenate(each, axis=1) for each in zip(*(group.moments(x, y) for group in groups))
    )
    return means, variances


def _hides(groups: Groups, x: Floats, y: Floats) -> Mask:
    return np.asarray(np.any([group.hides(x, y) for group in groups], axis=0))


def few_directions(posterior: Posterior, K: Real, probes: Real) -> Real:
    """Return H (n, r) with few columns, from the covariances of the points and of probes (m, n) with them.

    b'(I + S)^-1 b, S = W^1/2 K W^1/2, b = W^1/2 k(x), is solved by Galerkin's method in a random range of S.
    """
    if not isinstance(posterior, ExactPosterior):
        return root_of(posterior)
    rng, n, roots = np.random.default_rng(0), len(K), posterior.roots.astype(K.dtype)
    S, b = roots[:, None] * K * roots, (probes * roots).T
    Q, count = np.empty((n, 0), dtype=K.dtype), FIRST
    while Q.shape[1] + count < MOST * n:
        Y = S @ rng.standard_normal((n, count)).astype(K.dtype)
        Q = np.linalg.qr(np.hstack([Q, Y - Q @ (Q.T @ Y)]))[0]
        SQ = Q + S @ Q
        half = triangular_inverse(np.asarray(np.linalg.cholesky(Q.T @ SQ)))
        left = b - SQ @ (half.T @ (half @ (Q.T @ b)))
        missed = float(np.square(left).sum(axis=0).max())
        if missed <= SLIGHT:
            return np.asarray(roots[:, None] * (Q @ half.T))
        wanted = (missed / SLIGHT) ** (1.0 / FALL) - 1.0
        count = max(int(min(wanted, 0.5) * Q.shape[1]), LEAST)
    return root_of(posterior)


def _alike(posteriors: Sequence[Posterior]) -> list[Sequence[Posterior]]:
    """Group posteriors with points and covariance in common."""
    first = posteriors[0]
    alike = all(p.points is first.points and p.covariance == first.covariance for p in posteriors)
    return [posteriors] if alike else [[each] for each in posteriors]


def _steady(values: Floats, size: int) -> Floats:
    """Return the error of probabilities in tiles (t,) that moves no boundary too far and creates none."""
    planes = values if values.shape[1] > 1 else np.concatenate([1.0 - values, values], axis=1)
    ranked = np.sort(planes, axis=1)
    lead, winner = ranked[:, -1] - ranked[:, -2], planes.argmax(axis=1)
    least, crossed = np.full(len(values), np.inf), np.zeros(len(values), dtype=bool)
    for first, by in ((winner, lead), (winner.swapaxes(1, 2), lead.swapaxes(1, 2))):
        change = first[:, 1:] != first[:, :-1]
        slope = (by[:, 1:] + by[:, :-1]) / (size / 2 * -np.diff(PLACES)[:, None])
        least = np.minimum(least, np.where(change, slope, np.inf).min(axis=(1, 2)))
        crossed |= change.any(axis=(1, 2))
    error = 0.5 * np.where(crossed, BOUNDARY * least, lead.min(axis=(1, 2)))
    return np.asarray(np.clip(error, FLOOR, TOLERANCE))
