"""Training: loss or error after each step, on points learned from and on held-out ones; where to stop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.data import Dataset
from vizml.evaluate.diagnostic import Diagnostic, Subject, diagnostic
from vizml.evaluate.progress import Measure, Progress, error_of, loss_of, sampled
from vizml.learn import CLASSIFY, REGRESS, Classifier, Regressor, Scale, choice
from vizml.scene import Axis, Chart, Rule, Series

ROUGH, FINE, FINEST = 12, 80, 600
"""Steps that are judged at first, while the run goes on, and when it is over."""


@diagnostic("training", title="Training", tasks=(CLASSIFY, REGRESS), live=True, whole=True)
@dataclass(frozen=True)
class TrainingCurves(Diagnostic):
    measure: Measure = choice("loss", ("loss", "error"), help="what is followed from step to step")

    def charts(self, subject: Subject) -> Iterator[Chart]:
        history = subject.history
        if len(history) < 2:
            one = "learns in one step" if history and not subject.running else "has not learned anything yet"
            raise ValueError(f"{subject.model.title} {one}: there is no curve to follow")
        if self.measure == "loss" and not _has_loss(subject):
            raise ValueError(f"{subject.model.title} gives an order, not a loss: choose the error")
        known: dict[int, tuple[float, float]] = {}
        for most in (ROUGH, FINE) if subject.running else (ROUGH, FINE, FINEST):
            places = sampled(len(history), most)
            for place in places:
                if place not in known:
                    known[int(place)] = self._judged(subject, int(place))
            yield self._chart(subject, _progress(subject, known))
            if len(known) == len(history):
                return

    def _judged(self, subject: Subject, place: int) -> tuple[float, float]:
        judge = loss_of if self.measure == "loss" else error_of
        state = subject.history[place]
        return judge(state, subject.train), judge(state, subject.held)

    def _chart(self, subject: Subject, found: Progress) -> Chart:
        series = [Series(name="train", x=found.steps.astype(float), y=found.train, ink="muted")]
        if np.isfinite(found.held).any():
            series.append(Series(name="held out", x=found.steps.astype(float), y=found.held, width=2.5))
        name = self._name(subject)
        return Chart(
            title="Training",
            x=Axis(title="step"),
            y=Axis(title=name),
            series=tuple(series),
            rules=_rules(found),
            cursor="step",
            note=_note(found, name, subject.held),
        )

    def _name(self, subject: Subject) -> str:
        if subject.model.task is REGRESS:
            return "mean squared error" if self.measure == "loss" else "root of the mean squared error"
        state = subject.history[-1]
        if self.measure == "error":
            return "share of errors"
        return "mean log-loss" if isinstance(state, Classifier) and state.has_proba else "mean hinge loss"


def _has_loss(subject: Subject) -> bool:
    state = subject.history[-1]
    unitless = (Scale.LEAD, Scale.RANK)
    return isinstance(state, Regressor) or (isinstance(state, Classifier) and state.scale not in unitless)


def _progress(subject: Subject, known: dict[int, tuple[float, float]]) -> Progress:
    places = sorted(known)
    train, held = np.array([known[place] for place in places]).T
    return Progress(np.asarray(subject.steps)[places], train, held)


def _rules(found: Progress) -> tuple[Rule, ...]:
    if found.best is None:
        return ()
    name = "overfitting starts here" if found.overfits else "best"
    return (Rule(name=name, x=float(found.steps[found.best]), ink="accent"),)


def _note(found: Progress, name: str, held: Dataset) -> str:
    if found.best is None:
        return "hold out some points to see where training should stop" if not len(held) else ""
    step, value = found.steps[found.best], found.held[found.best]
    words = f"held-out {name} is least at step {step}: {value:.4g}"
    return f"stop early: {words}, {found.held[-1]:.4g} at the end" if found.overfits else words
