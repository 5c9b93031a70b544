"""Multilayer perceptron: log-odds f(x) of neurons in layers, J = mean -ln p(y_i | x_i) + l2 / (2 n) |W|^2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.field import Field, Raster
from vizml.learn import CLASSIFY, Classifier, Scale, register
from vizml.learn.networks.charts import loss_chart
from vizml.learn.networks.drawn import THUMBNAIL, held_rings, network_diagram, node_id, place, span, thumbnail
from vizml.learn.networks.inputs import Inputs
from vizml.learn.networks.objective import LOSSES, Sample
from vizml.learn.networks.plan import Plan
from vizml.learn.networks.rasters import layer_field
from vizml.learn.networks.settings import NetworkModel
from vizml.learn.state import Floats, Focus, softmax
from vizml.learn.training_data import TrainingData
from vizml.scene import Chart, Diagram, Lens, Mark

Bounds = tuple[float, float, float, float]


@dataclass(frozen=True, eq=False, kw_only=True)
class Network(Classifier):
    """One output for two classes, the log-odds of the second; one for each of more."""

    scale: ClassVar[Scale] = Scale.LOGIT
    plan: Plan
    inputs: Inputs
    theta: Floats
    history: Floats
    """Rows (epoch, J, loss of the points held back)."""
    held: Floats
    """The points held back."""
    figures: Mapping[str, float]
    """What the solver counts, and what it goes by."""
    bounds: Bounds
    """Of the data."""
    names: tuple[tuple[str, str], tuple[str, ...]]
    """Of the axes, of the classes."""

    def scores(self, X: ArrayLike) -> Floats:
        columns = self.inputs.inside(np.asarray(X, dtype=np.float64).reshape(-1, 2))
        outputs = self.plan.signals(self.theta, columns).outputs.T
        if len(self.classes) > 2:
            return np.ascontiguousarray(outputs)
        return np.concatenate([np.zeros_like(outputs), outputs], axis=1)

    def field(self, raster: Raster) -> Field:
        outputs = self._layer(raster, len(self.plan.sizes) - 1)
        return outputs if len(outputs) > 1 else np.concatenate([np.zeros_like(outputs), outputs])

    def marks(self) -> tuple[Mark, ...]:
        return held_rings(self.held)

    def metrics(self) -> Mapping[str, float]:
        figures = {"loss": self.loss, **self.figures, "weights": float(self.plan.size)}
        if len(self.held):
            figures["held-back loss"] = float(self.history[-1, 2])
        return figures

    def charts(self) -> tuple[Chart, ...]:
        return (loss_chart(self.history),)

    def diagram(self) -> Diagram:
        axes, classes = self.names
        outputs, inks = classes, tuple(int(label) for label in self.classes)
        if len(classes) == 2:
            outputs, inks = (f"{classes[0]} | {classes[1]}",), inks[1:]
        layers = [
            [thumbnail(plane, *self._span(layer, unit)) for unit, plane in enumerate(planes)]
            for layer, planes in enumerate(self._miniatures)
        ]
        return network_diagram(self.plan, self.theta, layers, (axes, outputs), inks)

    def focus(self, node: str) -> Focus:
        where = place(node, self.plan.sizes)
        return Focus() if where is None else Focus(lens=self._lens(*where))

    def lenses(self) -> tuple[Lens, ...]:
        doubt = Lens(name="Uncertainty", plane=self._doubt, low=0.0, high=1.0, unit="entropy")
        hidden = enumerate(self.plan.sizes[1:-1], start=1)
        return (doubt, *(self._lens(layer, unit) for layer, units in hidden for unit in range(units)))

    def _lens(self, layer: int, unit: int) -> Lens:
        low, high = self._span(layer, unit)
        return Lens(
            name=f"Neuron {node_id(layer, unit)}",
            plane=partial(self._neuron, layer=layer, unit=unit),
            low=low,
            high=high,
            diverging=True,
            levels=((low + high) / 2,),
        )

    def _neuron(self, raster: Raster, *, layer: int, unit: int) -> Field:
        plane: Field = self._layer(raster, layer)[unit]
        return plane

    def _doubt(self, raster: Raster) -> Field:
        shares = softmax(np.moveaxis(self.field(raster), 0, -1))
        entropy = -(shares * np.log(np.maximum(shares, np.float32(1e-30)))).sum(axis=-1)
        return np.asarray(entropy / np.float32(np.log(len(self.classes))))

    def _layer(self, raster: Raster, layer: int) -> Field:
        if layer == 0:
            return self._coordinates(raster)
        return layer_field(self.plan, self.theta, raster, self.inputs.centre, self.inputs.spread, layer)

    def _coordinates(self, raster: Raster) -> Field:
        out = np.empty((2, *raster.shape), dtype=np.float32)
        out[0] = (raster.x - self.inputs.centre[0]) / self.inputs.spread[0]
        out[1] = ((raster.y - self.inputs.centre[1]) / self.inputs.spread[1])[:, None]
        return out

    @cached_property
    def _miniatures(self) -> list[Field]:
        """Every layer on a small raster over the data."""
        raster = Raster.over(self.bounds, THUMBNAIL, THUMBNAIL)
        return [self._layer(raster, layer) for layer in range(len(self.plan.sizes))]

    def _span(self, layer: int, unit: int) -> tuple[float, float]:
        hidden = 0 < layer < len(self.plan.sizes) - 1
        return span(self._miniatures[layer][unit], self.plan.activation if hidden else "")


@register(
    "mlp",
    task=CLASSIFY,
    family="Networks",
    title="Multilayer perceptron",
    about="Bends the plane through layers of neurons until the classes can be told apart.",
    formula=(
        r"a_0 = x, \quad a_l = g(W_l\, a_{l-1} + b_l), \quad f = W_L\, a_{L-1} + b_L",
        r"p(c \mid x) = \frac{e^{f_c(x)}}{\sum_{k} e^{f_k(x)}}",
        r"J = -\frac{1}{n} \sum_{i=1}^{n} \ln p(y_i \mid x_i) + \frac{\lambda}{2 n} \| W \|^2",
    ),
)
@dataclass(frozen=True)
class MultilayerPerceptron(NetworkModel):
    def steps(self, data: TrainingData, rng: Generator) -> Iterator[Network]:
        classes, inputs = data.present, Inputs.over(data.points)
        rows = classes[1:] if len(classes) == 2 else classes
        targets = (data.labels == rows[:, None]).astype(np.float64)
        sample = Sample(inputs.inside(data.points), targets)
        names = data.axes, tuple(data.name(int(label)) for label in classes)
        for plan, held, moment in self._run(sample, LOSSES["log"], data.labels, rng):
            yield Network(
                classes=classes,
                plan=plan,
                inputs=inputs,
                theta=moment.theta,
                history=moment.history,
                held=data.points[held],
                figures=moment.figures,
                bounds=_around(data.points),
                names=names,
                loss=moment.loss,
                note=moment.note,
                progress=moment.progress,
            )


def _around(points: Floats) -> Bounds:
    """A rectangle around points with some room, for the pictures of neurons."""
    low, high = points.min(axis=0), points.max(axis=0)
    room = np.where(high > low, 0.15 * (high - low), 0.5)
    (left, bottom), (right, top) = low - room, high + room
    return float(left), float(right), float(bottom), float(top)
