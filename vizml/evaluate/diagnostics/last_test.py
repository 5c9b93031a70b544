"""The last test: the score on points that were kept from everything, locked until somebody asks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.evaluate.diagnostic import Diagnostic, Subject, diagnostic
from vizml.evaluate.diagnostics.score_axis import measure
from vizml.evaluate.judging import score
from vizml.learn import CLASSIFY, REGRESS
from vizml.scene import Axis, Chart, Offer, Series

UNLOCK = "test part"
"""What the offer of the chart sets: the lock is the window's, which counts the looks."""


@diagnostic("last_test", title="Test part", tasks=(CLASSIFY, REGRESS), live=True)
@dataclass(frozen=True)
class LastTest(Diagnostic):
    def charts(self, subject: Subject) -> Iterator[Chart]:
        if subject.state is None:
            raise ValueError("there is nothing to judge yet: train on some points")
        if subject.test is None and not subject.locked:
            raise ValueError("no points are kept for a last test: give them a share at the end of the panel")
        parts = {"train": subject.train, "held out": subject.held}
        parts |= {"test": subject.test} if subject.test is not None else {}
        known = {
            name: score(subject.state, data, subject.threshold) for name, data in parts.items() if len(data)
        }
        values = np.array([np.nan if value is None else value for value in known.values()])
        names = dict(enumerate(known))
        if subject.locked:
            names[len(names)] = "test (locked)"
        at = np.arange(float(len(values)))
        yield Chart(
            title="Test part",
            x=Axis(
                title="part",
                ticks={float(i): name for i, name in names.items()},
                low=-0.5,
                high=len(names) - 0.5,
            ),
            y=Axis(title=measure(subject.model.task), low=0.0, high=1.0),
            series=(Series(name="", x=at, y=values, kind="bars"),),
            offers=(LOOK,) if subject.locked else (),
            note=_note(subject, known.get("test")),
        )


LOOK = Offer(
    text="Look at the test part",
    tip="Judge this one model by the points that were kept for the end; a change locks them again",
    values={UNLOCK: True},
)


def _note(subject: Subject, value: float | None) -> str:
    if subject.locked:
        seen = f", looked at {times(subject.looks)} before" if subject.looks else ""
        return f"{subject.locked} points are kept for one last test{seen}"
    words = "not known" if value is None else f"{value:.3f}"
    if subject.looks > 1:
        return f"test {words}: looked at {times(subject.looks)}, so chosen by, and too hopeful by now"
    return f"test {words}: the first look, as good as fresh points"


def times(count: int) -> str:
    """How often, in words."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
