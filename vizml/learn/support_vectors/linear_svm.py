"""Linear support vector machine by its primal: min lam/2 |w|^2 + mean_i max(0, 1 - y_i (w.x_i + b)).

Pegasos (Shalev-Shwartz, Singer and Srebro 2007) is stochastic subgradient descent. One point at a time,
w <- (1 - eta_t lam) w + eta_t y x [y f(x) < 1] and b <- b + eta_t y [y f(x) < 1] with
eta_t = 1 / (lam (t + t0)), and t0 such that eta = 1 at first. With v = lam (t + t0) w a step is v <- v + y x,
so that nothing happens at a point beyond the margin.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.data.wording import plural
from vizml.field.arrays import Floats, Ints
from vizml.learn import CLASSIFY, Classifier, Scale, flag, integer, real, register
from vizml.learn.learned import Learned, PointValues, scalar
from vizml.learn.model import WatchedModel
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


class Pegasos:
    """A linear machine on points (n, d) with signs y (n,); it records where each run of steps ended.

    >>> machine = Pegasos(np.array([[-1.0], [1.0]]), np.array([-1.0, 1.0]), lam=0.1)
    >>> for _ in range(100):
    ...     machine.run(np.array([0, 1]))
    >>> machine.weights(1, average=True).round(2)
    array([[ 1.05, -0.  ]])
    """

    def __init__(self, points: Floats, y: Floats, lam: float) -> None:
        self.signed, self.lam = np.vstack([points.T * y, y]), lam
        self.steps = 0
        plane = points.shape[1] == 2
        self._advance = self._plane_steps if plane else self._general_steps
        self._samples: list[Any] = (
            self.signed.T.tolist() if plane else [*zip(points * y[:, None], y.tolist())]
        )
        """Each point times its sign, and its sign."""
        self._ends = [np.zeros(len(self.signed))]
        """v and b after each run."""
        self._counts, self._sums = [0], np.zeros((1, len(self.signed)))
        """Steps so far and the sums of w and b over them, after each run."""
        self._pending: list[tuple[Ints, Ints]] = []
        """Points of runs that are not in the sums yet, and which of their steps changed something."""

    def run(self, order: Ints) -> None:
        """Take a step at each of these points."""
        end, hits = self._advance(self._ends[-1], order, 1.0 + self.lam * self.steps)
        self.steps += len(order)
        self._ends.append(end)
        self._counts.append(self.steps)
        self._pending.append((order, hits))

    def weights(self, runs: int, *, average: bool) -> Floats:
        """Return w and b (k, d + 1) after each of the last runs, or their averages over the later half."""
        if average:
            return self._averages(runs)
        ends, counts = np.array(self._ends[-runs:]), np.array(self._counts[-runs:])
        ends[:, :-1] /= (1.0 + self.lam * counts)[:, None]
        return ends

    def _general_steps(self, start: Floats, order: Ints, scale: float) -> tuple[Floats, Ints]:
        """Return v and b after the steps, and the numbers of those that changed them."""
        end, hits = start.copy(), []
        v, b = end[:-1], float(end[-1])
        product = v.dot
        for number, (x, s) in enumerate(map(self._samples.__getitem__, order.tolist())):
            if product(x) < scale * (1.0 - s * b):
                v += x
                b += s / (scale + self.lam)
                hits.append(number)
            scale += self.lam
        end[-1] = b
        return end, np.array(hits, dtype=np.int64)

    def _plane_steps(self, start: Floats, order: Ints, scale: float) -> tuple[Floats, Ints]:
        """The same for two inputs, four times as fast without arrays."""
        (p, q, b), lam, hits = start.tolist(), self.lam, bytearray(len(order))
        for number, (x, y, s) in enumerate(map(self._samples.__getitem__, order.tolist())):
            if p * x + q * y < scale * (1.0 - s * b):
                p += x
                q += y
                b += s / (scale + lam)
                hits[number] = 1
            scale += lam
        return np.array([p, q, b]), np.flatnonzero(np.frombuffer(hits, dtype=np.uint8))

    def _averages(self, runs: int) -> Floats:
        self._sum_up()
        counts = np.array(self._counts)
        last = np.arange(len(counts) - runs, len(counts))
        since = np.minimum(np.searchsorted(counts, counts[last] // 2), last - 1)
        return np.asarray((self._sums[last] - self._sums[since]) / (counts[last] - counts[since])[:, None])

    def _sum_up(self) -> None:
        """Add the latest runs to the sums.

        After step T the sum of v / scale is v_T P_T minus each hit's y x times P at the step before it,
        P_t the sum of 1 / scale up to t; that of b alike, with t in the place of P.
        """
        if not self._pending:
            return
        begun = self._counts[len(self._sums) - 1]
        ends = np.array(self._ends[len(self._sums) :])
        stops = np.array(self._counts[len(self._sums) :]) - begun
        starts = [0, *stops[:-1].tolist()]
        hits = np.concatenate([hits + start for (_, hits), start in zip(self._pending, starts)])
        points = np.concatenate([order[hits] for order, hits in self._pending])
        scales = 1.0 + self.lam * np.arange(begun + 1.0, begun + stops[-1] + 1.0)
        before = np.concatenate([[0.0], np.cumsum(1.0 / scales)])
        late = np.zeros((len(self.signed), len(hits) + 1))
        moved = self.signed.take(points, axis=1)
        np.multiply(moved[:-1], before[hits], out=late[:-1, 1:])
        np.multiply(moved[-1], hits / scales[hits], out=late[-1, 1:])
        late = np.cumsum(late, axis=1)[:, np.searchsorted(hits, stops)]
        whole = ends * before[stops, None]
        whole[:, -1] = ends[:, -1] * stops
        self._sums = np.concatenate([self._sums, self._sums[-1] + whole - late.T])
        self._pending = []
