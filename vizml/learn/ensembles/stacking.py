"""Stacking: a meta-model of the members' outputs z(x), fitted to their out-of-fold predictions.

Classifiers have p(x) = softmax(W z(x) + b); regressions f(x) = b + w z(x), fitted by ridge regression.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Generator as Generators
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import ClassVar, TypeVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vizml.data.wording import plural
from vizml.field.arrays import Floats, Ints
from vizml.learn import CLASSIFY, REGRESS, Classifier, Regressor, State, integer, real, register, text, varied
from vizml.learn.ensembles.common import REGRESSORS, CombinedRegressor, EnsembleModel, no_regressors
from vizml.learn.ensembles.members import (
    MemberEnsemble,
    class_shares,
    member_items,
    no_members,
    parse_members,
    train_member,
)
from vizml.learn.learned import Learned, PointValues, scalar
from vizml.learn.linear_models.logistic_solver import LogLoss, newton_path
from vizml.learn.state import Real, Scale
from vizml.learn.training_data import TrainingData
from vizml.scene import Axis, Chart, Series

M = TypeVar("M", bound=State)
S = TypeVar("S", bound=State)
FOLDS = integer(
    5, 2, 10, symbol="k",
    help="Cross-validation folds used to compute the out-of-fold predictions that train the meta-model.",
)  # fmt: skip
MAX_NEWTON_STEPS = 50
TOLERANCE = 1e-8
"""Size of the gradient of the log-loss at which the meta-model has converged."""


def weights_chart(ids: Sequence[str], weights: Floats) -> Chart:
    """Weight of each member in the meta-model."""
    at = np.arange(float(len(ids)))
    return Chart(
        title="Meta-model weights", x=Axis(title="member", ticks=dict(zip(at.tolist(), ids))),
        y=Axis(title="weight"), series=(Series(name="weight", x=at, y=weights, kind="bars"),),
    )  # fmt: skip


def named_weights(titles: Sequence[str], weights: Floats) -> dict[str, float]:
    """Weights by member; those of the same title are numbered."""
    found: dict[str, float] = {}
    for number, (title, weight) in enumerate(zip(titles, weights.tolist(), strict=True), start=1):
        key = f"weight of {title}"
        found[key if key not in found else f"{key} ({number})"] = weight
    return found


def meta_names(ids: Sequence[str], classes: Sequence[str] = ()) -> tuple[str, ...]:
    """Names of meta-features: members, numbered where one occurs several times, each with each class.

    >>> meta_names(("tree", "knn", "tree")), meta_names(("tree",), ("A", "B", "C"))
    (('tree', 'knn', 'tree (3)'), ('tree A', 'tree B', 'tree C'))
    """
    named = [id if ids.index(id) == k else f"{id} ({k + 1})" for k, id in enumerate(ids)]
    return tuple(f"{name} {each}" for name in named for each in classes) if classes else tuple(named)


@dataclass(frozen=True, eq=False, kw_only=True)
class StackingState(MemberEnsemble):
    """Log-odds that are linear in the members' shares; the loss is the out-of-fold log-loss."""

    scale: ClassVar[Scale] = Scale.LOGIT
    meta: Floats
    """Meta-model (rows, 1 + features): a row for two classes, one for each of more."""
    ids: tuple[str, ...]
    """Short names of the members."""
    Z: Floats
    """Meta-features (n, F): predictions for the training points by members that did not see them."""

    def combine(self, parts: Iterable[NDArray[Real]]) -> NDArray[Real]:
        features: NDArray[Real] = np.concatenate([independent_shares(part) for part in parts])
        out = np.zeros((len(self.classes), *features.shape[1:]), dtype=features.dtype)
        intercepts, weights = self.meta[:, 0], self.meta[:, 1:]
        out[-len(self.meta) :] = np.tensordot(weights.astype(out.dtype), features, axes=1)
        out[-len(self.meta) :] += intercepts.astype(out.dtype).reshape(-1, *[1] * (out.ndim - 1))
        return out

    def learned(self) -> Learned:
        """Return the weights w of the meta-features and the intercepts b of the meta-model."""
        return {"w": scalar(self.meta[:, 1:]), "b": scalar(self.meta[:, 0])}

    @property
    def meta_names(self) -> tuple[str, ...]:
        """Name of each meta-feature: that of the member, of more than two classes with the class."""
        names = self.names if len(self.classes) > 2 else ()
        return meta_names(self.ids, names)

    def training_values(self) -> PointValues:
        return {f"out-of-fold {name}": column.copy() for name, column in zip(self.meta_names, self.Z.T)}

    def learned_axes(self) -> Mapping[str, tuple[Sequence[str], ...]]:
        return {"w": (self.names, self.titles), "b": (self.names,)}

    def charts(self) -> tuple[Chart, ...]:
        return (weights_chart(self.ids, self.sizes),)

    def metrics(self) -> Mapping[str, float]:
        return {"out-of-fold log-loss": self.loss, **named_weights(self.titles, self.sizes)}

    @property
    def sizes(self) -> Floats:
        """Weight of each member; for more than two classes, the mean over its shares and their classes."""
        if len(self.meta) == 1:
            return self.meta[0, 1:].copy()
        own = self.meta[:, 1:].reshape(len(self.meta), len(self.members), -1)
        return np.array([np.diag(own[:, m]).mean() for m in range(len(self.members))])


@register(
    "stacking", CLASSIFY, "Ensembles", "Stacking",
    symbols={"p": ("Class probabilities.", "Members")},
    synonyms=("meta-learner", "stacked generalisation", "heterogeneous ensemble"),
)  # fmt: skip
class Stacking(EnsembleModel):
    r"""Trains several classifiers and a logistic regression (the meta-model) that combines their
    probabilities, fitted to cross-validated predictions.

    .. math::
        z(x) = ( \hat p_1(x), \ldots, \hat p_M(x) )
        \hat p(x) = \mathrm{softmax}( W z(x) + b )
    """

    members: str = text(
        "svm,knn,tree", parse_members, "classifiers separated by commas, such as svm(C=10),knn,tree",
        items=member_items(),
        help="Base classifiers to combine, each with its parameters in brackets.",
    )  # fmt: skip
    folds: int = varied(FOLDS)
    l2: float = real(
        1.0, 1e-3, 1e3, log=True, symbol="λ", help="L2 regularisation strength of the meta-model's weights."
    )

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[MemberEnsemble]:
        models = parse_members(self.members)
        mean = no_members(data, tuple(model.title for model in models))
        columns: list[Floats] = []
        fold = assign_folds(data.labels, self.folds, rng)

        def features(member: Classifier, X: Floats) -> Floats:
            return independent_shares(class_shares(member, member.scores(X).T, data.present)).T

        for model in models:
            train = partial(train_member, model, rng=rng, report=mean.report, every=every)
            last = yield from train(data)
            columns.append((yield from out_of_fold(train, features, data, fold)))
            note = f"{model.title}: out-of-fold predictions from {int(fold.max()) + 1} folds"
            mean = replace(mean.add(last), note=note)
            yield mean
        Z = np.concatenate(columns, axis=1)
        meta, loss = fit_meta_model(Z, data.labels, data.present, self.l2)
        state = StackingState(
            classes=data.present, X=data.X, names=mean.names, members=mean.members,
            planned=mean.planned, ids=tuple(model.id for model in models), meta=meta, loss=loss,
            progress=1.0, Z=Z,
        )  # fmt: skip
        weights = ", ".join(f"{title} {size:.3g}" for title, size in zip(state.titles, state.sizes))
        yield replace(state, note=f"meta-model weights: {weights}; out-of-fold log-loss {loss:.3g}")


def independent_shares(shares: NDArray[Real]) -> NDArray[Real]:
    """Shares (K, ...) that enter the meta-model: of two classes, the second's."""
    return shares if len(shares) > 2 else shares[1:]


def assign_folds(labels: Ints, folds: int, rng: Generator) -> Ints:
    """Fold of each point, stratified by class."""
    order = rng.permutation(len(labels))
    order = order[np.argsort(labels[order], kind="stable")]
    fold = np.empty(len(labels), dtype=np.int64)
    fold[order] = np.arange(len(labels)) % min(folds, len(labels))
    return fold


def out_of_fold(
    train: Callable[[TrainingData], Generators[S, None, M]], features: Callable[[M, Floats], Floats],
    data: TrainingData, fold: Ints,
) -> Generators[S, None, Floats]:  # fmt: skip
    """Features (n, F) of each point by a member that was trained on the other folds."""
    found = []
    for held in range(int(fold.max()) + 1):
        others = fold != held
        member = yield from train(data.take(others) if others.any() else data)
        found.append(features(member, data.X[~others]))
    out = np.empty((len(data), found[0].shape[1]))
    for held, rows in enumerate(found):
        out[fold == held] = rows
    return out


def fit_meta_model(features: Floats, labels: Ints, classes: Ints, l2: float) -> tuple[Floats, float]:
    """Weights (rows, 1 + F) that minimise log-loss + l2/2 |w|^2, and their mean log-loss."""
    design = np.column_stack([np.ones(len(features)), features])
    objective = LogLoss.of(design, labels, classes, np.eye(design.shape[1]), l2, 0.0)
    for place in islice(newton_path(objective), MAX_NEWTON_STEPS):
        if place.gradient_norm < TOLERANCE:
            break
    return place.weights, (place.loss - objective.cost(place.weights)) / len(labels)


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
