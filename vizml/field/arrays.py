"""Types of the arrays that the whole package uses, and evenly spaced rows of them.

By convention X holds inputs (n, d) and y a target (n,), with a row for each point. H and W are the numbers of
rows and columns of a raster, whose first row is the lowest. Arrays of frozen objects are read-only.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Bounds", "Floats", "Ints", "Mask", "Plane", "evenly_spaced"]

Floats: TypeAlias = NDArray[np.float64]
"""Real numbers: inputs, weights, positions."""
Ints: TypeAlias = NDArray[np.int64]
"""Whole numbers: class codes (-1: unlabelled), clusters (-1: noise), indices, ids of rows."""
Mask: TypeAlias = NDArray[np.bool_]
"""A truth value for each row or pixel."""
Plane: TypeAlias = NDArray[np.float32]
"""Values (H, W) at the pixels of a raster."""
Bounds: TypeAlias = tuple[float, float, float, float]
"""The edges of a rectangle: left, right, bottom, top."""


def evenly_spaced(count: int, most: int) -> Ints:
    """Return at most so many of the indices below a count, both ends included.

    >>> evenly_spaced(5, 10), evenly_spaced(1000, 3)
    (array([0, 1, 2, 3, 4]), array([  0, 500, 999]))
    """
    return np.linspace(0, count - 1, min(count, most)).round().astype(np.int64)
