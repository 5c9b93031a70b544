"""Logistic regression: penalised maximum likelihood of p(c | x) = softmax(w_c . phi(x) + b_c).

The features phi are all products of up to a degree of the inputs, scaled to the data so that they are
well-conditioned.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations_with_replacement
from typing import ClassVar, Self

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.field import Field, Raster
from vizml.field.arrays import Floats
from vizml.field.cancellation import check_cancelled
from vizml.field.polynomial import polynomial_plane
from vizml.learn import CLASSIFY, CannotLearn, Classifier, Scale, choice, integer, real, register, varied
from vizml.learn.gaussians import Quadratics
from vizml.learn.gradient_descent import LOWER_RATE, Iterate, reported
from vizml.learn.iterative_training import (
    DECAY,
    DECAYING,
    EARLY_STOP,
    LEARNING_RATE,
    SCHEDULE,
    Schedule,
    validation_split,
)
from vizml.learn.learned import Learned, scalar
from vizml.learn.linear_models import FAMILY
from vizml.learn.linear_models.basis import input_names
from vizml.learn.linear_models.logistic_solver import (
    LogLoss,
    LossPoint,
    descent_path,
    newton_path,
    quasi_newton_path,
    validated,
)
from vizml.learn.model import WatchedModel
from vizml.learn.training_data import TrainingData
from vizml.learn.view import PlaneView
from vizml.scene import Offer

DESCENT = ("gd", "sgd", "minibatch", "momentum", "rmsprop", "adam")
QUASI_NEWTON = ("bfgs", "lbfgs")
LABELS = {
    "newton": "Newton (IRLS)", "bfgs": "BFGS", "lbfgs": "L-BFGS", "gd": "gradient descent",
    "sgd": "stochastic gradient descent",
    "minibatch": "mini-batch gradient descent", "momentum": "momentum", "rmsprop": "RMSProp", "adam": "Adam",
}  # fmt: skip
MOST_TERMS = 1000
"""Products of inputs beyond which the matrices of training take gigabytes: degree 3 of 16 inputs, 6 of 6."""
JUMP = 1.1
"""A loss so many times that of the epoch before is more than the noise of a mini-batch."""
CERTAIN = 10.0
"""Least lead in log-odds after which training on separable classes changes nothing visible."""


@dataclass(frozen=True, eq=False)
class PolynomialFeatures:
    """All products of up to `degree` of the scaled inputs u_j = (x_j - centre_j) / scale_j.

    >>> features = PolynomialFeatures(2, centre=np.zeros(2), scale=np.ones(2))
    >>> features.names
    ['x', 'y', 'x^2', 'xy', 'y^2']
    >>> features.design(np.array([[2.0, 3.0]]))
    array([[1., 2., 3., 4., 6., 9.]])
    """

    degree: int
    centre: Floats
    scale: Floats

    @classmethod
    def over(cls, X: Floats, degree: int, *, centred: bool = True) -> Self:
        """Scale by mean and standard deviation; not centred, each feature is one term in data units."""
        columns, n = np.ascontiguousarray(X.T), max(len(X), 1)
        centre = columns.sum(axis=1) / n if centred else np.zeros(len(columns))
        deviations = columns - centre[:, None]
        scale = np.sqrt(np.multiply(deviations, deviations, out=deviations).sum(axis=1) / n)
        scale[scale <= 1e-12 * np.abs(centre)] = 1.0
        for array in (centre, scale):
            array.flags.writeable = False
        return cls(degree, centre, scale)

    @cached_property
    def products(self) -> list[tuple[int, ...]]:
        """The inputs that each feature multiplies, as scikit-learn orders them; the constant is ()."""
        inputs, degrees = range(len(self.centre)), range(self.degree + 1)
        return [product for total in degrees for product in combinations_with_replacement(inputs, total)]

    @property
    def exponents(self) -> list[tuple[int, ...]]:
        """The exponent of each input in each term, the constant included."""
        return [tuple(product.count(j) for j in range(len(self.centre))) for product in self.products]

    @property
    def names(self) -> list[str]:
        """The names of the features, without the constant: x, y, x^2, xy, y^2, ..."""
        inputs = input_names(len(self.centre))
        powers = [Counter(inputs[j] for j in product).items() for product in self.products[1:]]
        return ["".join(name if e == 1 else f"{name}^{e}" for name, e in power) for power in powers]

    def design(self, X: Floats) -> Floats:
        """Return 1 and the features (n, 1 + p) of X (n, d)."""
        d, row_of = len(self.centre), {product: row for row, product in enumerate(self.products)}
        out = np.empty((len(self.products), len(X)))
        out[0] = 1.0
        inside = np.subtract(X.T, self.centre[:, None], out=out[1 : 1 + d])
        inside /= self.scale[:, None]
        for row, product in enumerate(self.products[1 + d :], start=1 + d):
            np.multiply(out[row_of[product[:-1]]], inside[product[-1]], out=out[row])
        return out.T

    def data_units(self) -> Floats:
        """Return the matrix (1 + p, 1 + p) from coefficients of 1, u_1, ... to those of 1, x_1, ..."""
        row_of = {product: row for row, product in enumerate(self.products)}
        out = np.zeros((len(row_of), len(row_of)))
        out[0, 0] = 1.0
        for column, product in enumerate(self.products[1:], start=1):
            j, parent = product[-1], out[:, row_of[product[:-1]]]
            for row in np.flatnonzero(parent).tolist():
                raised = row_of[tuple(sorted((*self.products[row], j)))]
                out[raised, column] += parent[row] / self.scale[j]
                out[row, column] -= parent[row] * (self.centre[j] / self.scale[j])
        return out


class LogisticView(PlaneView["LogisticState"]):
    """Logits: affine on every section, polynomial where the section is the input space."""

    def field(self, raster: Raster) -> Field:
        state, features = self.state, self.state.features
        if features.degree == 1:
            return state.affine.on(self.section.origin, self.section.basis).field(raster)
        if not self.section.whole:
            return super().field(raster)
        # pages of zeros cost nothing until they are written to
        out = np.zeros((state.plane_count, *raster.shape), dtype=np.float32)
        for plane, weights in zip(out[-len(state.weights) :], state.weights):
            polynomial_plane_of(features, weights, raster, plane)
        return out


@dataclass(frozen=True, eq=False, kw_only=True)
class LogisticState(Classifier):
    """Polynomial log-odds: f against 0 for two classes, one row for each of more."""

    plane_view_class = LogisticView
    scale: ClassVar[Scale] = Scale.LOGIT
    features: PolynomialFeatures
    weights: Floats
    """(rows, 1 + p) on 1 and the scaled features."""
    gradient_norm: float
    samples: int
    validation_loss: float = np.inf
    """Mean loss of the points of the validation set, infinite without one."""

    def scores(self, X: ArrayLike) -> Floats:
        values: Floats = self.features.design(np.asarray(X, dtype=np.float64)) @ self.weights.T
        return values if len(self.weights) > 1 else np.concatenate([np.zeros_like(values), values], axis=1)

    @property
    def affine(self) -> Quadratics:
        """The scores of features of degree 1."""
        zeros = np.zeros((len(self.classes) - len(self.weights), self.weights.shape[1]))
        weights, features = np.concatenate([zeros, self.weights]), self.features
        return Quadratics.affine(weights[:, 1:] / features.scale, weights[:, 0], features.centre)

    @cached_property
    def in_data_units(self) -> Floats:
        """The intercepts and the coefficients of x, y, x^2, xy, ... in data units (rows, 1 + p)."""
        return self.weights @ self.features.data_units().T

    @property
    def coefficients(self) -> Floats:
        """The coefficients (rows, p) in data units."""
        return self.in_data_units[:, 1:]

    def learned(self) -> Learned:
        return {"w": scalar(self.coefficients), "b": scalar(self.in_data_units[:, 0])}

    def learned_axes(self) -> Mapping[str, tuple[Sequence[str], ...]]:
        terms = self.space.names if self.features.degree == 1 else self.features.names
        return {**super().learned_axes(), "w": (self.group_names, terms)}

    def odds_ratios(self) -> Floats:
        """Return the factors (rows, d) of the odds for one unit more of each input; none beyond degree 1.

        Odds are against the first of two classes, or against the last of more.
        """
        if self.features.degree > 1:
            return np.empty((0, 0))
        rows = self.coefficients
        with np.errstate(over="ignore"):  # infinite for inputs of tiny scale
            return np.exp(rows if len(rows) == 1 else rows[:-1] - rows[-1])

    def back_values(self, row: int | None = None) -> tuple[str, ...]:
        del row
        names, inputs = self.group_names, self.space.names
        pairs = [(names[1], names[0])] if len(names) == 2 else [(name, names[-1]) for name in names[:-1]]
        ratios = [
            f"{own} against {other}: " + ", ".join(f"{x} {ratio:.3g}" for x, ratio in zip(inputs, factors))
            for (own, other), factors in zip(pairs, self.odds_ratios().tolist())
        ]
        if not ratios:
            return ("Polynomial features have no single odds ratio for one unit of an input.",)
        return ("Odds ratios for one unit more of an input:", *(line.replace("inf", "∞") for line in ratios))

    def sample_gradients(self) -> Floats:
        data, units = self.trained_on, self.features.data_units()
        loss = LogLoss.of(self.features.design(data.X), data.labels, self.classes, units, 0.0, 0.0)
        errors = LossPoint(loss, self.weights).probabilities - loss.target
        return np.asarray(errors.T[:, :, None] * loss.design[:, None]).reshape(len(loss), -1)

    def metrics(self) -> Mapping[str, float]:
        figures = {"loss": self.loss, "loss per point": self.loss / self.samples}
        figures["gradient norm"] = self.gradient_norm
        if np.isfinite(self.validation_loss):
            figures["validation loss"] = self.validation_loss
        if len(self.weights) == 1:
            names = self.space.names if self.features.degree == 1 else self.features.names
            figures |= zip(("intercept", *names), self.in_data_units[0].tolist())
            for ratios in self.odds_ratios().tolist():
                finite = ((name, ratio) for name, ratio in zip(names, ratios) if np.isfinite(ratio))
                figures |= {f"odds ratio {name}": ratio for name, ratio in finite}
        return figures


@register(
    "logistic", CLASSIFY, FAMILY, "Logistic regression",
    symbols={"w": ("Weights of a class.", "Boundaries"), "b": ("Intercept of a class.",)},
    remarks=(
        ("Convention: sum of log-losses + λ₂/2 |w|²; scikit-learn's C = 1/λ₂. The notes maximise the "
        "likelihood, which is λ₂ = 0."),
        ("Note 001 writes the log-loss as Σ −y ln(1 + e^−βx) − (1 − y) ln(1 + e^βx), which is the "
        "log-likelihood; correct is its negative. Its gradient is Σ (y − p(x)) x."),
    ),
    synonyms=("softmax regression", "maximum entropy model", "logit", "sigmoid", "log-odds"),
)  # fmt: skip
class LogisticRegression(WatchedModel):
    r"""Models the class probabilities as a softmax of linear scores, fitted by maximum likelihood.

    .. math::
        p(c \mid x) = \frac{e^{w_c \cdot \varphi(x) + b_c}}{\sum_{k} e^{w_k \cdot \varphi(x) + b_k}}
        J = -\sum_{i=1}^{n} \ln p(y_i \mid x_i) + \frac{\lambda_2}{2} \| w \|_2^2 + \lambda_1 \| w \|_1

    Odds, and K − 1 scores for K classes

    .. math::
        \ln \frac{p(c \mid x)}{p(K \mid x)} = (w_c - w_K) \cdot \varphi(x) + b_c - b_K = s_c
        p(c \mid x) = \frac{e^{s_c}}{1 + \sum_{k < K} e^{s_k}}
        x_j + 1: \quad \mathrm{odds} \times e^{w_{cj} - w_{Kj}}
    """

    presets = (
        Offer(
            text="Maximum likelihood", values={"l2": 0.0, "l1": 0.0},
            tip="No penalty: λ₂ = λ₁ = 0. Where classes are separable there is no maximum: the weights grow"
            " without bound.",
        ),
    )  # fmt: skip

    loss: ClassVar[str] = "log"
    solver: str = choice(
        "newton", tuple(LABELS), labels=LABELS,
        help="Optimisation algorithm that minimises the penalised log-loss.",
    )  # fmt: skip
    degree: int = integer(
        1, 1, 6, symbol="d", help="Degree of the polynomial features. Degree 2 gives x, y, x², xy and y²."
    )
    l2: float = real(
        1.0,
        0.0,
        1e4,
        log=True,
        symbol="λ₂",
        help="L2 regularisation strength: λ₂/2 Σ w² beside the sum of log-losses. scikit-learn's C = 1/λ₂.",
    )
    l1: float = real(
        0.0, 0.0, 1e4, log=True, symbol="λ₁",
        help="L1 regularisation strength (sum of absolute weights). It sets some weights to exactly 0.",
        when={"solver": ("newton", *DESCENT)},
    )  # fmt: skip
    rate: float = varied(LEARNING_RATE, when={"solver": DESCENT})
    schedule: str = varied(SCHEDULE, when={"solver": DESCENT})
    decay: float = varied(DECAY, when={"solver": DESCENT, "schedule": DECAYING})
    batch: int = integer(
        32, 1, 1024, log=True, title="batch size", help="Number of samples in each mini-batch.",
        when={"solver": DESCENT[2:]},
    )  # fmt: skip
    epochs: int = integer(100, 1, 5000, log=True, help="Maximum number of epochs (passes over the data).")
    tol: float = real(
        1e-8, 1e-12, 0.1, log=True, title="tolerance",
        help="Convergence tolerance: training stops when the gradient norm per sample is below it.",
    )  # fmt: skip
    early_stop: bool = EARLY_STOP

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[LogisticState]:
        inputs = data.X.shape[1]
        terms = math.comb(inputs + self.degree, self.degree)
        if self.degree > 1 and terms > MOST_TERMS:
            raise CannotLearn(
                f"degree {self.degree} of {inputs} inputs has {terms:,} terms, more than {MOST_TERMS:,}: "
                "choose a lower degree or fewer inputs"
            )
        l1 = 0.0 if self.solver in QUASI_NEWTON else self.l1
        features = PolynomialFeatures.over(data.X, self.degree, centred=not (l1 and self.degree > 1))
        design, units = features.design(data.X), features.data_units()
        held, preface = validation_split(self.early_stop, data.labels, rng)
        shown = np.delete(np.arange(len(data)), held) if len(held) else slice(None)
        loss = LogLoss.of(design[shown], data.labels[shown], data.present, units, self.l2, l1)
        path = self._path(loss, rng)
        if len(held):
            path = validated(path, LogLoss.of(design[held], data.labels[held], data.present, units, 0.0, 0.0))
        stop = partial(self.reason, loss)
        for here, note, progress in reported(path, self.epochs, stop, unit=1.0, preface=preface):
            check_cancelled()
            if every or progress == 1.0:
                yield LogisticState(
                    classes=data.present, features=features, weights=here.weights, samples=len(loss),
                    gradient_norm=here.gradient_norm, loss=here.loss, note=note, progress=progress,
                    validation_loss=here.validation,
                )  # fmt: skip

    def _path(self, loss: LogLoss, rng: Generator) -> Iterator[Iterate]:
        if self.solver == "newton":
            return newton_path(loss)
        if self.solver in QUASI_NEWTON:
            return quasi_newton_path(loss, self.solver)
        schedule = Schedule(self.schedule, self.decay)
        return descent_path(loss, self.solver, self.rate, self.batch, rng, schedule)

    def reason(self, loss: LogLoss, first: Iterate, previous: Iterate, here: Iterate) -> str:
        """Return the reason why training ends at an iterate, or nothing."""
        margin = -1.0 if loss.penalised else LossPoint(loss, here.weights).margin
        converged = here.gradient_norm <= self.tol * len(loss)
        if margin > 0 and (margin > CERTAIN or converged):
            return "; stopped: the classes are separable, so without a penalty the weights grow without bound"
        if converged:
            return ": converged"
        if here.loss == previous.loss and np.array_equal(here.weights, previous.weights):
            return "; stopped: rounding hides any further decrease"
        if here.epoch < self.epochs:
            return ""
        remark = "; the classes are separable, so the weights keep growing" if margin > 0 else ""
        if here.loss > first.loss:
            remark = f"; the loss is higher than at the start, {LOWER_RATE}"
        elif here.loss > JUMP * previous.loss:
            remark = f"; the loss still jumps up, {LOWER_RATE}"
        return f": maximum number of epochs{remark}"


def polynomial_plane_of(features: PolynomialFeatures, weights: Floats, raster: Raster, out: Field) -> None:
    """Write the weighted sum of 1 and polynomial features of two inputs into a plane (H, W)."""
    table = np.zeros((features.degree + 1, features.degree + 1))
    for weight, exponents in zip(weights, features.exponents):
        table[exponents] = weight
    polynomial_plane(table, raster, out, features.centre, features.scale)
