"""Support vector regression: min |w|^2 / 2 + C sum max(0, |y - f(x)| - eps), by its dual."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from vizml.data.wording import plural
from vizml.field.arrays import Floats
from vizml.field.cancellation import check_cancelled
from vizml.learn import REGRESS, CannotLearn, FittedRegressor, real, register, varied
from vizml.learn.learned import Learned, PointValues
from vizml.learn.linear_models.basis import PolynomialBasis
from vizml.learn.linear_models.reports import equation
from vizml.learn.model import WatchedModel
from vizml.learn.support_vectors.binary import COST, TOLERANCE, optimise, progress
from vizml.learn.support_vectors.kernels import (
    COEF0,
    DEGREE,
    GAMMA,
    KERNEL,
    KernelColumns,
    KernelFunction,
    KernelSums,
    LinearKernel,
    PolynomialKernel,
    chosen_kernel,
)
from vizml.learn.support_vectors.smo import Smo
from vizml.learn.support_vectors.views import SvrCurveView, SvrMapView
from vizml.learn.training_data import TrainingData
from vizml.scene.typesetting import without_rounding

MOST_STEPS, EASY = 20_000, 400
"""Largest number of steps, and steps before optimisations over all free coefficients pay."""
ALIKE = 1e-9
"""A squared distance in feature space below this share of the kernel's values is mostly rounding."""


@dataclass(frozen=True, eq=False, kw_only=True)
class SvrState(FittedRegressor):
    """f(x) = sum_i w_i k(x_i, x) + b with a tube of half-width eps around it; its loss is the dual."""

    curve_view_class = SvrCurveView
    plane_view_class = SvrMapView
    kernel: KernelFunction
    shift: Floats
    """Taken from X before the kernel: a shift that changes nothing saves digits."""
    weights: Floats
    bias: float
    C: float
    epsilon: float
    gap: float
    count: int
    pair: tuple[int, ...] = ()
    """The points whose weights the step has changed."""

    @property
    def sums(self) -> KernelSums:
        """f of shifted inputs."""
        held = np.flatnonzero(self.weights)
        return KernelSums(self.X[held] - self.shift, self.weights[None, held], np.array([self.bias]))

    def expected(self, X: Floats) -> Floats:
        return self.kernel.values(X - self.shift, self.sums)[:, 0]

    @property
    def largest_term(self) -> float:
        """A bound on the sum of the terms of f, which may cancel."""
        return float(np.abs(self.kernel.diagonal(self.X - self.shift)).max() * np.abs(self.weights).sum())

    @property
    def equation(self) -> str:
        if not isinstance(self.kernel, LinearKernel) or self.X.shape[1] > 1:
            return ""
        x, shift = self.X[:, 0], float(self.shift[0])
        slope = float(self.weights @ (x - shift))
        low, high = float(x.min()), float(x.max())
        basis = PolynomialBasis(1, (low + high) / 2, (high - low) / 2 or 1.0)
        inside = np.array([self.bias + slope * (basis.middle - shift), slope * basis.half])
        return equation(basis, inside, np.array([self.bias - slope * shift, slope]))

    def kernel_matrix(self, X: Floats) -> Floats:
        return self.kernel(X - self.shift, X - self.shift)

    def learned(self) -> Learned:
        """Return w and b for a linear kernel, else the weights beta of the support vectors x."""
        centres, weights, _ = self.sums
        if isinstance(self.kernel, LinearKernel):
            w = (weights @ centres)[0]
            return {"w": w, "b": float(self.bias - w @ self.shift)}
        return {"b": float(self.bias), "beta": weights[0], "x": centres + self.shift}

    def row_values(self, data: TrainingData) -> PointValues:
        beyond = np.abs(data.y - self.expected(data.X)) - self.epsilon
        return {"xi": np.maximum(0.0, beyond)}

    def training_values(self) -> PointValues:
        size = np.abs(self.weights)
        cases = np.select(
            [size == 0, size < self.C],
            ["inside the tube: β = 0", "on the tube: 0 < |β| < C"],
            "outside the tube: |β| = C",
        )
        return {"beta": self.weights, "case": cases}

    def back_values(self, row: int | None = None) -> tuple[str, ...]:
        size, found = np.abs(self.weights), self.metrics()
        bounded, zero = int((size >= self.C).sum()), int((size == 0).sum())
        primal, dual = found["primal objective"], -found["dual objective"]
        lines = (
            f"β = 0: {zero:,}, 0 < |β| < C: {len(size) - zero - bounded:,}, |β| = C: {bounded:,}",
            f"Σ β = {without_rounding(self.weights.sum(), size.sum()):.2g}",
            f"primal {primal:.5g}, dual {dual:.5g}, gap {max(primal - dual, 0.0):.2g}",
        )
        if row is None:
            return lines
        slack = max(abs(self.residuals[row]) - self.epsilon, 0.0)
        case = self.training_values()["case"][row]
        return (*lines, f"point {row}: β = {self.weights[row]:.3g}, ξ = {slack:.3g}", str(case))

    def metrics(self) -> dict[str, float]:
        size, over = np.abs(self.weights), np.maximum(np.abs(self.residuals) - self.epsilon, 0)
        norm2 = 2 * (self.loss + float(self.weights @ self.y) - self.epsilon * float(size.sum()))
        return {
            "support vectors": float((size > 0).sum()), "bounded": float((size >= self.C).sum()),
            "KKT gap": self.gap, "dual objective": self.loss,
            "primal objective": max(norm2, 0.0) / 2 + self.C * float(over.sum()), "RSS": self.rss,
            "steps": float(self.count),
        }  # fmt: skip


@register(
    "svr", REGRESS, "Support vector machines", "Support vector regression", short="SVR",
    symbols={
        "β": (
            "Weight of a point; those with β ≠ 0 are the support vectors.",
            "Support vectors",
            "Bounded support vectors",
        ),
        "f": ("Predicted curve.", "Curve"),
        "b": ("Intercept.",),
    },
    synonyms=("epsilon-insensitive loss", "SVM regression"),
)  # fmt: skip
class SupportVectorRegression(WatchedModel):
    r"""Fits the flattest function within a tube. Deviations beyond the tube are penalised in proportion
    to C.

    .. math::
        \min_{w, b} \tfrac{1}{2} \|w\|^2 + C \sum_i \max(0,\, |y_i - f(x_i)| - \varepsilon)
        f(x) = \sum_i \beta_i\, k(x_i, x) + b, \quad -C \le \beta_i \le C, \quad \sum_i \beta_i = 0

    Dual problem and KKT conditions

    .. math::
        \max_{\beta} \sum_i y_i \beta_i - \varepsilon \sum_i |\beta_i|
        \quad - \tfrac{1}{2} \sum_{i,j} \beta_i \beta_j\, k(x_i, x_j)
        \beta_i = \alpha_i - \alpha_i^*, \quad \alpha_i \alpha_i^* = 0
        \alpha_i (\varepsilon + \xi_i - y_i + f(x_i)) = 0, \quad (C - \alpha_i)\, \xi_i = 0
    """

    loss: ClassVar[str] = "epsilon"
    uses_distances = True

    C: float = varied(
        COST,
        help="Penalty for deviations beyond the tube. High values fit the points more closely; low values"
        " give a flatter function.",
    )
    epsilon: float = real(
        0.1, 0.0, 1e6, log=True, symbol="ε", title="half-width",
        help="Half-width of the tube, in units of the target. Smaller deviations have no loss.",
    )  # fmt: skip
    kernel: str = KERNEL
    gamma: float | str = GAMMA
    degree: int = DEGREE
    coef0: float = COEF0
    tol: float = varied(
        TOLERANCE, symbol="τ",
        help="Stopping tolerance: largest violation of the optimality (KKT) conditions, in units of the"
        " target.",
    )  # fmt: skip

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[SvrState]:
        kernel = chosen_kernel(self.kernel, self.gamma, self.degree, self.coef0, data.X)
        n = len(data)
        shift = data.X.mean(axis=0) if isinstance(kernel, LinearKernel) else np.zeros(data.X.shape[1])
        points = data.X - shift
        columns = KernelColumns(kernel, points)
        if isinstance(kernel, PolynomialKernel) and _indistinct(kernel, points):
            raise CannotLearn("the inputs lie too far from 0 for a polynomial kernel: all points look alike")
        zero, bound = np.zeros(n), np.full(n, self.C)
        smo = Smo(
            columns,
            q=np.concatenate([data.y - self.epsilon, data.y + self.epsilon]),
            low=np.concatenate([zero, -bound]),
            high=np.concatenate([bound, zero]),
        )
        start = smo.gap
        first = SvrState(
            X=data.X, y=data.y, kernel=kernel, shift=shift, weights=zero, bias=0.0, C=self.C,
            epsilon=self.epsilon, gap=math.inf, count=0,
        )  # fmt: skip
        for step in optimise(smo, self.tol, MOST_STEPS, EASY):
            check_cancelled()
            if not every:
                continue
            change = f"weight {step.before:.3g} → {step.after:.3g}"
            pair = step.i % n, step.j % n
            note = f"pair ({pair[0]}, {pair[1]}): {change}, KKT gap {smo.gap:.2g}"
            yield _later(first, smo, note, progress(smo.gap, start, self.tol)).later(pair=pair)
        last = _later(first, smo, "", 1.0)
        yield last.later(note=_summary(last, converged=smo.gap < self.tol))


def _indistinct(kernel: KernelFunction, points: Floats) -> bool:
    """Whether rounding hides the distance of the farthest points in feature space."""
    first = int(np.abs(points - points.mean(axis=0)).max(axis=1).argmax())
    last = int(np.abs(points - points[first]).max(axis=1).argmax())
    values = kernel(points[[first, last]], points[[first, last]])
    distance = values[0, 0] + values[1, 1] - 2 * values[0, 1]
    return bool((points[first] != points[last]).any() and distance <= ALIKE * values.max())


def _later(first: SvrState, smo: Smo, note: str, progress: float) -> SvrState:
    weights = smo.w.reshape(2, -1).sum(axis=0)  # alpha - alpha*
    weights.flags.writeable = False
    return first.later(
        weights=weights, bias=smo.bias, gap=smo.gap, count=smo.count, loss=smo.dual, note=note,
        progress=progress,
    )  # fmt: skip


def _summary(last: SvrState, *, converged: bool) -> str:
    size = np.abs(last.weights)
    if not size.any():
        return "all points lie within a tube around a constant: there are no support vectors"
    state = "converged" if converged else "stopped before convergence"
    figures = f"{plural(int((size > 0).sum()), 'support vector')}, {(size >= last.C).sum()} with weight C"
    return f"{state} after {plural(last.count, 'SMO update')}: {figures}, KKT gap {last.gap:.2g}"
