"""Feedforward network: a_l = g(W_l a_{l-1} + b_l), the last layer linear; derivatives by back-propagation.

Its objective is J = mean loss + l2 / (2 n) |W|^2, with biases free.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vizml.field.arrays import Floats, Ints
from vizml.learn.linear_models.logistic_solver import log_loss, probabilities
from vizml.learn.scaling import Standardisation

F = TypeVar("F", np.float32, np.float64)
SMALLEST_RESIDUAL = 1e-3
"""The curvature of |r| is approximated by 1 / |r|, and for smaller residuals by that of this one."""
LARGE = 128
"""Weights beyond which the Gauss-Newton matrix, which only directs steps, is computed in single precision.

This takes half the time, but in other units of the data, rounding leads to slightly different weights.
"""


class Activation(NamedTuple):
    """An activation function, applied in place, and its derivative as a function of its value."""

    apply: Callable[[NDArray[F]], object]
    derivative: Callable[[Floats], Floats]


def _sigmoid(z: NDArray[F]) -> None:
    # 1 / (1 + exp(-z)) by the hyperbolic tangent, which cannot overflow
    z *= 0.5
    np.tanh(z, out=z)
    z += 1.0
    z *= 0.5


ACTIVATIONS = {
    "tanh": Activation(lambda z: np.tanh(z, out=z), lambda a: 1.0 - a * a),
    "relu": Activation(lambda z: np.maximum(z, 0, out=z), lambda a: (a > 0).astype(np.float64)),
    "sigmoid": Activation(_sigmoid, lambda a: a * (1.0 - a)),
}


class Activations(NamedTuple):
    """The outputs of every layer (units + 1, m), last row 1, and the derivatives of the hidden ones."""

    layers: list[Floats]
    derivatives: list[Floats]

    @property
    def outputs(self) -> Floats:
        """The outputs (K, m) of the last layer."""
        return self.layers[-1]

    def columns(self, part: slice) -> Activations:
        """Views of some of the points."""
        return Activations(
            [layer[:, part] for layer in self.layers], [each[:, part] for each in self.derivatives]
        )


@dataclass(frozen=True)
class Network:
    """Sizes of the layers from inputs to outputs. One vector theta holds all W_l, with b_l as last column."""

    sizes: tuple[int, ...]
    activation: str

    @cached_property
    def shapes(self) -> list[tuple[int, int]]:
        """The shape of each layer's matrix."""
        return [(after, before + 1) for before, after in pairwise(self.sizes)]

    @cached_property
    def bounds(self) -> list[int]:
        """The position in theta at which each layer starts, and the end of the last one."""
        return [0, *np.cumsum([rows * columns for rows, columns in self.shapes]).tolist()]

    @property
    def size(self) -> int:
        """The length of theta."""
        return self.bounds[-1]

    def matrices(self, theta: Floats) -> list[Floats]:
        """The matrices (units, inputs + 1) of the layers as views of theta."""
        parts = zip(pairwise(self.bounds), self.shapes)
        return [theta[start:stop].reshape(shape) for (start, stop), shape in parts]

    @cached_property
    def penalised(self) -> Floats:
        """1 where theta holds a weight, 0 where a bias: biases are not regularised."""
        out = np.ones(self.size)
        for matrix in self.matrices(out):
            matrix[:, -1] = 0.0
        return out

    def initial(self, rng: Generator) -> Floats:
        """Random weights by Glorot, or by He for ReLU.

        With a single input, random biases of the first layer spread the units over the range of the input.
        """
        theta = np.zeros(self.size)
        for matrix in self.matrices(theta):
            after, before = matrix.shape[0], matrix.shape[1] - 1
            limit = np.sqrt(6.0 / before) if self.activation == "relu" else np.sqrt(6.0 / (before + after))
            matrix[:, :-1] = rng.uniform(-limit, limit, (after, before))
        if self.sizes[0] == 1:
            first = self.matrices(theta)[0]
            first[:, -1] = rng.uniform(-1.0, 1.0, len(first))
        return theta

    def forward(self, theta: Floats, inputs: Floats, masks: Sequence[Floats] = ()) -> Activations:
        """Forward pass of inputs (d + 1, m), last row 1; dropout masks multiply the hidden layers."""
        activation = ACTIVATIONS[self.activation]
        layers, derivatives = [inputs], []
        *hidden, last = self.matrices(theta)
        for depth, matrix in enumerate(hidden):
            layer = np.empty((len(matrix) + 1, inputs.shape[1]))
            layer[-1] = 1.0
            units = layer[:-1]
            np.matmul(matrix, layers[-1], out=units)
            activation.apply(units)
            derivative = activation.derivative(units)
            if masks:
                units *= masks[depth]
                derivative *= masks[depth]
            layers.append(layer)
            derivatives.append(derivative)
        layers.append(last @ layers[-1])
        return Activations(layers, derivatives)

    def gradient(self, theta: Floats, activations: Activations, error: Floats) -> Floats:
        """Gradient of a loss by theta, from its derivatives by the outputs (K, m)."""
        out = np.empty(self.size)
        parts = self.matrices(out)
        for depth, own in self._back_propagation(theta, activations, error):
            np.matmul(own, activations.layers[depth].T, out=parts[depth])
        return out

    def gradients(self, theta: Floats, activations: Activations, error: Floats) -> NDArray[np.floating]:
        """The same gradient for each point separately (size, m), of large networks in single precision."""
        out = np.empty((self.size, error.shape[1]), np.float32 if self.size > LARGE else np.float64)
        for depth, own in self._back_propagation(theta, activations, error):
            part = out[self.bounds[depth] : self.bounds[depth + 1]].reshape(*self.shapes[depth], -1)
            np.multiply(own[:, None], activations.layers[depth][None], out=part)
        return out

    def _back_propagation(
        self, theta: Floats, activations: Activations, error: Floats
    ) -> Iterator[tuple[int, Floats]]:
        """Yield the derivatives of a loss by the inputs of each layer's activations, the last layer first."""
        matrices = self.matrices(theta)
        for depth in range(len(matrices) - 1, 0, -1):
            yield depth, error
            error = (matrices[depth][:, :-1].T @ error) * activations.derivatives[depth - 1]
        yield 0, error


class NetworkScaler(Standardisation):
    """Standardisation of the inputs and targets of a network."""

    def inputs(self, columns: Floats) -> Floats:
        """Return standardised values (n, d) as inputs (d + 1, n) of a network."""
        return with_ones(self.transform(columns).T)


def with_ones(rows: Floats) -> Floats:
    """Append the row of ones that the biases multiply."""
    return np.concatenate([rows, np.ones((1, rows.shape[1]))])


class OutputLoss(NamedTuple):
    """The mean over points of a loss of outputs and targets (K, m), and m times its gradient.

    `roots` (r, K, m) factor m times the Hessian by the outputs into a sum of root root' over r.
    """

    value: Callable[[Floats, Floats], float]
    gradient: Callable[[Floats, Floats], Floats]
    roots: Callable[[Floats, Floats], Floats]


def _cross_entropy_roots(outputs: Floats, target: Floats) -> Floats:
    """Factor diag(p) - p p': the columns of diag(s) - p s', where s is the root of p."""
    del target
    if len(outputs) == 1:
        return np.asarray(0.5 / np.cosh(0.5 * outputs))[None]
    p = probabilities(outputs)
    root = np.sqrt(p)
    return np.asarray(np.eye(len(p))[:, :, None] * root - root[:, None] * p)


def _absolute_roots(outputs: Floats, target: Floats) -> Floats:
    """The curvature of the parabola that touches |r| from above."""
    residuals = np.maximum(np.abs(outputs - target), SMALLEST_RESIDUAL)
    return np.asarray(1.0 / np.sqrt(residuals))[None]


LOSSES = {
    "log": OutputLoss(
        lambda f, y: log_loss(f, y) / f.shape[1], lambda f, y: probabilities(f) - y, _cross_entropy_roots
    ),
    "squared": OutputLoss(
        lambda f, y: float(((f - y) ** 2).mean()) / 2, lambda f, y: f - y, lambda f, _: np.ones((1, *f.shape))
    ),
    "absolute": OutputLoss(
        lambda f, y: float(np.abs(f - y).mean()), lambda f, y: np.sign(f - y), _absolute_roots
    ),
}


@dataclass(frozen=True, eq=False)
class Sample:
    """Points for training or validation: inputs (d + 1, n) with the row of ones, targets (K, n)."""

    inputs: Floats
    targets: Floats

    def __len__(self) -> int:
        return int(self.inputs.shape[1])

    def take(self, which: Ints | slice) -> Sample:
        """Return some of the points."""
        return Sample(self.inputs[:, which], self.targets[:, which])


class Evaluation(NamedTuple):
    """Weights with the activations of all points and J."""

    theta: Floats
    activations: Activations
    J: float


@dataclass(frozen=True, eq=False)
class NetworkObjective:
    """J of a network on a sample."""

    network: Network
    loss: OutputLoss
    sample: Sample
    l2: float
    unit: float = 1.0
    """Factor that converts losses to data units; gradients are of the loss of standardised data."""

    def value(self, theta: Floats) -> float:
        """J in data units."""
        return self.unit * self.evaluate(theta).J

    def mean_loss(self, theta: Floats, sample: Sample) -> float:
        """The mean loss on any sample in data units, without the penalty."""
        outputs = self.network.forward(theta, sample.inputs).outputs
        return self.unit * self.loss.value(outputs, sample.targets)

    def evaluate(self, theta: Floats) -> Evaluation:
        """Compute activations and J of the standardised data."""
        activations = self.network.forward(theta, self.sample.inputs)
        weights = theta * self.network.penalised
        penalty = self.l2 / (2 * len(self.sample)) * float(weights @ weights)
        return Evaluation(
            theta, activations, self.loss.value(activations.outputs, self.sample.targets) + penalty
        )

    def gradient(self, theta: Floats, batch: Sample, masks: Sequence[Floats] = ()) -> Floats:
        """Gradient of J with the mean loss taken over a batch."""
        activations = self.network.forward(theta, batch.inputs, masks)
        error = self.loss.gradient(activations.outputs, batch.targets)
        error /= len(batch)
        gradient = self.network.gradient(theta, activations, error)
        if self.l2:
            gradient += (self.l2 / len(self.sample)) * (theta * self.network.penalised)
        return gradient

    def gauss_newton(self, here: Evaluation, part: slice) -> tuple[Floats, Floats]:
        """Contributions of some points to n times the Gauss-Newton matrix and gradient of the mean loss."""
        activations, targets = here.activations.columns(part), self.sample.targets[:, part]
        roots = self.loss.roots(activations.outputs, targets)
        jacobians = (self.network.gradients(here.theta, activations, root) for root in roots)
        error = self.loss.gradient(activations.outputs, targets)
        matrix = reduce(np.add, (jacobian @ jacobian.T for jacobian in jacobians))
        return matrix.astype(np.float64, copy=False), self.network.gradient(here.theta, activations, error)
