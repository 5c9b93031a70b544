"""Logistic regression: the least -sum_i ln p(y_i | x_i) + l2/2 |w|^2 + l1 |w|_1, p = softmax(w.x + b)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.field import Field, Raster
from vizml.learn import CLASSIFY, Classifier, Model, Scale, choice, integer, real, register
from vizml.learn.linear_models.features import Features
from vizml.learn.linear_models.newton import newton_path
from vizml.learn.linear_models.objective import LogLoss
from vizml.learn.linear_models.path import Place, descent_path
from vizml.learn.linear_models.telling import told
from vizml.learn.state import Floats
from vizml.learn.training_data import TrainingData

DESCENT = ("gd", "sgd", "minibatch", "momentum", "rmsprop", "adam")
BATCHED = DESCENT[2:]


@dataclass(frozen=True, eq=False, kw_only=True)
class Logistic(Classifier):
    """Log-odds that are polynomials: f against 0 for two classes, one for each of more."""

    scale: ClassVar[Scale] = Scale.LOGIT
    features: Features
    weights: Floats
    """(rows, 1 + d) on 1 and the features in their own coordinates."""
    slope: float
    points: int

    def scores(self, X: ArrayLike) -> Floats:
        values: Floats = self.features.design(np.asarray(X, dtype=np.float64)) @ self.weights.T
        return values if len(self.weights) > 1 else np.concatenate([np.zeros_like(values), values], axis=1)

    def field(self, raster: Raster) -> Field:
        # pages of zeros cost nothing until they are written to
        out = np.zeros((len(self.classes), *raster.shape), dtype=np.float32)
        for plane, weights in zip(out[-len(self.weights) :], self.weights):
            self.features.paint(weights, raster, plane)
        return out

    @cached_property
    def coefficients(self) -> Floats:
        """(rows, d) on x, y, x^2, xy, ... in data units."""
        return self._in_data_units[:, 1:]

    @cached_property
    def intercepts(self) -> Floats:
        """(rows,) in data units."""
        return self._in_data_units[:, 0]

    @cached_property
    def _in_data_units(self) -> Floats:
        return self.weights @ self.features.data_units().T

    def metrics(self) -> Mapping[str, float]:
        figures = {"loss": self.loss, "loss per point": self.loss / self.points, "gradient norm": self.slope}
        if len(self.weights) == 1:
            figures["intercept"] = float(self.intercepts[0])
            figures |= {name: float(w) for name, w in zip(self.features.names, self.coefficients[0])}
        return figures


@register(
    "logistic",
    task=CLASSIFY,
    family="Linear",
    title="Logistic regression",
    about="Makes the log-odds of the classes linear in the features, so that the labels are most likely.",
    formula=(
        r"p(c \mid x) = \frac{e^{w_c \cdot \varphi(x) + b_c}}{\sum_{k} e^{w_k \cdot \varphi(x) + b_k}}",
        r"J = -\sum_{i=1}^{n} \ln p(y_i \mid x_i) + \frac{\lambda_2}{2} \| w \|_2^2 + \lambda_1 \| w \|_1",
    ),
)
@dataclass(frozen=True)
class LogisticRegression(Model):
    solver: str = choice(
        "newton",
        ("newton", *DESCENT),
        labels={
            "newton": "Newton (IRLS)",
            "gd": "gradient descent",
            "sgd": "stochastic gradient descent",
            "minibatch": "mini-batches",
            "momentum": "momentum",
            "rmsprop": "RMSProp",
            "adam": "Adam",
        },
        help="the way down to the least J",
    )
    degree: int = integer(1, 1, 6, help="highest power in the features; 2 gives x, y, x², xy, y²", symbol="d")
    l2: float = real(1.0, 0.0, 1e4, log=True, help="what the squares of the weights cost", symbol="λ₂")
    l1: float = real(
        0.0,
        0.0,
        1e4,
        log=True,
        help="what the sizes of the weights cost: drives some to 0",
        symbol="λ₁",
    )
    rate: float = real(
        0.1,
        1e-4,
        100.0,
        log=True,
        help="how far each step goes down the slope",
        symbol="η",
        title="learning rate",
        when={"solver": DESCENT},
    )
    batch: int = integer(32, 1, 1024, log=True, help="points in each step", when={"solver": BATCHED})
    epochs: int = integer(100, 1, 5000, log=True, help="how often all points are gone through, at the most")
    tol: float = real(
        1e-8,
        1e-12,
        0.1,
        log=True,
        help="done when the gradient for each point is below this",
        title="tolerance",
    )

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[Logistic]:
        features = Features.over(data.points, self.degree, centred=not (self.l1 and self.degree > 1))
        units = features.data_units()
        loss = LogLoss.of(features.design(data.points), data.labels, data.present, units, self.l2, self.l1)
        for place, note, progress in told(self._path(loss, rng), loss, self.epochs, self.tol):
            yield Logistic(
                classes=data.present,
                features=features,
                weights=place.weights,
                slope=place.slope,
                points=len(data),
                loss=place.loss,
                note=note,
                progress=progress,
            )

    def _path(self, loss: LogLoss, rng: Generator) -> Iterator[Place]:
        if self.solver == "newton":
            return newton_path(loss)
        return descent_path(loss, self.solver, self.rate, self.batch, rng)
