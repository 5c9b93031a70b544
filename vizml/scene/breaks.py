"""Polylines break at rows of NaN: where they go on without one."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]


def stretches(known: Mask) -> list[slice]:
    """Where a mask is true without a break."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], known, [False]])))
    return [slice(start, stop) for start, stop in edges.reshape(-1, 2).tolist()]


def unbroken(line: Floats) -> list[Floats]:
    """A polyline (m, 2) without its rows of NaN: its parts of two points or more."""
    known: Mask = np.asarray(~np.isnan(line).any(axis=1))
    parts = [line] if known.all() else [line[part] for part in stretches(known)]
    return [part for part in parts if len(part) > 1]
