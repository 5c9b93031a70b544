"""A network: a_l = g(W_l a_{l-1} + b_l), the last layer linear; its gradient by back-propagation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vizml.learn.state import Floats, Real

MOST_LAYERS, MOST_WIDTH = 3, 16
ALLOWED = f"one to {MOST_LAYERS} widths from 1 to {MOST_WIDTH} with commas between, as '8,8'"


def widths(text: str) -> tuple[int, ...]:
    """The widths of the hidden layers out of '8,8'."""
    found = tuple(int(part) for part in text.split(","))
    if not 1 <= len(found) <= MOST_LAYERS or not all(1 <= width <= MOST_WIDTH for width in found):
        raise ValueError(ALLOWED)
    return found


class Activation(NamedTuple):
    """What a neuron makes of its sum, in place, and its slope as a function of what it made."""

    apply: Callable[[NDArray[Real]], object]
    slope: Callable[[Floats], Floats]


def _relu(z: NDArray[Real]) -> None:
    np.maximum(z, 0, out=z)


def _sigmoid(z: NDArray[Real]) -> None:
    # 1 / (1 + exp(-z)) by the tangent, which cannot overflow
    z *= 0.5
    np.tanh(z, out=z)
    z += 1.0
    z *= 0.5


def _tanh(z: NDArray[Real]) -> None:
    np.tanh(z, out=z)


ACTIVATIONS = {
    "tanh": Activation(_tanh, lambda a: 1.0 - a * a),
    "relu": Activation(_relu, lambda a: (a > 0).astype(np.float64)),
    "sigmoid": Activation(_sigmoid, lambda a: a * (1.0 - a)),
}


class Signals(NamedTuple):
    """What every layer puts out (units + 1, m), the last row 1, and the slopes of the hidden ones."""

    layers: list[Floats]
    slopes: list[Floats]

    @property
    def outputs(self) -> Floats:
        """Of the last layer (outputs, m)."""
        return self.layers[-1]

    def between(self, begin: int, end: int) -> Signals:
        """Those of some of the points, as views."""
        part = slice(begin, end)
        return Signals([layer[:, part] for layer in self.layers], [slope[:, part] for slope in self.slopes])


@dataclass(frozen=True)
class Plan:
    """Sizes from the inputs to the outputs. All weights are one vector theta: W_l with b_l as last column."""

    sizes: tuple[int, ...]
    activation: str

    @cached_property
    def shapes(self) -> list[tuple[int, int]]:
        """Of each layer's matrix."""
        return [(after, before + 1) for before, after in pairwise(self.sizes)]

    @cached_property
    def bounds(self) -> list[int]:
        """Where each layer's part of theta begins, and where the last one ends."""
        return [0, *np.cumsum([rows * columns for rows, columns in self.shapes]).tolist()]

    @property
    def size(self) -> int:
        """The length of theta."""
        return self.bounds[-1]

    def matrices(self, theta: Floats) -> list[Floats]:
        """The layers (units, inputs + 1) as views of theta."""
        parts = zip(pairwise(self.bounds), self.shapes)
        return [theta[start:stop].reshape(shape) for (start, stop), shape in parts]

    @cached_property
    def weighing(self) -> Floats:
        """1 where theta holds a weight, 0 where a bias."""
        out = np.ones(self.size)
        for matrix in self.matrices(out):
            matrix[:, -1] = 0.0
        return out

    def start(self, rng: Generator) -> Floats:
        """Random weights, as large as lets signals through the layers: by Glorot, for relu by He.

        The neurons of a curve begin to bend at places of their own; over a plane their ways differ already.
        """
        theta = np.zeros(self.size)
        for matrix in self.matrices(theta):
            after, before = matrix.shape[0], matrix.shape[1] - 1
            reach = np.sqrt(6.0 / before) if self.activation == "relu" else np.sqrt(6.0 / (before + after))
            matrix[:, :-1] = rng.uniform(-reach, reach, (after, before))
        if self.sizes[0] == 1:
            first = self.matrices(theta)[0]
            first[:, -1] = rng.uniform(-1.0, 1.0, len(first))
        return theta

    def signals(self, theta: Floats, inputs: Floats, masks: Sequence[Floats] = ()) -> Signals:
        """Forward from inputs (units + 1, m); masks multiply what hidden layers put out (dropout)."""
        activation = ACTIVATIONS[self.activation]
        layers, slopes = [inputs], []
        *hidden, last = self.matrices(theta)
        for depth, matrix in enumerate(hidden):
            signal = np.empty((len(matrix) + 1, inputs.shape[1]))
            signal[-1] = 1.0
            live = signal[:-1]
            np.matmul(matrix, layers[-1], out=live)
            activation.apply(live)
            slope = activation.slope(live)
            if masks:
                live *= masks[depth]
                slope *= masks[depth]
            layers.append(signal)
            slopes.append(slope)
        layers.append(last @ layers[-1])
        return Signals(layers, slopes)

    def gradient(self, theta: Floats, signals: Signals, error: Floats) -> Floats:
        """Of a loss with respect to theta, from its slope by the outputs (outputs, m)."""
        out = np.empty(self.size)
        matrices, parts = self.matrices(theta), self.matrices(out)
        for depth in range(len(parts) - 1, -1, -1):
            np.matmul(error, signals.layers[depth].T, out=parts[depth])
            if depth:
                error = (matrices[depth][:, :-1].T @ error) * signals.slopes[depth - 1]
        return out

    def rays(self, theta: Floats, signals: Signals, error: Floats) -> Floats:
        """The same gradient for each point by itself (size, m)."""
        out = np.empty((self.size, error.shape[1]))
        matrices = self.matrices(theta)
        for depth in range(len(matrices) - 1, -1, -1):
            part = out[self.bounds[depth] : self.bounds[depth + 1]].reshape(*self.shapes[depth], -1)
            np.multiply(error[:, None], signals.layers[depth][None], out=part)
            if depth:
                error = (matrices[depth][:, :-1].T @ error) * signals.slopes[depth - 1]
        return out


def with_ones(columns: Floats) -> Floats:
    """Inputs (d, m) with the row of ones that biases weigh."""
    return np.concatenate([columns, np.ones((1, columns.shape[1]))])
