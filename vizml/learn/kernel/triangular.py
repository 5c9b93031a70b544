"""Cholesky's factor and its inverse."""

from __future__ import annotations

import numpy as np

from vizml.learn.state import Floats

BLOCK = 48


def inverted(L: Floats) -> Floats:
    """The inverse of a lower triangular matrix, by halves: ((A, 0), (C, D)) has -D^-1 C A^-1 below."""
    out = np.zeros_like(L)
    _invert(L, out)
    return out


def _invert(L: Floats, out: Floats) -> None:
    n = len(L)
    if n <= BLOCK:
        out[:] = np.tril(np.linalg.inv(L))
        return
    half = n // 2
    upper, lower = out[:half, :half], out[half:, half:]
    _invert(L[:half, :half], upper)
    _invert(L[half:, half:], lower)
    out[half:, :half] = -lower @ (L[half:, :half] @ upper)
