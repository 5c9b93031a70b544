"""Perceptron as a neuron: its diagram, its calculation at a point, and the charts of its training."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from vizml.field.arrays import Floats, evenly_spaced
from vizml.scene import Axis, Chart, Diagram, Ink, Link, Node, Rule, Series

if TYPE_CHECKING:
    from vizml.learn.linear_models.perceptron_training import PerceptronStep

IN_SIGHT = 20.0
"""Beyond so many times the number of mistakes their bound needs a logarithmic axis."""
MOST_EPOCHS = 400
"""Epochs in the chart of the loss at most, evenly spaced."""
THINNEST, THICKEST = 1.0, 5.0
"""Widths of links with weight 0 and with the largest weight."""
NEGATIVE, POSITIVE = 0, 1
"""Inks of negative and positive weights: those of the classes that they favour."""


def neuron_diagram(
    inputs: Sequence[str], names: Sequence[str], weights: Floats, inks: Sequence[Ink]
) -> Diagram:
    """Draw inputs and the constant 1, a sum for each row w, b of weights (P, d + 1), and its sign."""
    sources, largest = (*inputs, "1"), float(np.abs(weights).max()) or 1.0
    nodes = [
        Node(id=f"x{j}", x=0.0, y=_height(j, len(sources)), texts=(name,), shape="circle")
        for j, name in enumerate(sources)
    ]
    links = list[Link]()
    for p, (name, row) in enumerate(zip(names, weights, strict=True)):
        y = _height(p, len(weights))
        nodes.append(Node(id=f"sum{p}", x=0.55, y=y, texts=("Σ",), shape="circle"))
        nodes.append(Node(id=f"sign{p}", x=1.0, y=y, texts=("sign", name), ink=inks[p]))
        links.append(Link(start=f"sum{p}", end=f"sign{p}"))
        links += [
            Link(
                start=f"x{j}", end=f"sum{p}", ink=POSITIVE if weight > 0 else NEGATIVE,
                width=THINNEST + (THICKEST - THINNEST) * abs(weight) / largest,
                text=f"{'b' if j == len(inputs) else 'w'} = {weight:.3g}" if len(weights) == 1 else "",
            )
            for j, weight in enumerate(row.tolist())
        ]  # fmt: skip
    note = "line width: size of a weight; orange: positive, blue: negative"
    return Diagram(title="Neuron", nodes=tuple(nodes), links=tuple(links), note=note)


def _height(place: int, count: int) -> float:
    return 1.0 - (place + 0.5) / count


def activation(weights: Floats, x: Floats, names: tuple[str, str]) -> tuple[str, ...]:
    """Return how w, b (d + 1,) make the activation of inputs x (d,), and the class by its sign."""
    terms = [f"{w:.3g} · {value:.3g}" for w, value in zip(weights, x)]
    total = float(weights[:-1] @ x + weights[-1])
    positive = total >= 0
    return (
        f"w · x + b = {' + '.join((*terms, f'{weights[-1]:.3g}'))} = {total:z.3g}".replace("+ -", "− "),
        f"sign = {'+1' if positive else '−1'}: class {names[positive]}",
    )


def mistakes_chart(line: PerceptronStep, note: str) -> Chart:
    """Draw the mistakes up to the end of each epoch below Novikoff's bound."""
    counts, bound = np.array(line.epoch_ends, dtype=np.float64), line.run.mistake_bound
    far = IN_SIGHT * max(line.mistakes, 1) < bound < math.inf
    counts[counts == 0] = np.nan if far else 0.0  # which a logarithmic axis does not have
    return Chart(
        title="Mistakes", x=Axis(title="epoch"),
        y=Axis(title="number of mistakes", low=None if far else 0.0, log=far),
        series=(Series(name="mistakes", x=np.arange(float(len(counts))), y=counts, kind="step"),),
        rules=(Rule(name="(R/γ)²", y=bound),) if bound < math.inf else (), note=note,
    )  # fmt: skip


def loss_chart(line: PerceptronStep) -> Chart:
    """Draw the perceptron loss, -y f summed over misclassified points, and their number after each epoch."""
    last = len(line.epoch_ends) - 1
    epochs = evenly_spaced(last + 1, MOST_EPOCHS)
    lines = line.run.lines_after(epochs)
    losses, errors = line.run.losses(lines), line.run.errors(lines).astype(np.float64)
    x = epochs.astype(np.float64)
    return Chart(
        title="Perceptron loss", x=Axis(title="epoch"), y=Axis(title="loss, number of errors", low=0.0),
        series=(
            Series(name="loss Σ max(0, −y f)", x=x, y=losses),
            Series(name="number of errors", x=x, y=errors, ink="muted", stroke="dash", kind="step"),
        ),
        note=f"loss {losses[-1]:.4g}, {errors[-1]:.0f} of {len(line.run.Z)} points misclassified",
    )  # fmt: skip
