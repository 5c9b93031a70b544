"""A network's layers on a raster: float32 in bands that stay in the cache, the first layer an outer sum."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.field import Field, Raster
from vizml.learn.networks.plan import ACTIVATIONS, Plan
from vizml.learn.state import Floats

Singles: TypeAlias = NDArray[np.float32]
WORK = 1 << 18
"""Multiplications for a band in its largest layer: more of them OpenBLAS deals out to threads, whose start
costs more here than they save; and the band stays in the cache.
"""


def layer_field(
    plan: Plan, theta: Floats, raster: Raster, centre: Floats, spread: Floats, depth: int
) -> Field:
    """What the neurons of a layer (1 the first hidden one) put out at each pixel (units, H, W)."""
    first, *others = plan.matrices(theta)[:depth]
    hidden, activate = depth < len(plan.sizes) - 1, ACTIVATIONS[plan.activation].apply
    height, width = raster.shape
    out = np.empty((plan.sizes[depth], height, width), dtype=np.float32)
    across, down = _outer(first, raster, centre, spread)
    singles = [matrix.astype(np.float32) for matrix in others]
    rows = max(WORK // (max(matrix.size for matrix in (first, *others)) * max(width, 1)), 1)
    for start in range(0, height, rows):
        band = slice(start, min(start + rows, height))
        signal = _sums(across, down[:, band])
        for matrix in singles:
            activate(signal[:-1])
            signal = _next(matrix, signal)
        if hidden:
            activate(signal[:-1])
        out[:, band] = signal[:-1].reshape(out[:, band].shape)
    return out


def _outer(matrix: Floats, raster: Raster, centre: Floats, spread: Floats) -> tuple[Singles, Singles]:
    """The first layer's sums are across (units, 1, W) + down (units, H, 1)."""
    across = np.outer(matrix[:, 0], (raster.x - centre[0]) / spread[0])
    down = np.outer(matrix[:, 1], (raster.y - centre[1]) / spread[1]) + matrix[:, 2:]
    return across.astype(np.float32)[:, None, :], down.astype(np.float32)[:, :, None]


def _sums(across: Singles, down: Singles) -> Singles:
    units, height, width = len(across), down.shape[1], across.shape[2]
    signal = _empty(units, height * width)
    np.add(across, down, out=signal[:-1].reshape(units, height, width))
    return signal


def _next(matrix: Singles, signal: Singles) -> Singles:
    out = _empty(len(matrix), signal.shape[1])
    np.matmul(matrix, signal, out=out[:-1])
    return out


def _empty(units: int, pixels: int) -> Singles:
    """Room for a layer's signals (units + 1, pixels), with the row of ones that biases weigh."""
    signal = np.empty((units + 1, pixels), dtype=np.float32)
    signal[-1] = 1.0
    return signal
