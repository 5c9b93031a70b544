"""H (n, r) of few columns, for a variance of v - |k(x)' H|^2: as few directions as tell nearly all of it.

With S = W^1/2 K W^1/2 the square is b' (I + S)^-1 b, b = W^1/2 k(x). Galerkin's method solves it within the
leading directions of S, which random ones lead to.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from vizml.learn.gaussian_processes.posterior import Process
from vizml.learn.gaussian_processes.sums import Real
from vizml.learn.gaussian_processes.triangular import inverted
from vizml.learn.state import Floats

FIRST, MORE = {"rbf": 60, "matern52": 80, "matern32": 120}, 8
"""So many directions are tried first, and at least so many more each time."""
FALL = 4.0
"""What is left falls with this power of their number, or faster where much is left."""
MOST = 0.6
"""The share of all of them beyond which fewer are not worth it."""
SLIGHT = 1.2e-2
"""What those left out may explain of the variance at a probe: a probability moves by a hundredth of it."""

STEEP = 1e6
"""Columns whose lengths beside those before them differ by more are not square after the first time."""
LARGE = 1e4
"""Eigenvalues that sum to more ask for double precision."""


def precision(process: Process) -> type[np.floating[Any]]:
    """That of the covariances from which the directions of a process are to be found."""
    trace = process.covariance.variance * float((process.roots**2).sum())
    return np.float32 if trace <= LARGE else np.float64


def directions(process: Process, K: Real, probes: Real, first: int = 0) -> Real:
    """H, from the covariances (n, n) of the points and (m, n) of probes with them, in their precision.

    Where a first number of directions is known to be too few for its like, it is not tried with fewer.
    """
    n, roots, rng = len(process.points), process.roots, np.random.default_rng(0)
    count = max(FIRST[process.covariance.kind], first)
    if not len(roots):
        return process.known_by()
    scale = roots.astype(K.dtype)
    S, b = scale[:, None] * K * scale, (probes * scale).T
    Q = SQ = np.empty((n, 0), dtype=S.dtype)
    while Q.shape[1] + count < MOST * n:
        Y: Real = S @ (rng.random((n, count), dtype=np.float32) - 0.5).astype(S.dtype, copy=False)
        for _ in range(2 if Q.size else 1):  # what is left at first may be rounding, not square to Q
            Y = square(Y - Q @ (Q.T @ Y))
        Q, SQ = np.hstack([Q, Y]), np.hstack([SQ, S @ Y])
        half = inverted(np.asarray(np.linalg.cholesky(Q.T @ (Q + SQ))))
        left = b - (Q + SQ) @ (half.T @ (half @ (Q.T @ b)))
        most = float(np.einsum("nm,nm->m", left, left).max(initial=0.0))
        if most <= SLIGHT:
            return np.asarray(scale[:, None] * (Q @ half.T))
        wanting = (most / SLIGHT) ** (1 / FALL) - 1.0
        count = max(math.ceil(min(wanting, 0.5) * Q.shape[1]), MORE)
    return process.known_by()


def square(Y: Real) -> Real:
    """The space of some columns, in columns that are square to each other.

    By Cholesky's factor of Y'Y, once more where rounding shows: reflections take twice as long, and are for
    columns that hardly differ.
    """
    Q: Floats = Y.astype(np.float64, copy=False)
    try:
        for _ in range(2):
            L = np.asarray(np.linalg.cholesky(Q.T @ Q))
            Q, (least, most) = Q @ inverted(L).T, np.sort(L.diagonal())[[0, -1]]
            if most <= STEEP * least:
                break
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.qr(Y)[0])
    return Q.astype(Y.dtype, copy=False)
