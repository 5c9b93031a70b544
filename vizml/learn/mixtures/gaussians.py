"""Gaussians of the plane: log w_k N(x | mu_k, S_k) = sum of c_kij u^i v^j, a polynomial of degree two."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vizml.field import Field, Raster
from vizml.field.polynomial import polynomial_field
from vizml.learn.frame import Frame
from vizml.learn.state import Floats
from vizml.scene import Dots, Ink, Mark, Path

SIGMAS = (1.0, 2.0, 3.0)
TURN = np.linspace(0.0, 2 * np.pi, 97)[:-1]
CIRCLE = np.column_stack([np.cos(TURN), np.sin(TURN)])
ELLIPSES, MEANS = "Ellipses", "Means"


@dataclass(frozen=True, eq=False, kw_only=True)
class Gaussians:
    """K of them with their weights, in a frame."""

    frame: Frame
    weights: Floats
    centres: Floats
    spreads: Floats
    """The covariances (K, 2, 2)."""

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def means(self) -> Floats:
        """Their means (K, 2) in data units."""
        return self.frame.outside(self.centres)

    @property
    def covariances(self) -> Floats:
        """Their covariances (K, 2, 2) in data units."""
        return self.spreads * self.frame.spread**2

    @cached_property
    def terms(self) -> Floats:
        """The coefficients (6, K) of `monomials` in log w_k N, N a density over the frame."""
        a, b, c = self.spreads[:, 0, 0], self.spreads[:, 0, 1], self.spreads[:, 1, 1]
        det = a * c - b * b
        p, q, r = c / det, -b / det, a / det
        x, y = self.centres.T
        middle = np.log(self.weights) - np.log(2 * np.pi) - np.log(det) / 2
        middle -= (p * x * x + 2 * q * x * y + r * y * y) / 2
        terms: Floats = np.array([middle, p * x + q * y, q * x + r * y, -p / 2, -q, -r / 2])
        return terms

    def joint(self, X: Floats) -> Floats:
        """log w_k N_k (n, K) at points in data units, N a density over the data's plane."""
        return monomials(self.frame.inside(X)) @ self.terms - self.unit

    @property
    def unit(self) -> float:
        """The log of a square of the frame in data units."""
        return float(2 * np.log(self.frame.spread))

    def field(self, raster: Raster) -> Field:
        """`joint` at each pixel (K, H, W)."""
        table = np.zeros((len(self), 3, 3))
        one, u, v, uu, uv, vv = self.terms
        table[:, 0, 0], table[:, 1, 0], table[:, 0, 1] = one - self.unit, u, v
        table[:, 2, 0], table[:, 1, 1], table[:, 0, 2] = uu, uv, vv
        spread = np.full(2, self.frame.spread)
        return polynomial_field(table, raster, self.frame.centre, spread)

    def ellipses(self, inks: tuple[Ink, ...], sigmas: tuple[float, ...] = SIGMAS) -> tuple[Mark, ...]:
        """The outlines at so many standard deviations, a colour each, the outer ones fainter."""
        legend = _told(sigmas)
        roots = square_roots(self.covariances)
        return tuple(
            Path(
                layer=ELLIPSES,
                lines=(mean + sigma * CIRCLE @ root,),
                closed=True,
                ink=ink,
                width=2.0 if sigma == 1.0 else 1.2,
                opacity=1.0 / sigma**0.7,
                legend=legend if k == 0 and sigma == sigmas[0] else "",
            )
            for k, (mean, root, ink) in enumerate(zip(self.means, roots, inks))
            for sigma in sigmas
        )

    def dots(self, inks: tuple[Ink, ...]) -> Dots:
        """The means."""
        return Dots(layer=MEANS, points=self.means, inks=inks, legend="mean")


def monomials(u: Floats) -> Floats:
    """1, u, v, u^2, u v, v^2 of points (n, 2) in the frame, as (n, 6)."""
    x, y = u.T
    return np.column_stack([np.ones(len(u)), x, y, x * x, x * y, y * y])


def _told(sigmas: tuple[float, ...]) -> str:
    """Standard deviations in words: 1, 2 and 3 σ."""
    *others, last = (f"{sigma:g}" for sigma in sigmas)
    return f"{', '.join(others)} and {last} σ" if others else f"{last} σ"


def square_roots(covariances: Floats) -> Floats:
    """The symmetric square roots (K, 2, 2), which take a circle to an ellipse."""
    values, vectors = np.linalg.eigh(covariances)
    scaled = vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :]
    roots: Floats = scaled @ np.swapaxes(vectors, 1, 2)
    return roots


def smallest_variances(spreads: Floats) -> Floats:
    """The smaller eigenvalue of each covariance (K, 2, 2)."""
    half = (spreads[:, 0, 0] + spreads[:, 1, 1]) / 2
    away = np.hypot((spreads[:, 0, 0] - spreads[:, 1, 1]) / 2, spreads[:, 0, 1])
    return np.asarray(half - away)


def log_sums(joint: Floats) -> Floats:
    """log sum_k exp(joint_k) of each row (n, K)."""
    best = joint.max(axis=1)
    return np.asarray(best + np.log(np.exp(joint - best[:, None]).sum(axis=1)))
