"""Counts, means and covariances (1/n) of classes, and what stands in for a singular covariance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from vizml.learn.state import Floats
from vizml.learn.training_data import TrainingData

FLAT = 1e-10
"""A covariance whose 1 - correlation^2 is below this has no width across its line."""
WIDENED = 1e-6
"""The share of its largest variance that such a covariance is widened by."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Moments:
    """Of each of K classes, and of all points as if they were one."""

    counts: Floats
    means: Floats
    covariances: Floats
    mean: Floats
    covariance: Floats

    @classmethod
    def of(cls, data: TrainingData) -> Self:
        groups = [data.points[data.labels == label] for label in data.present]
        return cls(
            counts=np.array([len(group) for group in groups], dtype=np.float64),
            means=np.array([group.mean(axis=0) for group in groups]),
            covariances=np.array([_covariance(group) for group in groups]),
            mean=data.points.mean(axis=0),
            covariance=_covariance(data.points),
        )

    def told(self, name: str, k: int) -> str:
        """A class in words, but for its shape."""
        count, (x, y) = self.counts[k], self.means[k]
        points = "1 point" if count == 1 else f"{count:.0f} points"
        return f"class {name}: {points}, mean ({x:.4g}, {y:.4g})"

    def about(self, centres: Floats) -> Floats:
        """The mean squares (K, 2, 2) of each class about a centre (K, 2) of it."""
        off = self.means - centres
        return np.asarray(self.covariances + off[:, :, None] * off[:, None, :])

    def surprise(self, priors: Floats, centres: Floats, covariances: Floats) -> float:
        """-sum_i ln p(x_i, y_i) of Gaussians at these centres."""
        far = np.einsum("kij,kji->k", np.linalg.inv(covariances), self.about(centres))
        size = np.linalg.slogdet(covariances)[1]
        return float(self.counts @ (math.log(2 * math.pi) - np.log(priors) + (size + far) / 2))


def shrunk(covariance: Floats, shrinkage: float) -> Floats:
    """Pulled towards a circle of the same total variance, (1 - s) S + s tr(S)/2 I."""
    circle = np.trace(covariance) / 2.0 * np.eye(2)
    return np.asarray((1.0 - shrinkage) * covariance + shrinkage * circle)


def singular(covariance: Floats) -> bool:
    """Whether it has no width in some direction, in whatever units its axes are."""
    (xx, xy), (_, yy) = covariance
    return bool(not (xx > 0 and yy > 0) or 1.0 - (xy / np.sqrt(xx * yy)) ** 2 < FLAT)


def widened(covariance: Floats, overall: Floats) -> tuple[Floats, str]:
    """One that can be inverted in place of a singular one, and what was done in words."""
    largest = float(np.linalg.eigvalsh(covariance)[-1])
    if largest > 0:
        return np.asarray(covariance + WIDENED * largest * np.eye(2)), "a line, widened to have a shape"
    across = float(np.trace(overall)) / 2.0 or 1.0
    return across * np.eye(2), f"a single place, for which a circle of σ {math.sqrt(across):.3g} stands"


def spread(covariance: Floats) -> str:
    """A covariance in words."""
    sx, sy = np.sqrt(np.diag(covariance))
    return f"σ {sx:.3g} by {sy:.3g}, correlation {covariance[0, 1] / (sx * sy):.2g}"


def _covariance(points: Floats) -> Floats:
    apart = points - points.mean(axis=0)
    return np.asarray(apart.T @ apart / len(points))
