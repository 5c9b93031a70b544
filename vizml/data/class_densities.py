"""Class densities of generators: sums of kernels at the nodes of a quadrature over noise-free points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from vizml.data.columns import Floats

PANEL = 4.0
"""Length of a panel of the Gauss-Legendre quadrature, in standard deviations of the noise."""
NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)
"""Nodes and weights of a panel: sums of Gaussians at the nodes are exact to 1e-6."""
MOST_NODES = 10_000
"""With more nodes, which little noise needs, densities take too long."""
LARGEST_HALF = 250.0
"""Larger squares, in units of the noise, take too long as well."""


@dataclass(frozen=True, eq=False)
class ClassDensities:
    """Densities p(x, k) = sum_i w_ki N(x; c_ki, S) of points x and classes k, with S = frame' frame.

    Where `half` is not 0, the noise is added to points that are uniform in squares around the centres; it is
    half the length of their sides in units of the frame.
    """

    centres: tuple[Floats, ...]
    """Centres (n, 2) of each class."""
    weights: tuple[Floats, ...]
    """Weights (n,) of the centres of each class, which add up to its prior probability."""
    frame: Floats
    """The standard deviations of the noise (2, 2) as a vector each, at right angles."""
    half: float = 0.0

    @property
    def feasible(self) -> bool:
        """Whether they can be computed in a short time."""
        return sum(map(len, self.centres)) <= MOST_NODES and self.half <= LARGEST_HALF


Densities: TypeAlias = Callable[..., ClassDensities]
"""Returns the densities of a generator from its structure and the values of its options but n and seed."""


def mixture(centres: Sequence[Floats] | Floats, noise: float) -> ClassDensities:
    """Return the densities of equally frequent classes with equally frequent centres and isotropic noise."""
    equal = tuple(np.full(len(each), 1.0 / (len(centres) * len(each))) for each in centres)
    return ClassDensities(tuple(centres), equal, noise * np.eye(2))


def quadrature(low: float, high: float, length: float, noise: float) -> tuple[Floats, Floats]:
    """Return nodes from low to high along a curve of some length, and weights that add up to 1.

    >>> t, w = quadrature(0.0, 2.0, length=10.0, noise=0.5)
    >>> len(t), round(float(w @ t**2), 12)
    (40, 1.333333333333)
    """
    panels = min(max(int(np.ceil(length / (PANEL * noise))), 1), MOST_NODES)
    edges = np.linspace(low, high, panels + 1)
    nodes = edges[:-1, None] + (NODES + 1.0) / 2.0 * (high - low) / panels
    return nodes.ravel(), np.tile(WEIGHTS / (2.0 * panels), panels)
