"""Gaussians as they are drawn: ellipses at 1, 2 and 3 standard deviations."""

from __future__ import annotations

import numpy as np

from vizml.learn.state import Floats

SIGMAS = (1, 2, 3)
ANGLES = np.linspace(0.0, 2.0 * np.pi, 97)[:-1]


def ellipses(mean: Floats, covariance: Floats) -> tuple[Floats, ...]:
    """The outlines (96, 2) on which the Mahalanobis distance from the mean is 1, 2 and 3."""
    circle = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])
    values, axes = np.linalg.eigh(covariance)
    outline = circle * np.sqrt(np.maximum(values, 0.0)) @ axes.T
    return tuple(np.asarray(mean + sigma * outline) for sigma in SIGMAS)
