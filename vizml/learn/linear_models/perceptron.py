"""Perceptron: f(x) = w.x + b learns from mistakes, and converges for linearly separable classes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from vizml.data.wording import plural
from vizml.field import Field, Raster
from vizml.field.arrays import Floats
from vizml.field.polynomial import opposed_field
from vizml.learn import CLASSIFY, Classifier, Scale, choice, flag, integer, real, register
from vizml.learn.gaussians import Quadratics
from vizml.learn.learned import Learned, PointValues, scalar
from vizml.learn.linear_models import FAMILY
from vizml.learn.linear_models.basis import input_names
from vizml.learn.linear_models.perceptron_training import (
    TINY,
    PerceptronRun,
    PerceptronStep,
    activation,
    loss_chart,
    mistakes_chart,
    neuron_diagram,
    train,
)
from vizml.learn.model import WatchedModel
from vizml.learn.one_vs_one import F, one_vs_one_scores
from vizml.learn.scaling import Scaling
from vizml.learn.training_data import TrainingData
from vizml.learn.view import PlaneView, numbered_rings
from vizml.scene import Chart, Diagram, Levels, Mark, Rings

WIDE = 2.0
"""Standard deviation of standardised inputs: the constant input of the bias then adds little to R."""
BAND = 96
"""Rows of a field at a time, where there are many pairs of classes."""
POSITIVE = 1e-37
"""In place of b = 0 it leaves all values but those of w = 0 unchanged, where sign(0) = +1."""
LEAST, MOST = 5.0, 12.0
"""Radii in pixels of the rings around points with the least and the greatest alpha."""


class PerceptronView(PlaneView["PerceptronState"]):
    """Lines as affine planes, the latest mistake and the dual coefficients as rings."""

    def field(self, raster: Raster) -> Field:
        state, scaling, weights = self.state, self.state.scaling, self.state.weights
        lines = Quadratics.affine(weights[:, :-1] / scaling.scale, weights[:, -1], scaling.centre)
        lines = lines.on(self.section.origin, self.section.basis)
        if len(state.classes) == 2:
            intercept = float(lines.constant[0]) or POSITIVE
            return opposed_field(lines.linear[0], intercept, raster, lines.centre)
        out = np.empty((len(state.classes), *raster.shape), dtype=np.float32)
        for rows, band in raster.bands(BAND):
            out[:, rows] = state.class_scores(lines.field(band))
        return out

    def marks(self) -> tuple[Mark, ...]:
        state, line = self.state, self.state.lines[-1]
        points, _ = self.section.project(state.data.X[line.run.rows])
        delta, marks = line.run.rule.delta, list[Mark]()
        if state.dual:
            alpha = line.alpha
            positive = alpha > 0
            size = np.sqrt(alpha[positive] / max(float(alpha.max()), 1e-300))
            radii = LEAST + (MOST - LEAST) * size
            marks += [
                Rings(layer="Alphas", points=points[positive], ink="muted", radii=radii, legend="alpha")
            ]
        if delta and len(state.classes) == 2:
            marks += [Levels(layer="Margin", plane=1, values=(-delta, delta), stroke="dash", legend="±δ")]
        if line.mistakes and not line.ended:
            marks += numbered_rings(
                points[[line.sample]], line.run.rows[[line.sample]], "Mistake", "latest mistake"
            )
        return tuple(marks)


@dataclass(frozen=True, eq=False, kw_only=True)
class PerceptronState(Classifier):
    """Lines between pairs of classes, or between each class and the rest, trained in turn."""

    plane_view_class = PerceptronView
    scale: ClassVar[Scale] = Scale.LEAD
    data: TrainingData
    scaling: Scaling
    lines: tuple[PerceptronStep, ...]
    """The lines that are trained, and the current one."""
    pairs: tuple[tuple[int, int], ...]
    """The classes +1 and -1 of each line, by their index in `classes`; empty for one-vs-rest."""
    dual: bool

    @cached_property
    def weights(self) -> Floats:
        """w and b of each line (P, d + 1) in scaled coordinates."""
        return np.array([line.weights for line in self.lines])

    def decisions(self, X: ArrayLike) -> Floats:
        """Return f (m, P) of each line."""
        inside = self.scaling.transform(np.asarray(X, dtype=np.float64))
        return np.asarray(inside @ self.weights[:, :-1].T + self.weights[:, -1])

    def scores(self, X: ArrayLike) -> Floats:
        return np.ascontiguousarray(self.class_scores(self.decisions(X).T).T)

    def class_scores(self, decisions: NDArray[F]) -> NDArray[F]:
        """Return scores (K, ...) from decisions (P, ...), with the smallest number for 0: sign(0) = +1."""
        smallest = np.finfo(decisions.dtype).smallest_subnormal
        decisions = np.where(decisions == 0, smallest, decisions)
        if len(self.classes) == 2:
            return np.concatenate([-decisions, decisions])
        if self.pairs:
            return one_vs_one_scores(decisions, self.pairs, len(self.classes))
        rest = np.zeros((len(self.classes) - len(decisions), *decisions.shape[1:]), decisions.dtype)
        return np.concatenate([decisions, rest])

    @cached_property
    def lines_in_data_units(self) -> Floats:
        """w and b of each line (K, d + 1)."""
        return np.array([in_data_units(line.weights, self.scaling) for line in self.lines])

    @cached_property
    def reach(self) -> float:
        """The mean lead of the winner at the samples: the length of w depends on eta alone."""
        ordered = np.sort(self.scores(self.data.X), axis=1)
        lead = float((ordered[:, -1] - ordered[:, -2]).mean())
        return lead if lead > TINY else 1.0

    def kernel_matrix(self, X: Floats) -> Floats | None:
        """Inner products, by which the dual form learns from all points."""
        inside = self.scaling.transform(X)
        return np.asarray(inside @ inside.T) if self.dual else None

    def learned(self) -> Learned:
        return {"w": scalar(self.lines_in_data_units[:, :-1]), "b": scalar(self.lines_in_data_units[:, -1])}

    def learned_axes(self) -> Mapping[str, tuple[Sequence[str], ...]]:
        names = tuple(line.run.prefix.removesuffix(": ") for line in self.lines)
        return {"w": (names, self.space.names), "b": (names,)}

    def row_values(self, data: TrainingData) -> PointValues:
        if len(self.classes) > 2:
            return {}
        signs = np.where(data.labels == self.classes[1], 1.0, -1.0)
        margin, w = signs * self.decisions(data.X)[:, 0], self.weights[0, :-1] / self.scaling.scale
        return {"margin": margin, "distance": margin / max(float(np.linalg.norm(w)), TINY)}

    def training_values(self) -> PointValues:
        """The dual coefficients of a single line: eta times the mistakes on each point."""
        if len(self.classes) > 2:
            return {}
        alpha = np.zeros(len(self.data))
        alpha[self.lines[-1].run.rows] = self.lines[-1].alpha
        return {"alpha": alpha}

    def charts(self) -> tuple[Chart, ...]:
        line = self.lines[-1]
        return mistakes_chart(line, f"{line.run.prefix}{separability(line.run)}"), loss_chart(line)

    def diagram(self) -> Diagram:
        names = tuple(line.run.prefix.removesuffix(": ") for line in self.lines)
        single = names if any(names) else (f"{self.group_names[0]} | {self.group_names[1]}",)
        inks = [int(self.classes[plus]) for plus, _ in self.pairs] or self.classes.tolist()
        return neuron_diagram(self.space.names, single, self.lines_in_data_units, inks)

    def calculation(self, x: Floats) -> tuple[str, ...]:
        if len(self.classes) > 2:
            return ()
        return activation(self.lines_in_data_units[0], x, (self.group_names[0], self.group_names[1]))

    def metrics(self) -> Mapping[str, float]:
        figures = {
            "mistakes": float(sum(line.mistakes for line in self.lines)),
            "epochs": float(max(line.epoch for line in self.lines)), "training errors": self.loss,
            "bound (R/γ)²": sum(line.run.mistake_bound for line in self.lines),
        }  # fmt: skip
        if len(self.lines) == len(self.pairs) == 1:
            *w, figures["intercept"] = self.lines_in_data_units[0].tolist()
            figures |= zip(input_names(len(w)), w)
        return {name: value for name, value in figures.items() if math.isfinite(value)}


def in_data_units(weights: Floats, scaling: Scaling) -> list[float]:
    """Return w and b (d + 1,) for inputs in data units."""
    w = weights[:-1] / scaling.scale
    return [*w.tolist(), float(weights[-1] - w @ scaling.centre)]


@register(
    "perceptron", CLASSIFY, FAMILY, "Perceptron",
    symbols={
        "w": ("Weights: the normal vector of the boundary.", "Boundaries"),
        "b": ("Intercept.",),
        "α": ("Number of updates by a point.", "Alphas"),
    },
    remarks=(
        ("Note 002 loops 'while no mistakes' are made; correct is while there are mistakes, until an epoch "
        "has none. Its dual form raises α by η; correct is to raise αᵢ of the misclassified point alone."),
    ),
    synonyms=("dual perceptron", "Novikoff", "Rosenblatt", "neuron"),
)  # fmt: skip
class Perceptron(WatchedModel):
    r"""Finds a separating line by correcting w and b at each misclassified point.

    .. math::
        \hat y = \mathrm{sign}(w \cdot x + b), \quad \mathrm{sign}(0) = 1
        \text{mistake:} \quad y_i (w \cdot x_i + b) \le \delta
        w \leftarrow w + \eta\, y_i x_i, \qquad b \leftarrow b + \eta\, y_i
        w = \sum_{i} \alpha_i y_i x_i
        \mathrm{mistakes} \le \left( R / \gamma \right)^2
    """

    loss: ClassVar[str] = "perceptron"
    form: str = choice(
        "primal", ("primal", "dual"), labels={"primal": "primal: w and b", "dual": "dual: alpha"},
        help="Primal form (weights w and b) or dual form (a coefficient alpha for each point). "
        "Both give the same line.",
    )  # fmt: skip
    eta: float = real(
        1.0, 1e-3, 1e3, log=True, symbol="\\eta", title="learning rate",
        help="Learning rate. With δ = 0 it only scales w and b.",
    )  # fmt: skip
    delta: float = real(
        0.0, 0.0, 100.0, symbol="\\delta", title="margin",
        help="Margin δ. A point with y f(x) ≤ δ counts as a mistake.",
    )  # fmt: skip
    order: str = choice(
        "cyclic", ("cyclic", "shuffled"), help="Order of the points in each epoch.",
        labels={"cyclic": "cyclic", "shuffled": "shuffled each epoch"},
    )  # fmt: skip
    pocket: bool = flag(
        False, help="Pocket algorithm: keep the line with the fewest training errors found so far."
    )
    standardise: bool = flag(
        False, help="Standardise the inputs during training, so that the bias learns as fast as w."
    )
    epochs: int = integer(100, 1, 5000, log=True, help="Maximum number of epochs (passes over the data).")
    patience: int = integer(
        5, 0, 100, when={"pocket": (False,)}, zero="no limit",
        help="Early stopping: number of epochs without improvement before training stops, for data that is "
        "not separable. 0 disables it.",
    )  # fmt: skip
    multiclass: str = choice(
        "ovo", ("ova", "ovo"), title="multiclass", labels={"ova": "one-vs-rest", "ovo": "one-vs-one"},
        help="Multiclass strategy: one-vs-rest (one line for each class, highest score wins) or one-vs-one "
        "(one line for each pair, voting).",
    )  # fmt: skip

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[PerceptronState]:
        scaling = _standard_scaling(data.X) if self.standardise else Scaling(centre=0 * data.X[0], scale=1.0)
        pairs = self._pairs(len(data.present))
        # the note is a function of the state: texts of steps that nobody reads are never made
        state = PerceptronState(
            classes=data.present, data=data, scaling=scaling, lines=(), pairs=pairs, dual=self.form == "dual"
        ).later(note=_note)
        done: tuple[PerceptronStep, ...] = ()
        for run in self._runs(data, scaling, pairs):
            errors = sum(line.errors for line in done)
            for line in train(run, rng, watched=every):
                share = 1.0 if line.ended else max(line.epoch - 1, 0) / self.epochs
                progress = (len(done) + share) / (len(pairs) or len(data.present))
                yield state.later(lines=(*done, line), loss=float(errors + line.errors), progress=progress)
            done = (*done, line)

    def _pairs(self, classes: int) -> tuple[tuple[int, int], ...]:
        if classes == 2:
            return ((1, 0),)
        return tuple(combinations(range(classes), 2)) if self.multiclass == "ovo" else ()

    def _runs(
        self, data: TrainingData, scaling: Scaling, pairs: tuple[tuple[int, int], ...]
    ) -> Iterator[PerceptronRun]:
        """Yield a run for each pair of classes, or for each class against the rest."""
        lifted, codes = np.column_stack([scaling.transform(data.X), np.ones(len(data))]), data.class_indices
        names = data.class_names
        for plus, minus in pairs or [(k, -1) for k in range(len(names))]:
            rows = np.flatnonzero((codes == plus) | (codes == minus)) if pairs else np.arange(len(data))
            y = np.where(codes[rows] == plus, 1.0, -1.0)
            other = names[minus] if pairs else "the rest"
            prefix = f"{names[plus]} against {other}: " if len(names) > 2 else ""
            yield PerceptronRun(y[:, None] * lifted[rows], self, rows, prefix)


def _standard_scaling(X: Floats) -> Scaling:
    """Centre the inputs and scale them to a root mean square deviation of WIDE."""
    centre = X.mean(axis=0)
    return Scaling(centre=centre, scale=float(np.sqrt(((X - centre) ** 2).mean())) / WIDE or 1.0)


def _note(state: PerceptronState) -> str:
    line, run = state.lines[-1], state.lines[-1].run
    if line.ended:
        return run.prefix + _end(line)
    if not line.mistakes:
        return f"{run.prefix}start: w = 0, b = 0; {separability(run)}"
    row = int(run.rows[line.sample])
    name = state.data.name(int(state.data.labels[row]))
    most = f" of at most {run.mistake_bound:,.0f}" if run.margin else ""
    if state.dual:
        alpha = line.alpha[line.sample]
        change = f"alpha {alpha - run.rule.eta:.3g} → {alpha:.3g}"
    else:
        (*v, a), (*w, b) = (in_data_units(each, state.scaling) for each in (line.before, line.latest))
        change = f"w {_vector(v)} → {_vector(w)}, b {a:.3g} → {b:.3g}"
    where = f"epoch {line.epoch}, mistake {line.mistakes:,}{most}: point {row} of {name}"
    shown = "; pocket: " if run.rule.pocket else ", "
    return f"{run.prefix}{where}, {change}{shown}{plural(line.errors, 'training error')}"


def separability(run: PerceptronRun) -> str:
    """Return whether the classes are linearly separable, with the bound on the number of mistakes."""
    if not run.margin:
        return "not linearly separable, so the algorithm does not converge"
    bound = "(R² + 2δ/η)/γ²" if run.rule.delta else "(R/γ)²"
    lengths = f"γ = {run.margin:.3g}, R = {run.radius:.3g}"
    return (
        f"linearly separable with {lengths}: at most {bound} = {plural(round(run.mistake_bound), 'mistake')}"
    )


def _end(line: PerceptronStep) -> str:
    run, mistakes = line.run, plural(line.mistakes, "mistake")
    if line.converged:
        bound = f"; the bound is {run.mistake_bound:,.0f}" if run.margin else ""
        return f"epoch {line.epoch} has no mistake: converged after {mistakes}{bound}"
    result = "the line in the pocket" if run.rule.pocket else "the last line"
    early = line.epoch < run.rule.epochs
    reason = f", the last {run.rule.patience} without improvement" if early else ""
    kind = "linearly separable, but" if run.margin else "not linearly separable:"
    errors = plural(line.errors, "training error")
    return f"{kind} stopped after {plural(line.epoch, 'epoch')}{reason}; {mistakes}, {result} has {errors}"


def _vector(w: list[float]) -> str:
    return f"({', '.join(f'{value:.3g}' for value in w)})"
