"""Error of an ensemble beside the mean error of its members and the error of a single model."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.member_errors import (
    MemberErrors,
    averaged_predictions,
    member_errors,
    predictions,
    true_values,
)
from vizml.field.arrays import Floats
from vizml.learn import CLASSIFY, REGRESS, Model, choice, fit_data
from vizml.learn.ensembles.common import EnsembleModel
from vizml.learn.model import StandardisedModel
from vizml.scene import Axis, Chart, Rule, Series

FRESH, ENOUGH, MOST_SAMPLES = "fresh points", 1000, 10
"""Name of fresh samples, number of points that are enough, and the most samples."""
REFUSAL = "no members are averaged here: choose bagging, a random forest, extra trees or voting"


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
