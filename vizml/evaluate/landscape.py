"""The training loss of linear models as a function of their weights in data units, over any two of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.data import Dataset
from vizml.learn import Classifier, Model, State
from vizml.learn.linear_models.basis import PolynomialBasis, PolynomialFeatures, basis_over
from vizml.learn.model import prepared
from vizml.learn.training_data import TrainingData

Floats: TypeAlias = NDArray[np.float64]
NEWTON, DAMP = 12, 1e-9
"""Steps of Newton's method for the weights that are profiled, and what keeps them finite."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Objective(ABC):
    """The loss of decision values f = D w; `names` are those of the weights."""

    names: tuple[str, ...]
    data: TrainingData
    design: Floats
    target: Floats
    """y of a curve, 1 or -1 of two classes."""

    @abstractmethod
    def of(self, f: Floats, weights: Floats) -> Floats:
        """The loss (m,) of decision values (m, n) with weights (m, p)."""

    @abstractmethod
    def decided(self, state: State) -> Floats:
        """The decision values of a state at the points."""

    def weights(self, state: State) -> Floats:
        """The weights of a state: those that give its decision values."""
        found, *_ = np.linalg.lstsq(self.design, self.decided(state), rcond=None)
        return np.asarray(found, dtype=np.float64)

    def over(self, weights: Floats, i: int, j: int, a: Floats, b: Floats) -> Floats:
        """The loss (len(b), len(a)) with weight i at a and weight j at b, the others as they are."""
        rows = []
        for value in b:
            at = np.repeat(weights[None, :], len(a), axis=0)
            at[:, i], at[:, j] = a, value
            rows.append(self.of(at @ self.design.T, at))
        return np.array(rows)

    def profiled(self, weights: Floats, i: int, j: int, a: Floats, b: Floats) -> Floats:
        """The least loss (len(b), len(a)) that the other weights can reach there."""
        raise ValueError("this loss has edges: the other weights can only be fixed")


class Squares(Objective):
    """The sum of squared residuals."""

    def of(self, f: Floats, weights: Floats) -> Floats:
        return np.asarray(((f - self.target) ** 2).sum(axis=1))

    def decided(self, state: State) -> Floats:
        return np.asarray(state.predict(self.data.X), dtype=np.float64)

    def profiled(self, weights: Floats, i: int, j: int, a: Floats, b: Floats) -> Floats:
        base, _ = np.linalg.qr(np.delete(self.design, (i, j), axis=1))
        y, first, second = (
            v - base @ (base.T @ v) for v in (self.target, self.design[:, i], self.design[:, j])
        )
        return np.array([(((y - value * second) - a[:, None] * first) ** 2).sum(axis=1) for value in b])


@dataclass(frozen=True, eq=False, kw_only=True)
class Logs(Objective):
    """The penalised log-loss of two classes: the first weight is the intercept, which costs nothing."""

    l2: float
    l1: float

    def of(self, f: Floats, weights: Floats) -> Floats:
        data = np.logaddexp(0.0, -self.target * f).sum(axis=1)
        slopes = weights[:, 1:]
        return np.asarray(
            data + 0.5 * self.l2 * (slopes**2).sum(axis=1) + self.l1 * np.abs(slopes).sum(axis=1)
        )

    def decided(self, state: State) -> Floats:
        scores = _scores(state, self.data)
        return np.asarray(scores[:, 1] - scores[:, 0])

    def profiled(self, weights: Floats, i: int, j: int, a: Floats, b: Floats) -> Floats:
        if self.l1:
            return super().profiled(weights, i, j, a, b)
        free = np.delete(np.arange(len(weights)), (i, j))
        if not len(free):
            return self.over(weights, i, j, a, b)
        return np.array([self._row(weights, free, i, j, a, float(value)) for value in b])

    def _row(
        self, weights: Floats, free: NDArray[np.int64], i: int, j: int, a: Floats, value: float
    ) -> Floats:
        """Newton's method in the free weights, for all values of a at once."""
        at = np.repeat(weights[None, :], len(a), axis=0)
        at[:, i], at[:, j] = a, value
        design, cost = self.design[:, free], self.l2 * (free > 0)
        for _ in range(NEWTON):
            f = at @ self.design.T
            chance = 1.0 / (1.0 + np.exp(np.clip(self.target * f, -500, 500)))
            gradient = -(self.target * chance) @ design + cost * at[:, free]
            spread = chance * (1.0 - chance)
            curvature = np.einsum("mn,nk,nl->mkl", spread, design, design, optimize=True)
            curvature += np.diag(cost + DAMP * len(f.T))
            step = np.linalg.solve(curvature, gradient[..., None])[..., 0]
            at[:, free] -= np.clip(step, -5.0, 5.0)
        return self.of(at @ self.design.T, at)


@dataclass(frozen=True, eq=False, kw_only=True)
class Hinge(Objective):
    """lam/2 |w|^2 + the mean of max(0, 1 - y f)."""

    lam: float

    def of(self, f: Floats, weights: Floats) -> Floats:
        slack = np.maximum(0.0, 1.0 - self.target * f).mean(axis=1)
        return np.asarray(slack + 0.5 * self.lam * (weights[:, 1:] ** 2).sum(axis=1))

    def decided(self, state: State) -> Floats:
        scores = _scores(state, self.data)
        return np.asarray(scores[:, 1] - scores[:, 0]) / 2


def objective_of(model: Model, data: Dataset) -> Objective:
    """What a model makes small; ValueError for one that is no plane, or no curve, of weights."""
    shown = prepared(model.task, data)
    values = model.values
    if model.id == "linear":
        return _squares(shown, str(values["basis"]), int(values["degree"]))
    if model.id not in ("logistic", "linear_svm"):
        raise ValueError(
            "a landscape is of few weights: choose linear regression, logistic regression or the linear SVM"
        )
    if len(shown.present) != 2:
        raise ValueError(f"a landscape is of two classes, not {len(shown.present)}")
    features = PolynomialFeatures(int(values.get("degree", 1)), np.zeros(2), np.ones(2))
    names = ("intercept", *features.names)
    design = features.design(shown.X)
    target = np.where(shown.labels == shown.present[1], 1.0, -1.0)
    if model.id == "linear_svm":
        return Hinge(names=names, data=shown, design=design, target=target, lam=float(values["lam"]))
    l2, l1 = float(values["l2"]), float(values["l1"])
    return Logs(names=names, data=shown, design=design, target=target, l2=l2, l1=l1)


def _squares(data: TrainingData, basis: str, degree: int) -> Squares:
    x = data.X[:, 0]
    functions = basis_over(basis, degree, x)
    if isinstance(functions, PolynomialBasis):
        names = ("intercept", "x", *(f"x^{power}" for power in range(2, degree + 1)))[: degree + 1]
        return Squares(
            names=names, data=data, design=np.vander(x, degree + 1, increasing=True), target=data.y
        )
    design = functions.design(x)
    names = tuple(f"w{k}" for k in range(design.shape[1]))
    return Squares(names=names, data=data, design=design, target=data.y)


def _scores(state: State, data: TrainingData) -> Floats:
    if not isinstance(state, Classifier) or len(state.classes) != 2:
        raise ValueError("a landscape is of two classes")
    return state.scores(data.X)
