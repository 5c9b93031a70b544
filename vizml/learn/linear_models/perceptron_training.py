"""One perceptron: the steps of its training, the log of its mistakes, the maximum margin, its charts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.random import Generator

from vizml.field.arrays import Floats, Ints, evenly_spaced
from vizml.learn.linear_models.perceptron_solver import Epoch, perceptron
from vizml.scene import Axis, Chart, Diagram, Ink, Link, Node, Rule, Series

if TYPE_CHECKING:
    from vizml.learn.linear_models.perceptron import Perceptron

SHOWN, SPARSE = 300, 50
"""Each of the first mistakes is a step; later steps are apart by a share of the mistakes so far."""
WORK = 50_000
"""Samples that are visited between two yields: some milliseconds."""
TABLE = 30_000
"""Values of a table of samples by lines that stays in the cache."""
ROUNDS = 500
"""Most samples that enter the simplex of the maximum margin."""
CLOSE = 1e-10
"""Relative gap of squared lengths at which the nearest point is found."""
NOTHING, TINY = 1e-9, 1e-300
"""A margin below this share of the largest length is zero; TINY avoids division by zero."""
ROUNDING = 1e-12
"""Share of the largest change of a weight below which it is a rounding error."""
IN_SIGHT = 20.0
"""Beyond so many times the number of mistakes their bound needs a logarithmic axis."""
MOST_EPOCHS = 400
"""Epochs in the chart of the loss at most, evenly spaced."""
THINNEST, THICKEST = 1.0, 5.0
"""Widths of links with weight 0 and with the largest weight."""
NEGATIVE, POSITIVE = 0, 1
"""Inks of negative and positive weights: those of the classes that they favour."""


class PerceptronRun:
    """Two classes to separate, z_i = y_i (x_i, 1), and the log of all epochs, which its steps share."""

    def __init__(self, Z: Floats, rule: Perceptron, rows: Ints, prefix: str) -> None:
        """Take the rows of the samples in the data, and the start of the notes, if there are several runs."""
        self.Z, self.rule, self.rows, self.prefix = Z, rule, rows, prefix
        self.margin = maximum_margin(Z)
        """The maximum margin gamma, 0 where the classes are not linearly separable."""
        self.radius = float(np.sqrt(np.einsum("ij,ij->i", Z, Z).max()))
        """R, the greatest length of an (x, 1)."""
        self._least = ROUNDING * rule.eta * np.abs(Z).max(axis=0)
        self.epoch_ends = [0]
        """The number of mistakes up to the end of each epoch, 0 before the first."""
        self._mistakes: list[Ints] = []
        self._lines = [np.zeros(Z.shape[1])]

    @property
    def mistake_bound(self) -> float:
        """Novikoff's bound on the number of mistakes, infinite without a margin."""
        squares = self.radius**2 + 2.0 * self.rule.delta / self.rule.eta
        return squares / self.margin**2 if self.margin else math.inf

    def without_rounding(self, lines: Floats) -> Floats:
        """Return w and b (..., d + 1) with 0 for sums of samples that are 0 but for rounding errors."""
        return np.where(np.abs(lines) < self._least, 0.0, lines)

    def append(self, epoch: Epoch) -> None:
        """Add the mistakes of an epoch to the log."""
        self._mistakes.append(epoch.mistakes)
        self._lines.append(self.without_rounding(epoch.weights))
        self.epoch_ends.append(self.epoch_ends[-1] + len(epoch.mistakes))

    def counts(self, mistakes: int) -> Ints:
        """Return how often each sample was one of the first mistakes."""
        log = np.concatenate([np.empty(0, dtype=np.int64), *self._mistakes])[:mistakes]
        return np.bincount(log, minlength=len(self.Z))

    def lines_after(self, epochs: Ints) -> Floats:
        """Return w and b (k, d + 1) at the end of some epochs; epoch 0 is the start."""
        return np.array([self._lines[epoch] for epoch in epochs.tolist()])

    def losses(self, lines: Floats) -> Floats:
        """Return the perceptron loss, the sum of max(0, -y f), for each line (k, d + 1)."""
        return np.array([np.maximum(0.0, -(self.Z @ line)).sum() for line in lines])

    def errors(self, lines: Floats) -> Ints:
        """Return the number of samples with y != sign(f), sign(0) = +1, for each line (k, d + 1)."""
        together = max(TABLE // len(self.Z), 1)
        least = np.where(self.Z[:, -1] > 0, 0.0, np.nextafter(0.0, 1.0))
        parts = (lines[start : start + together] for start in range(0, len(lines), together))
        wrong = [(part @ self.Z.T < least).view(np.uint8) for part in parts]
        counts = [np.add.reduce(part, axis=1, dtype=np.int32) for part in wrong]
        return np.concatenate([np.empty(0, dtype=np.int64), *counts])


class PerceptronStep(NamedTuple):
    """A line after a number of mistakes."""

    run: PerceptronRun
    mistakes: int
    epoch: int
    """The epoch of the latest mistake, or the last one at the end."""
    sample: int
    """The sample of the latest mistake, -1 before the first."""
    latest: Floats
    """w and b (d + 1,) after the latest mistake."""
    weights: Floats
    """w and b of the line that is shown: the latest one, or the one in the pocket."""
    errors: int
    """The number of samples on the wrong side of the line that is shown."""
    ended: bool = False

    @property
    def before(self) -> Floats:
        """w and b before the latest mistake."""
        return self.run.without_rounding(self.latest - self.run.rule.eta * self.run.Z[self.sample])

    @property
    def alpha(self) -> Floats:
        """The dual coefficients: w = sum_i alpha_i y_i x_i, eta times the mistakes of each sample."""
        return np.asarray(self.run.rule.eta * self.run.counts(self.mistakes), dtype=np.float64)

    @property
    def epoch_ends(self) -> tuple[int, ...]:
        """The number of mistakes up to the end of each epoch that is over, 0 before the first."""
        return tuple(self.run.epoch_ends[: max(self.epoch + self.ended, 1)])

    @property
    def converged(self) -> bool:
        """Whether the run ended with an epoch without a mistake."""
        return self.ended and self.run.epoch_ends[-1] == self.run.epoch_ends[-2]


def train(run: PerceptronRun, rng: Generator, *, watched: bool = True) -> Iterator[PerceptronStep]:
    """Yield the start, the mistakes to show (unwatched, the latest one now and then), and the end."""
    n, rule, sums = len(run.Z), run.rule, np.zeros((1, run.Z.shape[1]))
    lines = sums
    step = PerceptronStep(run, 0, 0, -1, lines[0], lines[0], int(run.errors(lines)[0]))
    yield step
    patience = 0 if run.margin or rule.pocket else rule.patience
    shuffling = rng if rule.order == "shuffled" else None
    epochs = perceptron(run.Z, rule.eta, rule.delta, rule.epochs, patience, shuffling)
    pocket, due, at_once = (lines[0], step.errors), 1, max(WORK // (n * n if rule.pocket else n), 1)
    while stretch := list(islice(epochs, at_once)):
        before = run.epoch_ends[-1]
        for epoch in stretch:
            run.append(epoch)
        mistakes = np.concatenate([epoch.mistakes for epoch in stretch])
        sums = np.cumsum(np.vstack([sums[-1], rule.eta * run.Z[mistakes]]), axis=0)
        lines = run.without_rounding(sums)
        numbers, due = _numbers_to_show(due, run.epoch_ends[-1], watched=watched)
        rows = numbers - before
        if rule.pocket:
            weights, errors, pocket = _best_lines(run, lines, rows, pocket)
        else:
            weights, errors = lines[rows], run.errors(lines[rows])
        in_epoch = np.searchsorted(run.epoch_ends, numbers)
        columns = (numbers.tolist(), in_epoch.tolist(), mistakes[rows - 1].tolist())
        for values in zip(*columns, _frozen(lines[rows]), _frozen(weights), errors.tolist()):
            step = PerceptronStep(run, *values)
            yield step
    if not rule.pocket:
        pocket = lines[-1], int(run.errors(lines[-1:])[0])
    yield step._replace(
        mistakes=run.epoch_ends[-1], epoch=len(run.epoch_ends) - 1,
        latest=lines[-1], weights=pocket[0], errors=pocket[1], ended=True,
    )  # fmt: skip


def _frozen(lines: Floats) -> Floats:
    lines.flags.writeable = False
    return lines


def _numbers_to_show(first: int, last: int, *, watched: bool) -> tuple[Ints, int]:
    """Return the numbers of the mistakes to show from `first` up to `last`, and the next one after them."""
    if not watched:
        return np.arange(max(first, last), last + 1), last + 1
    due = list(range(first, min(last, SHOWN - 1) + 1))
    first += len(due)
    while first <= last:
        due.append(first)
        first += max(first // SPARSE, 1)
    return np.array(due, dtype=np.int64), first


def _best_lines(
    run: PerceptronRun, lines: Floats, rows: Ints, pocket: tuple[Floats, int]
) -> tuple[Floats, Ints, tuple[Floats, int]]:
    """Return the lines with the fewest errors up to some rows, the errors, and the last of them."""
    candidates = np.vstack([pocket[0], lines[1:]])
    errors = np.concatenate([[pocket[1]], run.errors(candidates[1:])])
    fewest = np.minimum.accumulate(errors)
    better = np.flatnonzero(np.concatenate([[True], errors[1:] < fewest[:-1]]))
    held = better[np.searchsorted(better, np.arange(len(lines)), side="right") - 1]
    return candidates[held[rows]], fewest[rows], (candidates[held[-1]], int(fewest[-1]))


def maximum_margin(Z: Floats) -> float:
    """Return max_u min_i u.z_i over unit vectors u, for rows z_i = y_i x_i: 0 where no u makes all positive.

    It is the distance of the convex hull of the rows from the origin: find the nearest point of a simplex
    of rows, add a row that is nearer, drop rows that are not needed.

    >>> maximum_margin(np.array([[3.0, 4.0]])), maximum_margin(np.array([[1.0, 0.0], [-1.0, 0.0]]))
    (5.0, 0.0)
    """
    lengths = np.einsum("ij,ij->i", Z, Z)
    radius = float(np.sqrt(lengths.max()))
    simplex, shares = [int(lengths.argmin())], np.ones(1)
    best = 0.0
    for _ in range(ROUNDS):
        x = shares @ Z[simplex]
        square, along = float(x @ x), Z @ x
        nearest = int(along.argmin())
        best = max(best, float(along[nearest]) / math.sqrt(square or 1.0))
        found = square <= (NOTHING * radius) ** 2 or square - along[nearest] <= CLOSE * square
        if found or nearest in simplex:
            break
        simplex, shares = _nearest_point(Z, [*simplex, nearest], np.append(shares, 0.0))
    return best if best > NOTHING * radius else 0.0


def _nearest_point(Z: Floats, simplex: list[int], shares: Floats) -> tuple[list[int], Floats]:
    """Return the smallest simplex with the nearest point to the origin, and its shares there."""
    while True:
        wanted = _affine_nearest(Z[simplex])
        low = wanted <= 0
        if not low.any():
            return simplex, wanted
        steps = np.full(len(simplex), np.inf)
        steps[low] = shares[low] / np.maximum(shares[low] - wanted[low], TINY)
        leaves = int(steps.argmin())
        shares = np.delete(shares + steps[leaves] * (wanted - shares), leaves)
        del simplex[leaves]


def _affine_nearest(rows: Floats) -> Floats:
    """Return the shares, summing to 1, of the point nearest to the origin in the affine hull of some rows."""
    products = rows @ rows.T
    system = products / (products.max() or 1.0) + 1.0  # on one scale, or either is lost
    try:
        shares = np.linalg.solve(system, np.ones(len(rows)))
    except np.linalg.LinAlgError:
        shares = np.linalg.lstsq(system, np.ones(len(rows)), rcond=None)[0]
    return np.asarray(shares / shares.sum())


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
