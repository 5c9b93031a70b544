"""Names for the array types that the whole package uses."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.bool_]
Plane: TypeAlias = NDArray[np.float32]
"""Values (H, W) at the pixels of a raster."""
Bounds: TypeAlias = tuple[float, float, float, float]
"""The edges of a rectangle: left, right, bottom, top."""
