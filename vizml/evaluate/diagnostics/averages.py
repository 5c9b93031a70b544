"""Ensembles that average: errors of members and of their average, and the formula of the expected error.

For a squared error E_ens <= E_mean (Jensen's inequality).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeVar

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.field.arrays import Floats
from vizml.learn import (
    CLASSIFY,
    REGRESS,
    Classifier,
    Model,
    State,
    TrainingData,
    choice,
    fit_data,
    integer,
    real,
)
from vizml.learn.coded import CodedState
from vizml.learn.ensembles.common import EnsembleModel, MeanState
from vizml.learn.ensembles.members import class_shares
from vizml.learn.model import StandardisedModel
from vizml.scene import Axis, Chart, Rule, Series

N = TypeVar("N", float, Floats)
FRESH, ENOUGH, MOST_SAMPLES = "fresh points", 1000, 10
"""Name of fresh samples, number of points that are enough, and the most samples."""
REFUSAL = "no members are averaged here: choose bagging, a random forest, extra trees or voting"
LEAST_RANGE = 100
"""Number of members that is always shown by the formula."""


class MemberErrors(NamedTuple):
    """Errors of the first 1, 2, ..., B members."""

    each: Floats
    """Error of each member."""
    mean: Floats
    """Mean of the errors of the first members, with their weights."""
    ensemble: Floats
    """Error of the average of the first members."""


def member_errors(values: Floats, weights: Floats, truth: Floats, *, decided: bool = False) -> MemberErrors:
    """Return the errors of predictions (B, n, K) of a truth (n, K).

    The error is squared; of class shares it is halved, so that for two classes it is (p - y)^2, the Brier
    score. With `decided` it is the error rate of the classes with the largest share.
    """
    totals = weights.cumsum()
    totals[totals == 0] = 1.0
    averages = (values * weights[:, None, None]).cumsum(axis=0) / totals[:, None, None]

    def errors(predictions: Floats) -> Floats:
        if decided:
            return np.asarray((predictions.argmax(axis=2) != truth.argmax(axis=1)).mean(axis=1))
        return np.asarray(((predictions - truth) ** 2).sum(axis=2).mean(axis=1) / min(truth.shape[1], 2))

    each = errors(values)
    return MemberErrors(each, (weights * each).cumsum() / totals, errors(averages))


def averaged_predictions(state: State | None, X: Floats) -> tuple[Floats, Floats] | None:
    """Return predictions (B, n, K) and weights (B,) of members that are averaged; None without any."""
    if isinstance(state, CodedState):
        return averaged_predictions(state.inner, state.coding.transform(X))
    return state.averaged(X) if isinstance(state, MeanState) and state.size else None


def predictions(state: State, like: State, X: Floats) -> Floats:
    """Return the predictions (n, K) of a state: numbers, or shares of the classes of another state."""
    if isinstance(state, Classifier) and isinstance(like, Classifier):
        return np.asarray(class_shares(state, state.scores(X).T, like.classes).T)
    return np.asarray(state.predict(X), dtype=np.float64)[:, None]


def true_values(state: State, data: TrainingData) -> Floats:
    """Return the targets (n, 1), or 1 for the class of each row and 0 for the others (n, K)."""
    if isinstance(state, Classifier):
        return np.asarray(data.labels[:, None] == state.classes, dtype=np.float64)
    return data.y[:, None]


@diagnostic(
    "members", title="Ensemble and members", tasks=(CLASSIFY, REGRESS),
    synonyms=("single model", "mean member error", "wisdom of the crowd", "E_ens ≤ E_mean", "Jensen"),
)  # fmt: skip
class EnsembleAndMembers(Diagnostic):
    """Error of the average of the first members, mean error of these members, and error of a single model
    on all the data. For squared errors the average is never worse (Jensen's inequality).
    """

    part: str = choice(
        "fresh", ("fresh", "held out", "train"), labels={"fresh": FRESH},
        help="Points of evaluation: fresh ones of the generator, or those held out where there is none.",
    )  # fmt: skip
    loss: str = choice(
        "squared", ("squared", "zero_one"), labels={"squared": "squared error", "zero_one": "error rate"},
        help="Squared error, for classes that of their shares (Brier score); or the error rate of classes, "
        "for which the inequality need not hold.",
    )  # fmt: skip

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        name, X, truth = self._points(subject)
        found = averaged_predictions(subject.state, X)
        if subject.state is None or found is None:
            raise ValueError(REFUSAL)
        decided = self.loss == "zero_one" and subject.model.task is CLASSIFY
        errors = member_errors(*found, truth, decided=decided)
        yield ChartResult(self._chart(subject, f"{len(X):,} {name}", errors))
        single = single_model(subject.model)
        if single is not None:
            alone = predictions(fit_data(single, subject.train, subject.seed), subject.state, X)
            error = float(member_errors(alone[None], np.ones(1), truth, decided=decided).each[0])
            yield ChartResult(self._chart(subject, f"{len(X):,} {name}", errors, error))

    def _points(self, subject: DiagnosticSubject) -> tuple[str, Floats, Floats]:
        """Return name, inputs and true values of the points of evaluation."""
        state = subject.state
        if state is None:
            raise ValueError(REFUSAL)
        if self.part != "fresh" or subject.sampler is None:
            name, data = subject.part("held out" if self.part == "fresh" else self.part)
            return f"points ({name})", data.X, true_values(state, data)
        draws = min(-(-ENOUGH // max(len(subject.train), 1)), MOST_SAMPLES)
        samples = [subject.model.training_data(subject.sampler(i)) for i in range(draws)]
        truths = [true_values(state, sample) for sample in samples]
        return FRESH, np.concatenate([sample.X for sample in samples]), np.concatenate(truths)

    def _chart(
        self, subject: DiagnosticSubject, points: str, errors: MemberErrors,
        single: float | None = None,
    ) -> Chart:  # fmt: skip
        at = np.arange(1.0, len(errors.each) + 1)
        mean, ensemble = float(errors.mean[-1]), float(errors.ensemble[-1])
        note = f"{points}: E_ens = {ensemble:.4g} ≤ E_mean = {mean:.4g}"
        if single is not None:
            note += f"; single model on all data: {single:.4g}"
        if self.loss == "zero_one" and subject.model.task is CLASSIFY:
            name, note = "error rate", note.replace("≤", "and")
        else:
            name = "mean squared error" if subject.model.task is REGRESS else "Brier score"
        return Chart(
            title="Ensemble and members", x=Axis(title="members", low=1), y=Axis(title=name, low=0),
            series=(
                Series(name="each member", x=at, y=errors.each, ink="muted", kind="dots", opacity=0.5),
                Series(name="mean member error", x=at, y=errors.mean, ink=1),
                Series(name="ensemble", x=at, y=errors.ensemble),
            ),
            rules=() if single is None else (Rule(name="single model", y=single, ink="text"),), note=note,
        )  # fmt: skip


def single_model(model: Model) -> Model | None:
    """Return the model of the members of an ensemble, where all have the same one."""
    if isinstance(model, StandardisedModel):
        inner = single_model(model.inner)
        return None if inner is None else StandardisedModel(inner)
    return model.single if isinstance(model, EnsembleModel) else None


@diagnostic(
    "averaging", title="Error of an average", tasks=(CLASSIFY, REGRESS),
    synonyms=("ρσ² + (1 − ρ)σ²/B", "variance of bagging", "correlated estimators", "0.29 → 0.05"),
)  # fmt: skip
class ErrorOfAverage(Diagnostic):
    """Expected squared error bias² + ρσ² + (1 − ρ)σ²/B + noise of the average of B estimators, for figures of
    your choice, beside the measured variance of the ensemble shown.
    """

    live = True
    rho: float = real(0.0, 0.0, 1.0, symbol="ρ", title="correlation", help="Correlation of two estimators.")
    sigma2: float = real(
        0.25, 0.0, 10.0, symbol="σ²", title="variance", help="Variance of a single estimator."
    )
    bias2: float = real(0.04, 0.0, 10.0, title="bias²", help="Squared bias, which averaging leaves as it is.")
    noise: float = real(
        0.0, 0.0, 10.0, help="Variance of the noise, the irreducible part of the error of a prediction."
    )
    members: int = integer(25, 1, 1000, log=True, symbol="B", help="Number of estimators in the average.")

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        single, average = self.error(1.0), self.error(float(self.members))
        terms = f"bias² {self.bias2:g} + variance {average - self.bias2 - self.noise:.4g}"
        noise = f" + noise {self.noise:g}" if self.noise else ""
        notes = [f"single {single:.4g}; average of {self.members}: {average:.4g} = {terms}{noise}"]
        at = np.arange(1.0, max(LEAST_RANGE, 2 * self.members) + 1)
        chosen = np.array([1.0, float(self.members)])
        series = [
            Series(name="error", x=at, y=self.error(at)),
            Series(
                name=f"B = 1 and B = {self.members}", x=chosen, y=self.error(chosen), kind="dots", ink="text"
            ),
        ]
        state = subject.state
        if isinstance(state, MeanState) and state.bags:
            found, size = state.variance, np.array([float(state.size)])
            name = "measured variance of the ensemble"
            series.append(Series(name=name, x=size, y=found.measured[-1:].copy(), kind="dots", ink=1))
            figures = f"ρ = {found.rho[-1]:.3g}, σ² = {found.sigma2[-1]:.3g}"
            notes.append(f"{name}: {found.measured[-1]:.3g} with {figures}")
        limit = self.bias2 + self.noise + self.rho * self.sigma2
        chart = Chart(
            title="Error of an average", x=Axis(title="estimators B", log=True),
            y=Axis(title="expected squared error", low=0), series=tuple(series),
            rules=(Rule(name="limit for B → ∞", y=limit),), note="; ".join(notes),
        )  # fmt: skip
        yield ChartResult(chart)

    def error(self, members: N) -> N:
        """Return the expected squared error of the average of some estimators."""
        return self.bias2 + self.noise + self.rho * self.sigma2 + (1 - self.rho) * self.sigma2 / members
