"""Training objectives of linear models as functions of their weights in data units, over any two of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import cast

import numpy as np

from vizml.data import Dataset
from vizml.evaluate.metrics import one_vs_rest_scores
from vizml.field.arrays import Floats, Ints
from vizml.learn import Classifier, Model, State
from vizml.learn.linear_models.basis import PolynomialBasis
from vizml.learn.linear_models.basis_regression import BasisRegression
from vizml.learn.linear_models.logistic import PolynomialFeatures
from vizml.learn.model import StandardisedModel, prepared
from vizml.learn.training_data import TrainingData

NEWTON_STEPS, DAMPING = 12, 1e-9
"""Steps of Newton's method for the profiled weights, and the ridge that keeps them finite."""
LARGEST_STEP = 5.0
"""Bound of a Newton step in each weight: without it the first steps can diverge."""
LARGEST_EXPONENT = 500.0


@dataclass(frozen=True, eq=False, kw_only=True)
class TrainingObjective(ABC):
    """The objective of decision values f = D w; `names` are those of the weights."""

    names: tuple[str, ...]
    data: TrainingData
    design: Floats
    target: Floats
    """y of a regression, 1 or -1 of two classes."""

    @abstractmethod
    def value(self, f: Floats, weights: Floats) -> Floats:
        """Return the objective (m,) of decision values (m, n) with weights (m, p)."""

    @abstractmethod
    def decision_values(self, state: State) -> Floats:
        """Return the decision values of a state at the training data."""

    def at(self, weights: Floats) -> Floats:
        """Return the objective (m,) at weights (m, p)."""
        return self.value(weights @ self.design.T, weights)

    def weights(self, state: State) -> Floats:
        """Return the weights that give a state's decision values."""
        found, *_ = np.linalg.lstsq(self.design, self.decision_values(state), rcond=None)
        return np.asarray(found, dtype=np.float64)

    def over(self, weights: Floats, i: int, j: int, a: Floats, b: Floats) -> Floats:
        """Return the objective (len(b), len(a)) with weight i at a and weight j at b, the others fixed."""
        return np.array([self.at(_replaced(weights, i, j, a, value)) for value in b])

    def profiled(self, weights: Floats, i: int, j: int, a: Floats, b: Floats) -> Floats:
        """Return the minimum of the objective (len(b), len(a)) over the other weights."""
        raise ValueError("this objective is not smooth: the other weights can only be fixed")


class SquaredErrorObjective(TrainingObjective):
    """The sum of squared residuals."""

    def value(self, f: Floats, weights: Floats) -> Floats:
        return np.asarray(((f - self.target) ** 2).sum(axis=1))

    def decision_values(self, state: State) -> Floats:
        return np.asarray(state.predict(self.data.X), dtype=np.float64)

    def profiled(self, weights: Floats, i: int, j: int, a: Floats, b: Floats) -> Floats:
        base, _ = np.linalg.qr(np.delete(self.design, (i, j), axis=1))
        y, first, second = (
            v - base @ (base.T @ v) for v in (self.target, self.design[:, i], self.design[:, j])
        )
        return np.array([(((y - value * second) - a[:, None] * first) ** 2).sum(axis=1) for value in b])


@dataclass(frozen=True, eq=False, kw_only=True)
class LogLossObjective(TrainingObjective):
    """The penalised log-loss of two classes; the first weight is the intercept, which has no penalty."""

    l2: float
    l1: float

    def value(self, f: Floats, weights: Floats) -> Floats:
        loss, slopes = np.logaddexp(0.0, -self.target * f).sum(axis=1), weights[:, 1:]
        return np.asarray(
            loss + 0.5 * self.l2 * (slopes**2).sum(axis=1) + self.l1 * np.abs(slopes).sum(axis=1)
        )

    def decision_values(self, state: State) -> Floats:
        return _lead(state, self.data)

    def profiled(self, weights: Floats, i: int, j: int, a: Floats, b: Floats) -> Floats:
        if self.l1:
            return super().profiled(weights, i, j, a, b)
        free = np.delete(np.arange(len(weights)), (i, j))
        if not len(free):
            return self.over(weights, i, j, a, b)
        return np.array([self._minimised(_replaced(weights, i, j, a, value), free) for value in b])

    def _minimised(self, at: Floats, free: Ints) -> Floats:
        """Minimise over the free weights of each row by Newton's method."""
        design, penalty = self.design[:, free], self.l2 * (free > 0)
        for _ in range(NEWTON_STEPS):
            exponent = np.clip(self.target * (at @ self.design.T), -LARGEST_EXPONENT, LARGEST_EXPONENT)
            p_wrong = 1.0 / (1.0 + np.exp(exponent))
            gradient = -(self.target * p_wrong) @ design + penalty * at[:, free]
            hessian = np.einsum("mn,nk,nl->mkl", p_wrong * (1.0 - p_wrong), design, design, optimize=True)
            hessian += np.diag(penalty + DAMPING * len(design))
            step = np.linalg.solve(hessian, gradient[..., None])[..., 0]
            at[:, free] -= np.clip(step, -LARGEST_STEP, LARGEST_STEP)
        return self.at(at)


@dataclass(frozen=True, eq=False, kw_only=True)
class HingeObjective(TrainingObjective):
    """lam/2 |w|^2 + the mean of max(0, 1 - y f)."""

    lam: float

    def value(self, f: Floats, weights: Floats) -> Floats:
        hinge = np.maximum(0.0, 1.0 - self.target * f).mean(axis=1)
        return np.asarray(hinge + 0.5 * self.lam * (weights[:, 1:] ** 2).sum(axis=1))

    def decision_values(self, state: State) -> Floats:
        return _lead(state, self.data) / 2


def objective_of(model: Model, dataset: Dataset) -> TrainingObjective:
    """Return the objective that a model minimises; ValueError for models without weights."""
    data = prepared(model.task, dataset)
    values = model.values
    if model.id == "linear":
        own = model.inner if isinstance(model, StandardisedModel) else model
        return _squared_error(data, cast("BasisRegression", own))
    if model.id not in ("logistic", "linear_svm"):
        raise ValueError(
            "only linear models have a loss landscape: choose linear regression, logistic regression "
            "or the linear SVM"
        )
    if len(data.present) != 2:
        raise ValueError(f"a loss landscape needs two classes, not {len(data.present)}")
    d = data.X.shape[1]
    features = PolynomialFeatures(int(values.get("degree", 1)), np.zeros(d), np.ones(d))
    names, design = ("intercept", *features.names), features.design(data.X)
    target = np.where(data.labels == data.present[1], 1.0, -1.0)
    if model.id == "linear_svm":
        return HingeObjective(names=names, data=data, design=design, target=target, lam=float(values["lam"]))
    l2, l1 = float(values["l2"]), float(values["l1"])
    return LogLossObjective(names=names, data=data, design=design, target=target, l2=l2, l1=l1)


def _squared_error(data: TrainingData, model: BasisRegression) -> SquaredErrorObjective:
    functions, degree = model.basis_of(data), model.degree
    if isinstance(functions, PolynomialBasis):
        names = ("intercept", "x", *(f"x^{power}" for power in range(2, degree + 1)))[: degree + 1]
        design = np.vander(data.X[:, 0], degree + 1, increasing=True)
    else:
        design = functions.design(data.X)
        names = tuple(f"w{k}" for k in range(design.shape[1]))
        if functions.has_powers:
            names = ("intercept", *functions.term_names())
            design = np.asarray(np.linalg.solve(functions.conversion().T, design.T).T, dtype=np.float64)
    return SquaredErrorObjective(names=names, data=data, design=design, target=data.y)


def _replaced(weights: Floats, i: int, j: int, a: Floats, b: float) -> Floats:
    """Return the weights (len(a), p) with weight i at each value of a and weight j at b."""
    rows = np.repeat(weights[None, :], len(a), axis=0)
    rows[:, i], rows[:, j] = a, b
    return rows


def _lead(state: State, data: TrainingData) -> Floats:
    """Return the lead of the second of two classes."""
    ((_, lead),) = one_vs_rest_scores(cast("Classifier", state), data.X)
    return lead
