"""Kernel sums f_k(x) = b_k + sum_i w_ki k(c_i, x) on a raster, where k is a product over the two axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from vizml.field.chebyshev import interpolate, nodes
from vizml.field.raster import Field, Floats, Raster

DType: TypeAlias = np.dtype[np.floating[Any]]
SINGLE: DType = np.dtype(np.float32)
DOUBLE: DType = np.dtype(np.float64)
SLIP = 2e-6
"""A product goes in float32 where that moves no value by more than this share of the largest."""
PROBES = 12
FLOOR = {SINGLE: -40.0, DOUBLE: -340.0}
"""Exponents below are taken for zero: products of two such factors would be subnormal, and slow."""

Exponent = Callable[[Floats], Floats]
"""Of the differences along an axis: the exponent of that axis's factor of the kernel."""


def gaussian_field(raster: Raster, centres: Floats, weights: Floats, gamma: float, bias: Floats) -> Field:
    """k = exp(-gamma |c - x|^2) for centres (n, 2), weights (K, n) and bias (K,).

    It is smooth, so that a few Chebyshev nodes an axis say all; fewer centres than nodes are summed.
    """

    def exponent(delta: Floats) -> Floats:
        return np.asarray(-gamma * delta * delta)

    across, down = _nodes_wanted(raster.x, gamma), _nodes_wanted(raster.y, gamma)
    if max(across, down) >= len(centres):
        return _separable(raster, centres, weights, exponent, bias)
    coarse = Raster(nodes(raster.x, across), nodes(raster.y, down))
    return interpolate(raster, _sums(coarse, centres, weights, exponent, bias))


def laplace_field(raster: Raster, centres: Floats, weights: Floats, gamma: float, bias: Floats) -> Field:
    """k = exp(-gamma |c - x|_1), which has a crease at each centre and so must be summed."""
    return _separable(raster, centres, weights, lambda delta: np.asarray(-gamma * np.abs(delta)), bias)


def _nodes_wanted(axis: Floats, gamma: float) -> int:
    """Enough for exp(-gamma (x - c)^2) to 1e-9, by its size on the best Bernstein ellipse."""
    half = float(np.ptp(axis)) / 2 if len(axis) else 0.0
    return int(min(9 + 8.8 * np.sqrt(gamma) * half, 1e6))


def _separable(raster: Raster, centres: Floats, weights: Floats, exponent: Exponent, bias: Floats) -> Field:
    dtype = SINGLE if _single_will_do(raster, centres, weights, exponent, bias) else DOUBLE
    return _sums(raster, centres, weights, exponent, bias, dtype).astype(np.float32, copy=False)


def _sums(
    raster: Raster, centres: Floats, weights: Floats, exponent: Exponent, bias: Floats, dtype: DType = DOUBLE
) -> Floats:
    """One (H, n) x (n, W) product for each plane."""
    across = _factors(raster.x, centres[:, 0], exponent, dtype).T
    down = _factors(raster.y, centres[:, 1], exponent, dtype)
    sums = np.stack([(down * row) @ across for row in weights.astype(dtype, copy=False)])
    sums += bias.astype(dtype, copy=False)[:, None, None]
    return sums


def _factors(axis: Floats, centres: Floats, exponent: Exponent, dtype: DType) -> Floats:
    """exp(exponent) (len(axis), n) along one axis; the differences are taken in float64."""
    power = exponent(axis[:, None] - centres).astype(dtype, copy=False)
    raised = np.exp(power)
    raised[power < FLOOR[dtype]] = 0.0
    return np.asarray(raised)


def _single_will_do(
    raster: Raster, centres: Floats, weights: Floats, exponent: Exponent, bias: Floats
) -> bool:
    """Whether float32 is good enough, measured on a few pixels against float64."""
    strides = [max(len(axis) // PROBES, 1) for axis in (raster.x, raster.y)]
    few = Raster(raster.x[:: strides[0]], raster.y[:: strides[1]])
    single, double = (_sums(few, centres, weights, exponent, bias, dtype) for dtype in (SINGLE, DOUBLE))
    return bool(np.abs(single - double).max(initial=0.0) <= SLIP * np.abs(double).max(initial=0.0))
