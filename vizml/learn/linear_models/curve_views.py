"""Marks of regression curves."""

from __future__ import annotations

import numpy as np

from vizml.field.arrays import Floats
from vizml.learn.linear_models.basis import Basis
from vizml.scene import Curves, Segments


def residual_lines(x: Floats, y: Floats, residuals: Floats) -> Segments:
    """Return the vertical lines from each point to its fitted value."""
    ends = np.stack([x, y, x, y - residuals], axis=1).reshape(-1, 2, 2)
    return Segments(layer="Residuals", ends=ends, ink="muted", opacity=0.6, legend="residual")


def basis_curves(basis: Basis, weights: Floats) -> Curves:
    """Return each basis function times its weight: their sum is the fitted curve."""
    some = np.flatnonzero(weights)
    return Curves(
        layer="Basis functions", values=lambda x: (basis.design(x)[:, some] * weights[some]).T, ink="accent",
        opacity=0.35, legend="basis function × its weight", quiet=True,
    )  # fmt: skip
