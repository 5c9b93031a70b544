"""Shares s_k = p_k / sum_j p_j of kernel sums p_k(x) = sum_i w_i k(c_i - x), however far from all centres.

Far out every term underflows, yet their ratios do not. In a block of pixels with the middle m a term is
exp(e_i + d_i(x) + a(x)): e_i its exponent at m, d_i what is its own in the change from m to x, a what all
share and shares lose. Blocks are halved until |d_i| stays below a limit or one class has it all: with e_i
told from the largest nothing overflows, what underflows does not count, and each block is a matrix product.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.field.kernels import gaussian_field, laplace_field
from vizml.field.raster import Field, Floats, Raster

Real: TypeAlias = NDArray[np.floating[Any]]
Ints: TypeAlias = NDArray[np.intp]
DType: TypeAlias = np.dtype[np.floating[Any]]
Span: TypeAlias = tuple[int, int]
F32: DType = np.dtype(np.float32)
F64: DType = np.dtype(np.float64)
SINGLE, DOUBLE = 11.0, 75.0
"""How far |d_i| may go along either axis in float32 and in float64."""
NEGLIGIBLE = 30.0
"""Exponents of terms that make no difference, below the others."""
MANY = 100
"""Blocks from which larger ones in double precision are the faster way."""


@dataclass(frozen=True)
class Product(ABC):
    """A kernel that is a product over the axes, with its gamma."""

    gamma: float

    @abstractmethod
    def exponent(self, delta: Floats) -> Floats:
        """Of the differences along an axis: ln of that axis's factor."""

    @abstractmethod
    def change(self, part: Floats, places: Floats) -> Floats:
        """d_i (len(part), n) from the middle of a part of an axis on, for centres at these places."""

    @abstractmethod
    def swing(self, part: Floats, places: Floats) -> float:
        """The largest |d_i| in a part of an axis."""

    @abstractmethod
    def sums(self, raster: Raster, centres: Floats, weights: Floats) -> Field:
        """The sums themselves (K, H, W), weights (K, n): 0 where all terms underflow."""


class GaussianProduct(Product):
    """exp(-gamma |c - x|^2)"""

    def exponent(self, delta: Floats) -> Floats:
        return np.asarray(-self.gamma * delta * delta)

    def change(self, part: Floats, places: Floats) -> Floats:
        return np.outer(2.0 * self.gamma * (part - _centre(part)), places - _centre(places))

    def swing(self, part: Floats, places: Floats) -> float:
        return float(self.gamma * np.ptp(part) * np.ptp(places)) / 2.0

    def sums(self, raster: Raster, centres: Floats, weights: Floats) -> Field:
        return gaussian_field(raster, centres, weights, self.gamma, np.zeros(len(weights)))


class LaplaceProduct(Product):
    """exp(-gamma |c - x|_1)"""

    def exponent(self, delta: Floats) -> Floats:
        return np.asarray(-self.gamma * np.abs(delta))

    def change(self, part: Floats, places: Floats) -> Floats:
        if _apart(part, places):
            return np.zeros((len(part), len(places)))
        return np.asarray(self.exponent(part[:, None] - places) - self.exponent(_centre(part) - places))

    def swing(self, part: Floats, places: Floats) -> float:
        return 0.0 if _apart(part, places) else float(self.gamma * np.ptp(part)) / 2.0

    def sums(self, raster: Raster, centres: Floats, weights: Floats) -> Field:
        return laplace_field(raster, centres, weights, self.gamma, np.zeros(len(weights)))


def product_shares(
    raster: Raster, kernel: Product, centres: Floats, weights: Floats, sizes: Sequence[int]
) -> Field:
    """The shares (K, H, W) of classes whose centres (n, 2) with weights (n,) follow one another."""
    height, width = raster.shape
    if not height * width:
        return np.empty((len(sizes), height, width), dtype=np.float32)
    painter = _Painter(raster, kernel, centres, weights, sizes)
    painter.fill((0, width), (0, height), np.arange(len(centres)))
    return painter.out


class _Painter:
    """Fills the shares in, block by block."""

    def __init__(
        self, raster: Raster, kernel: Product, centres: Floats, weights: Floats, sizes: Sequence[int]
    ) -> None:
        self.out = np.empty((len(sizes), *raster.shape), dtype=np.float32)
        self.axes, self.kernel, self.centres = (raster.x, raster.y), kernel, centres
        self.logs, self.starts = np.log(weights), np.cumsum([0, *sizes])
        self.strips: dict[tuple[int, Span], Real] = {}
        swings = [self.kernel.swing(axis, places) for axis, places in zip(self.axes, centres.T)]
        fine = np.prod(np.maximum(np.array(swings) / SINGLE, 1.0)) <= MANY
        self.limit, self.dtype = (SINGLE, F32) if fine else (DOUBLE, F64)

    def fill(self, columns: Span, rows: Span, held: Ints) -> None:
        """Paint a block in which only these centres count."""
        spans = (columns, rows)
        # strips over all centres are shared by many blocks; over a few they are cheaper afresh
        base = held if 2 * len(held) < len(self.centres) else np.arange(len(self.centres))
        level, swings = self.logs[held], []
        for axis, span, all_places in zip(self.axes, spans, self.centres.T):
            part = axis[slice(*span)]
            level = level + self.kernel.exponent(_centre(part) - all_places[held])
            swings.append(self.kernel.swing(part, all_places[base]))
        level -= level.max(initial=-np.inf)
        counts = level > -2.0 * sum(swings) - NEGLIGIBLE
        held, level = held[counts], level[counts]
        edges = np.searchsorted(held, self.starts)
        block = self.out[:, slice(*rows), slice(*columns)]
        if np.count_nonzero(np.diff(edges)) == 1:
            block[:] = (np.diff(edges) > 0)[:, None, None]
        elif max(swings) <= self.limit:
            across, down = (
                self._strip(index, span, base)[:, np.searchsorted(base, held)]
                for index, span in enumerate(spans)
            )
            left, right = down * np.exp(level).astype(self.dtype), across.T
            sums = np.stack([left[:, a:b] @ right[a:b] for a, b in pairwise(edges)])
            np.divide(sums, sums.sum(axis=0), out=block, casting="same_kind")
        elif swings[0] > swings[1]:
            for half in _halves(columns):
                self.fill(half, rows, held)
        else:
            for half in _halves(rows):
                self.fill(columns, half, held)

    def _strip(self, index: int, span: Span, base: Ints) -> Real:
        """exp d_i (len(part), len(base)) in a part of an axis."""
        key = (index, span)
        if len(base) == len(self.centres) and key in self.strips:
            return self.strips[key]
        part = self.axes[index][slice(*span)]
        change = self.kernel.change(part, self.centres[base, index])
        strip: Real = np.exp(change.astype(self.dtype))
        if len(base) == len(self.centres):
            self.strips[key] = strip
        return strip


def _halves(span: Span) -> tuple[Span, Span]:
    start, stop = span
    middle = (start + stop) // 2
    return (start, middle), (middle, stop)


def _apart(part: Floats, places: Floats) -> bool:
    """Whether the places lie all on one side of a part of an axis."""
    return bool(places.max() <= part.min() or places.min() >= part.max())


def _centre(values: Floats) -> float:
    return float(values.min() + values.max()) / 2.0
