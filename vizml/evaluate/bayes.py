"""The Bayes classifier of a generator, argmax_k p(x, k), and its error 1 - integral of max_k p(x, k)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from vizml.data import describe, parse_spec
from vizml.data.generator import ClassDensities, quadrature
from vizml.data.wording import quoted
from vizml.field.arrays import Bounds, Floats, Ints
from vizml.field.kernels import ProductKernel, product_shares
from vizml.field.raster import Field, Raster
from vizml.learn.gaussians import log_sum_exp
from vizml.learn.state import softmax

CHUNK = 1 << 20
"""Terms that are computed at a time."""
STEP, BEYOND = 0.15, 6.0
"""Distance of points at which densities are integrated, and width of the border, in units of the noise."""
MOST_STEPS = 1200
"""Largest number of these points along each axis."""


@dataclass(frozen=True, eq=False)
class BayesClassifier:
    """The classifier with the lowest error, which only those know who know the densities p(x, k)."""

    densities: ClassDensities

    @property
    def sizes(self) -> list[int]:
        """Number of centres of each class."""
        return [len(centres) for centres in self.densities.centres]

    @cached_property
    def _parts(self) -> list[slice]:
        """The centres of each class among all."""
        return [slice(start, stop) for start, stop in pairwise(np.cumsum([0, *self.sizes]).tolist())]

    @cached_property
    def _centres(self) -> Floats:
        """The centres of all classes in units of the noise, along the axes of its frame."""
        return self._framed(np.concatenate(self.densities.centres))

    @cached_property
    def _log_weights(self) -> Floats:
        weights = np.concatenate(self.densities.weights)
        return np.log(weights, out=np.full(len(weights), -np.inf), where=weights > 0)

    def _framed(self, X: Floats) -> Floats:
        return np.asarray(X @ np.linalg.inv(self.densities.frame))

    @cached_property
    def _nodes(self) -> tuple[Floats, Floats]:
        """Nodes (J,) along a side of the squares, and the logarithms of their weights."""
        half = self.densities.half
        t, weights = quadrature(-half, half, 2.0 * half, noise=1.0) if half else (np.zeros(1), np.ones(1))
        return t, np.log(weights)

    def _exponents(self, axis: Floats, places: Floats) -> Floats:
        """Return the logarithms (m, n) of the factors along one axis, averaged over the sides of squares."""
        if not self.densities.half:
            return np.asarray(-0.5 * (axis[:, None] - places) ** 2)
        different, where = np.unique(places, return_inverse=True)
        t, log_weights = self._nodes
        terms = log_weights - 0.5 * (axis[:, None, None] - different[:, None] - t) ** 2
        return log_sum_exp(terms)[:, where]

    def scores(self, X: ArrayLike) -> Floats:
        """Return log p(x, k) (m, K) at points (m, 2); the difference of two classes is their log-odds."""
        Z = self._framed(np.atleast_2d(np.asarray(X, dtype=np.float64)))
        unit = np.log(2.0 * np.pi * abs(np.linalg.det(self.densities.frame)))
        out = np.empty((len(Z), len(self.sizes)))
        size = max(CHUNK // (len(self._centres) * len(self._nodes[0])), 1)
        for start in range(0, len(Z), size):
            rows = slice(start, start + size)
            across, down = (self._exponents(z[rows], places) for z, places in zip(Z.T, self._centres.T))
            terms = across + down + self._log_weights
            out[rows] = np.column_stack([log_sum_exp(terms[:, part]) for part in self._parts]) - unit
        return out

    def proba(self, X: ArrayLike) -> Floats:
        """Return P(k | x) (m, K)."""
        return softmax(self.scores(X))

    def predict(self, X: ArrayLike) -> Ints:
        """Return the code of the most probable class of each point."""
        return np.asarray(self.scores(X).argmax(axis=1))

    @cached_property
    def error(self) -> float:
        """The lowest error of any classifier, integrated to about 1e-4."""
        border = self.densities.half + BEYOND
        low, high = self._centres.min(axis=0) - border, self._centres.max(axis=0) + border
        width, height = (min(int(np.ceil(side / STEP)), MOST_STEPS) for side in high - low)
        joint = self._joint(Raster.over(_bounds(low, high), width, height), relative=False)
        return float(1.0 - joint.max(axis=0).sum() / joint.sum())

    def _joint(self, raster: Raster, *, relative: bool) -> Floats:
        """Return p(x, k) (K, H, W) but for a constant, or relative to the largest factors at each x and y."""
        across, down = (
            self._exponents(axis, places) for axis, places in zip((raster.x, raster.y), self._centres.T)
        )
        if relative:
            across, down = (each - each.max(axis=1, keepdims=True) for each in (across, down))
        across, down = np.exp(across), np.exp(down + self._log_weights)
        return np.stack([down[:, part] @ across[:, part].T for part in self._parts])

    @property
    def nearest_neighbour_bound(self) -> float:
        """The bound of Cover and Hart of the error of 1-NN on many points: e (2 - K e / (K - 1))."""
        classes = len(self.sizes)
        return self.error * (2.0 - classes * self.error / (classes - 1))

    def shares(self, bounds: Bounds, width: int, height: int) -> tuple[Field, Raster]:
        """Return P(k | x) (K, H, W) over a rectangle, on a raster in the frame of the noise."""
        left, right, bottom, top = bounds
        corners = self._framed(np.array([[x, y] for x in (left, right) for y in (bottom, top)]))
        raster = Raster.over(_bounds(corners.min(axis=0), corners.max(axis=0)), width, height)
        if self.densities.half:  # the squares of all classes form a grid, with one of them in reach
            joint = self._joint(raster, relative=True)
            return (joint / joint.sum(axis=0)).astype(np.float32), raster
        kernel = ProductKernel(0.5, 2)
        return product_shares(raster, kernel, self._centres, self._log_weights, self.sizes), raster


@lru_cache(maxsize=8)
def bayes(spec: str) -> BayesClassifier:
    """Return the Bayes classifier of a generator with options, such as 'moons:noise=0.3'.

    ValueError where the densities are not known: of measured data, or without noise.
    """
    name, options = parse_spec(spec)
    found = describe(name).class_densities(**options)
    if found is None:
        raise ValueError(f"the densities of the classes of {quoted(spec)} are not known")
    return BayesClassifier(found)


def bayes_of(spec: str) -> BayesClassifier | None:
    """Return the Bayes classifier of a generator; None for other data, and where it is not known."""
    try:
        return bayes(spec)
    except ValueError:
        return None


def _bounds(low: Floats, high: Floats) -> Bounds:
    return float(low[0]), float(high[0]), float(low[1]), float(high[1])
