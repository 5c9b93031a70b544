"""Rasters and sections: the pixels of a canvas, and the line or plane of the input space that it shows.

A raster has W x-values and H y-values; a field holds a value at each of their crossings.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from vizml.field.arrays import Bounds, Floats
from vizml.field.cancellation import check_cancelled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import ArrayLike


F = TypeVar("F", bound=np.floating)
Field: TypeAlias = NDArray[np.float32]
"""Values (K, H, W), one plane for each class; row 0 lies at y[0]."""
Winners: TypeAlias = NDArray[np.unsignedinteger[Any]]
"""The index of the highest plane at each pixel."""

TILE = 1 << 16
"""Pixels that `pointwise` evaluates at a time: their intermediate values stay in the cache."""
ORTHOGONAL = 1e-12
"""Largest cosine between directions that are orthogonal but for rounding."""
CACHED_VALUES = 8 << 20
"""Largest field that a `BandCache` stores (32 MB); a larger one is painted band by band."""


@dataclass(frozen=True, eq=False)
class Raster:
    """All crossings of x (W,) and y (H,), both in data units."""

    x: Floats
    y: Floats
    parent: Raster | None = None
    """The raster of which this one is a band of rows."""
    first: int = 0
    """Row of the parent at which the band starts."""
    shape: tuple[int, int] = field(init=False)
    """Numbers of rows and columns."""

    def __post_init__(self) -> None:
        for name, given in (("x", self.x), ("y", self.y)):
            axis = np.array(given, dtype=np.float64)
            if axis.ndim != 1 or not np.isfinite(axis).all():
                raise ValueError(f"the {name}-values of a raster must be a row of finite numbers")
            axis.flags.writeable = False
            object.__setattr__(self, name, axis)
        object.__setattr__(self, "shape", (len(self.y), len(self.x)))

    @classmethod
    def over(cls, bounds: Bounds, width: int, height: int) -> Raster:
        """Build the centres of width x height pixels that fill a rectangle (left, right, bottom, top)."""
        left, right, bottom, top = bounds
        x = left + (np.arange(width, dtype=np.float64) + 0.5) * ((right - left) / width)
        y = bottom + (np.arange(height, dtype=np.float64) + 0.5) * ((top - bottom) / height)
        return cls(x, y)

    @property
    def whole(self) -> Raster:
        """The raster that this one is a band of, or itself; work shared by all bands is done for it."""
        return self.parent or self

    @property
    def rows_of_whole(self) -> slice:
        """The rows of the whole that it covers."""
        return slice(self.first, self.first + len(self.y))

    def rows(self, start: int, stop: int) -> Raster:
        """Return a band of rows."""
        return Raster(self.x, self.y[start:stop], self.parent or self, self.first + start)

    def points(self) -> Floats:
        """All crossings as (H * W, 2), row by row."""
        return np.column_stack([np.tile(self.x, len(self.y)), np.repeat(self.y, len(self.x))])

    def bands(self, height: int) -> Iterator[tuple[slice, Raster]]:
        """Iterate over bands of `height` rows from row 0; stops by `Cancelled` when the work is unwanted."""
        for start in range(0, len(self.y), max(height, 1)):
            check_cancelled()
            stop = min(start + max(height, 1), len(self.y))
            yield slice(start, stop), self.rows(start, stop)


@dataclass(eq=False)
class BandCache(threading.local):
    """Paint a field once and hand it out in bands, for models to which narrow bands are expensive.

    The field of the latest raster is kept until its last row has been handed out; each thread has its own.
    """

    _pixels: tuple[bytes, bytes] = (b"", b"")
    _key: object = None
    _field: Field | None = None

    def band(
        self, raster: Raster, planes: int, paint: Callable[[Raster], Field], key: object = None
    ) -> Field:
        """Return `paint(raster)`, cut out of the field of the whole raster; `key` identifies the painter."""
        whole = raster.whole
        height, width = whole.shape
        if raster is whole or planes * height * width > CACHED_VALUES:
            return paint(raster)
        pixels = whole.x.tobytes(), whole.y.tobytes()  # a standardised model scales the whole for each band
        if self._field is None or self._pixels != pixels or self._key != key:
            self._pixels, self._key, self._field = pixels, key, paint(whole)
        band: Field = self._field[:, raster.rows_of_whole].copy()
        if raster.rows_of_whole.stop >= height:
            self._field = None
        return band


def pointwise(scores: Callable[[Floats], ArrayLike], raster: Raster, planes: int) -> Field:
    """Evaluate any function of points (n, 2) -> (n, K) at each pixel."""
    height, width = raster.shape
    out = np.empty((planes, height, width), dtype=np.float32)
    for rows, band in raster.bands(TILE // max(width, 1)):
        values = np.asarray(scores(band.points()), dtype=np.float32)
        out[:, rows] = values.reshape(len(band.y), width, planes).transpose(2, 0, 1)
    return out


def top_two(planes: NDArray[F]) -> tuple[Winners, NDArray[F], NDArray[F]]:
    """Index of the highest of planes (K, ...), the first of equals; its value; the second highest value.

    With one plane the second highest value is -inf. Works plane by plane, because numpy's argmax and
    partition along a short first axis go element by element.
    """
    best = planes[0].copy()
    second = np.full_like(best, -np.inf)
    winner = np.zeros(best.shape, dtype=np.min_scalar_type(len(planes)))
    for k, plane in enumerate(planes[1:], start=1):
        winner[plane > best] = k
        np.maximum(second, np.minimum(best, plane), out=second)
        np.maximum(best, plane, out=best)
    return winner, best, second


@dataclass(frozen=True, eq=False)
class Section:
    """The points origin + sum_i u_i basis[i] of a d-dimensional input space, by their coordinates u (k,)."""

    origin: Floats
    """A point (d,) of the input space."""
    basis: Floats
    """Directions (k, d): one for a line, two for a plane."""
    dimensions: int = field(init=False)
    """Number of coordinates of its points."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "dimensions", len(self.basis))

    @classmethod
    @cache
    def whole_space(cls, dimensions: int) -> Section:
        """Return the section that is the whole input space of one or two dimensions."""
        return cls(np.zeros(dimensions), np.eye(dimensions))

    @classmethod
    def along(cls, axes: Sequence[int], held: Floats) -> Section:
        """Return the section along some inputs, with the others at the values of a point (d,)."""
        origin = np.array(held, dtype=np.float64)
        origin[list(axes)] = 0.0
        return cls(origin, np.eye(len(origin))[list(axes)])

    @cached_property
    def whole(self) -> bool:
        """Whether it is the whole input space, with the inputs as coordinates in their order."""
        inputs = len(self.origin)
        return (
            self.dimensions == inputs and not self.origin.any() and bool((self.basis == np.eye(inputs)).all())
        )

    @property
    def key(self) -> tuple[bytes, bytes]:
        """A value that is equal for equal sections."""
        return self.origin.tobytes(), self.basis.tobytes()

    @cached_property
    def axes(self) -> tuple[int, ...] | None:
        """Inputs that are its coordinates; None for an oblique section."""
        axes = self.basis.argmax(axis=1)
        aligned = (self.basis == np.eye(len(self.origin))[axes]).all() and not self.origin[axes].any()
        return tuple(axes.tolist()) if aligned else None

    @cached_property
    def skew(self) -> float:
        """Twice the cosine between its two directions: 0 for orthogonal ones, and for a line."""
        cosine = float(self.basis[0] @ self.basis[1]) if self.dimensions == 2 else 0.0
        return 2.0 * cosine if abs(cosine) > ORTHOGONAL else 0.0

    def project(self, X: Floats) -> tuple[Floats, Floats]:
        """Return the coordinates (n, k) of inputs on the section and their squared distances from it (n,).

        Directions must have length 1. Where they are not orthogonal, these are p (n, 2) and b (n,) by which
        the squared distance of an input from u is |u - p|^2 + b + skew u_0 u_1.
        """
        if self.whole:
            return X, np.zeros(len(X))
        away = X - self.origin
        points = away @ self.basis.T
        beside = away - points @ self.basis
        squares = (beside * beside).sum(axis=1)
        return points, np.asarray(squares - self.skew * points.prod(axis=1) if self.skew else squares)

    def lift(self, points: Floats) -> Floats:
        """Return points (m, k) of the section as inputs (m, d)."""
        return points if self.whole else self.origin + points @ self.basis
