"""Types of the arrays that the whole package uses, in one place.

By convention X is inputs (n, d), y a target (n,), and H and W are the rows and columns of a raster, whose
first row is the lowest.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
"""Real numbers: inputs, weights, positions."""
Ints: TypeAlias = NDArray[np.int64]
"""Whole numbers: class codes, indices, ids."""
Mask: TypeAlias = NDArray[np.bool_]
"""A truth value for each row or pixel."""
Plane: TypeAlias = NDArray[np.float32]
"""Values (H, W) at the pixels of a raster."""
Bounds: TypeAlias = tuple[float, float, float, float]
"""The edges of a rectangle: left, right, bottom, top."""
