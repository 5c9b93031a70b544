"""Multilayer perceptron for a curve f(x): J = mean loss of y_i and f(x_i) + l2 / (2 n) |W|^2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.random import Generator

from vizml.learn import REGRESS, Regressor, choice, register
from vizml.learn.linear_models.curve_views import residual_lines
from vizml.learn.networks.charts import loss_chart
from vizml.learn.networks.drawn import THUMBNAIL, Picture, held_rings, network_diagram, place, span, thumbnail
from vizml.learn.networks.inputs import Inputs
from vizml.learn.networks.objective import LOSSES, Sample
from vizml.learn.networks.plan import Plan
from vizml.learn.networks.settings import NetworkModel, solver
from vizml.learn.state import Floats, Focus
from vizml.learn.training_data import TrainingData
from vizml.scene import Chart, Curves, Diagram, Mark, Path

GRID, BEYOND = 161, 0.15
"""Where a neuron that is pointed at is drawn: so many places over the data and a share of them beyond."""


@dataclass(frozen=True, eq=False, kw_only=True)
class NetworkCurve(Regressor):
    """One input, x, and one output, the curve; both are standardised inside."""

    plan: Plan
    inputs: Inputs
    outputs: Inputs
    theta: Floats
    history: Floats
    """Rows (epoch, J, loss of the points held back)."""
    held: Floats
    """The points held back."""
    figures: Mapping[str, float]
    """What the solver counts, and what it goes by."""
    x: Floats
    y: Floats
    axes: tuple[str, str]

    def curve(self, x: Floats) -> Floats:
        curve: Floats = self.outputs.centre[0] + self.outputs.spread[0] * self._layers(x)[-1][0]
        return curve

    @cached_property
    def residuals(self) -> Floats:
        """y - f(x)."""
        return self.y - self.curve(self.x)

    def marks(self) -> tuple[Mark, ...]:
        neurons = Curves(
            layer="Neurons", values=self._added, ink="accent", opacity=0.35, legend="what a neuron adds"
        )
        return (neurons, residual_lines(self.x, self.y, self.residuals), *held_rings(self.held))

    def metrics(self) -> Mapping[str, float]:
        rss, tss = float(self.residuals @ self.residuals), float(((self.y - self.y.mean()) ** 2).sum())
        figures = {"loss": self.loss, "RSS": rss, **self.figures}
        figures |= {"weights": float(self.plan.size)} | ({"R²": 1 - rss / tss} if tss > 0 else {})
        return figures | ({"held-back loss": float(self.history[-1, 2])} if len(self.held) else {})

    def charts(self) -> tuple[Chart, ...]:
        return (loss_chart(self.history),)

    def diagram(self) -> Diagram:
        at = np.linspace(self.x.min(), self.x.max(), THUMBNAIL)
        pictures = [
            [_picture(values, *self._span(layer, values)) for values in signals]
            for layer, signals in enumerate(self._layers(at))
        ]
        return network_diagram(
            self.plan, self.theta, pictures, ((self.axes[0],), (self.axes[1],)), ("accent",)
        )

    def focus(self, node: str) -> Focus:
        where = place(node, self.plan.sizes)
        if where is None:
            return Focus()
        layer, unit = where
        values = self._layers(self._grid)[layer][unit]
        low, high = self._span(layer, values)
        bottom, top = float(self.y.min()), float(self.y.max())
        height = bottom + (values - low) / (high - low) * ((top - bottom) or 1.0)
        legend = f"neuron {node}, from {low:.3g} to {high:.3g}"
        line = np.column_stack([self._grid, height])
        return Focus(marks=(Path(layer="Neuron", lines=(line,), width=2.5, legend=legend),))

    def _layers(self, x: Floats) -> list[Floats]:
        """What each layer puts out (units, m): u, the hidden ones, and f in its own coordinates."""
        *layers, last = self.plan.signals(self.theta, self.inputs.inside(x[:, None])).layers
        return [*(layer[:-1] for layer in layers), last]

    def _added(self, x: Floats) -> Floats:
        """What each neuron before the output adds to the curve, drawn around the mean of y."""
        signals = self._layers(x)[-2]
        weights = self.plan.matrices(self.theta)[-1][0, :-1]
        added: Floats = self.outputs.centre[0] + self.outputs.spread[0] * weights[:, None] * signals
        return added

    def _span(self, layer: int, values: Floats) -> tuple[float, float]:
        hidden = 0 < layer < len(self.plan.sizes) - 1
        return span(values, self.plan.activation if hidden else "")

    @cached_property
    def _grid(self) -> Floats:
        low, high = float(self.x.min()), float(self.x.max())
        room = BEYOND * (high - low) or 1.0
        return np.linspace(low - room, high + room, GRID)


@register(
    "mlp",
    task=REGRESS,
    family="Networks",
    title="Multilayer perceptron",
    about="Puts a curve together from the steps or creases of neurons in layers.",
    formula=(
        r"a_0 = x, \quad a_l = g(W_l\, a_{l-1} + b_l), \quad f(x) = w \cdot a_{L-1} + b",
        r"J = \frac{1}{2 n} \sum_{i=1}^{n} ( y_i - f(x_i) )^2 + \frac{\lambda}{2 n} \| W \|^2",
        r"\theta \leftarrow \theta - (H + \mu I)^{-1} \nabla J",
        r"H = \frac{1}{n} \sum_{i=1}^{n} \nabla f(x_i) \nabla f(x_i)^\top + \frac{\lambda}{n} I_W",
    ),
)
@dataclass(frozen=True)
class PerceptronCurve(NetworkModel):
    solver: str = solver("lm")
    loss: str = choice(
        "squared", ("squared", "absolute"),
        help="what a residual costs: half its square, or its size, which outliers pull less at",
    )  # fmt: skip

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[NetworkCurve]:
        inputs, outputs = Inputs.over(data.x[:, None]), Inputs.over(data.y[:, None])
        sample = Sample(inputs.inside(data.x[:, None]), outputs.inside(data.y[:, None])[:-1])
        unit = float(outputs.spread[0]) ** (2 if self.loss == "squared" else 1)
        strata = np.zeros(len(data), dtype=np.int64)
        for plan, held, moment in self._run(sample, LOSSES[self.loss], strata, rng, unit):
            yield NetworkCurve(
                plan=plan,
                inputs=inputs,
                outputs=outputs,
                theta=moment.theta,
                history=moment.history,
                held=data.points[held],
                figures=moment.figures,
                x=data.x,
                y=data.y,
                axes=data.axes,
                loss=moment.loss,
                note=moment.note,
                progress=moment.progress,
            )


def _picture(values: Floats, low: float, high: float) -> Picture:
    """A curve as an area between it and its neutral value."""
    middle, half = (low + high) / 2, (high - low) / 2
    height = (values - middle) / half
    rows = np.linspace(-1.0, 1.0, len(values))[:, None]
    inside = (np.abs(rows) <= np.abs(height)) & (rows * height >= 0)
    return thumbnail(np.where(inside, np.sign(height), 0.0), -1.0, 1.0)
