"""Outlines of circles, ellipses and balls of a norm, as closed polylines."""

from __future__ import annotations

import numpy as np

from vizml.field.arrays import Floats

CORNERS = 96
"""Corners of an outline: enough for a smooth curve at any size of the canvas."""
SIGMAS = (1.0, 2.0, 3.0)
"""Standard deviations at which ellipses of Gaussians are drawn."""


def circle(centre: Floats, radius: float, corners: int = CORNERS) -> Floats:
    """Return the corners (m, 2) of a regular polygon: a circle, or the ball of the L1 norm with four corners.

    >>> circle(np.zeros(2), 2.0, corners=4).round(6).tolist()
    [[2.0, 0.0], [0.0, 2.0], [-2.0, 0.0], [-0.0, -2.0]]
    """
    angles = np.arange(corners) * (2 * np.pi / corners)
    return np.asarray(centre + radius * np.column_stack([np.cos(angles), np.sin(angles)]))


def ellipse(mean: Floats, covariance: Floats, sigma: float = 1.0) -> Floats:
    """Return the points (m, 2) with the Mahalanobis distance `sigma` from a mean."""
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0)) @ vectors.T
    return np.asarray(mean + circle(np.zeros(2), sigma) @ root)


def sigma_legend(sigmas: tuple[float, ...] = SIGMAS) -> str:
    """Return the legend of ellipses at some standard deviations.

    >>> sigma_legend(), sigma_legend((1.0,))
    ('1, 2 and 3 σ', '1 σ')
    """
    *others, last = (f"{sigma:g}" for sigma in sigmas)
    return f"{', '.join(others)} and {last} σ" if others else f"{last} σ"
