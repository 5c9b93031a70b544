"""Bumps that the points of a density stand for: their logs, the fields of their sums and of their shares."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vizml.field import Field, Raster
from vizml.field.caps import caps, caps_field
from vizml.field.shares import GaussianProduct, LaplaceProduct, Product, product_shares
from vizml.learn.state import Floats

BUMPS = {
    "gaussian": "Gaussian",
    "laplace": "Laplace",
    "epanechnikov": "Epanechnikov",
    "box": "box (disc)",
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Groups:
    """Centres (n, 2) of K classes, one class after another, and the weight of a point of each (K,)."""

    centres: Floats
    sizes: tuple[int, ...]
    weights: Floats

    def __post_init__(self) -> None:
        self.centres.flags.writeable = self.weights.flags.writeable = False

    @property
    def each(self) -> Floats:
        """The weight of each centre (n,)."""
        return np.repeat(self.weights, self.sizes)

    @property
    def priors(self) -> Floats:
        """What the weights of each class sum to."""
        return np.asarray(self.weights * np.array(self.sizes))


@dataclass(frozen=True)
class Bump(ABC):
    """A kernel with its bandwidth, 1 at its centre, and its integral over the plane."""

    bandwidth: float
    volume: float
    corners: int = 96
    """Of the outline: many make a circle."""

    @abstractmethod
    def logs(self, X: Floats, centres: Floats) -> Floats:
        """ln k of each pair (m, n)."""

    @abstractmethod
    def sum_field(self, raster: Raster, groups: Groups) -> Field:
        """sum_i w_i k(c_i - x) over all groups (1, H, W)."""

    @abstractmethod
    def share_field(self, raster: Raster, groups: Groups) -> Field:
        """What `shares` says at the pixels of a raster (K, H, W)."""

    def shares(self, X: Floats, groups: Groups) -> Floats:
        """The part (m, K) that each class has in the sum; where there is none, the priors."""
        return shares_of(self.logs(X, groups.centres), groups)

    def sums(self, X: Floats, groups: Groups) -> Floats:
        """sum_i w_i k(c_i - x) of each class (m, K)."""
        terms = np.exp(self.logs(X, groups.centres)) * groups.each
        return np.asarray(np.add.reduceat(terms, _starts(groups.sizes), axis=1))

    @property
    def outline(self) -> Floats:
        """The line around the origin that lies at the bandwidth."""
        turn = np.arange(self.corners) * (2.0 * np.pi / self.corners)
        return self.bandwidth * np.column_stack([np.cos(turn), np.sin(turn)])


@dataclass(frozen=True)
class Smooth(Bump):
    """A bump without an end, which is a product over the axes."""

    product: Product = GaussianProduct(1.0)

    def logs(self, X: Floats, centres: Floats) -> Floats:
        across, down = (X[:, axis, None] - centres[:, axis] for axis in (0, 1))
        return np.asarray(self.product.exponent(across) + self.product.exponent(down))

    def sum_field(self, raster: Raster, groups: Groups) -> Field:
        return self.product.sums(raster, groups.centres, groups.each[None])

    def share_field(self, raster: Raster, groups: Groups) -> Field:
        return product_shares(raster, self.product, groups.centres, groups.each, groups.sizes)


@dataclass(frozen=True)
class Cap(Bump):
    """(1 - |d|^2 / h^2)^power within the bandwidth, nothing beyond."""

    power: int = 0

    def logs(self, X: Floats, centres: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            return np.log(caps(X, centres, self.bandwidth, self.power))

    def sum_field(self, raster: Raster, groups: Groups) -> Field:
        each = self._each(raster, groups)
        return np.asarray(np.tensordot(groups.weights.astype(np.float32), each, axes=1)[None])

    def share_field(self, raster: Raster, groups: Groups) -> Field:
        out = self._each(raster, groups)
        out *= groups.weights.astype(np.float32)[:, None, None]
        total = out.sum(axis=0)
        nothing = total <= 0
        total[nothing] = 1.0
        out /= total
        for plane, prior in zip(out, groups.priors):
            plane[nothing] = prior
        return out

    def _each(self, raster: Raster, groups: Groups) -> Field:
        return caps_field(raster, groups.centres, groups.sizes, self.bandwidth, self.power)


def bump(kernel: str, h: float) -> Bump:
    """The bump of a name and a bandwidth."""
    if kernel == "gaussian":
        return Smooth(h, 2.0 * math.pi * h * h, product=GaussianProduct(0.5 / (h * h)))
    if kernel == "laplace":
        return Smooth(h, 4.0 * h * h, corners=4, product=LaplaceProduct(1.0 / h))
    power = int(kernel == "epanechnikov")
    return Cap(h, math.pi * h * h / (1 + power), power=power)


def shares_of(logs: Floats, groups: Groups) -> Floats:
    """The shares (m, K) from ln k of each pair (m, n); the priors where all are -inf."""
    logs = logs + np.log(groups.each)
    top = logs.max(axis=1, keepdims=True)
    terms = np.exp(logs - np.where(np.isfinite(top), top, 0.0))
    sums = np.add.reduceat(terms, _starts(groups.sizes), axis=1)
    total = sums.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        return np.where(total > 0, sums / total, groups.priors)


def _starts(sizes: Sequence[int]) -> list[int]:
    return [0, *np.cumsum(sizes)[:-1].tolist()]
