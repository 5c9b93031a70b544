"""Linear regression: RSS(w) = sum_i (y_i - w . phi(x_i))^2 is least where Phi'Phi w = Phi'y."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from vizml.learn import REGRESS, Model, choice, integer, real, register
from vizml.learn.linear_models.basis import LABELS, NAMES, basis_over
from vizml.learn.linear_models.curve_descent import Moment, gradient_path, limit, stochastic_path, told
from vizml.learn.linear_models.least import LinearCurve, Way
from vizml.learn.linear_models.tall import reduced
from vizml.learn.state import Floats
from vizml.learn.training_data import TrainingData

DESCENT = ("gd", "sgd")


@register(
    "linear",
    task=REGRESS,
    family="Curves",
    title="Linear regression",
    about="Fits a weighted sum of basis functions with the least sum of squared residuals.",
    formula=(
        r"\hat y(x) = \sum_{j} w_j\, \varphi_j(x)",
        r"\mathrm{RSS}(w) = \sum_{i=1}^{n} ( y_i - \hat y(x_i) )^2",
        r"\Phi^{\top} \Phi\, w = \Phi^{\top} y",
    ),
)
@dataclass(frozen=True)
class LinearRegression(Model):
    basis: str = choice(
        "polynomial", NAMES, labels=LABELS, help="the functions that are added up", symbol="φ"
    )
    degree: int = integer(
        1, 1, 15, help="the highest power, or the number of waves, bumps or pieces", symbol="d"
    )
    solver: str = choice(
        "exact",
        ("exact", *DESCENT),
        labels={
            "exact": "exact (normal equation)",
            "gd": "gradient descent",
            "sgd": "stochastic gradient descent",
        },
        help="how the least RSS is found",
    )
    rate: float = real(
        0.3,
        1e-4,
        10.0,
        log=True,
        help="how far each step goes down the slope",
        symbol="η",
        title="learning rate",
        when={"solver": DESCENT},
    )
    epochs: int = integer(
        100, 1, 5000, log=True, help="how often all points are gone through", when={"solver": DESCENT}
    )

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[LinearCurve]:
        functions = basis_over(self.basis, self.degree, data.x)
        design = functions.design(data.x)
        triangle, answer, _ = reduced(design, data.y)
        trail: list[Floats] = []
        for moment in self._moments(design, triangle, answer, data.y, rng):
            if self.solver in DESCENT:
                trail.append(moment.weights[:2])
            yield LinearCurve(
                basis=functions, x=data.x, y=data.y, weights=moment.weights, loss=moment.rss,
                note=moment.note, progress=moment.progress, triangle=triangle, answer=answer,
                exact=self.solver == "exact", way=Way(trail, len(trail)),
            )  # fmt: skip

    def _moments(
        self, design: Floats, triangle: Floats, answer: Floats, y: Floats, rng: Generator
    ) -> Iterator[Moment]:
        if self.solver == "exact":
            return iter([exact(design, triangle, answer, y)])
        if self.solver == "gd":
            return told(gradient_path(design, y, self.rate), self.epochs, limit(design, self.rate))
        return told(stochastic_path(design, y, self.rate, rng), self.epochs, "a lower learning rate helps")


def exact(design: Floats, triangle: Floats, answer: Floats, y: Floats) -> Moment:
    """The least RSS by singular values; of many equally good weights, the shortest."""
    n, p = design.shape
    found, _, rank, _ = np.linalg.lstsq(triangle, answer, rcond=max(n, p) * np.finfo(float).eps)
    weights = np.asarray(found, dtype=np.float64)
    apart = y - design @ weights
    rss = float(apart @ apart)
    note = f"{p} coefficients from {n:,} points"
    if rank < p:
        note += f", of which {rank} can be told apart (the pseudo-inverse takes the shortest)"
    return Moment(weights, rss, f"{note}: RSS {rss:.4g}", 1.0)
