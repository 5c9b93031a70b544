"""Support vector regression: min 1/2 |w|^2 + C sum max(0, |y - f(x)| - eps), by its dual."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.random import Generator

from vizml.field.chebyshev import smooth_curve
from vizml.learn import REGRESS, CannotLearn, Model, Regressor, real, register
from vizml.learn.linear_models.basis import PolynomialBasis
from vizml.learn.linear_models.equation import equation
from vizml.learn.state import Floats
from vizml.learn.support_vectors import settings
from vizml.learn.support_vectors.kernels import Kernel, Laplace, Linear, Polynomial
from vizml.learn.support_vectors.smo import Columns, Step
from vizml.learn.support_vectors.tube_smo import TubeSmo
from vizml.learn.training_data import TrainingData
from vizml.scene import Between, Mark, Rings, Segments

FIRST_STEPS = 60
"""Each of these is shown; later ones at a distance that grows with them."""
SETTLE = 8
"""How often all free weights are settled at once."""
MOST_STEPS = 20_000
WORK = 1_000_000
"""Points times steps between two moments: some 10 ms."""
ALIKE = 1e-9
"""A squared distance that is a smaller share of the kernel's values is mostly rounding."""
SMALLEST, LARGEST = 6.0, 10.0
"""Radii in pixels of the least and the greatest weight."""


@dataclass(frozen=True, eq=False, kw_only=True)
class TubeCurve(Regressor):
    """f(x) = sum_i b_i k(x_i, x) + bias, and the tube of half-width eps around it; its loss is the dual."""

    x: Floats
    y: Floats
    kernel: Kernel
    shift: float
    """What is taken from x before the kernel: where that changes nothing it saves digits."""
    weights: Floats
    bias: float
    C: float
    epsilon: float
    gap: float
    count: int

    def curve(self, x: Floats) -> Floats:
        if isinstance(self.kernel, Laplace) or not len(x):
            return self._sums(x)
        largest = float(np.abs(self.kernel.diagonal((self.x - self.shift)[:, None])).max())
        return smooth_curve(self._sums, x, largest * float(np.abs(self.weights).sum()))

    def _sums(self, x: Floats) -> Floats:
        held = np.flatnonzero(self.weights)
        centres, bias = (self.x[held] - self.shift)[:, None], np.array([self.bias])
        return self.kernel.sums((x - self.shift)[:, None], centres, self.weights[None, held], bias)[:, 0]

    @property
    def equation(self) -> str:
        if not isinstance(self.kernel, Linear):
            return ""
        slope = float(self.weights @ (self.x - self.shift))
        line = np.array([self.bias - slope * self.shift, slope])
        low, high = float(self.x.min()), float(self.x.max())
        basis = PolynomialBasis(1, (low + high) / 2, (high - low) / 2 or 1.0)
        inside = np.array([self.bias + slope * (basis.middle - self.shift), slope * basis.half])
        return equation(basis, inside, line)

    @cached_property
    def residuals(self) -> Floats:
        """y - f(x)."""
        return self.y - self.curve(self.x)

    def marks(self) -> tuple[Mark, ...]:
        tube = Between(
            layer="Tube", edges=self._tube, ink="accent", opacity=0.12, width=1.0, stroke="dash",
            legend="tube: errors that cost nothing",
        )  # fmt: skip
        return (tube, self._slack(), *self._rings())

    def _tube(self, x: Floats) -> tuple[Floats, Floats]:
        middle = self.curve(x)
        return middle - self.epsilon, middle + self.epsilon

    def _slack(self) -> Mark:
        """From each point outside the tube to the tube."""
        over = np.abs(self.residuals) - self.epsilon
        out = over > 0
        edge = self.y - np.sign(self.residuals) * over
        ends = np.stack([self.x, self.y, self.x, edge], axis=1).reshape(-1, 2, 2)[out]
        return Segments(layer="Slack", ends=ends, ink="muted", opacity=0.6, legend="slack: what costs")

    def _rings(self) -> tuple[Mark, ...]:
        size = np.abs(self.weights)
        bounded, points = size >= self.C, np.column_stack([self.x, self.y])
        radii = SMALLEST + (LARGEST - SMALLEST) * np.sqrt(size / max(float(size.max()), 1e-300))
        free = (size > 0) & ~bounded
        return (
            Rings(layer="Support vectors", points=points[free], radii=radii[free], legend="support vector"),
            Rings(
                layer="Bounded support vectors", points=points[bounded], radii=radii[bounded],
                stroke="dot", width=1.0, ink="muted", legend="support vector at C",
            ),
        )  # fmt: skip

    def metrics(self) -> dict[str, float]:
        size, over = np.abs(self.weights), np.maximum(np.abs(self.residuals) - self.epsilon, 0)
        norm2 = 2 * (self.loss + float(self.weights @ self.y) - self.epsilon * float(size.sum()))
        return {
            "support vectors": float((size > 0).sum()),
            "bounded": float((size >= self.C).sum()),
            "KKT gap": self.gap,
            "dual objective": self.loss,
            "primal objective": max(norm2, 0.0) / 2 + self.C * float(over.sum()),
            "RSS": float(self.residuals @ self.residuals),
            "steps": float(self.count),
        }


@register(
    "svr",
    task=REGRESS,
    family="Margins",
    title="Support vector regression",
    about="Fits the flattest curve within a tube: points inside cost nothing, others by their distance.",
    formula=(
        r"\min_{w, b} \tfrac{1}{2} \|w\|^2 + C \sum_i \max(0,\, |y_i - f(x_i)| - \varepsilon)",
        r"f(x) = \sum_i \beta_i\, k(x_i, x) + b, \quad -C \le \beta_i \le C, \quad \sum_i \beta_i = 0",
    ),
)
@dataclass(frozen=True)
class SupportVectorRegression(Model):
    C: float = settings.cost(
        "price of each unit of y outside the tube: high follows the points, low keeps the curve flat"
    )
    epsilon: float = real(
        0.1,
        lo=0.0,
        hi=1e6,
        log=True,
        symbol="ε",
        title="half-width",
        help="how far a point may be from the curve, up or down, at no cost",
    )
    kernel: str = settings.kernel("curve")
    gamma: float | str = settings.gamma("1 / variance of x")
    degree: int = settings.degree()
    coef0: float = settings.coef0()
    tol: float = settings.tolerance("τ", ", in units of y")

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[TubeCurve]:
        del rng
        kernel, n = self._kernel(data.x), len(data)
        shift = float(data.x.mean()) if isinstance(kernel, Linear) else 0.0
        points = (data.x - shift)[:, None]
        if not np.isfinite(kernel.diagonal(points)).all():
            raise CannotLearn("the kernel's values are too large for these data: lower gamma or the degree")
        if isinstance(kernel, Polynomial) and _alike(kernel, points):
            raise CannotLearn("x lies too far from 0 for a polynomial kernel, to which all points look alike")
        smo = TubeSmo(Columns(kernel, points), data.y, self.C, self.epsilon)
        first, start = self._first(data, kernel, shift), math.inf
        while (step := smo.step(self.tol)) is not None and smo.count < MOST_STEPS:
            start = smo.gap if math.isinf(start) else start
            if smo.count % SETTLE == 0:
                smo.settle()
            if smo.count < FIRST_STEPS or smo.count % max(min(smo.count // 20, WORK // n), 1) == 0:
                yield _later(first, smo, _told(step), self._share(smo.gap, start))
        yield _later(first, smo, _summary(smo, step is None), 1.0)

    def _first(self, data: TrainingData, kernel: Kernel, shift: float) -> TubeCurve:
        """Before any step."""
        return TubeCurve(
            x=data.x, y=data.y, kernel=kernel, shift=shift, weights=np.zeros(len(data)), bias=0.0,
            C=self.C, epsilon=self.epsilon, gap=math.inf, count=0,
        )  # fmt: skip

    def _share(self, gap: float, start: float) -> float:
        """How far the gap has come down to tol, on a log scale."""
        if not self.tol < gap < start:
            return 0.0
        return math.log(start / gap) / math.log(start / self.tol)

    def _kernel(self, x: Floats) -> Kernel:
        gamma = settings.gamma_of(self.gamma, float(x.var()))
        return settings.kernel_of(self.kernel, gamma, self.degree, self.coef0)


def _alike(kernel: Kernel, points: Floats) -> bool:
    """Whether different x are so near each other, as the kernel sees them, that rounding hides it."""
    ends = points[[int(points[:, 0].argmin()), int(points[:, 0].argmax())]]
    values = kernel(ends, ends)
    apart = values[0, 0] + values[1, 1] - 2 * values[0, 1]
    return bool(ends[0, 0] < ends[1, 0] and apart <= ALIKE * values.max())


def _later(first: TubeCurve, smo: TubeSmo, note: str, share: float) -> TubeCurve:
    weights = smo.weights.copy()
    weights.flags.writeable = False
    return first.later(
        weights=weights, bias=smo.bias, gap=smo.gap, count=smo.count, loss=smo.dual, note=note, progress=share
    )


def _told(step: Step) -> str:
    move = f"{step.before:.3g} → {step.after:.3g}"
    return f"pair ({step.i}, {step.j}): weight {move}, KKT gap {step.gap:.2g}"


def _summary(smo: TubeSmo, met: bool) -> str:
    held, at = int((smo.weights != 0).sum()), int((np.abs(smo.weights) >= smo.C).sum())
    if not held:
        return "all points fit into a tube around a level line: there is nothing to bend"
    how = "optimal" if met else "not optimal yet, but stopped"
    return f"{how} after {smo.count} steps: {held} support vectors, {at} weights at C, KKT gap {smo.gap:.2g}"
