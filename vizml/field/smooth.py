"""A smooth function along one axis: from its values at a few Chebyshev nodes, where those say all of it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.polynomial import chebyshev as cheb

from vizml.field.chebyshev import nodes
from vizml.field.raster import Floats

TAIL, NEGLIGIBLE = 4, 1e-13
"""So many last coefficients must be below this share of the largest value."""
ROUNDING = 1e-15
COUNTS = (24, 48, 96, 160)
GAIN = 3
"""With fewer x than this for each node, nodes are not worth their while."""


def smooth_curve(f: Callable[[Floats], Floats], x: Floats, parts: float = 0.0) -> Floats:
    """f(x) to some thirteen digits of its largest value; x by x where it is not smooth enough.

    Where f is a sum whose parts cancel, no digits below the rounding of those `parts` are asked for.
    """
    for count in COUNTS:
        if len(x) < GAIN * count:
            break
        at = nodes(x, count)
        values = f(at)
        low, high = float(x.min()), float(x.max())
        angles = np.outer(np.arange(count), (np.arange(count) + 0.5) * (np.pi / count))
        series = np.cos(angles) @ values * (2.0 / count)
        series[0] /= 2.0
        if (
            np.abs(series[-TAIL:]).max() <= max(NEGLIGIBLE * np.abs(values).max(), ROUNDING * parts)
            and high > low
        ):
            return np.asarray(cheb.chebval((x - (low + high) / 2) / ((high - low) / 2), series))
    return f(x)
