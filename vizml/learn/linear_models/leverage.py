"""Influence of single rows on a fit that is linear in the targets: leverage and Cook's distance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from vizml.field.arrays import Floats

DEPENDENT = 1e-10
"""A singular value below this share of the largest one counts as zero."""


@dataclass(frozen=True, eq=False)
class HatMatrix:
    """H = Phi A Phi' of a design matrix Phi, with A = root root' and the number p of free coefficients."""

    root: Floats
    p: float

    @classmethod
    def of(cls, design: Floats, penalty: Floats | float = 0.0) -> Self:
        """Return that of least squares, A = (Phi'Phi)^+, or with a quadratic penalty b'P b added to the RSS.

        >>> hat = HatMatrix.of(np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]]))
        >>> hat.leverage(np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])).round(4)
        array([0.8333, 0.3333, 0.8333])
        """
        if np.any(penalty):
            values, vectors = np.linalg.eigh(design.T @ design + penalty)
            kept = values > DEPENDENT**2 * values.max()
            root = vectors[:, kept] / np.sqrt(values[kept])
            return cls(root, float(((design @ root) ** 2).sum()))
        _, sizes, directions = np.linalg.svd(design, full_matrices=False)
        kept = sizes > DEPENDENT * sizes.max(initial=0.0)
        return cls(directions[kept].T / sizes[kept], float(kept.sum()))

    def leverage(self, design: Floats) -> Floats:
        """Return h = phi(x)' A phi(x) of each row: for training rows the diagonal of H."""
        return np.asarray(((design @ self.root) ** 2).sum(axis=1))

    def cook(self, design: Floats, residuals: Floats) -> Floats:
        """Return Cook's distance D = e^2 h / (p s^2 (1 - h)^2) of training rows, s^2 = RSS / (n - p).

        NaN where it is not defined: without spare rows, for an exact fit, and where h = 1.
        """
        h, rss, free = self.leverage(design), float(residuals @ residuals), len(residuals) - self.p
        if free <= DEPENDENT or not rss or not self.p:
            return np.full(len(h), math.nan)
        left = np.where(h < 1 - DEPENDENT, 1 - h, math.nan)
        return np.asarray(residuals**2 * h / (self.p * rss / free * left**2))
