"""Kernel sums f_k(x) = b_k + sum_i w_ki k(c_i, x) on a raster, where k is a product over the two axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from vizml.field.arrays import Floats
from vizml.field.chebyshev import interpolate, nodes
from vizml.field.raster import Field, Raster

DType: TypeAlias = np.dtype[np.floating[Any]]
SINGLE: DType = np.dtype(np.float32)
DOUBLE: DType = np.dtype(np.float64)
SINGLE_ERROR = 2e-6
"""The product is computed in float32 if that changes no value by more than this share of the largest."""
PROBES = 12
"""Rows and columns at which that error is measured."""
FLOOR = {SINGLE: -40.0, DOUBLE: -340.0}
"""Factors with smaller exponents are set to 0: products of two such factors would be subnormal, and slow."""

Exponent = Callable[[Floats], Floats]
"""Exponent of one axis's factor of the kernel, a function of the differences along that axis."""


def gaussian_field(raster: Raster, centres: Floats, weights: Floats, gamma: float, bias: Floats) -> Field:
    """k = exp(-gamma |c - x|^2) for centres (n, 2), weights (K, n) and bias (K,).

    The sum is smooth, so that values at a few Chebyshev nodes per axis determine it; with fewer centres than
    nodes it is summed directly.
    """

    def exponent(delta: Floats) -> Floats:
        return np.asarray(-gamma * delta * delta)

    across, down = _nodes_wanted(raster.x, gamma), _nodes_wanted(raster.y, gamma)
    if max(across, down) >= len(centres):
        return _separable(raster, centres, weights, exponent, bias)
    coarse = Raster(nodes(raster.x, across), nodes(raster.y, down))
    return interpolate(raster, _sums(coarse, centres, weights, exponent, bias))


def laplace_field(raster: Raster, centres: Floats, weights: Floats, gamma: float, bias: Floats) -> Field:
    """k = exp(-gamma |c - x|_1); not smooth at the centres, so that it is summed directly."""
    return _separable(raster, centres, weights, lambda delta: np.asarray(-gamma * np.abs(delta)), bias)


def _nodes_wanted(axis: Floats, gamma: float) -> int:
    """Chebyshev nodes for exp(-gamma (x - c)^2) to 1e-9, by its bound on the best Bernstein ellipse."""
    half = float(np.ptp(axis)) / 2 if len(axis) else 0.0
    return int(min(9 + 8.8 * np.sqrt(gamma) * half, 1e6))


def _separable(raster: Raster, centres: Floats, weights: Floats, exponent: Exponent, bias: Floats) -> Field:
    dtype = SINGLE if _single_suffices(raster, centres, weights, exponent, bias) else DOUBLE
    return _sums(raster, centres, weights, exponent, bias, dtype).astype(np.float32, copy=False)


def _sums(
    raster: Raster, centres: Floats, weights: Floats, exponent: Exponent, bias: Floats, dtype: DType = DOUBLE
) -> Floats:
    """Compute one (H, n) x (n, W) product for each plane."""
    across = axis_factors(raster.x, centres[:, 0], exponent, dtype).T
    down = axis_factors(raster.y, centres[:, 1], exponent, dtype)
    sums = np.stack([(down * row) @ across for row in weights.astype(dtype, copy=False)])
    sums += bias.astype(dtype, copy=False)[:, None, None]
    return sums


def axis_factors(axis: Floats, centres: Floats, exponent: Exponent, dtype: DType) -> Floats:
    """exp(exponent) (len(axis), n) along one axis; the differences are taken in float64."""
    power = exponent(axis[:, None] - centres).astype(dtype, copy=False)
    raised = np.exp(power)
    raised[power < FLOOR[dtype]] = 0.0
    return np.asarray(raised)


def _single_suffices(
    raster: Raster, centres: Floats, weights: Floats, exponent: Exponent, bias: Floats
) -> bool:
    """Whether float32 is accurate enough, measured against float64 on a few pixels."""
    strides = [max(len(axis) // PROBES, 1) for axis in (raster.x, raster.y)]
    few = Raster(raster.x[:: strides[0]], raster.y[:: strides[1]])
    single, double = (_sums(few, centres, weights, exponent, bias, dtype) for dtype in (SINGLE, DOUBLE))
    return bool(np.abs(single - double).max(initial=0.0) <= SINGLE_ERROR * np.abs(double).max(initial=0.0))
