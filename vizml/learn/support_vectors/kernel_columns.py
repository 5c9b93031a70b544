"""Columns of a kernel matrix, computed when they are needed and kept in a cache."""

from __future__ import annotations

from collections import OrderedDict

import numpy as np

from vizml.field.arrays import Floats
from vizml.learn.support_vectors.kernels import KernelFunction

CURVATURE = 1e-12
"""Smallest curvature along a pair: two points on one spot have none."""
WHOLE = 1000
"""Number of points up to which the matrix is computed at once."""
BUDGET = 256 << 20
"""Size of the cache in bytes."""


class KernelColumns:
    """Columns of the kernel matrix and curvatures of pairs; the least recently used columns are dropped.

    With `copies` each point stands for several coefficients, one set after the other. `rounded` columns are
    in single precision, as LIBSVM keeps them: the solver then takes the same steps.
    """

    def __init__(
        self, kernel: KernelFunction, points: Floats, *, copies: int = 1, rounded: bool = False
    ) -> None:
        self.kernel, self.points, self.copies, self.rounded = kernel, points, copies, rounded
        self.diagonal = np.tile(kernel.diagonal(points), copies)
        self.capacity = max(BUDGET // (8 * max(len(self.diagonal), 1)), 2)
        self.columns: OrderedDict[int, Floats] = OrderedDict()
        self._curvature, self._spare = np.empty((2, len(self.diagonal)))
        self._matrix = self._values(slice(None)) if len(points) <= WHOLE else None

    def __getitem__(self, i: int) -> Floats:
        """k(x_i, .)"""
        i %= len(self.points)
        found = self.columns.get(i)
        if found is None:
            column = self._values(slice(i, i + 1))[0] if self._matrix is None else self._matrix[i]
            found = np.concatenate([column] * self.copies) if self.copies > 1 else column
            self.columns[i] = found
            if len(self.columns) > self.capacity:
                self.columns.popitem(last=False)
        elif len(self.columns) == self.capacity:
            self.columns.move_to_end(i)
        return found

    def curvature(self, i: int) -> Floats:
        """|phi(x_i) - phi(.)|^2, in an array that the next call overwrites."""
        found = np.add(self.diagonal, self.diagonal[i], out=self._curvature)
        found -= np.multiply(self[i], 2.0, out=self._spare)
        return np.asarray(np.maximum(found, CURVATURE, out=found))

    def _values(self, rows: slice) -> Floats:
        values = self.kernel(self.points[rows], self.points)
        return values.astype(np.float32).astype(np.float64) if self.rounded else values
