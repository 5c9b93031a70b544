"""Linear support vector machine by its primal: min lam/2 |w|^2 + mean_i max(0, 1 - y_i (w.x_i + b))."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.data.wording import plural
from vizml.field.arrays import Floats
from vizml.learn import CLASSIFY, Classifier, Scale, flag, integer, real, register
from vizml.learn.learned import Learned, PointValues, scalar
from vizml.learn.model import WatchedModel
from vizml.learn.support_vectors.pegasos import Pegasos
from vizml.learn.support_vectors.views import TINY, LinearSvmLineView, LinearSvmPlaneView
from vizml.learn.training_data import TrainingData

WORK = 25_000
"""Steps of all machines between two states: some milliseconds of work."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LinearSvmState(Classifier):
    """A machine for two classes, or one for each class against the rest; the loss is the objective."""

    plane_view_class = LinearSvmPlaneView
    line_view_class = LinearSvmLineView
    scale: ClassVar[Scale] = Scale.MARGIN
    centre: Floats
    coefficients: Floats
    """w (machines, d) in data units."""
    levels: Floats
    """f (machines,) at the centre of the data."""
    X: Floats
    y: Floats
    """1 or -1 for each point in each machine (machines, n)."""

    def decisions(self, X: ArrayLike) -> Floats:
        """Return f (n, machines)."""
        return np.asarray((self.space.matrix(X) - self.centre) @ self.coefficients.T + self.levels)

    def scores(self, X: ArrayLike) -> Floats:
        f = self.decisions(X)
        return np.concatenate([-f, f], axis=1) if len(self.levels) == 1 else f

    def learned(self) -> Learned:
        w = self.coefficients
        width = 2.0 / np.maximum(np.sqrt((w * w).sum(axis=1)), TINY)
        return {"w": scalar(w), "b": scalar(self.levels - w @ self.centre), "width": scalar(width)}

    def learned_axes(self) -> Mapping[str, tuple[Sequence[str], ...]]:
        return {**super().learned_axes(), "width": (self.group_names,)}

    def row_values(self, data: TrainingData) -> PointValues:
        """Return y f(x), the smallest over the machines, and the slack."""
        own = self.classes[1:] if len(self.levels) == 1 else self.classes
        signs = np.where(data.labels[:, None] == own, 1.0, -1.0)
        margins = signs * self.decisions(data.X)
        machine = margins.argmin(axis=1)
        margin, norms = margins[np.arange(len(data)), machine], np.linalg.norm(self.coefficients, axis=1)
        distance = margin / np.maximum(norms, TINY)[machine]
        return {"xi": np.maximum(0.0, 1.0 - margin), "margin": margin, "distance": distance}

    def metrics(self) -> Mapping[str, float]:
        figures = {
            "objective": self.loss,
            "mean hinge": float(self.slack.mean(axis=1).sum()),
            "points within the margin": float(np.count_nonzero(self.slack.max(axis=0) > 0)),
        }
        if len(self.levels) == 1:
            w = self.coefficients[0]
            figures["margin width"] = 2.0 / max(float(np.sqrt(w @ w)), TINY)
            figures["intercept"] = float(self.levels[0] - w @ self.centre)
            figures |= dict(zip(self.space.names, w.tolist()))
        return figures

    @cached_property
    def slack(self) -> Floats:
        """max(0, 1 - y f(x)) of each point in each machine (machines, n)."""
        return np.asarray(np.maximum(0.0, 1.0 - self.y * self.decisions(self.X).T))


@register(
    "linear_svm", CLASSIFY, "Support vector machines", "Linear SVM by gradient descent", short="Linear SVM",
    symbols={
        "w": ("Weights: the normal vector of the boundary.", "Boundaries"),
        "b": ("Intercept.",),
        "f": ("Decision function: its sign is the prediction.", "Boundaries"),
    },
    remarks=(
        ("Convention: λ/2 |w|² + mean hinge loss, as scikit-learn's SGDClassifier(alpha = λ); λ = 1/(nC). "
        "Notes 000 and 002 write Σ hinge loss + λ |w|² with λ = 1/(2C), which is n/2 times this one."),
    ),
    synonyms=("hinge loss", "Pegasos", "SVM by SGD", "stochastic gradient descent"),
)  # fmt: skip
class LinearSupportVectorMachine(WatchedModel):
    r"""Linear support vector machine trained by stochastic subgradient descent of the hinge loss (Pegasos).

    .. math::
        \min_{w, b} \tfrac{\lambda}{2} \|w\|^2 + \frac{1}{n} \sum_{i=1}^{n} \max(0,\, 1 - y_i f(x_i))
        w \leftarrow (1 - \eta_t \lambda)\, w + \eta_t\, y_i x_i\, [y_i f(x_i) < 1]
        \eta_t = \frac{1}{\lambda (t + t_0)}
    """

    loss: ClassVar[str] = "hinge"
    uses_distances = True

    lam: float = real(
        0.01, 1e-6, 1e3, log=True, symbol="\\lambda", title="lambda",
        help="L2 regularisation strength. High values widen the margin; it corresponds to 1 / (n C) of a"
        " support vector machine.",
    )  # fmt: skip
    epochs: int = integer(20, 1, 2000, log=True, help="Number of epochs (passes over the data).")
    average: bool = flag(True, help="Average the weights over the later half of the steps.")

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[LinearSvmState]:
        """Train in standardised coordinates; yield every state, or only the last one of each block."""
        n, centre = len(data), data.X.mean(axis=0)
        unit = float(np.sqrt(((data.X - centre) ** 2).mean())) or 1.0
        inside, lam = (data.X - centre) / unit, self.lam / unit**2
        lifted = np.vstack([inside.T, np.ones(n)])
        present = data.present[1:] if len(data.present) == 2 else data.present
        y = np.where(data.labels == present[:, None], 1.0, -1.0)
        machines = [Pegasos(inside, row, lam) for row in y]
        before = float(len(y))
        for parts in _blocks(n, self.epochs, WORK // len(y), cut=every or self.epochs == 1):
            orders = {part.epoch: rng.permutation(n) for part in parts if part.stop == n}
            for machine in machines:
                for epoch, start, stop in parts:
                    machine.run(orders[epoch][start:stop])
            shown = parts if every else parts[-1:]
            weights = np.stack([m.weights(len(shown), average=self.average) for m in machines], axis=1)
            slack = np.maximum(1.0 - y * (weights @ lifted), 0.0)
            penalty = lam / 2 * np.square(weights[..., :-1]).sum(axis=(1, 2))
            losses = (penalty + slack.sum(axis=(1, 2)) / n).tolist()
            within = np.count_nonzero(slack.any(axis=1), axis=1).tolist()
            for part, own, loss, inner in zip(shown, weights, losses, within):
                taken = part.epoch * n + part.stop
                rate = f"learning rate {1.0 / (1.0 + lam * taken):.2g}"
                yield LinearSvmState(
                    classes=data.present, centre=centre, coefficients=own[:, :-1] / unit, levels=own[:, -1],
                    X=data.X, y=y, loss=loss, progress=taken / (self.epochs * n),
                    note=f"{part.name(n)}: objective {before:.4g} → {loss:.4g}, "
                    f"{inner} of {plural(n, 'point')} within the margin, {rate}",
                )  # fmt: skip
                before = loss


class EpochPart(NamedTuple):
    """Steps at the points start to stop of an epoch's order, which end in a state."""

    epoch: int
    start: int
    stop: int

    def name(self, n: int) -> str:
        """Return the time of its end."""
        return f"epoch {self.epoch + 1}" if self.stop == n else f"epoch 1, {plural(self.stop, 'point')}"


def _blocks(n: int, epochs: int, work: int, *, cut: bool) -> Iterator[list[EpochPart]]:
    """Yield the parts of a run in blocks of whole epochs: at most so many steps, or one epoch.

    The first epoch may be cut after 1, 2, 4, ... points.
    """
    ends = [*(2**k for k in range((n - 1).bit_length() if cut else 0)), n]
    together = max(work // n, 1)
    for first in range(0, epochs, together):
        whole = [EpochPart(epoch, 0, n) for epoch in range(max(first, 1), min(first + together, epochs))]
        yield whole if first else [*(EpochPart(0, *ends) for ends in pairwise([0, *ends])), *whole]
