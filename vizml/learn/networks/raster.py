"""Layers of a network on a raster: float32 in bands that stay in the cache, the first layer an outer sum."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Plane
from vizml.learn.networks.network import ACTIVATIONS

WORK = 1 << 18
"""Multiplications for a band in its largest layer. OpenBLAS distributes larger products over threads, whose
start costs more here than they save; and the band stays in the cache.
"""


def layer_field(
    matrices: Sequence[Floats], activation: str, raster: Raster, centre: Floats, *, hidden: bool,
    work: int = WORK,
) -> Field:  # fmt: skip
    """The outputs (units, H, W) of the layer that the last matrix leads to, activated if it is hidden.

    The columns of the first matrix (units, 3) multiply x - centre, y - centre and 1.
    """
    first, *others = matrices
    activate = ACTIVATIONS[activation].apply
    height, width = raster.shape
    out = np.empty((len(matrices[-1]), height, width), dtype=np.float32)
    across = np.outer(first[:, 0], raster.x - centre[0]).astype(np.float32)[:, None, :]
    down = (np.outer(first[:, 1], raster.y - centre[1]) + first[:, 2:]).astype(np.float32)[:, :, None]
    singles = [matrix.astype(np.float32) for matrix in others]
    rows = max(work // (max(matrix.size for matrix in matrices) * max(width, 1)), 1)
    for start in range(0, height, rows):
        band = slice(start, min(start + rows, height))
        layer = _empty(len(first), (band.stop - start) * width)
        np.add(across, down[:, band], out=layer[:-1].reshape(len(first), band.stop - start, width))
        for matrix in singles:
            activate(layer[:-1])
            following = _empty(len(matrix), layer.shape[1])
            np.matmul(matrix, layer, out=following[:-1])
            layer = following
        if hidden:
            activate(layer[:-1])
        out[:, band] = layer[:-1].reshape(out[:, band].shape)
    return out


def _empty(units: int, pixels: int) -> NDArray[np.float32]:
    """An uninitialised layer (units + 1, pixels), last row 1 for the biases."""
    layer: Plane = np.empty((units + 1, pixels), dtype=np.float32)
    layer[-1] = 1.0
    return layer
