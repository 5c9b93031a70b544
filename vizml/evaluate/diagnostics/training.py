"""Training curves: loss or error of each step, the step to stop at, and the duality gap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from vizml.data import Dataset
from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.metrics import EPSILON
from vizml.evaluate.validation import score_or_nan
from vizml.field.arrays import Floats, Ints, evenly_spaced
from vizml.learn import CLASSIFY, REGRESS, Classifier, Regressor, Scale, State, TrainingData, choice
from vizml.scene import Axis, Chart, Rule, Series

Measure: TypeAlias = Literal["loss", "error"]
ROUGH, FINE, FINEST = 12, 80, 600
"""Steps that are evaluated at first, during training, and after it."""
OVERFITTING = 0.02
"""Rise of the held-out measure after its minimum, as a share of its fall before, that is more than noise."""
MOST_STEPS = 200
"""Recorded steps that are evaluated at most."""
PRIMAL, DUAL = "primal objective", "dual objective"
"""Names of both among the metrics of a state; the dual one is minimised there."""


@dataclass(frozen=True, eq=False)
class TrainingCurve:
    """A measure at some steps of a run on training and held-out data; NaN for a part without points."""

    steps: Ints
    train: Floats
    held: Floats

    @property
    def best(self) -> int | None:
        """Index of the lowest held-out value, the first of equals."""
        return int(np.nanargmin(self.held)) if np.isfinite(self.held).any() else None

    @property
    def overfits(self) -> bool:
        """Whether the held-out measure ends clearly above its minimum while the training measure falls."""
        best = self.best
        if best is None or best == len(self.held) - 1:
            return False
        rise = self.held[-1] - self.held[best]
        fall = np.nanmax(self.held[: best + 1]) - self.held[best]
        return bool(rise > OVERFITTING * fall and rise > 0 and self.train[-1] <= self.train[best])


@diagnostic(
    "training", title="Training", tasks=(CLASSIFY, REGRESS),
    synonyms=("loss", "loss curve", "log-loss", "convergence", "early stopping", "cross-entropy"),
)  # fmt: skip
class TrainingCurvePlot(Diagnostic):
    """Training and held-out loss or error of each step."""

    live = True
    whole_run = True
    measure: Measure = choice("loss", ("loss", "error"), help="Loss, or error, of each step.")

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        history = subject.history
        if len(history) < 2:
            one = "trains in one step" if history and not subject.running else "has not been trained yet"
            raise ValueError(f"{subject.model.title} {one}: there is no curve to show")
        if self.measure == "loss" and not _has_loss(history[-1]):
            raise ValueError(f"{subject.model.title} only ranks classes and has no loss: choose the error")
        measure = mean_loss if self.measure == "loss" else mean_error
        known: dict[int, tuple[float, float]] = {}
        for most in (ROUGH, FINE) if subject.running else (ROUGH, FINE, FINEST):
            for index in evenly_spaced(len(history), most).tolist():
                if index not in known:
                    state = history[index]
                    known[index] = measure(state, subject.train), measure(state, subject.held)
            rows = sorted(known)
            train, held = np.array([known[row] for row in rows]).T
            yield ChartResult(
                self._chart(subject, TrainingCurve(np.asarray(subject.steps)[rows], train, held))
            )
            if len(known) == len(history):
                return

    def _chart(self, subject: DiagnosticSubject, found: TrainingCurve) -> Chart:
        x = found.steps.astype(float)
        series = [Series(name="train", x=x, y=found.train, ink="muted")]
        if np.isfinite(found.held).any():
            series.append(Series(name="held out", x=x, y=found.held, width=2.5))
        name = self._measure_name(subject.history[-1])
        return Chart(
            title="Training",
            x=Axis(title="step"),
            y=Axis(title=name),
            series=tuple(series),
            rules=_rules(found),
            cursor="step",
            note=_note(found, name, subject.held),
        )

    def _measure_name(self, state: State) -> str:
        if isinstance(state, Regressor):
            return "mean squared error" if self.measure == "loss" else "root mean squared error"
        if self.measure == "error":
            return "error rate"
        return "mean log-loss" if isinstance(state, Classifier) and state.has_proba else "mean hinge loss"


def mean_loss(state: State, data: Dataset) -> float:
    """Return the mean log-loss of probabilities, hinge loss of margins, or squared error of a regression."""
    if isinstance(state, Regressor):
        known = state.training_data(data)
        return float(np.mean((known.y - state.predict(known.X)) ** 2)) if len(known) else float("nan")
    if not isinstance(state, Classifier):
        return float("nan")
    known = state.training_data(data)
    known = known.take(np.isin(known.labels, state.classes))
    return _classifier_loss(state, known) if len(known) else float("nan")


def _classifier_loss(state: Classifier, data: TrainingData) -> float:
    rows, own = np.arange(len(data)), np.searchsorted(state.classes, data.labels)
    if state.has_proba:
        return float(-np.mean(np.log(np.maximum(state.proba(data.X)[rows, own], EPSILON))))
    if state.scale is not Scale.MARGIN or len(state.classes) < 2:
        return float("nan")
    scores = state.scores(data.X)
    true_score = scores[rows, own]
    scores[rows, own] = -np.inf
    # a lead of 2 is a margin of 1 on either side
    return float(np.mean(np.maximum(0.0, 1.0 - 0.5 * (true_score - scores.max(axis=1)))))


def mean_error(state: State, data: Dataset) -> float:
    """Return the error rate of a classifier, or the root mean squared error of a regression."""
    if isinstance(state, Regressor):
        return float(np.sqrt(mean_loss(state, data)))
    return 1.0 - score_or_nan(state, data)


def _has_loss(state: State) -> bool:
    unitless = (Scale.LEAD, Scale.RANK)
    return isinstance(state, Regressor) or (isinstance(state, Classifier) and state.scale not in unitless)


def _rules(found: TrainingCurve) -> tuple[Rule, ...]:
    if found.best is None:
        return ()
    name = "overfitting starts here" if found.overfits else "best"
    return (Rule(name=name, x=float(found.steps[found.best]), ink="accent"),)


def _note(found: TrainingCurve, name: str, held: Dataset) -> str:
    if found.best is None:
        return "" if len(held) else "Hold out some points to see when training should stop"
    step, value = found.steps[found.best], found.held[found.best]
    text = f"lowest held-out {name} {value:.4g} at step {step}"
    return f"stop early: {text}, {found.held[-1]:.4g} at the end" if found.overfits else text


@diagnostic(
    "dual", title="Primal and dual objective", tasks=(CLASSIFY, REGRESS),
    synonyms=("duality gap", "weak duality", "strong duality", "Lagrangian", "SMO", "KKT"),
)  # fmt: skip
class DualityGap(Diagnostic):
    """Primal and dual objective of a support vector machine at each step, with the gap between them."""

    live = True
    whole_run = True

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        history = subject.history
        if not history:
            raise ValueError("there are no steps yet: train a model")
        if DUAL not in history[-1].metrics():
            raise ValueError(f"{subject.model.title} has no dual objective: choose a support vector machine")
        rows = evenly_spaced(len(history), MOST_STEPS)
        figures = [history[row].metrics() for row in rows.tolist()]
        primal, dual = (np.array([each[name] for each in figures]) for name in (PRIMAL, DUAL))
        primal[~np.isfinite(primal)] = np.nan  # points violate a hard margin
        steps = np.asarray(subject.steps)[rows].astype(np.float64)
        gap = primal + dual
        series = (
            Series(name="primal (minimised)", x=steps, y=primal, ink=1),
            Series(name="dual (maximised)", x=steps, y=-dual, ink=0),
            Series(name="gap", x=steps, y=gap, ink="muted", stroke="dash"),
        )
        end = f"primal {primal[-1]:.5g}, dual {-dual[-1]:.5g}"
        note = (
            f"{end}, gap {max(gap[-1], 0.0):.2g}" if np.isfinite(gap[-1]) else "a point violates the margin"
        )
        yield ChartResult(
            Chart(
                title="Primal and dual objective", x=Axis(title="step"), y=Axis(title="objective"),
                series=series, cursor="step", note=note,
            )
        )  # fmt: skip
