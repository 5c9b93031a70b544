"""Cholesky's factor: its inverse, and what it solves."""

from __future__ import annotations

import numpy as np

from vizml.learn.state import Floats

BLOCK = 48


def inverted(L: Floats) -> Floats:
    """The inverse of a lower triangular matrix, by halves: ((A, 0), (C, D)) has -D^-1 C A^-1 below."""
    out = np.zeros_like(L)
    _invert(L, out)
    return out


def solved(L: Floats, b: Floats) -> Floats:
    """(L L')^-1 b, block by block forward and back."""
    x = b.copy()
    blocks = [slice(start, start + BLOCK) for start in range(0, len(L), BLOCK)]
    for block in blocks:
        x[block] = np.linalg.solve(L[block, block], x[block] - L[block, : block.start] @ x[: block.start])
    for block in reversed(blocks):
        x[block] = np.linalg.solve(L[block, block].T, x[block] - x[block.stop :] @ L[block.stop :, block])
    return x


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
