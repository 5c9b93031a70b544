"""Stacking: p(x) = softmax(W z(x) + b) on what members say, z(x), fitted to what they say out of fold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Generator as Steps
from dataclasses import dataclass, replace
from itertools import islice
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from vizml.field import Field, Raster
from vizml.learn import CLASSIFY, Classifier, Model, integer, real, register, text
from vizml.learn.ensembles.committee import Assembly, Committee, Company
from vizml.learn.ensembles.members import parse_members, shares, shares_field, training
from vizml.learn.linear_models.log_loss import LogLoss
from vizml.learn.linear_models.logistic_solver import newton_path
from vizml.learn.state import Floats, Ints, Real, Scale
from vizml.learn.training_data import TrainingData
from vizml.scene import Axis, Chart, Series

NEWTON_STEPS = 50
STILL = 1e-8


@dataclass(frozen=True, eq=False, kw_only=True)
class Stacked(Company):
    """Log-odds that are linear in the members' shares; its loss is the log-loss out of fold."""

    scale: ClassVar[Scale] = Scale.LOGIT
    meta: Floats
    """(rows, 1 + features): a row for two classes, one for each of more."""
    ids: tuple[str, ...]
    """What the members are called where their names would be too long."""

    def scores(self, X: ArrayLike) -> Floats:
        points = np.asarray(X, dtype=np.float64)
        features = [told(shares(member, points, self.classes).T).T for member in self.members]
        logits = np.concatenate(features, axis=1) @ self.meta[:, 1:].T + self.meta[:, 0]
        return logits if len(self.meta) > 1 else np.concatenate([np.zeros_like(logits), logits], axis=1)

    def field(self, raster: Raster) -> Field:
        out = np.zeros((len(self.classes), *raster.shape), dtype=np.float32)
        rows = out[-len(self.meta) :]
        rows += self.meta[:, 0].astype(np.float32)[:, None, None]
        weights = iter(self.meta[:, 1:].T.astype(np.float32))
        for member in self.members:
            for plane in told(shares_field(member, raster, self.classes)):
                rows += next(weights)[:, None, None] * plane
        return out

    def charts(self) -> tuple[Chart, ...]:
        at = np.arange(float(len(self.members)))
        sizes = self.sizes
        return (
            Chart(
                title="Meta weights",
                x=Axis(title="member", ticks=dict(zip(at.tolist(), self.ids))),
                y=Axis(title="weight"),
                series=(Series(name="weight", x=at, y=sizes, kind="bars"),),
            ),
        )

    def metrics(self) -> Mapping[str, float]:
        found = {"out-of-fold log-loss": self.loss}
        for number, (title, size) in enumerate(zip(self.titles, self.sizes), start=1):
            key = f"weight of {title}"
            found[key if key not in found else f"{key} ({number})"] = float(size)
        return found

    @property
    def sizes(self) -> Floats:
        """What each member counts: its weight for two classes, the mean of its own classes' for more."""
        if len(self.meta) == 1:
            return self.meta[0, 1:].copy()
        own = self.meta[:, 1:].reshape(len(self.meta), len(self.members), -1)
        return np.array([np.diag(own[:, m]).mean() for m in range(len(self.members))])


@register(
    "stacking",
    task=CLASSIFY,
    family="Ensembles",
    title="Stacking",
    about="Lets a logistic model learn how much to believe each of several models, class by class.",
    formula=(
        r"z(x) = ( \hat p_1(x), \ldots, \hat p_M(x) )",
        r"\hat p(x) = \mathrm{softmax}( W z(x) + b )",
    ),
)
@dataclass(frozen=True)
class Stacking(Model):
    members: str = text(
        "svm,knn,tree", parse_members, "classifiers between commas, such as svm(C=10),knn,tree",
        help="the models that are believed more or less, each with its parameters in brackets",
    )  # fmt: skip
    folds: int = integer(
        5,
        2,
        10,
        symbol="k",
        help="parts of the points: what is said of one comes from members that saw the others",
    )
    l2: float = real(1.0, 1e-3, 1e3, log=True, symbol="λ", help="what the squares of the meta weights cost")

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[Company]:
        models = parse_members(self.members)
        assembly = Assembly(data, tuple(model.title for model in models))
        columns: list[Floats] = []
        fold = dealt(data.labels, self.folds, rng)
        fits = int(fold.max()) + 1
        for model in models:
            last = yield from training(model, data, rng, assembly.tell)
            columns.append((yield from _out_of_fold(model, data, fold, rng, assembly.tell)))
            assembly.join(last)
            yield assembly.state(f"{model.title}: {fits} fits were asked about points that they had not seen")
        meta, loss = fitted(np.concatenate(columns, axis=1), data.labels, data.present, self.l2)
        state = Stacked(
            classes=data.present, points=data.points, names=assembly.names, members=assembly.members,
            titles=assembly.titles, ids=tuple(model.id for model in models), meta=meta, loss=loss,
            progress=1.0,
        )  # fmt: skip
        weights = ", ".join(f"{title} {size:.3g}" for title, size in zip(state.titles, state.sizes))
        yield replace(state, note=f"believes {weights}: log-loss {loss:.3g} out of fold")


def told(planes: NDArray[Real]) -> NDArray[Real]:
    """Shares (K, ...) without what the others tell already: of two classes, the second's."""
    return planes if len(planes) > 2 else planes[1:]


def dealt(labels: Ints, folds: int, rng: Generator) -> Ints:
    """The fold of each point; each has its share of every class."""
    order = rng.permutation(len(labels))
    order = order[np.argsort(labels[order], kind="stable")]
    fold = np.empty(len(labels), dtype=np.int64)
    fold[order] = np.arange(len(labels)) % min(folds, len(labels))
    return fold


def _out_of_fold(
    model: Model, data: TrainingData, fold: Ints, rng: Generator, tell: Callable[[Classifier], Committee]
) -> Steps[Committee, None, Floats]:
    """What fits to the other folds say of each point (n, F)."""
    columns = []
    for held in range(int(fold.max()) + 1):
        member = yield from training(model, data.take(fold != held), rng, tell)
        columns.append(told(shares(member, data.points[fold == held], data.present).T).T)
    out = np.empty((len(data), columns[0].shape[1]))
    for held, column in enumerate(columns):
        out[fold == held] = column
    return out


def fitted(features: Floats, labels: Ints, classes: Ints, l2: float) -> tuple[Floats, float]:
    """Weights (rows, 1 + F) of the least log-loss + l2/2 |w|^2, and their mean log-loss."""
    design = np.column_stack([np.ones(len(features)), features])
    objective = LogLoss.of(design, labels, classes, np.eye(design.shape[1]), l2, 0.0)
    for place in islice(newton_path(objective), NEWTON_STEPS):
        if place.gradient_norm < STILL:
            break
    return place.weights, (place.loss - objective.cost(place.weights)) / len(labels)
