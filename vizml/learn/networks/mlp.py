"""Multilayer perceptron: J = mean loss of the outputs f(x_i) + l2 / (2 n) |W|^2, minimised over the weights.

Classification: cross-entropy of log-odds, or of one score for each of more classes. Regression: squared or
absolute loss of standardised targets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.data.params import Integer, Items
from vizml.field.arrays import Floats, Ints
from vizml.learn import CLASSIFY, REGRESS, Classifier, FittedRegressor, Model, Scale, State, register
from vizml.learn.iterative_training import (
    DECAY,
    DECAYING,
    EARLY_STOP,
    LEARNING_RATE,
    SCHEDULE,
    Schedule,
    validation_split,
)
from vizml.learn.learned import Learned
from vizml.learn.networks.network import LOSSES, Network, NetworkObjective, NetworkScaler, OutputLoss, Sample
from vizml.learn.networks.training import GradientDescent, LevenbergMarquardt, NetworkTraining
from vizml.learn.networks.views import (
    MlpCurveView,
    MlpMapView,
    MlpView,
    curve_pictures,
    network_diagram,
    plane_pictures,
)
from vizml.learn.params import choice, integer, real, text, varied
from vizml.learn.training_data import TrainingData
from vizml.scene import Axis, Chart, Diagram, Series

GRADIENT_SOLVERS = {"gd": "gradient descent", "momentum": "momentum", "rmsprop": "RMSProp", "adam": "Adam"}
SOLVERS = {**GRADIENT_SOLVERS, "lm": "Levenberg-Marquardt"}
WITH_BATCHES = {"solver": tuple(GRADIENT_SOLVERS)}
FAMILY = "Neural networks"
TITLE = "Multilayer perceptron"
MOST_LAYERS, MOST_UNITS = 3, 16
ALLOWED = f"one to {MOST_LAYERS} numbers of units from 1 to {MOST_UNITS}, separated by commas, such as '8,8'"


def hidden_sizes(text: str) -> tuple[int, ...]:
    """Parse the sizes of the hidden layers.

    >>> hidden_sizes("8,8")
    (8, 8)
    """
    found = tuple(int(part) for part in text.split(","))
    if not 1 <= len(found) <= MOST_LAYERS or not all(1 <= size <= MOST_UNITS for size in found):
        raise ValueError(ALLOWED)
    return found


@dataclass(frozen=True, eq=False, kw_only=True)
class NetworkState(State):
    """Weights theta of a network with standardised inputs, and the history of its training."""

    network: Network
    scaler: NetworkScaler
    theta: Floats
    history: Floats
    """Rows (epoch or step, J, validation loss)."""
    X: Floats
    """The training points, those of the validation set among them."""
    validation: Ints
    """Rows of the validation set; empty without early stopping."""
    figures: Mapping[str, float]
    """Figures of the optimiser."""

    def layers(self, X: ArrayLike) -> list[Floats]:
        """The outputs (units, m) of each layer, standardised inputs first."""
        inputs = self.scaler.inputs(np.asarray(X, dtype=np.float64).reshape(-1, self.network.sizes[0]))
        *layers, last = self.network.forward(self.theta, inputs).layers
        return [*(layer[:-1] for layer in layers), last]

    @cached_property
    def ranges(self) -> list[list[tuple[float, float]]]:
        """The range of each unit of each layer, with its neutral value in the middle."""
        fixed = {"sigmoid": (0.0, 1.0), "tanh": (-1.0, 1.0)}.get(self.network.activation)
        found = [[_symmetric_range(values) for values in layer] for layer in self.layers(self.X)]
        if fixed is not None:
            found[1:-1] = [[fixed] * units for units in self.network.sizes[1:-1]]
        return found

    def learned(self) -> Learned:
        """Return W and b of each layer, for the standardised inputs."""
        found: Learned = {}
        for number, matrix in enumerate(self.network.matrices(self.theta), start=1):
            found |= {f"W{number}": matrix[:, :-1], f"b{number}": matrix[:, -1]}
        return {**found, "input mean": self.scaler.centre, "input deviation": self.scaler.spread}

    def metrics(self) -> Mapping[str, float]:
        figures = {"loss": self.loss, **self.figures, "weights": float(self.network.size)}
        if len(self.validation):
            figures["validation loss"] = float(self.history[-1, 2])
        return figures

    def charts(self) -> tuple[Chart, ...]:
        """Draw J and the validation loss at each step of the timeline."""
        steps = np.arange(1, len(self.history) + 1, dtype=np.float64)
        series = [Series(name="J", x=steps, y=self.history[:, 1])]
        if len(self.validation):
            judged = self.history[:, 2]
            series.append(Series(name="validation", x=steps, y=judged, ink="muted", stroke="dash"))
        axes = Axis(title="step"), Axis(title="loss", low=0.0)
        return (Chart(title="Loss", x=axes[0], y=axes[1], series=tuple(series), cursor="step"),)


@dataclass(frozen=True, eq=False, kw_only=True)
class MlpState(NetworkState, Classifier):
    """One output for two classes, the log-odds of the second; a score for each of more classes."""

    plane_view_class = MlpView
    scale: ClassVar[Scale] = Scale.LOGIT
    names: tuple[str, ...]

    def scores(self, X: ArrayLike) -> Floats:
        outputs = self.layers(X)[-1].T
        if len(self.classes) > 2:
            return np.ascontiguousarray(outputs)
        return np.concatenate([np.zeros_like(outputs), outputs], axis=1)

    def diagram(self) -> Diagram:
        outputs, inks = self.names, tuple(int(label) for label in self.classes)
        if len(outputs) == 2:
            outputs, inks = (f"{outputs[0]} | {outputs[1]}",), inks[1:]
        pictures = plane_pictures(self) if self.X.shape[1] == 2 else None
        return network_diagram(self, outputs, inks, pictures)


@dataclass(frozen=True, eq=False, kw_only=True)
class MlpRegressorState(NetworkState, FittedRegressor):
    """One output, the standardised target."""

    curve_view_class = MlpCurveView
    plane_view_class = MlpMapView
    outputs: NetworkScaler
    target: str

    def expected(self, X: Floats) -> Floats:
        return np.asarray(self.outputs.centre[0] + self.outputs.spread[0] * self.layers(X)[-1][0])

    def metrics(self) -> Mapping[str, float]:
        return {**super().metrics(), **self.fit_figures()}

    def diagram(self) -> Diagram:
        pictures = curve_pictures(self) if self.X.shape[1] == 1 else None
        return network_diagram(self, (self.target,), ("accent",), pictures)


SOLVER: Any = choice(
    "adam", tuple(SOLVERS), labels=SOLVERS,
    help="Optimiser. Levenberg-Marquardt uses second-order information from all points and needs tens of "
    "steps where gradient methods need thousands.",
)  # fmt: skip


@dataclass(frozen=True)
class NetworkModel(Model):
    """The parameters that both tasks share."""

    hidden: str = text(
        "8,8", hidden_sizes, ALLOWED, title="hidden layers", help="Number of units in each hidden layer.",
        items=Items(Integer(default=8, lo=1, hi=MOST_UNITS, help="Units of a layer."), most=MOST_LAYERS),
    )  # fmt: skip
    activation: str = choice(
        "tanh", ("tanh", "relu", "sigmoid"), symbol="g", help="Activation function of the hidden units."
    )
    solver: str = SOLVER
    rate: float = varied(LEARNING_RATE, default=0.02, hi=10.0, when=WITH_BATCHES)
    schedule: str = varied(SCHEDULE, when=WITH_BATCHES)
    decay: float = varied(DECAY, when={**WITH_BATCHES, "schedule": DECAYING})
    batch: int = integer(32, 1, 1024, log=True, when=WITH_BATCHES, help="Mini-batch size.")
    epochs: int = integer(300, 1, 5000, log=True, help="Maximum number of epochs (passes over the data).")
    tol: float = real(
        2e-3, 1e-12, 0.1, log=True, symbol="τ", title="tolerance", when={"solver": ("lm",)},
        help="Convergence tolerance: training stops when three consecutive steps reduce the loss by less "
        "than this share of it.",
    )  # fmt: skip
    l2: float = real(
        0.03, 0.0, 1e3, log=True, symbol="λ", help="L2 regularisation strength (sum of squared weights)."
    )
    dropout: float = real(
        0.0, 0.0, 0.9, when=WITH_BATCHES,
        help="Dropout rate: share of hidden units dropped for each sample.",
    )  # fmt: skip
    early_stop: bool = EARLY_STOP

    def _states(
        self, data: TrainingData, targets: Floats, loss: OutputLoss, rng: Generator, unit: float = 1.0
    ) -> Iterator[dict[str, Any]]:
        """Train on targets (K, n); yield the fields of each state. `unit` converts losses to data units."""
        scaler = NetworkScaler.of(data.X)
        sample = Sample(scaler.inputs(data.X), targets)
        network = Network((data.X.shape[1], *hidden_sizes(self.hidden), len(targets)), self.activation)
        strata = data.labels if len(data.labels) else np.zeros(len(data), dtype=np.int64)
        held, preface = validation_split(self.early_stop, strata, rng)
        shown = sample.take(np.setdiff1d(np.arange(len(sample)), held))
        objective = NetworkObjective(network, loss, shown, self.l2, unit)
        validation = sample.take(held) if len(held) else None
        training = NetworkTraining(objective, self._optimiser(objective, rng), validation)
        for step in training.steps(preface):
            yield {
                "network": network, "scaler": scaler, "X": data.X, "validation": held,
                "theta": step.theta, "history": step.history, "figures": step.figures,
                "loss": step.J, "note": step.note, "progress": step.progress,
            }  # fmt: skip

    def _optimiser(self, objective: NetworkObjective, rng: Generator) -> GradientDescent | LevenbergMarquardt:
        if self.solver == "lm":
            return LevenbergMarquardt(objective, objective.network.initial(rng), self.epochs, self.tol)
        schedule = Schedule(self.schedule, self.decay)
        settings = self.solver, self.rate, self.batch, self.epochs, self.dropout
        return GradientDescent(objective, *settings, rng, schedule)


@register(
    "mlp", CLASSIFY, FAMILY, TITLE, short="MLP",
    symbols={
        "W": ("Weights of a layer.",), "b": ("Biases of a layer.",), "a": ("Activations of a layer.",),
        "f": ("Output of the network before the softmax.",), "p": ("Probability of a class.",),
        "J": ("Cost function that is minimised.",),
    },
    synonyms=("neural network", "NN", "backpropagation", "deep learning"),
)  # fmt: skip
class MlpClassifier(NetworkModel):
    r"""Feedforward network of fully connected layers that minimises the cross-entropy loss.

    .. math::
        a_0 = x, \quad a_l = g(W_l\, a_{l-1} + b_l), \quad f = W_L\, a_{L-1} + b_L
        p(c \mid x) = \frac{e^{f_c(x)}}{\sum_{k} e^{f_k(x)}}
        J = -\frac{1}{n} \sum_{i=1}^{n} \ln p(y_i \mid x_i) + \frac{\lambda}{2 n} \| W \|^2
    """

    loss: ClassVar[str] = "log"

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[MlpState]:
        classes = data.present
        rows = classes[1:] if len(classes) == 2 else classes
        targets = (data.labels == rows[:, None]).astype(np.float64)
        for fields in self._states(data, targets, LOSSES["log"], rng):
            yield MlpState(classes=classes, names=data.class_names, **fields)


@register(
    "mlp", REGRESS, FAMILY, TITLE, short="MLP",
    symbols={
        "W": ("Weights of a layer.",), "b": ("Biases of a layer.",), "a": ("Activations of a layer.",),
        "f": ("Output of the network.", "Curve"), "J": ("Cost function that is minimised.",),
        "H": ("Approximate Hessian matrix of the cost.",),
        "μ": ("Damping of the Levenberg–Marquardt step.",),
    },
    synonyms=("neural network", "NN", "backpropagation"),
)  # fmt: skip
class MlpRegressor(NetworkModel):
    r"""Feedforward network of fully connected layers with one linear output.

    .. math::
        a_0 = x, \quad a_l = g(W_l\, a_{l-1} + b_l), \quad f(x) = w \cdot a_{L-1} + b
        J = \frac{1}{2 n} \sum_{i=1}^{n} ( y_i - f(x_i) )^2 + \frac{\lambda}{2 n} \| W \|^2
        \theta \leftarrow \theta - (H + \mu I)^{-1} \nabla J
        H = \frac{1}{n} \sum_{i=1}^{n} \nabla f(x_i) \nabla f(x_i)^\top + \frac{\lambda}{n} I_W
    """

    solver: str = varied(SOLVER, default="lm")
    loss: str = choice(
        "squared", ("squared", "absolute"),
        help="Loss function: half the squared residual, or the absolute residual (robust to outliers).",
    )  # fmt: skip

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[MlpRegressorState]:
        outputs = NetworkScaler.of(data.y[:, None])
        targets = outputs.inputs(data.y[:, None])[:-1]
        unit = float(outputs.spread[0]) ** (2 if self.loss == "squared" else 1)
        for fields in self._states(data, targets, LOSSES[self.loss], rng, unit):
            yield MlpRegressorState(outputs=outputs, y=data.y, target=data.target, **fields)


def _symmetric_range(values: Floats) -> tuple[float, float]:
    largest = float(np.abs(values).max(initial=0.0)) or 1.0
    return -largest, largest
