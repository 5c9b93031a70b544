"""H (n, r) of few columns, for a variance of v - |k(x)' H|^2: as few directions as tell nearly all of it.

With S = W^1/2 K W^1/2 the square is b' (I + S)^-1 b, b = W^1/2 k(x). Galerkin's method solves it within the
leading directions of S, which random ones lead to.
"""

from __future__ import annotations

import numpy as np

from vizml.learn.kernel.posterior import Process
from vizml.learn.kernel.sums import Real
from vizml.learn.kernel.triangular import inverted
from vizml.learn.state import Floats

FIRST, MORE = {"rbf": 80, "matern52": 100, "matern32": 140}, 20
"""So many directions are tried first, and so many more each time."""
MOST = 0.6
"""The share of all of them beyond which fewer are not worth it."""
SLIGHT = 8e-3
"""What those left out may explain of the variance at a probe: a probability moves by a hundredth of it."""

LARGE = 1e4
"""Eigenvalues that sum to more ask for double precision."""


def directions(process: Process, K: Floats, probes: Floats, first: int = 0) -> Real:
    """H, from the covariances (n, n) of the points and (m, n) of probes with them.

    Where a first number of directions is known to be too few for its like, it is not tried with fewer.
    """
    n, roots, rng = len(process.points), process.roots, np.random.default_rng(0)
    count = max(FIRST[process.covariance.kind], first)
    if not len(roots):
        return process.known_by()
    S, b = roots[:, None] * K * roots, (probes * roots).T
    if np.trace(S) <= LARGE:
        S, b = S.astype(np.float32), b.astype(np.float32)
    Q = SQ = np.empty((n, 0), dtype=S.dtype)
    while Q.shape[1] + count < MOST * n:
        Y = S @ rng.standard_normal((n, count), dtype=np.float32).astype(S.dtype, copy=False)
        for _ in range(2 if Q.size else 1):  # what is left at first may be rounding, not square to Q
            Y = np.linalg.qr(Y - Q @ (Q.T @ Y))[0]
        Q, SQ, count = np.hstack([Q, Y]), np.hstack([SQ, S @ Y]), MORE
        half = inverted(np.asarray(np.linalg.cholesky(Q.T @ (Q + SQ))))
        left = b - (Q + SQ) @ (half.T @ (half @ (Q.T @ b)))
        if np.einsum("nm,nm->m", left, left).max() <= SLIGHT:
            return np.asarray(roots[:, None].astype(S.dtype) * (Q @ half.T))
    return process.known_by()
