"""The test set: the score on rows that are kept for a final evaluation, locked until requested."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.data.wording import plural
from vizml.evaluate.diagnostic import ChartResult, Diagnostic, DiagnosticSubject, diagnostic
from vizml.evaluate.diagnostic_charts import score_name
from vizml.evaluate.validation import score_or_nan
from vizml.learn import CLASSIFY, REGRESS
from vizml.scene import Axis, Chart, Offer, Series

UNLOCK = "test set"
"""Key of the chart's offer: the window unlocks the test set and counts its evaluations."""
UNLOCK_OFFER = Offer(
    text="Evaluate on the test set",
    tip="Evaluate this model on the rows that are kept for the end; any change locks them again.",
    values={UNLOCK: True},
)


@diagnostic(
    "last_test", title="Test set", tasks=(CLASSIFY, REGRESS),
    synonyms=("hold-out test data", "generalisation error", "test error"),
)  # fmt: skip
class FinalTestScore(Diagnostic):
    """Final score on points that were kept apart from training and validation."""

    live = True

    def results(self, subject: DiagnosticSubject) -> Iterator[ChartResult]:
        if subject.state is None:
            raise ValueError("there is nothing to evaluate yet: train on some points")
        if subject.test is None and not subject.locked:
            raise ValueError("there is no test set: set its share at the end of the panel")
        parts = {"train": subject.train, "held out": subject.held}
        parts |= {"test": subject.test} if subject.test is not None else {}
        known = {
            name: score_or_nan(subject.state, data, subject.threshold)
            for name, data in parts.items()
            if len(data)
        }
        names = [*known, *(["test (locked)"] if subject.locked else [])]
        ticks = {float(i): name for i, name in enumerate(names)}
        chart = Chart(
            title="Test set",
            x=Axis(title="part", ticks=ticks, low=-0.5, high=len(names) - 0.5),
            y=Axis(title=score_name(subject.model.task), low=0.0, high=1.0),
            series=(
                Series(
                    name="", x=np.arange(float(len(known))), y=np.array(list(known.values())), kind="bars"
                ),
            ),
            offers=(UNLOCK_OFFER,) if subject.locked else (),
            note=_note(subject, known.get("test", np.nan)),
        )
        yield ChartResult(chart)


def _note(subject: DiagnosticSubject, value: float) -> str:
    count = subject.test_evaluations
    if subject.locked:
        before = f", evaluated {times(count)} before" if count else ""
        return f"{plural(subject.locked, 'point is', 'points are')} kept for the final evaluation{before}"
    words = "unknown" if np.isnan(value) else f"{value:.3f}"
    if count > 1:
        return f"test {words}: evaluated {times(count)}, so the score is biased by selection"
    return f"test {words}: first evaluation, unbiased"


def legend_text(count: int) -> str:
    """Return the text of the legend for test points after some evaluations."""
    return f"test, seen {times(count)}" if count else "test, locked"


def times(count: int) -> str:
    """Return 'once', 'twice', '3 times'."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
