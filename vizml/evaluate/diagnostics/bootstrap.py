"""The bootstrap: how far coefficients scatter over samples with replacement, their errors and intervals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.evaluate.diagnostic import Diagnostic, Exhibit, Overlay, Subject, diagnostic
from vizml.evaluate.resampling import Bootstrap, resampled
from vizml.learn import CLASSIFY, REGRESS, CannotLearn, State, fit_data, integer, real
from vizml.scene import Axis, Chart, Rule, Series

EVERY = 10
"""So many fits bring a new chart."""


@diagnostic("bootstrap", title="Bootstrap", tasks=(CLASSIFY, REGRESS))
@dataclass(frozen=True)
class BootstrapErrors(Diagnostic):
    draws: int = integer(100, 3, 1000, help="how many samples with replacement")
    level: float = real(95.0, 50.0, 99.9, help="the share of samples within the interval", unit="%")
    seed: int = integer(0, 0, 2**31 - 1, help="draws others")

    def charts(self, subject: Subject) -> Iterator[Chart]:
        for exhibit in self.exhibits(subject):
            yield exhibit.chart

    def exhibits(self, subject: Subject) -> Iterator[Exhibit]:
        """The fits to the newest samples."""
        whole = fit_data(subject.model, subject.train, subject.seed)
        names, estimate = coefficients(whole)
        if not names:
            raise ValueError(f"{subject.model.title} has no coefficients whose errors could be told")
        draw, states = resampled(subject.train, self.seed), []
        for i in range(self.draws):
            try:
                states.append(fit_data(subject.model, draw(i), subject.seed))
            except CannotLearn:
                continue
            if len(states) > 1 and (len(states) % EVERY == 0 or i == self.draws - 1):
                rows = [coefficients(state)[1] for state in states]
                found = Bootstrap(np.array([row for row in rows if len(row) == len(names)]), 0.0)
                yield Exhibit(self._chart(names, estimate, found), Overlay(tuple(states)))

    def _chart(self, names: tuple[str, ...], estimate: np.ndarray, found: Bootstrap) -> Chart:
        at = np.arange(float(len(names)))
        low, high = found.interval(self.level / 100)
        errors = ", ".join(f"{name} {value:.3g}" for name, value in zip(names, found.error, strict=True))
        return Chart(
            title="Bootstrap",
            x=Axis(
                title="coefficient",
                ticks=dict(zip(at.tolist(), names, strict=True)),
                low=-0.5,
                high=at[-1] + 0.5,
            ),
            y=Axis(title="value"),
            series=(
                Series(name=f"{self.level:g} % interval", x=at, y=estimate, low=low, high=high, kind="dots"),
            ),
            rules=(Rule(y=0.0),),
            note=f"{len(found.values)} of {self.draws} samples; standard errors {errors}",
        )


def coefficients(state: State) -> tuple[tuple[str, ...], np.ndarray]:
    """The coefficients of a linear state with their names, as far as its figures tell them."""
    if not hasattr(state, "coefficients"):
        return (), np.empty(0)
    known = {round(float(value), 12) for value in np.ravel(state.coefficients)}
    figures = {
        name: value
        for name, value in state.metrics().items()
        if name == "intercept" or round(float(value), 12) in known
    }
    return tuple(figures), np.array(list(figures.values()), dtype=np.float64)
