"""Residuals of a regression as it learns: against fitted values, and beside a normal distribution."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from vizml.evaluate.diagnostic import Diagnostic, Subject, diagnostic
from vizml.evaluate.residuals import normal_chart, residuals_chart
from vizml.learn import REGRESS, Regressor
from vizml.scene import Chart


@diagnostic("residuals", title="Residuals", tasks=(REGRESS,), live=True)
@dataclass(frozen=True)
class Residuals(Diagnostic):
    def charts(self, subject: Subject) -> Iterator[Chart]:
        yield residuals_chart(_regressor(subject), subject.train, subject.held)


@diagnostic("normal", title="Normal Q-Q", tasks=(REGRESS,), live=True)
@dataclass(frozen=True)
class NormalQuantiles(Diagnostic):
    def charts(self, subject: Subject) -> Iterator[Chart]:
        yield normal_chart(_regressor(subject), subject.train)


def _regressor(subject: Subject) -> Regressor:
    if not isinstance(subject.state, Regressor):
        raise ValueError("there is no curve yet")  # noqa: TRY004 (it is told to people, not a slip of a caller)
    return subject.state
