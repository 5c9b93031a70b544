"""Stacking for regression: b + sum_m w_m f_m(x), fitted by ridge regression to out-of-fold predictions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vizml.data.wording import plural
from vizml.field.arrays import Floats
from vizml.learn import REGRESS, Regressor, real, register, text, varied
from vizml.learn.ensembles.common import EnsembleModel
from vizml.learn.ensembles.members import member_items, parse_members, train_member
from vizml.learn.ensembles.regressor_members import REGRESSORS, CombinedRegressor, no_regressors
from vizml.learn.ensembles.stacking import (
    FOLDS,
    assign_folds,
    meta_names,
    named_weights,
    out_of_fold,
    weights_chart,
)
from vizml.learn.learned import Learned, PointValues
from vizml.learn.state import Real
from vizml.learn.training_data import TrainingData
from vizml.scene import Chart


@dataclass(frozen=True, eq=False, kw_only=True)
class StackingRegressor(CombinedRegressor):
    """A linear combination of the members; the loss is its mean squared error on out-of-fold predictions."""

    intercept: float
    ids: tuple[str, ...]
    """Short names of the members."""
    Z: Floats
    """Meta-features (n, M): predictions for the training points by members that did not see them."""

    @property
    def meta_names(self) -> tuple[str, ...]:
        """Name of each meta-feature: that of its member."""
        return meta_names(self.ids)

    def training_values(self) -> PointValues:
        return {f"out-of-fold {name}": column.copy() for name, column in zip(self.meta_names, self.Z.T)}

    @property
    def shares(self) -> Floats:
        return self.weights

    def combine(self, parts: Iterable[NDArray[Real]]) -> NDArray[Real]:
        total = super().combine(parts)
        return total + total.dtype.type(self.intercept)

    def averaged(self, X: Floats) -> None:
        """Return nothing: the weights are fitted, and need not add up to 1."""

    def learned(self) -> Learned:
        return {**super().learned(), "b": self.intercept}

    def charts(self) -> tuple[Chart, ...]:
        return (weights_chart(self.ids, self.weights),)

    def metrics(self) -> Mapping[str, float]:
        found = {"out-of-fold mean squared error": self.loss, "intercept": self.intercept}
        return {**super().metrics(), **found, **named_weights(self.titles, self.weights)}


@register(
    "stacking", REGRESS, "Ensembles", "Stacking",
    symbols={"f": ("Prediction of a member, a meta-feature.", "Members"), "w": ("Weight of a member.",)},
    synonyms=("meta-learner", "stacked generalisation", "heterogeneous ensemble"),
)  # fmt: skip
class StackingRegression(EnsembleModel):
    r"""Fits several regression models and a ridge regression (the meta-model) that combines their
    predictions, fitted to cross-validated predictions.

    .. math::
        \hat y(x) = b + \sum_m w_m f_m(x)
        \min_{w, b} \sum_i ( y_i - b - \sum_m w_m f_m^{-i}(x_i) )^2 + \lambda \| w \|^2
    """

    members: str = text(
        "linear,knn,tree", partial(parse_members, task=REGRESS), REGRESSORS, items=member_items(REGRESS),
        help="Base models to combine, each with its parameters in brackets.",
    )  # fmt: skip
    folds: int = varied(FOLDS)
    l2: float = real(
        1.0, 0.0, 1e6, log=True, symbol="λ",
        help="L2 regularisation strength of the meta-model's weights; 0 is least squares.",
    )  # fmt: skip

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[CombinedRegressor]:
        models = parse_members(self.members, REGRESS)
        mean = no_regressors(data, tuple(model.title for model in models))
        fold = assign_folds(np.zeros(len(data), dtype=np.int64), self.folds, rng)
        columns: list[Floats] = []

        def features(member: Regressor, X: Floats) -> Floats:
            return member.expected(X)[:, None]

        for model in models:
            train = partial(train_member, model, rng=rng, report=mean.report)
            last = yield from train(data, every=every)
            columns.append((yield from out_of_fold(partial(train, every=False), features, data, fold)))
            note = f"{model.title}: out-of-fold predictions from {plural(int(fold.max()) + 1, 'fold')}"
            mean = replace(mean.add(last), note=note)
            yield mean
        Z = np.concatenate(columns, axis=1)
        intercept, weights = fit_ridge(Z, data.y, self.l2)
        error = float(np.mean((data.y - intercept - Z @ weights) ** 2))
        listed = ", ".join(f"{title} {w:.3g}" for title, w in zip(mean.titles, weights))
        yield StackingRegressor(
            X=data.X, y=data.y, members=mean.members, planned=mean.planned, stepwise=False, progress=1.0,
            weights=weights, intercept=intercept, ids=tuple(model.id for model in models), loss=error, Z=Z,
            note=f"meta-model weights: {listed}; out-of-fold mean squared error {error:.4g}",
        )  # fmt: skip


def fit_ridge(Z: Floats, y: Floats, l2: float) -> tuple[float, Floats]:
    """Intercept and weights that minimise |y - b - Zw|^2 + l2 |w|^2."""
    means, level = Z.mean(axis=0), float(y.mean())
    rows = np.concatenate([Z - means, np.sqrt(l2) * np.eye(Z.shape[1])])
    weights, *_ = np.linalg.lstsq(rows, np.append(y - level, np.zeros(Z.shape[1])), rcond=None)
    return level - float(means @ weights), weights
