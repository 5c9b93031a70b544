"""The triangle of a QR of a tall matrix, by blocks.

One call for all of it would wake the threads of the linear algebra, which cost more than the work does
wherever others use the processor too.
"""

from __future__ import annotations

import numpy as np

from vizml.learn.state import Floats

BLOCK = 128


def triangle_of(matrix: Floats) -> Floats:
    """R (min(n, p), p) of A = Q R, so that A'A = R'R."""
    while len(matrix) > 2 * max(BLOCK, matrix.shape[1]):
        count, width = -(-len(matrix) // BLOCK), matrix.shape[1]
        padded = np.zeros((count * BLOCK, width))
        padded[: len(matrix)] = matrix
        triangles = np.linalg.qr(padded.reshape(count, BLOCK, width), mode="r")
        matrix = np.asarray(triangles, dtype=np.float64).reshape(-1, width)
    return np.asarray(np.linalg.qr(matrix, mode="r"), dtype=np.float64)


def reduced(design: Floats, y: Floats) -> tuple[Floats, Floats, float]:
    """R and a with |y - D w|^2 = |a - R w|^2 + rest for every w, and the rest."""
    p = design.shape[1]
    triangle = triangle_of(np.column_stack([design, y]))
    rest = float(triangle[p, p]) ** 2 if len(triangle) > p else 0.0
    return triangle[:p, :p], triangle[:p, p], rest
